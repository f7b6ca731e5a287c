"""An answer with the id of a question approves that dialog only, even if the next looks alike."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents import registry, services, workers
from agents.delivery.receipts import Receipt
from agents.questions import Question
from agents.registry import Agent
from core import events as core_events
from core.errors import Refused
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from tests.agents.fakes.kinds import EDIT
from tests.agents.fakes.launch import Fake, launch
from tests.agents.pacing import paced_deliveries  # noqa: F401  # a fixture
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = [pytest.mark.usefixtures("paced_deliveries"), pytest.mark.django_db(transaction=True)]
RUNTIMES = ("claude", "codex", "copilot", "opencode", "gemini")


@pytest.fixture
async def scanned(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tmux]:
    monkeypatch.setattr(core_events, "publish", lambda group, event: None)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.scan_agents(runtime, stop=stop))
    yield runtime.main
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)


def agent_of(fake: Fake) -> Agent | None:
    agents = registry.current().agents.values()
    return next((agent for agent in agents if agent.pane_id == fake.pane_id), None)


async def question_of(fake: Fake, *, other_than: str = "") -> tuple[Agent, Question]:
    def asks() -> bool:
        agent = agent_of(fake)
        question = agent.question if agent else None
        return question is not None and bool(question.options) and question.id != other_than

    await eventually(asks)
    agent = agent_of(fake)
    assert agent is not None
    assert agent.question is not None
    return agent, agent.question


async def answer(tmux: Tmux, agent: Agent, number: int, **more: str) -> Receipt:
    return await services.answer_agent(tmux=tmux, agent=agent, answer=str(number), **more)


def answered(fake: Fake) -> list[str]:
    return [line.decode() for line in fake.events("answered")]


@pytest.mark.parametrize("name", RUNTIMES)
async def test_one_id_never_answers_the_next_dialog_that_looks_the_same(
    scanned: Tmux, tmp_path: Path, name: str
) -> None:
    faults = ("dialog:touch marker", "then:touch marker")
    fake = await launch(scanned, tmp_path, name, faults=faults)
    agent, first = await question_of(fake)
    assert first.subject == "touch marker"
    # The next dialog looks the same, so this one may not be seen to close on a slow machine.
    await answer(scanned, agent, 1, question=first.id)
    # A second tap that was on its way: at once, and again when the next dialog is known.
    with pytest.raises(Refused):
        await answer(scanned, agent, 1, question=first.id)
    agent, second = await question_of(fake, other_than=first.id)
    with pytest.raises(Refused):
        await answer(scanned, agent, 1, question=first.id)
    assert answered(fake) == ["touch marker: 1"]
    await answer(scanned, agent, 1, question=second.id)
    assert answered(fake) == ["touch marker: 1"] * 2


async def test_an_id_of_another_agent_is_refused(scanned: Tmux, tmp_path: Path) -> None:
    fakes = [
        await launch(scanned, tmp_path, name, faults=("dialog:touch marker",))
        for name in ("claude", "codex")
    ]
    (agent, _), (_, other) = [await question_of(fake) for fake in fakes]
    with pytest.raises(Refused, match="something else by now"):
        await answer(scanned, agent, 1, question=other.id)
    assert not any(map(answered, fakes))


async def test_the_title_of_a_question_is_still_accepted(scanned: Tmux, tmp_path: Path) -> None:
    fake = await launch(scanned, tmp_path, "claude", faults=("dialog:touch marker",))
    agent, question = await question_of(fake)
    with pytest.raises(Refused, match="something else by now"):
        await answer(scanned, agent, 1, question="Delete everything?")
    assert (await answer(scanned, agent, 1, question=question.title)).ok


async def test_an_edit_is_reported_with_its_path_and_change(scanned: Tmux, tmp_path: Path) -> None:
    fake = await launch(scanned, tmp_path, "claude", faults=("dialog:edit src/app/db.py",))
    _, question = await question_of(fake)
    assert (question.kind, question.path) == ("edit", "src/app/db.py")
    assert question.diff.split("\n")[:2] == list(EDIT[:2])


@pytest.mark.parametrize("name", ["claude", "codex"])
async def test_words_follow_an_option_that_takes_them(
    scanned: Tmux, tmp_path: Path, name: str
) -> None:
    fake = await launch(scanned, tmp_path, name, faults=("dialog:touch marker",))
    agent, question = await question_of(fake)
    with pytest.raises(Refused, match="takes no words: leave out the reason, or choose 3"):
        await answer(scanned, agent, 1, question=question.id, reason="use make instead")
    assert answered(fake) == []
    receipt = await answer(scanned, agent, 3, question=question.id, reason="use make instead")
    assert receipt.ok
    assert answered(fake) == ["touch marker: 3"]
    assert fake.prompts == [b"use make instead"]


async def test_words_are_refused_where_no_option_takes_them(scanned: Tmux, tmp_path: Path) -> None:
    fake = await launch(scanned, tmp_path, "opencode", faults=("dialog:touch marker",))
    agent, question = await question_of(fake)
    with pytest.raises(Refused, match="none of the options takes words"):
        await answer(scanned, agent, 3, question=question.id, reason="use make instead")
    assert answered(fake) == []
