"""The worker: what happens in tmux, by whomever, becomes a fact."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from terminals import facts, workers
from terminals.db import in_db
from terminals.errors import TmuxAway, TmuxFailed
from terminals.models import Project, Window
from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually, start_again

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def tracked(tmux: Tmux, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tmux]:
    """The worker runs, and only notices wake it: the poll is far away."""
    monkeypatch.setattr(workers, "POLL_SECONDS", 60.0)
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.1)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.track_windows(tmux, stop=stop))
    await eventually(lambda: _names({"sh"}))
    yield tmux
    stop.set()
    await asyncio.wait_for(task, 5)


async def _names(wanted: set[str]) -> bool:
    rows = await in_db(lambda: list(Window.objects.filter(alive=True)))()
    return {row.name for row in rows} == wanted


async def test_what_a_person_does_in_tmux_becomes_a_fact(tracked: Tmux, run_tmux: RunTmux) -> None:
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


async def test_a_restart_of_tmux_finds_the_rows_again(tracked: Tmux, run_tmux: RunTmux) -> None:
    run_tmux("rename-window", "-t", "work:0", "one")
    run_tmux("new-window", "-d", "-t", "work:", "-n", "two", "exec sh")
    await eventually(lambda: _names({"one", "two"}))
    keys = await in_db(lambda: dict(Window.objects.values_list("name", "key")))()
    life = tracked.life

    run_tmux("kill-server")
    await eventually(lambda: _names(set()))
    await eventually(lambda: start_again(run_tmux, name="two"))
    run_tmux("new-window", "-d", "-t", "work:", "-n", "one", "exec sh")
    await eventually(lambda: _names({"one", "two"}))

    assert tracked.life != life
    rows = await in_db(lambda: dict(Window.objects.filter(alive=True).values_list("name", "key")))()
    assert rows == keys
    assert await Window.objects.acount() == 2


async def test_the_poll_mends_what_no_notice_told(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.05)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.track_windows(tmux, stop=stop))
    await eventually(lambda: _names({"sh"}))
    await Window.objects.all().aupdate(name="wrong")
    await eventually(lambda: _names({"sh"}))
    stop.set()
    await asyncio.wait_for(task, 5)


async def test_it_starts_without_tmux_and_stops_at_once(
    socket: str, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.05)
    driver = Tmux(socket=socket)
    await driver.start()
    stop = asyncio.Event()
    task = asyncio.create_task(workers.track_windows(driver, stop=stop))
    run_tmux("new-session", "-d", "-s", "late", "-n", "here", "exec sh")
    await eventually(lambda: _names({"here"}))
    stop.set()
    await asyncio.wait_for(task, 1)
    await driver.stop()


async def test_a_connection_that_comes_back_at_once_makes_nothing_gone(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    await facts.look(tmux)

    async def away(tmux: Tmux) -> None:
        raise TmuxAway("lost")

    monkeypatch.setattr(facts, "look", away)
    back = asyncio.Event()
    back.set()
    await workers.look_once(tmux, back, asyncio.Event())
    assert (await Window.objects.aget()).alive
    monkeypatch.setattr(workers, "AWAY_SECONDS", 0.01)
    await workers.look_once(tmux, asyncio.Event(), asyncio.Event())
    assert not (await Window.objects.aget()).alive


async def test_a_new_connection_to_the_same_tmux_changes_no_row(tracked: Tmux) -> None:
    before = await Window.objects.aget()
    old = tracked.link.client
    await old.close()
    await eventually(lambda: _has_client_other_than(tracked, old))
    await facts.look(tracked)
    after = await Window.objects.aget()
    assert (after.alive, after.key, after.life) == (True, before.key, before.life)


async def _has_client_other_than(tmux: Tmux, old: object) -> bool:
    return tmux.problem == "" and tmux.link.client is not old


async def test_an_error_of_tmux_is_logged_and_survived(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(tmux: Tmux) -> None:
        raise TmuxFailed("no answer")

    monkeypatch.setattr(facts, "look", fails)
    await workers.look_once(tmux, asyncio.Event(), asyncio.Event())
    assert "no answer" in caplog.text


async def test_waiting_ends_with_the_first_event_or_with_the_time() -> None:
    quiet, rung = asyncio.Event(), asyncio.Event()
    assert await workers.wait_for(quiet, seconds=0.001) is None
    rung.set()
    assert await workers.wait_for(quiet, rung, seconds=5) is rung
