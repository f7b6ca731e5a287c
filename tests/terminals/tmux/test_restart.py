"""tmux dies and returns under load: the driver is back, and nothing is left of the old life."""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from terminals.errors import NotFound, TmuxAway
from terminals.tmux import client
from terminals.tmux.driver import Kind, Tmux, Viewer
from terminals.tmux.sockets import is_listening
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually, start_again

FLOODS = 4


async def drain(viewer: Viewer, drawn: asyncio.Event) -> str:
    """Read until the end; why it ended."""
    while chunk := await viewer.read():
        if chunk.kind is Kind.SNAPSHOT:
            drawn.set()
    return viewer.ended


async def busy(tmux: Tmux, stop: asyncio.Event) -> int:
    """Commands all the time; how many found tmux away."""
    away = 0
    while not stop.is_set():
        try:
            await tmux.windows()
        except TmuxAway:
            away += 1
            await asyncio.sleep(0.005)
    return away


@pytest.mark.parametrize("how", ["killed", "told to end"])
async def test_the_driver_comes_back_with_tmux(tmux: Tmux, run_tmux: RunTmux, how: str) -> None:
    tasks = len(asyncio.all_tasks())
    life = tmux.life
    stop = asyncio.Event()
    callers = [asyncio.create_task(busy(tmux, stop)) for _ in range(3)]
    readers = []
    for number in range(FLOODS):
        made = await tmux.new_session(f"flood{number}", command="exec seq 1 999999999")
        drawn = asyncio.Event()
        readers.append(asyncio.create_task(drain(tmux.view(made.pane_id), drawn)))
        await asyncio.wait_for(drawn.wait(), 10)
    pid = int(run_tmux("display-message", "-p", "#{pid}"))
    if how == "killed":
        os.kill(pid, signal.SIGKILL)
    else:
        run_tmux("kill-server")

    async def away() -> bool:
        return bool(tmux.problem)

    await eventually(away)
    await eventually(lambda: start_again(run_tmux))
    await tmux.link.wait_up(3)
    assert tmux.life != life
    assert [row.name for row in await tmux.sessions()] == ["work"]
    stop.set()
    assert sum(await asyncio.wait_for(asyncio.gather(*callers), 5)) > 0
    for reason in await asyncio.wait_for(asyncio.gather(*readers), 5):
        assert "restarted" in reason

    async def as_before() -> bool:
        return len(asyncio.all_tasks()) == tasks

    await eventually(as_before)


async def test_a_viewer_survives_our_own_lost_connection(tmux: Tmux) -> None:
    """The server lives on: the viewer is told, and gets a new picture of the same pane."""
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id)
    first = await asyncio.wait_for(viewer.read(), 5)
    assert first is not None
    stream = await tmux.streams.of(pane.id)
    await stream.client.close()
    kinds = []
    while Kind.SNAPSHOT not in kinds:
        chunk = await asyncio.wait_for(viewer.read(), 5)
        assert chunk is not None
        kinds.append(chunk.kind)
    assert kinds == [Kind.AWAY, Kind.SNAPSHOT]


async def test_a_monitor_that_is_lost_comes_back(tmux: Tmux) -> None:
    life = tmux.life
    await tmux.link.client.close()
    await tmux.link.wait_up(3)
    assert tmux.life == life
    assert [row.name for row in await tmux.sessions()] == ["work"]


async def test_a_frozen_tmux_does_not_freeze_us(
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
    await tmux.link.wait_up(5)
    assert await tmux.windows()


async def test_a_pane_of_an_earlier_life_is_gone(tmux: Tmux, run_tmux: RunTmux) -> None:
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id)
    await asyncio.wait_for(viewer.read(), 5)
    run_tmux("kill-server")
    await eventually(lambda: _is_away(tmux))
    await eventually(lambda: start_again(run_tmux))
    await tmux.link.wait_up(3)
    while await asyncio.wait_for(viewer.read(), 5):
        pass
    assert "restarted" in viewer.ended
    with pytest.raises(NotFound):
        await tmux.pane("%99")


async def _is_away(tmux: Tmux) -> bool:
    return bool(tmux.problem)


def test_a_server_that_accepts_nobody_does_not_hold_us(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen(0)
        assert [is_listening(path) for _ in range(5)][-1] is False


async def test_a_cancellation_that_is_swallowed_is_said_again(
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
    async with asyncio.timeout(5):
        await client.end(task)
    assert (task.done(), swallowed) == (True, 2)
