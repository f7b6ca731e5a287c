"""Agents as real processes in real panes: found by who has the terminal."""

from pathlib import Path

import pytest

from agents.detect import Found
from agents.processes import Scanner, usage
from agents.rules import runtimes
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from tests.agents.programs import interpreter, script, sleeper
from tests.terminals.tmux.waiting import eventually


async def found_by(scanner: Scanner, row: PaneRow) -> Found:
    """The agent in a pane, once there is one."""

    async def look() -> list[Found]:
        return list(scanner.scan({row.id: row.pid}).values())

    [found] = await eventually(look)
    return found


async def agent_in(tmux: Tmux, command: str, scanner: Scanner | None = None) -> Found:
    made = await tmux.new_window("$0", command=command)
    return await found_by(scanner or Scanner(runtimes()), await tmux.pane(made.pane_id))


async def none_in(tmux: Tmux, pane_id: str) -> None:
    row = await tmux.pane(pane_id)
    assert Scanner(runtimes()).scan({row.id: row.pid}) == {}


@pytest.mark.parametrize("name", ["claude", "codex-x86_64-unknown-linux-musl", "cursor-agent"])
async def test_a_program_in_front_is_found_by_its_name(
    tmux: Tmux, tmp_path: Path, name: str
) -> None:
    found = await agent_in(tmux, f"exec {sleeper(tmp_path, name)} 60")
    assert (found.runtime, found.tier) == (name.split("-")[0], 1)


async def test_what_an_interactive_shell_runs_is_found(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "amp")
    made = await tmux.new_session("here", command="exec bash --norc -i")
    row = await tmux.pane(made.pane_id)
    await tmux.type(row.id, f"{program} 60\n".encode())
    scanner = Scanner(runtimes())
    found = await found_by(scanner, row)
    assert (found.runtime, found.tier) == ("amp", 1)
    assert found.pid != row.pid

    # Stopped, it stays a child of the shell; but what is typed now goes to the shell.
    await tmux.press(row.id, "C-z")

    async def gone() -> bool:
        return scanner.scan({row.id: row.pid}) == {}

    await eventually(gone)
    await tmux.type(row.id, b"fg\n")
    assert (await found_by(scanner, row)).pid == found.pid


async def test_an_agent_in_the_background_is_none(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "claude")
    made = await tmux.new_session("here", command="exec bash --norc -i")
    await tmux.type(made.pane_id, f"{program} 60 & echo sta''rted\n".encode())

    async def started() -> bool:
        return b"started" in await tmux.capture(made.pane_id)

    await eventually(started)
    await none_in(tmux, made.pane_id)


async def test_an_agent_behind_a_wrapper_script_is_found(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "gemini")
    wrapper = script(tmp_path, "start", f"#!/bin/sh\n{program} 60\necho over\n")
    found = await agent_in(tmux, f"exec {wrapper}")
    assert found.runtime == "gemini"
    shell = script(tmp_path, "start.sh", f"{program} 60\necho over\n")
    found = await agent_in(tmux, f"exec sh {shell}")
    assert (found.runtime, found.tier) == ("gemini", 2)


async def test_an_interpreter_is_known_by_its_script(tmux: Tmux, tmp_path: Path) -> None:
    node = interpreter(tmp_path, "node")
    sleep = "import time; print('up', flush=True); time.sleep(60)"
    agent = script(tmp_path, "claude", sleep)
    server = script(tmp_path, "server.js", sleep)
    found = await agent_in(tmux, f"exec {node} {agent}")
    assert (found.runtime, found.tier) == ("claude", 1)
    made = await tmux.new_window("$0", command=f"exec {node} {server} claude")

    async def started() -> bool:
        return b"up" in await tmux.capture(made.pane_id)

    await eventually(started)
    await none_in(tmux, made.pane_id)


async def test_a_program_named_by_its_version_is_found_by_its_path(
    tmux: Tmux, tmp_path: Path
) -> None:
    program = sleeper(tmp_path / "claude" / "versions", "2.1.38")
    found = await agent_in(tmux, f"exec {program} 60")
    assert (found.runtime, found.tier) == ("claude", 3)


async def test_a_program_that_runs_under_another_name_is_found_by_its_path(
    tmux: Tmux, tmp_path: Path
) -> None:
    """`exec -a` changes what it calls itself, a link the name that the kernel knows."""
    program, link = sleeper(tmp_path, "opencode"), tmp_path / "oc"
    link.symlink_to(program)
    found = await agent_in(tmux, f"exec bash -c 'exec -a something {link} 60'")
    assert (found.runtime, found.tier) == ("opencode", 3)


async def test_without_proc_the_same_are_found(tmux: Tmux, tmp_path: Path) -> None:
    program = sleeper(tmp_path, "codex")
    elsewhere = Scanner(runtimes(), proc=tmp_path / "nothing")
    found = await agent_in(tmux, f"sh -c '{program} 60; true'", elsewhere)
    assert found.runtime == "codex"
    assert elsewhere.scan({"%9": 2**22 + 1}) == {}


async def test_an_exec_in_the_same_process_is_seen(tmux: Tmux, tmp_path: Path) -> None:
    """Its number and its start stay the same: only the name tells."""
    program = sleeper(tmp_path, "vibe")
    made = await tmux.new_session("here", command=f"read x; exec {program} 60")
    row = await tmux.pane(made.pane_id)
    scanner = Scanner(runtimes())
    assert scanner.scan({row.id: row.pid}) == {}
    await tmux.press(row.id, "Enter")
    assert (await found_by(scanner, row)).pid == row.pid


def test_a_program_that_was_seen_while_it_started_is_read_again(tmp_path: Path) -> None:
    """Its name is there a moment before its arguments."""
    for pid in ("self", "7"):
        (tmp_path / pid / "task" / pid).mkdir(parents=True)
        (tmp_path / pid / "stat").write_text("7 (node) S 1 7 7 34816 7" + " 0" * 11 + " 1 0 99 0")
        (tmp_path / pid / "task" / pid / "children").write_text("")
    scanner = Scanner(runtimes(), proc=tmp_path)
    (tmp_path / "7" / "cmdline").write_bytes(b"")
    assert scanner.scan({"%1": 7}) == {}
    (tmp_path / "7" / "cmdline").write_bytes(b"node\0/usr/bin/claude\0")
    assert scanner.scan({"%1": 7})["%1"].runtime == "claude"


async def test_memory_and_cpu_are_told_of_the_whole_family(tmux: Tmux, tmp_path: Path) -> None:
    found = await agent_in(tmux, f"exec {sleeper(tmp_path, 'claude')} 60")
    told = usage(found.pid)
    assert told is not None
    assert told.memory > 100_000
    assert told.cpu >= 0
    assert usage(2**22 + 1) is None


def test_a_process_that_is_gone_is_none() -> None:
    assert Scanner(runtimes()).scan({"%1": 2**22 + 1}) == {}
