"""Detection of real processes in real panes, by the foreground process of the terminal."""

from pathlib import Path

import pytest

from agents.detection.classify import DetectedAgent
from agents.detection.scanner import Scanner, usage
from agents.runtimes.loader import runtimes
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from tests.agents.detection.programs import interpreter, script, sleeper
from tests.waiting import eventually


async def detected_by(scanner: Scanner, row: PaneRow) -> DetectedAgent:
    """The agent in a pane, once there is one."""

    [agent] = await eventually(lambda: list(scanner.scan({row.id: row.pid}).values()))
    return agent


async def agent_in(tmux: Tmux, command: str, scanner: Scanner | None = None) -> DetectedAgent:
    window = await tmux.new_window("$0", command=command)
    return await detected_by(scanner or Scanner(runtimes()), await tmux.pane(window.pane_id))


async def none_in(tmux: Tmux, pane_id: str) -> None:
    row = await tmux.pane(pane_id)
    assert Scanner(runtimes()).scan({row.id: row.pid}) == {}


@pytest.mark.parametrize("name", ["claude", "codex-x86_64-unknown-linux-musl", "cursor-agent"])
async def test_the_foreground_program_is_detected_by_its_name(
    tmux: Tmux, tmp_path: Path, name: str
) -> None:
    agent = await agent_in(tmux, f"exec {sleeper(tmp_path, name)} 3600")
    assert (agent.runtime, agent.tier) == (name.split("-")[0], 1)


async def test_an_agent_in_an_interactive_shell_is_detected(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "amp")
    created = await tmux.new_session("here", command="exec bash --norc -i")
    row = await tmux.pane(created.pane_id)
    await tmux.type(row.id, f"{program} 3600\n".encode())
    scanner = Scanner(runtimes())
    agent = await detected_by(scanner, row)
    assert (agent.runtime, agent.tier) == ("amp", 1)
    assert agent.pid != row.pid

    # When it is stopped, it remains a child of the shell, but typed keys go to the shell.
    await tmux.press(row.id, "C-z")
    await eventually(lambda: scanner.scan({row.id: row.pid}) == {})
    await tmux.type(row.id, b"fg\n")
    assert (await detected_by(scanner, row)).pid == agent.pid


async def test_an_agent_in_the_background_is_ignored(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "claude")
    created = await tmux.new_session("here", command="exec bash --norc -i")
    await tmux.type(created.pane_id, f"{program} 3600 & echo sta''rted\n".encode())

    async def started() -> bool:
        return b"started" in await tmux.capture(created.pane_id)

    await eventually(started)
    await none_in(tmux, created.pane_id)


async def test_an_agent_behind_a_wrapper_script_is_detected(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "gemini")
    wrapper = script(tmp_path, "start", f"#!/bin/sh\n{program} 3600\necho over\n")
    agent = await agent_in(tmux, f"exec {wrapper}")
    assert agent.runtime == "gemini"
    shell = script(tmp_path, "start.sh", f"{program} 3600\necho over\n")
    agent = await agent_in(tmux, f"exec sh {shell}")
    assert (agent.runtime, agent.tier) == ("gemini", 2)


async def test_an_interpreter_is_recognised_by_its_script(tmux: Tmux, tmp_path: Path) -> None:
    node = interpreter(tmp_path, "node")
    sleep = "import time; print('up', flush=True); time.sleep(3600)"
    claude = script(tmp_path, "claude", sleep)
    server = script(tmp_path, "server.js", sleep)
    agent = await agent_in(tmux, f"exec {node} {claude}")
    assert (agent.runtime, agent.tier) == ("claude", 1)
    created = await tmux.new_window("$0", command=f"exec {node} {server} claude")

    async def started() -> bool:
        return b"up" in await tmux.capture(created.pane_id)

    await eventually(started)
    await none_in(tmux, created.pane_id)


async def test_a_program_named_by_its_version_is_detected_by_its_path(
    tmux: Tmux, tmp_path: Path
) -> None:
    program = sleeper(tmp_path / "claude" / "versions", "2.1.38")
    agent = await agent_in(tmux, f"exec {program} 3600")
    assert (agent.runtime, agent.tier) == ("claude", 3)


async def test_a_program_under_another_name_is_detected_by_its_path(
    tmux: Tmux, tmp_path: Path
) -> None:
    """`exec -a` changes its first argument, a symbolic link changes the name in the kernel."""
    program, link = sleeper(tmp_path, "opencode"), tmp_path / "oc"
    link.symlink_to(program)
    agent = await agent_in(tmux, f"exec bash -c 'exec -a something {link} 3600'")
    assert (agent.runtime, agent.tier) == ("opencode", 3)


async def test_agents_are_detected_without_proc(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "codex")
    elsewhere = Scanner(runtimes(), proc=tmp_path / "nothing")
    agent = await agent_in(tmux, f"sh -c '{program} 3600; true'", elsewhere)
    assert agent.runtime == "codex"
    assert elsewhere.scan({"%9": 2**22 + 1}) == {}


async def test_an_exec_in_the_same_process_is_noticed(tmux: Tmux, tmp_path: Path) -> None:
    """Its pid and start time stay the same; only the name changes."""
    program = sleeper(tmp_path, "vibe")
    created = await tmux.new_session("here", command=f"read x; exec {program} 3600")
    row = await tmux.pane(created.pane_id)
    scanner = Scanner(runtimes())
    assert scanner.scan({row.id: row.pid}) == {}
    await tmux.press(row.id, "Enter")
    assert (await detected_by(scanner, row)).pid == row.pid


def test_a_program_that_was_starting_is_read_again(tmp_path: Path) -> None:
    """A starting program has its name a moment before its arguments."""
    for pid in ("self", "7"):
        (tmp_path / pid / "task" / pid).mkdir(parents=True)
        (tmp_path / pid / "stat").write_text("7 (node) S 1 7 7 34816 7" + " 0" * 11 + " 1 0 99 0")
        (tmp_path / pid / "task" / pid / "children").write_text("")
    scanner = Scanner(runtimes(), proc=tmp_path)
    (tmp_path / "7" / "cmdline").write_bytes(b"")
    assert scanner.scan({"%1": 7}) == {}
    (tmp_path / "7" / "cmdline").write_bytes(b"node\0/usr/bin/claude\0")
    assert scanner.scan({"%1": 7})["%1"].runtime == "claude"


async def test_usage_includes_descendants(tmux: Tmux, tmp_path: Path) -> None:
    agent = await agent_in(tmux, f"exec {sleeper(tmp_path, 'claude')} 3600")
    used = usage(agent.pid)
    assert used is not None
    assert used.memory > 100_000
    assert used.cpu >= 0
    assert usage(2**22 + 1) is None


def test_a_process_that_has_ended_is_ignored() -> None:
    assert Scanner(runtimes()).scan({"%1": 2**22 + 1}) == {}
