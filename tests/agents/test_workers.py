"""The worker on a real tmux: agents come, do things, and go."""

import asyncio
import os
import pty
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agents import registry, workers
from agents.registry import Agent
from agents.states import State
from agents.workers import Scan
from terminals import live
from terminals.errors import TmuxFailed
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from tests.agents.corpus import Sample, samples
from tests.agents.programs import picture_show, sleeper
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually, start_again

pytestmark = pytest.mark.django_db(transaction=True)

NORMAL = {sample.name: sample for sample in samples() if sample.size == "80x24"}
Published = list[dict[str, object]]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Published:
    events: Published = []

    def publish(group: str, event: dict[str, object]) -> None:
        assert group == live.topic("agents")
        events.append(event)

    monkeypatch.setattr(live, "publish", publish)
    return events


@pytest.fixture
async def scanned(runtime: Runtime, published: Published) -> AsyncIterator[Tmux]:
    stop = asyncio.Event()
    task = asyncio.create_task(workers.scan_agents(runtime, stop=stop))
    yield runtime.main
    stop.set()
    await asyncio.wait_for(task, 5)
    assert registry.current().agents == {}


async def until(condition: Callable[[dict[str, Agent]], bool]) -> dict[str, Agent]:
    async def look() -> bool:
        return condition(registry.current().agents)

    await eventually(look)
    return dict(registry.current().agents)


def is_in(name: str, state: State) -> Callable[[dict[str, Agent]], bool]:
    return lambda agents: name in agents and agents[name].state is state


async def show(tmux: Tmux, pane: str, sample: Sample, directory: Path) -> None:
    path = directory / f"{sample.name}.picture"
    path.write_text("\n".join(sample.lines).rstrip("\n"))
    await tmux.type(pane, f"{path}\n".encode())


async def test_an_agent_is_followed_through_a_whole_turn(
    scanned: Tmux, tmp_path: Path, published: Published
) -> None:
    program = picture_show(tmp_path / "bin", "claude")
    made = await scanned.new_session("job", cwd=str(tmp_path), command=f"exec {program}")
    agent = (await until(lambda agents: "job" in agents))["job"]
    assert (agent.runtime, agent.work_dir, agent.attached) == ("claude", str(tmp_path), False)
    assert (agent.pane_id, agent.window_id) == (made.pane_id, made.window_id)

    turn = ["idle-prose", "working-spinner", "waiting-bash", "working-tool", "idle-todo"]
    for part in turn:
        sample = NORMAL[f"claude-{part}-80x24"]
        await show(scanned, made.pane_id, sample, tmp_path)
        agent = (await until(is_in("job", sample.state)))["job"]
        assert agent.question == sample.question
        assert tuple(option.label for option in agent.options) == sample.options

    await scanned.kill(made.pane_id)
    told: list[dict[str, object]] = []

    async def removed() -> bool:  # it is told a moment after the registry knows
        told[:] = [change for event in published for change in event["changes"]]  # type: ignore[attr-defined]
        return told[-1]["type"] == "agent-removed"

    await eventually(removed)
    assert [change["type"] for change in told] == [
        "agent-added", *["agent-updated"] * len(turn), "agent-removed",
    ]  # fmt: skip
    assert told[-1] == {"type": "agent-removed", "name": "job"}


async def test_every_pane_of_every_window_is_looked_at(scanned: Tmux, tmp_path: Path) -> None:
    claude, codex = sleeper(tmp_path, "claude"), sleeper(tmp_path, "codex")
    made = await scanned.new_session("many", command="exec sh")
    await scanned.split_window(made.pane_id, stacked=True, command=f"exec {claude} 60")
    await until(lambda agents: set(agents) == {"many"})
    await scanned.new_window(made.session_id, command=f"exec {codex} 60", background=True)
    agents = await until(lambda agents: len(agents) == 2)
    index = (await scanned.windows(made.session_id))[-1].index
    assert {agent.name: agent.runtime for agent in agents.values()} == {
        "many": "claude",
        f"many:{index}.0": "codex",
    }


async def test_a_process_that_starts_in_an_old_window_is_found(
    scanned: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    """A window with a fixed name raises no notice."""
    run_tmux("set-option", "-g", "automatic-rename", "off")
    program = sleeper(tmp_path, "amp")
    [row] = await scanned.panes()
    await scanned.type(row.id, f"{program} 60\n".encode())
    await until(lambda agents: set(agents) == {"work"})
    await scanned.press(row.id, "C-c")
    await until(lambda agents: not agents)


@contextmanager
def attached(socket: str, session: str) -> Iterator[None]:
    """A person's terminal."""
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


async def test_attached_counts_people_and_not_our_own_clients(
    scanned: Tmux, tmp_path: Path, socket: str
) -> None:
    program = sleeper(tmp_path, "codex")
    made = await scanned.new_session("seen", command=f"exec {program} 60")
    viewer = scanned.view(made.pane_id)
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
        await tmux.new_session(session, cwd=str(tmp_path / name), command=f"exec {program} 60")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "gt")
    for root in (f"{tmp_path}/gt", f"{tmp_path}/gt/", str(link)):
        scan = Scan(tmux, work_dir=root)

        async def found(scan: Scan = scan) -> bool:
            return {agent.name for agent in await scan.look()} == {"gt", "gt_work"}

        await eventually(found)
    assert len(await Scan(tmux).look()) == 3


async def test_a_picture_is_taken_only_where_something_was_printed(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = picture_show(tmp_path / "bin", "claude")
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
        """Once the second in which they last printed is over."""
        taken.clear()
        return len(await scan.look()) == 2 and not taken

    await eventually(quiet)
    await show(tmux, panes[0], NORMAL["claude-idle-prose-80x24"], tmp_path)

    async def one() -> bool:
        await scan.look()
        return panes[0] in taken

    await eventually(one)
    assert set(taken) == {panes[0]}


async def test_when_tmux_goes_all_agents_go_and_they_return_with_it(
    scanned: Tmux, tmp_path: Path, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.1)
    program = sleeper(tmp_path, "claude")
    await scanned.new_session("job", command=f"exec {program} 60")
    await until(lambda agents: set(agents) == {"job"})
    run_tmux("kill-server")
    await until(lambda agents: not agents)
    await eventually(lambda: start_again(run_tmux, f"exec {program} 60"))
    await until(lambda agents: set(agents) == {"work"})


async def test_an_error_of_tmux_is_logged_and_survived(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scan = Scan(tmux)

    async def fails() -> list[Agent]:
        raise TmuxFailed("no answer")

    monkeypatch.setattr(scan, "look", fails)
    await workers.look_once(scan, asyncio.Event(), asyncio.Event())
    assert "no answer" in caplog.text
