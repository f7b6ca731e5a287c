"""Turns: a wait for the turn of a prompt never ends with the state from before the prompt."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from agents import registry, services
from agents.delivery.runner import HookWitness
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.waiting import turn_status, turns
from agents.waiting.turn_status import (
    UNSEEN_SECONDS,
    StateHistory,
    SubmittedPrompt,
    TurnEnd,
    TurnResult,
    next_check,
    result,
)
from agents.waiting.wait import WaitCondition, wait_for_window
from agents.witnesses import store
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from agents.witnesses.prompts import confirmation
from core.errors import NotFound
from terminals.tmux.driver import Tmux
from tests.agents.delivery.deliveries import agent_of
from tests.agents.fakes.launch import ENDLESS, launch
from tests.waiting import LONGEST_SECONDS, eventually

PROMPT = SubmittedPrompt("do it", began=100.0, submitted=101.0, queued=False)
AGENT = Agent("web", "claude", "/tmp", False, "%1", "@1", "web", 1, AgentState.IDLE)


def event(kind: EventKind, timestamp: float, text: str = "", session: str = "s") -> AgentEvent:
    return AgentEvent(
        "claude", kind, EventSource.HOOK, timestamp, session_id=session, pane_id="%1", text=text
    )


def history(*states: tuple[AgentState | None, float]) -> StateHistory:
    recorded = StateHistory()
    for state, timestamp in states:
        recorded.update(state, timestamp)
    return recorded


# --- the decision -----------------------------------------------------------------------------


def test_the_state_from_before_the_prompt_ends_nothing() -> None:
    idle = history((AgentState.IDLE, 90.0))
    assert result(PROMPT, idle, (), 101.1) is None
    assert next_check(PROMPT, idle, 101.0) == pytest.approx(UNSEEN_SECONDS)


def test_idle_after_work_ends_the_turn() -> None:
    states = history(
        (AgentState.IDLE, 101.0), (AgentState.WORKING, 101.2), (AgentState.IDLE, 105.0)
    )
    assert result(PROMPT, states, (), 105.0) == TurnResult(TurnEnd.ENDED)


def test_a_turn_too_short_to_be_seen_ends_after_a_while() -> None:
    idle = history((AgentState.IDLE, 90.0))
    assert result(PROMPT, idle, (), 101.0 + UNSEEN_SECONDS) == TurnResult(TurnEnd.ENDED)


@pytest.mark.parametrize(
    ("state", "end"),
    [(AgentState.WAITING, TurnEnd.WAITING), (None, TurnEnd.AGENT_ENDED)],
)
def test_a_question_and_the_end_of_the_agent_end_the_wait(
    state: AgentState | None, end: TurnEnd
) -> None:
    assert result(PROMPT, history((state, 102.0)), (), 102.0) == TurnResult(end)


def test_an_unknown_state_ends_nothing() -> None:
    assert result(PROMPT, history((AgentState.UNKNOWN, 102.0)), (), 900.0) is None


def test_a_queued_prompt_does_not_end_with_the_turn_before_it() -> None:
    queued = replace(PROMPT, queued=True)
    states = history((AgentState.WORKING, 101.0), (AgentState.IDLE, 103.0))
    assert result(queued, states, (), 103.1) is None
    reported = [event(EventKind.PROMPT_SUBMITTED, 103.05, "do it")]
    assert result(queued, states, reported, 103.1) == TurnResult(TurnEnd.ENDED)
    assert result(queued, states, (), 103.0 + UNSEEN_SECONDS) == TurnResult(TurnEnd.ENDED)


def test_a_hook_reports_the_end_and_the_reply() -> None:
    working = history((AgentState.WORKING, 101.0))
    events = [
        event(EventKind.TURN_ENDED, 100.5, "of the turn before"),
        event(EventKind.PROMPT_SUBMITTED, 100.9, "do it"),
        event(EventKind.TURN_ENDED, 103.0, "of another session", session="other"),
        event(EventKind.TURN_ENDED, 104.0, "done"),
    ]
    assert result(PROMPT, working, events[:3], 103.5) is None
    assert result(PROMPT, working, events, 104.0) == TurnResult(TurnEnd.ENDED, "done", "hook")


def test_a_hook_reports_a_failure() -> None:
    events = [
        event(EventKind.PROMPT_SUBMITTED, 100.9, "do it"),
        event(EventKind.TURN_FAILED, 102.0, "interrupted"),
    ]
    working = history((AgentState.WORKING, 101.0))
    assert result(PROMPT, working, events, 102.0) == TurnResult(
        TurnEnd.FAILED, "interrupted", "hook"
    )


def test_a_prompt_is_confirmed_by_its_own_event_only() -> None:
    def submitted(text: str, timestamp: float = 101.0) -> list[AgentEvent]:
        return [event(EventKind.PROMPT_SUBMITTED, timestamp, text)]

    [same], [altered], [composed] = map(submitted, ("a\tb", "a    b", "caf\u00e9"))
    assert confirmation("a\tb", 100.0, [same]) == same
    assert confirmation("a\tb", 100.0, [altered]) == altered
    assert confirmation("cafe\u0301", 100.0, [composed]) == composed
    assert confirmation("do it", 100.0, submitted("do it", 99.0)) is None
    assert confirmation("do it", 100.0, submitted("do something else")) is None


# --- with a registry, and with a fake agent ---------------------------------------------------


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time alone ends no turn, however slow the machine is."""
    monkeypatch.setattr(turn_status, "UNSEEN_SECONDS", 10 * LONGEST_SECONDS)


