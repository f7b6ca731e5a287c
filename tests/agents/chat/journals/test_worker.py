"""The worker on a real tmux: agents in panes, with journals that grow, change and end."""

import asyncio
import json
import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents import registry
from agents.chat import selectors as chat
from agents.chat.journals import places
from agents.chat.journals.follower import PIECE, TAIL
from agents.chat.journals.worker import PIECES, JournalWorker
from agents.models import AgentRun
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.witnesses import store as witnesses
from core.database import in_db
from terminals.services import get_live_window
from terminals.tmux.driver import Tmux
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


def line(key: str, role: str, text: str) -> str:
    message = {"role": role, "content": [{"type": "text", "text": text}], "stopReason": "stop"}
    # With its milliseconds: an event from before the start of the process is dropped.
    moment = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return (
        json.dumps({"type": "message", "id": key, "timestamp": moment, "message": message}) + "\n"
    )


class Pi:
    """A pane that shows a conversation, and the journal of it."""

    def __init__(self, tmux: Tmux, home: Path, agent: Agent, name: str) -> None:
        self.tmux, self.agent = tmux, agent
        directory = agent.work_dir.strip("/").replace("/", "-")
        root = home / ".pi" / "agent" / "sessions" / f"--{directory}--"
        root.mkdir(parents=True, exist_ok=True)
        self.path = root / f"{name}.jsonl"
        self.path.write_text(json.dumps({"type": "session", "cwd": agent.work_dir}) + "\n")

    def turn(self, prompt: str, reply: str) -> None:
        with self.path.open("a") as file:
            file.write(line(f"{prompt}", "user", prompt) + line(f"{reply}", "assistant", reply))

    async def messages(self) -> list[str]:
        window = await get_live_window(self.tmux, self.agent.window_id)
        page = await chat.read_chat_messages(window=window)
        return [message.text for message in page.messages if message.source == "journal"]


@pytest.fixture
def start(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str], "asyncio.Future[Pi]"]:
    monkeypatch.setattr(places, "environment_of", lambda pid: {"HOME": str(tmp_path)})

    async def begin(name: str, shown: str) -> Pi:
        row = await tmux.new_window("$0", command=f"echo {shlex.quote(shown)}; exec cat")
        pane = await tmux.pane(row.pane_id)
        agent = Agent(
            name, "pi", "/home/user/project", False, pane.id, pane.window_id, "work", pane.pid
        )

        async def is_shown() -> bool:
            return shown.encode()[:20] in await tmux.capture(pane.id)

        await eventually(is_shown)
        known = registry.current().agents
        registry.current().replace([*known.values(), agent])
        return Pi(tmux, tmp_path, agent, name)

    return lambda name, shown: asyncio.ensure_future(begin(name, shown))


@pytest.fixture(autouse=True)
def clean() -> object:
    yield
    for agent in registry.current().agents.values():
        witnesses.forget(agent.pane_id)
    registry.current().replace(())


async def steps(worker: JournalWorker) -> None:
    """Finds and reads everything that is there."""
    for followed in worker._followed.values():
        followed.find_at = 0.0
    await worker.step()
    while any(followed.has_more for followed in worker._followed.values()):
        await worker.step()


async def test_two_agents_in_one_directory_are_not_mixed_up(
    tmux: Tmux, start: Callable[[str, str], "asyncio.Future[Pi]"]
) -> None:
    first = await start("one", "fix the bug: Done, it was the fixture.")
    second = await start("two", "write a test: There is one now.")
    worker = JournalWorker(tmux)
    first.turn("fix the bug", "Done, it was the fixture.")
    second.turn("write a test", "There is one now.")
    await steps(worker)
    assert await first.messages() == ["fix the bug", "Done, it was the fixture."]
    assert await second.messages() == ["write a test", "There is one now."]
    second.turn("and another", "**Two** now.")
    await steps(worker)
    assert await first.messages() == ["fix the bug", "Done, it was the fixture."]
    assert (await second.messages())[2:] == ["and another", "**Two** now."]


async def test_a_journal_reports_to_the_witnesses_and_a_run_ends_with_its_agent(
    tmux: Tmux, start: Callable[[str, str], "asyncio.Future[Pi]"]
) -> None:
    pi = await start("one", "hello: how are you today?")
    worker = JournalWorker(tmux)
    pi.turn("hello", "how are you today?")
    await steps(worker)
    kinds = [event.kind.value for event in witnesses.events(pi.agent.pane_id)]
    assert kinds == ["prompt-submitted", "turn-ended"]
    run = await in_db(AgentRun.objects.get)()
    assert run.ended is None
    # webtmux is restarted: nothing is stored twice, and the run goes on.
    await steps(JournalWorker(tmux))
    assert await pi.messages() == ["hello", "how are you today?"]
    registry.current().replace(())
    await steps(worker)
    run = await in_db(AgentRun.objects.get)()
    assert run.ended is not None


async def test_a_large_journal_does_not_hold_the_event_loop(
    tmux: Tmux, start: Callable[[str, str], "asyncio.Future[Pi]"]
) -> None:
    """Of 20 MB with 8,000 messages the last 16 MiB are stored, while the loop goes on."""
    pi = await start("one", "the end: this is the last reply")
    filler = "".join(
        line(f"k{n}", "user" if n % 2 else "assistant", "x" * 2400) for n in range(8000)
    )
    with pi.path.open("a") as file:
        file.write(filler)
    pi.turn("the end", "this is the last reply")
    assert pi.path.stat().st_size > TAIL
    # The watchdog of the tests fails this one if a callback takes over 50 ms of processor time. The
    # clock is no measure here: the tests may run on a loaded machine.
    turns, stop = 0, asyncio.Event()

    async def count() -> None:
        nonlocal turns
        while not stop.is_set():
            await asyncio.sleep(0.005)
            turns += 1

    counting = asyncio.create_task(count())
    await steps(JournalWorker(tmux))
    stop.set()
    await counting
    assert turns > TAIL // (PIECES * PIECE)  # others had their turn between all pieces
    assert (await pi.messages())[-2:] == ["the end", "this is the last reply"]


async def test_an_idle_agent_is_searched_for_rarely(
    tmux: Tmux, start: Callable[[str, str], "asyncio.Future[Pi]"]
) -> None:
    pi = await start("one", "hello")
    worker = JournalWorker(tmux)
    agent = replace(pi.agent, state=AgentState.IDLE)
    registry.current().replace([agent])
    await worker.step()
    [followed] = worker._followed.values()
    due = followed.find_at
    await worker.step()
    assert followed.find_at == due > time.monotonic() + 5
