"""The scanning worker on a real tmux: agents start, change their state, and end."""

import asyncio
import os
import pty
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agents import registry, workers
from agents.registry import Agent
from agents.runtimes.loader import AgentState, load
from agents.workers import Scan
from core import events as core_events
from core.errors import TmuxFailed
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from tests.agents.corpus import Sample, samples
from tests.agents.detection.programs import screen_program, sleeper
from tests.agents.fakes.kinds import POINTER
from tests.conftest import RunTmux
from tests.terminals.tmux.restarting import end_server, start_server
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)

NORMAL = {sample.name: sample for sample in samples() if sample.size == "80x24"}
Published = list[dict[str, Any]]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Published:
    events: Published = []

    def publish(group: str, event: dict[str, Any]) -> None:
        assert group == core_events.topic("agents")
        events.append(event)

    monkeypatch.setattr(core_events, "publish", publish)
    return events


@pytest.fixture
async def scanned(
    runtime: Runtime, published: Published, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Tmux]:
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.1)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.scan_agents(runtime, stop=stop))
    yield runtime.main
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)
    assert registry.current().agents == {}


async def until(condition: Callable[[dict[str, Agent]], bool]) -> dict[str, Agent]:
    await eventually(lambda: condition(registry.current().agents))
    return dict(registry.current().agents)


def is_in(name: str, state: AgentState) -> Callable[[dict[str, Agent]], bool]:
    return lambda agents: name in agents and agents[name].state is state


async def show(tmux: Tmux, pane: str, sample: Sample, directory: Path) -> None:
    path = directory / f"{sample.name}.screen"
    path.write_text("\n".join(sample.lines).rstrip("\n"))
    await tmux.type(pane, f"{path}\n".encode())


async def test_the_state_of_an_agent_is_tracked_through_a_turn(
    scanned: Tmux, tmp_path: Path, published: Published
) -> None:
    program = screen_program(tmp_path / "bin", "claude")
    session = await scanned.new_session("job", cwd=str(tmp_path), command=f"exec {program}")
    agent = (await until(lambda agents: "job" in agents))["job"]
    assert (agent.runtime, agent.work_dir, agent.attached) == ("claude", str(tmp_path), False)
    assert (agent.pane_id, agent.window_id) == (session.pane_id, session.window_id)

    turn = ["idle-prose", "working-spinner", "waiting-bash", "working-tool", "idle-todo"]
    for part in turn:
        sample = NORMAL[f"claude-{part}-80x24"]
        await show(scanned, session.pane_id, sample, tmp_path)
        agent = (await until(is_in("job", sample.state)))["job"]
        assert (agent.question.title if agent.question else "") == sample.question
        assert tuple(option.label for option in agent.options) == sample.options

    await scanned.kill(session.pane_id)
    changes: list[dict[str, object]] = []

    def is_removed() -> bool:  # published a moment after the registry changes
        changes[:] = [change for event in published for change in event["changes"]]
        return changes[-1]["type"] == "agent-removed"

    await eventually(is_removed)
    assert [change["type"] for change in changes] == [
        "agent-added",
        *["agent-updated"] * len(turn),
        "agent-removed",
    ]
    assert changes[-1] == {"type": "agent-removed", "name": "job"}


async def test_every_pane_of_every_window_is_scanned(scanned: Tmux, tmp_path: Path) -> None:
    claude, codex = sleeper(tmp_path, "claude"), sleeper(tmp_path, "codex")
    session = await scanned.new_session("many", command="exec sh")
    await scanned.split_window(session.pane_id, stacked=True, command=f"exec {claude} 3600")
    await until(lambda agents: set(agents) == {"many"})
    await scanned.new_window(session.session_id, command=f"exec {codex} 3600", background=True)
    agents = await until(lambda agents: len(agents) == 2)
    index = (await scanned.windows(session.session_id))[-1].index
    assert {agent.name: agent.runtime for agent in agents.values()} == {
        "many": "claude",
        f"many:{index}.0": "codex",
    }


