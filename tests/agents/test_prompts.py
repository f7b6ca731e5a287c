"""Deliveries to fake agents in a real tmux: what is said to be sent is in the agent's own log."""

import asyncio
import random
from pathlib import Path

import pytest

from agents import prompts, rules
from agents.prompts import deliver, wake
from agents.receipts import Outcome
from terminals.errors import Invalid
from terminals.tmux.driver import Tmux
from terminals.tmux.foreground import Process, process
from tests.agents import deliveries
from tests.agents.deliveries import FAULTS, HOPELESS, agent_of, random_prompt, rules_of
from tests.agents.fakes.launch import Fake, launch
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually

EACH = 3  # prompts for each of the 66 pairs of fault and fake: 198


async def send(tmux: Tmux, fake: Fake, prompt: str, *, fault: str = "") -> Outcome:
    agent = agent_of(fake)
    return await deliver(tmux=tmux, agent=agent, rules=rules_of(agent, fault), prompt=prompt)


async def shown(tmux: Tmux, fake: Fake) -> str:
    return (await tmux.capture(fake.pane_id)).decode()


@pytest.mark.parametrize("fault", FAULTS)
async def test_what_is_said_to_be_submitted_was_submitted_once_and_exactly(
    tmux: Tmux, tmp_path: Path, fault: str
) -> None:
    tallies = await asyncio.gather(
        *(
            deliveries.soak(tmux, tmp_path, runtime, fault, prompts=EACH, seed=2)
            for runtime in deliveries.RUNTIMES
        )
    )
    assert [tally.wrong for tally in tallies] == [0] * len(tallies), tallies
    assert [tally.denied for tally in tallies] == [0] * len(tallies), tallies
    sent = sum(tally.ok for tally in tallies)
    # A storm of sizes may keep a composer from being seen: that is said, never guessed.
    # On a starved machine one may be given up, and is said to be; `make soak-delivery` counts them.
    assert sent == 0 if fault in HOPELESS else sent >= len(tallies) * EACH - 2, tallies


@pytest.mark.parametrize("runtime", deliveries.RUNTIMES)
async def test_a_turn_is_seen_to_begin(tmux: Tmux, tmp_path: Path, runtime: str) -> None:
    fake = await launch(tmux, tmp_path, runtime, turn=0.5)
    outcome = await send(tmux, fake, "hello")
    assert outcome.ok
    assert (outcome.pasted, outcome.turn_started, outcome.attempts) == (True, True, 1)
    assert fake.prompts == [b"hello"]


async def test_a_failure_says_what_stands_on_the_composer(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=["enter-never"])
    outcome = await send(tmux, fake, "never to be read")
    assert not outcome.ok
    assert outcome.error == "the prompt was not seen to leave its composer"
    assert outcome.detail == "never to be read"
    assert fake.prompts == []


async def test_a_dialog_gets_no_key_and_its_question_is_told(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=["dialog"])

    async def asks() -> bool:
        return "Do you want" in await shown(tmux, fake)

    await eventually(asks)
    before = await shown(tmux, fake)
    outcome = await send(tmux, fake, "1")
    assert outcome.detail == "Do you want to proceed?"
    assert not outcome.pasted
    assert (await shown(tmux, fake), fake.answers) == (before, [])


async def test_a_prompt_to_a_running_turn_neither_cancels_it_nor_is_lost(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude", turn=2.0)
    first = await send(tmux, fake, "the first")
    second = await send(tmux, fake, "the second")
    assert (first.turn_started, second.ok, second.turn_started) == (True, True, False)
    assert fake.prompts == [b"the first", b"the second"]
    assert fake.events("cancelled") == []


async def test_two_prompts_at_once_do_not_mix(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "codex")
    chance = random.Random(5)
    texts = [random_prompt(chance, lines=True) for _ in range(4)]
    outcomes = await asyncio.gather(*(send(tmux, fake, text) for text in texts))
    assert all(outcome.ok for outcome in outcomes)
    assert sorted(fake.prompts) == sorted(text.encode() for text in texts)


async def test_an_agent_in_a_pane_of_its_own_gets_it_though_another_pane_is_active(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    run_tmux("split-window", "-t", fake.pane_id, "exec sh")
    assert (await tmux.pane(fake.session_id)).id != fake.pane_id
    assert (await send(tmux, fake, "to the upper pane")).ok
    assert fake.prompts == [b"to the upper pane"]


async def test_a_shell_that_an_agent_left_behind_gets_nothing(tmux: Tmux, tmp_path: Path) -> None:
    """Its last frame is still on the screen, and a paste would run line by line."""
    fake = await launch(tmux, tmp_path, "claude")
    assert (await send(tmux, fake, "hello")).ok
    await tmux.link.run(("set-option", "-p", "-t", fake.pane_id, "remain-on-exit", "on"))
    await tmux.press(fake.pane_id, "C-c")

    async def ended() -> bool:
        found = process(fake.pid)
        return found is None or found.state == "Z"

    await eventually(ended)
    outcome = await send(tmux, fake, "touch hacked\ntouch hacked")
    assert (outcome.ok, outcome.pasted, outcome.attempts) == (False, False, 0)
    assert "ended" in outcome.error
    assert fake.prompts == [b"hello"]


@pytest.mark.parametrize(
    "seen",
    [
        Process(7, "claude", "T", group=7, front=7),  # stopped
        Process(7, "claude", "S", group=7, front=3),  # in the background: the shell is in front
    ],
)
async def test_an_agent_that_is_not_in_front_gets_nothing(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: Process
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    monkeypatch.setattr(prompts, "process", lambda pid: seen)
    outcome = await send(tmux, fake, "more")
    assert (outcome.ok, outcome.pasted) == (False, False)
    assert ("stopped" if seen.state == "T" else "not in front") in outcome.error
    assert "fg" in outcome.error
    assert fake.prompts == []


async def test_lines_are_not_sent_where_each_would_be_a_prompt(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "amp")
    with pytest.raises(Invalid, match="one line at a time"):
        await send(tmux, fake, "one\ntwo")
    assert fake.prompts == []


async def test_line_ends_of_other_systems_are_those_of_a_terminal(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    assert (await send(tmux, fake, "one\r\ntwo\rthree\n")).ok
    assert fake.prompts == [b"one\ntwo\nthree"]


async def test_a_wake_is_a_change_of_size_that_leaves_no_trace(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    form = ("display-message", "-p", "-t", fake.pane_id, "#{window_width}x#{window_height}")
    before = run_tmux(*form)
    await wake(tmux, fake.pane_id)

    async def back() -> bool:
        return run_tmux(*form) == before

    await eventually(back)
    assert run_tmux("show-options", "-wv", "-t", fake.pane_id, "window-size") == ""


async def test_a_composer_is_seen_also_after_its_rows_had_wrapped(
    tmux: Tmux, tmp_path: Path
) -> None:
    """tmux goes on joining rows that wrapped once, whatever was drawn over them."""
    fake = await launch(tmux, tmp_path, "claude", faults=["draft"])
    eyes = prompts.Eyes(tmux, fake.pane_id, rules.load("claude"))

    async def seen() -> bool:
        return ((await eyes.look()).reading.composer or "").startswith("half a thought")

    await eventually(seen)
    for _ in range(3):
        await wake(tmux, fake.pane_id)
        await eventually(seen)


def test_no_rules_send_escape() -> None:
    """It cancels a turn in most of them, and with Enter it is Meta-Enter."""
    assert {rule.delivery.get("escape") for rule in rules.runtimes()} == {"never"}