@pytest.fixture
async def agent(patient: None) -> AsyncIterator[Agent]:
    registry.current().replace([AGENT])
    yield AGENT
    registry.current().replace(())
    store.forget(AGENT.pane_id)


def begin(agent: Agent, turn_id: str) -> turns.Turn:
    now = time.time()
    return turns.current().begin(turn_id, agent, SubmittedPrompt("do it", now, now, queued=False))


def show(state: AgentState) -> None:
    registry.current().replace([replace(AGENT, state=state)])


async def test_a_turn_goes_on_after_its_question(agent: Agent) -> None:
    turn = begin(agent, "asks")
    show(AgentState.WORKING)
    await eventually(lambda: turn.history.has_worked)
    show(AgentState.WAITING)
    assert (await turn.wait()).end is TurnEnd.WAITING
    show(AgentState.WORKING)
    await eventually(lambda: turn.result is None)
    assert turns.current().is_open(agent.pane_id)
    show(AgentState.IDLE)
    assert (await turn.wait()).end is TurnEnd.ENDED
    assert not turns.current().is_open(agent.pane_id)


async def test_a_time_out_is_no_result(agent: Agent) -> None:
    turn = begin(agent, "slow")
    show(AgentState.WORKING)
    await eventually(lambda: turn.history.has_worked)
    assert await turns.wait(turn, seconds=0.1) is None
    registry.current().replace(())
    assert (await turn.wait()).end is TurnEnd.AGENT_ENDED


async def test_the_journal_has_the_reply_a_moment_after_the_end(agent: Agent) -> None:
    def noted(kind: EventKind, timestamp: float, text: str) -> AgentEvent:
        return replace(event(kind, timestamp, text), source=EventSource.JOURNAL)

    turn = begin(agent, "copilot")
    assert await turns.journal_text(turn) == ""  # no journal: nothing to wait for
    now = turn.prompt.began
    store.record(noted(EventKind.TURN_ENDED, now, "of the turn before"))
    waiting = asyncio.create_task(turns.journal_text(turn))
    await asyncio.sleep(0)
    store.record(noted(EventKind.PROMPT_SUBMITTED, now + 1, "do it"))
    store.record(noted(EventKind.TURN_ENDED, now + 2, "done"))
    assert await waiting == "done"


async def test_the_oldest_turn_is_forgotten(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURNS", 2)
    log = turns.TurnLog()
    prompt = SubmittedPrompt("x", time.time(), time.time(), queued=False)
    first = log.begin("1", agent, prompt)
    for turn_id in ("2", "3"):
        log.begin(turn_id, agent, prompt)
    assert (await first.wait()).end is TurnEnd.FAILED
    with pytest.raises(NotFound, match="turn not found"):
        log.find("1")
    registry.current().replace(())
    await eventually(lambda: log.find("3").is_over)


async def test_a_hook_confirms_a_prompt_that_the_screen_does_not_show(agent: Agent) -> None:
    witness = HookWitness(agent.pane_id, "do it")
    assert witness.is_silent
    assert not await witness.confirms(0.01)
    waiting = asyncio.create_task(witness.confirms(LONGEST_SECONDS))
    await asyncio.sleep(0)
    store.record(event(EventKind.PROMPT_SUBMITTED, time.time(), "do  it"))
    assert await waiting
    assert (witness.confirmed_by, witness.received) == ("hook", "do  it")


@pytest.mark.usefixtures("patient")
@pytest.mark.django_db(transaction=True)
async def test_waiting_for_idle_after_a_prompt_waits_for_its_turn(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude", turn=ENDLESS)
    idle = replace(agent_of(fake), state=AgentState.IDLE)
    registry.current().replace([idle])
    try:
        receipt = await services.send_prompt(tmux=tmux, agent=idle, prompt="hello")
        assert receipt.turn == receipt.id
        [row] = [row for row in await tmux.windows() if row.id == fake.window_id]
        for condition in (
            WaitCondition(states=frozenset({AgentState.IDLE})),
            WaitCondition(turn=receipt.turn),
        ):
            outcome = await wait_for_window(
                tmux=tmux, windows=[row], condition=condition, seconds=0.2
            )
            assert not outcome.met, condition
        working = replace(idle, state=AgentState.WORKING)
        registry.current().replace([working])
        turn = turns.current().find(receipt.turn)
        await eventually(lambda: turn.history.has_worked)
        registry.current().replace([replace(working, state=AgentState.IDLE)])
        outcome = await wait_for_window(
            tmux=tmux, windows=[row], condition=WaitCondition(turn=receipt.turn)
        )
        assert [(each.reason, each.detail) for each in outcome.windows] == [("turn", "ended")]
    finally:
        registry.current().replace(())
