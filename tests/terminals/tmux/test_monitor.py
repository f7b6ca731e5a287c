"""tmux ends and restarts under load: the driver reconnects and keeps nothing of the old run."""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from core.errors import NotFound, TmuxAway
from terminals.tmux import client, monitor
from terminals.tmux.driver import ChunkKind, Tmux, Viewer
from terminals.tmux.sockets import is_listening
from tests.conftest import RunTmux
from tests.terminals.tmux.restarting import end_server, is_running, start_server
from tests.waiting import LONGEST_SECONDS, eventually, remains

FLOODS = 4


async def drain(viewer: Viewer, painted: asyncio.Event) -> str:
    """Read until the end; return why it ended."""
    while chunk := await viewer.read():
        if chunk.kind is ChunkKind.CAPTURE:
            painted.set()
    return viewer.ended


async def busy(tmux: Tmux, stop: asyncio.Event) -> int:
    """Send commands all the time; return how many failed because tmux was away."""
    away = 0
    while not stop.is_set():
        try:
            await tmux.windows()
        except TmuxAway:
            away += 1
            await asyncio.sleep(0.005)
    return away


@pytest.mark.parametrize("ending", ["killed", "kill-server"])
async def test_the_driver_reconnects_to_a_restarted_tmux(
    tmux: Tmux, run_tmux: RunTmux, ending: str
) -> None:
    tasks = len(asyncio.all_tasks())
    server_run = tmux.server_run
    stop = asyncio.Event()
    callers = [asyncio.create_task(busy(tmux, stop)) for _ in range(3)]
    readers = []
    for number in range(FLOODS):
        session = await tmux.new_session(f"flood{number}", command="exec seq 1 999999999")
        painted = asyncio.Event()
        readers.append(asyncio.create_task(drain(tmux.view(session.pane_id), painted)))
        await asyncio.wait_for(painted.wait(), LONGEST_SECONDS)
    if ending == "killed":
        pid = run_tmux("display-message", "-p", "#{pid}")
        os.kill(int(pid), signal.SIGKILL)
        await eventually(lambda: not is_running(pid))
    else:
        await end_server(run_tmux)

    async def away() -> bool:
        return bool(tmux.problem)

    await eventually(away)
    start_server(run_tmux)
    await tmux.monitor.wait_up(LONGEST_SECONDS)
    assert tmux.server_run != server_run
    assert [row.name for row in await tmux.sessions()] == ["work"]
    stop.set()
    assert sum(await asyncio.wait_for(asyncio.gather(*callers), LONGEST_SECONDS)) > 0
    for reason in await asyncio.wait_for(asyncio.gather(*readers), LONGEST_SECONDS):
        assert "restarted" in reason

    async def as_before() -> bool:
        return len(asyncio.all_tasks()) == tasks

    await eventually(as_before)


async def test_a_viewer_repaints_after_a_lost_stream_client(tmux: Tmux) -> None:
    """The server still runs: the viewer gets AWAY and then a new capture of the same pane."""
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id)
    first = await asyncio.wait_for(viewer.read(), LONGEST_SECONDS)
    assert first is not None
    stream = await tmux.streams.stream_of(pane.id)
    await stream.client.close()
    kinds = []
    while ChunkKind.CAPTURE not in kinds:
        chunk = await asyncio.wait_for(viewer.read(), LONGEST_SECONDS)
        assert chunk is not None
        kinds.append(chunk.kind)
    assert kinds == [ChunkKind.AWAY, ChunkKind.CAPTURE]


async def test_a_lost_monitor_client_reconnects(tmux: Tmux) -> None:
    server_run = tmux.server_run
    await tmux.monitor.client.close()
    await tmux.monitor.wait_up(LONGEST_SECONDS)
    assert tmux.server_run == server_run
    assert [row.name for row in await tmux.sessions()] == ["work"]


async def test_a_stopped_tmux_does_not_block_the_driver(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("terminals.tmux.client.REPLY_SECONDS", 0.2)
    monkeypatch.setattr("terminals.tmux.client.ATTACH_SECONDS", 0.2)
    pid = int(run_tmux("display-message", "-p", "#{pid}"))
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(TmuxAway, match="did not answer"):
            await tmux.windows()
    finally:
        os.kill(pid, signal.SIGCONT)
    await tmux.monitor.wait_up(LONGEST_SECONDS)
    assert await tmux.windows()


async def test_a_server_that_has_just_started_is_left_alone_for_a_moment(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tmux 3.3a crashes if it has something to report while a control client connects."""
    monkeypatch.setattr(monitor, "NEW_SERVER_SECONDS", LONGEST_SECONDS)
    await end_server(run_tmux)
    await eventually(lambda: "no tmux server running" in tmux.problem)
    start_server(run_tmux)
    await remains(lambda: tmux.problem, 3 * monitor.LONGEST_PAUSE)
    assert run_tmux("list-clients") == ""
    await tmux.monitor.start_server()  # for our own session: it does not wait
    assert tmux.problem == ""


async def test_a_pane_of_an_earlier_server_run_is_gone(tmux: Tmux, run_tmux: RunTmux) -> None:
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id)
    await asyncio.wait_for(viewer.read(), LONGEST_SECONDS)
    await end_server(run_tmux)
    await eventually(lambda: _is_away(tmux))
    start_server(run_tmux)
    await tmux.monitor.wait_up(LONGEST_SECONDS)
    while await asyncio.wait_for(viewer.read(), LONGEST_SECONDS):
        pass
    assert "restarted" in viewer.ended
    with pytest.raises(NotFound):
        await tmux.pane("%99")


async def _is_away(tmux: Tmux) -> bool:
    return bool(tmux.problem)


def test_a_server_that_accepts_no_connection_does_not_block_the_check(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen(0)
        assert [is_listening(path) for _ in range(5)][-1] is False


async def test_a_swallowed_cancellation_is_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client, "CANCEL_SECONDS", 0.01)
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while swallowed < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    async with asyncio.timeout(LONGEST_SECONDS):
        await client.cancel(task)
    assert (task.done(), swallowed) == (True, 2)
