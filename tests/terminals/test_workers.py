"""The worker that synchronises rows: every change in tmux is stored."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from core.database import in_db
from core.errors import TmuxAway, TmuxFailed
from terminals import workers
from terminals.models import Project, Window
from terminals.tmux.driver import Tmux
from terminals.windows import sync
from tests.conftest import RunTmux
from tests.terminals.tmux.restarting import end_server, start_server
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def tracked(tmux: Tmux, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tmux]:
    """With a running worker that is woken only by notifications, never by its poll."""
    monkeypatch.setattr(workers, "POLL_SECONDS", 3600.0)
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.1)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.track_windows(tmux, stop=stop))
    await eventually(lambda: _names({"sh"}))
    yield tmux
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)


async def _names(wanted: set[str]) -> bool:
    rows = await in_db(lambda: list(Window.objects.filter(alive=True)))()
    return {row.name for row in rows} == wanted


async def test_changes_made_in_tmux_are_stored(tracked: Tmux, run_tmux: RunTmux) -> None:
    run_tmux("rename-window", "-t", "work:0", "one")
    await eventually(lambda: _names({"one"}))
    run_tmux("new-session", "-d", "-s", "ops", "-n", "two", "exec sh")
    await eventually(lambda: _names({"one", "two"}))
    run_tmux("rename-session", "-t", "ops", "operations")
    await eventually(
        lambda: Project.objects.filter(session="operations", name="operations").aexists()
    )
    run_tmux("kill-window", "-t", "work:0")
    await eventually(lambda: _names({"two"}))


async def test_rows_are_matched_again_after_a_restart_of_tmux(
    tracked: Tmux, run_tmux: RunTmux
) -> None:
    run_tmux("rename-window", "-t", "work:0", "one")
    run_tmux("new-window", "-d", "-t", "work:", "-n", "two", "exec sh")
    await eventually(lambda: _names({"one", "two"}))
    keys = await in_db(lambda: dict(Window.objects.values_list("name", "key")))()
    server_run = tracked.server_run

    await end_server(run_tmux)
    await eventually(lambda: _names(set()))
    start_server(run_tmux, name="two")
    run_tmux("new-window", "-d", "-t", "work:", "-n", "one", "exec sh")
    await eventually(lambda: _names({"one", "two"}))

    assert tracked.server_run != server_run
    rows = await in_db(lambda: dict(Window.objects.filter(alive=True).values_list("name", "key")))()
    assert rows == keys
    assert await Window.objects.acount() == 2


async def test_the_poll_corrects_what_no_notification_reported(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.05)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.track_windows(tmux, stop=stop))
    await eventually(lambda: _names({"sh"}))
    await Window.objects.all().aupdate(name="wrong")
    await eventually(lambda: _names({"sh"}))
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)


async def test_the_worker_starts_without_tmux_and_stops_without_waiting_for_its_poll(
    socket: str, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "POLL_SECONDS", 3600.0)
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.05)
    driver = Tmux(socket=socket)
    await driver.start()
    stop = asyncio.Event()
    task = asyncio.create_task(workers.track_windows(driver, stop=stop))
    run_tmux("new-session", "-d", "-s", "late", "-n", "here", "exec sh")
    await eventually(lambda: _names({"here"}))
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)
    await driver.stop()


async def test_a_short_loss_of_the_connection_marks_no_window_as_gone(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sync.sync(tmux)

    async def away(tmux: Tmux) -> None:
        raise TmuxAway("lost")

    monkeypatch.setattr(sync, "sync", away)
    back = asyncio.Event()
    back.set()
    await workers.sync_once(tmux, back, asyncio.Event())
    assert (await Window.objects.aget()).alive
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.01)
    await workers.sync_once(tmux, asyncio.Event(), asyncio.Event())
    assert not (await Window.objects.aget()).alive


async def test_a_new_connection_to_the_same_tmux_changes_no_row(tracked: Tmux) -> None:
    before = await Window.objects.aget()
    old = tracked.monitor.client
    await old.close()
    await eventually(lambda: _has_client_other_than(tracked, old))
    await sync.sync(tracked)
    after = await Window.objects.aget()
    assert (after.alive, after.key, after.life) == (True, before.key, before.life)


async def _has_client_other_than(tmux: Tmux, old: object) -> bool:
    return tmux.problem == "" and tmux.monitor.client is not old


async def test_an_error_of_tmux_is_logged_and_does_not_end_the_worker(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(tmux: Tmux) -> None:
        raise TmuxFailed("no answer")

    monkeypatch.setattr(sync, "sync", fails)
    await workers.sync_once(tmux, asyncio.Event(), asyncio.Event())
    assert "no answer" in caplog.text
