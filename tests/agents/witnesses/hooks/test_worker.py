"""The worker that receives events, with the real script, on a real tmux."""

import asyncio
import contextlib
import os
import shlex
import socket
import stat
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.registry import Agent
from agents.witnesses import store
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from agents.witnesses.hooks import files, worker
from agents.witnesses.hooks.processes import ProcessReader
from agents.witnesses.hooks.worker import EndedAgents, HookServer, receive_hooks
from terminals.runtime import Runtime
from tests.conftest import RunTmux
from tests.safety.other_user import needs_second_user, python_as_nobody
from tests.waiting import LONGEST_SECONDS, eventually


@pytest.fixture
async def directory(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[Path]:
    """Where the scripts are, while the worker runs."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(store, "_current", store.EventStore())
    stop = asyncio.Event()
    task = asyncio.create_task(receive_hooks(runtime, stop=stop))
    path = files.data_directory(runtime.data_dir)
    await eventually(lambda: task.done() or (path / f"{os.getpid()}.sock").exists())
    yield path
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)
    assert files.sockets(path) == []


def message(payload: bytes = b'{"prompt": "hello"}', *, pids: str = "", tmux: str = "") -> bytes:
    pane = "%0" if tmux else ""
    header = ("webtmux-hook-1", "claude", "UserPromptSubmit", pane, f"{tmux},1,0", pids)
    return "\0".join(header).encode() + b"\0" + payload


async def send(directory: Path, data: bytes) -> None:
    _, writer = await asyncio.open_unix_connection(directory / f"{os.getpid()}.sock")
    with contextlib.suppress(OSError):  # it is cut off if it is too long, or one of too many
        writer.write(data)
        await writer.drain()
    writer.close()


async def first_event(pane: str) -> AgentEvent:
    return (await eventually(lambda: store.events(pane)))[0]


async def test_an_event_of_a_script_in_a_pane_is_recorded_for_that_pane(
    directory: Path, run_tmux: RunTmux
) -> None:
    command = f"""echo '{{"prompt": "hi"}}' | {shlex.quote(str(directory / "report"))} claude """
    run_tmux("new-session", "-d", "-s", "other", "cat")
    run_tmux("new-session", "-d", "-s", "agent", f"{command} UserPromptSubmit; exec cat")
    pane = run_tmux("display-message", "-p", "-t", "agent:", "#{pane_id}").strip()
    event = await first_event(pane)
    assert (event.kind, event.text, event.runtime) == (EventKind.PROMPT_SUBMITTED, "hi", "claude")
    assert event.pane_id == pane


async def test_the_variable_is_used_where_the_processes_are_not_known(
    directory: Path, runtime: Runtime, run_tmux: RunTmux
) -> None:
    run_tmux("new-session", "-d", "-s", "agent", "cat")
    await eventually(lambda: not runtime.main.problem)
    await send(directory, message(tmux=str(runtime.main.monitor.path)))
    assert (await first_event("%0")).text == "hello"


async def test_bad_messages_do_not_disturb_good_ones(
    directory: Path, runtime: Runtime, run_tmux: RunTmux
) -> None:
    run_tmux("new-session", "-d", "-s", "agent", "cat")
    await eventually(lambda: not runtime.main.problem)
    for data in (b"", b"x", b"\0" * 100, message(b"{"), message(b"[" * 9_000)):
        await send(directory, data)
    await send(directory, message(b"x" * 8_000_000))
    await send(directory, message(tmux=str(runtime.main.monitor.path)))
    assert (await first_event("%0")).text == "hello"


async def test_peers_that_send_nothing_do_not_block_others(
    directory: Path, runtime: Runtime, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "READ_SECONDS", 0.2)
    run_tmux("new-session", "-d", "-s", "agent", "cat")
    await eventually(lambda: not runtime.main.problem)
    silent = []
    for _ in range(worker.CONNECTIONS):
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(str(directory / f"{os.getpid()}.sock"))
        silent.append(peer)
    await send(directory, message(tmux=str(runtime.main.monitor.path)))
    assert (await first_event("%0")).text == "hello"
    for peer in silent:
        peer.close()


async def test_too_many_events_are_dropped(
    directory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker, "BURST", 5)
    for _ in range(100):
        await send(directory, message())
    await eventually(lambda: "were dropped" in caplog.text)


async def test_the_socket_is_private(directory: Path) -> None:
    path = directory / f"{os.getpid()}.sock"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


@needs_second_user
async def test_another_user_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    """Even if all permissions were wrong: the peer's uid is checked."""
    code = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1]); print('in')"
    stop = asyncio.Event()
    with tempfile.TemporaryDirectory() as name:
        server = HookServer(Path(name))
        task = asyncio.create_task(server.serve(stop))
        await eventually(server.path.exists)
        Path(name).chmod(0o711)
        server.path.chmod(0o777)
        done = await asyncio.to_thread(python_as_nobody, code, str(server.path))
        assert done.stdout.strip() == "in", done.stderr
        await eventually(lambda: "refused a report of an agent by nobody" in caplog.text)
        assert server.messages.empty()
        stop.set()
        await asyncio.wait_for(task, LONGEST_SECONDS)


async def test_events_are_forgotten_when_the_process_of_the_agent_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(store, "_current", store.EventStore())
    process = subprocess.Popen(["sleep", "600"])
    agent = Agent("a", "claude", "/", False, "%1", "@1", "s", process.pid)
    event = AgentEvent("claude", EventKind.TURN_ENDED, EventSource.HOOK, 1.0, pane_id="%1")
    ended, processes = EndedAgents(), ProcessReader()
    ended.update([agent], processes)
    store.record(event)
    ended.update([], processes)  # out of sight, but running: in the background, or tmux is away
    assert store.events("%1")
    process.kill()
    process.wait(LONGEST_SECONDS)
    ended.update([], processes)
    assert store.events("%1") == ()


async def test_a_second_server_on_the_directory_gets_the_events_too(
    directory: Path, run_tmux: RunTmux
) -> None:
    received: list[bytes] = []
    other = directory / "1.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(other))
        listener.listen()
        script = str(directory / "report")
        done = await asyncio.to_thread(
            subprocess.run, [script, "claude", "Stop"], input=b"{}", timeout=LONGEST_SECONDS
        )
        assert done.returncode == 0
        listener.settimeout(LONGEST_SECONDS)
        connection, _ = await asyncio.to_thread(listener.accept)
        with connection:
            received.append(connection.recv(1000))
    other.unlink()
    assert received[0].startswith(b"webtmux-hook-1")


def test_links_and_sockets_of_ended_servers_are_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait(LONGEST_SECONDS)
    (tmp_path / f"{ended.pid}.sock").touch()
    (tmp_path / f"{os.getpid()}.sock").touch()
    (tmp_path / "1.sock").symlink_to(tmp_path / "missing")
    files.sweep(tmp_path)
    assert [path.name for path in files.sockets(tmp_path)] == [f"{os.getpid()}.sock"]