async def test_a_process_that_starts_in_an_existing_window_is_detected(
    scanned: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    """tmux sends no notification for a window with a fixed name."""
    run_tmux("set-option", "-g", "automatic-rename", "off")
    program = sleeper(tmp_path, "amp")
    [row] = await scanned.panes()
    await scanned.type(row.id, f"{program} 3600\n".encode())
    await until(lambda agents: set(agents) == {"work"})
    await scanned.press(row.id, "C-c")
    await until(lambda agents: not agents)


@contextmanager
def attached(socket: str, session: str) -> Iterator[None]:
    """A user's terminal that is attached to the session."""
    pid, terminal = pty.fork()
    if pid == 0:
        environment = {"TERM": "xterm-256color", "PATH": os.environ["PATH"]}
        os.execvpe("tmux", ["tmux", "-u", "-S", socket, "attach", "-t", session], environment)
    try:
        yield
    finally:
        os.kill(pid, 15)
        os.waitpid(pid, 0)
        os.close(terminal)


async def test_attached_counts_user_terminals_and_not_our_own_clients(
    scanned: Tmux, tmp_path: Path, socket: str
) -> None:
    program = sleeper(tmp_path, "codex")
    session = await scanned.new_session("seen", command=f"exec {program} 3600")
    viewer = scanned.view(session.pane_id)
    await viewer.read()
    assert not (await until(lambda agents: "seen" in agents))["seen"].attached
    with attached(socket, "seen"):
        await until(lambda agents: agents["seen"].attached)
    await until(lambda agents: not agents["seen"].attached)
    viewer.close()


async def test_only_agents_below_the_work_dir_are_tracked(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path / "bin", "claude")
    for name in ("gt", "gt/work", "gt-other"):
        (tmp_path / name).mkdir()
        session = name.replace("/", "_")
        await tmux.new_session(session, cwd=str(tmp_path / name), command=f"exec {program} 3600")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "gt")
    for root in (f"{tmp_path}/gt", f"{tmp_path}/gt/", str(link)):
        scan = Scan(tmux, work_dir=root)

        async def found(scan: Scan = scan) -> bool:
            return {agent.name for agent in await scan.run()} == {"gt", "gt_work"}

        await eventually(found)
    assert len(await Scan(tmux).run()) == 3


async def test_only_panes_with_new_output_are_captured(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = screen_program(tmp_path / "bin", "claude")
    panes = [
        (await tmux.new_session(name, command=f"exec {program}")).pane_id for name in ("a", "b")
    ]
    await tmux.new_session("other", command="exec sh")
    taken: list[str] = []
    capture = tmux.capture

    async def counted(pane_id: str, **options: bool) -> bytes:
        taken.append(pane_id)
        return await capture(pane_id, **options)

    monkeypatch.setattr(tmux, "capture", counted)
    scan = Scan(tmux)

    async def quiet() -> bool:
        """After the second in which they last printed."""
        taken.clear()
        return len(await scan.run()) == 2 and not taken

    await eventually(quiet)
    await show(tmux, panes[0], NORMAL["claude-idle-prose-80x24"], tmp_path)

    async def one() -> bool:
        await scan.run()
        return panes[0] in taken

    await eventually(one)
    assert set(taken) == {panes[0]}


async def test_agents_are_removed_when_tmux_ends_and_return_when_it_starts(
    scanned: Tmux, tmp_path: Path, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.1)
    program = sleeper(tmp_path, "claude")
    await scanned.new_session("job", command=f"exec {program} 3600")
    await until(lambda agents: set(agents) == {"job"})
    await end_server(run_tmux)
    await until(lambda agents: not agents)
    start_server(run_tmux, f"exec {program} 3600")
    await until(lambda agents: set(agents) == {"work"})


async def test_an_error_of_tmux_is_logged_and_the_worker_continues(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scan = Scan(tmux)

    async def fails() -> list[Agent]:
        raise TmuxFailed("no answer")

    monkeypatch.setattr(scan, "run", fails)
    await workers.scan_once(scan, asyncio.Event(), asyncio.Event())
    assert "no answer" in caplog.text


@pytest.mark.parametrize(
    ("hint", "draft", "reply", "same"),
    [
        ("  Ctrl+Y to paste deleted text", "", "done", True),
        ("  ? for shortcuts", "a draft", "done", True),
        ("  ? for shortcuts", "", "done, and more", False),
        ("  esc to interrupt", "", "done", False),
    ],
)
def test_hints_and_a_draft_do_not_count_as_movement(
    hint: str, draft: str, reply: str, *, same: bool
) -> None:
    def shown(hint: str, draft: str, reply: str) -> int:
        rule = "─" * 60
        lines = [f"● {reply}", "", rule, f"{POINTER} {draft}".rstrip(), rule, hint]
        return workers._read_lines(lines, load("claude"))[1]

    assert (shown(hint, draft, reply) == shown("  ? for shortcuts", "", "done")) is same
