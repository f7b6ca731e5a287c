"""Services start in order and stop in reverse; crashed workers are restarted."""

import asyncio
import logging

import pytest

from config.server import lifecycle as module
from config.server.lifecycle import Lifecycle, Work, Worker
from core.errors import Refused
from tests.waiting import LONGEST_SECONDS

SOON = LONGEST_SECONDS


class Step:
    """A service that records its starts and stops."""

    def __init__(
        self, name: str, calls: list[str], *, fails: bool = False, hangs: bool = False
    ) -> None:
        self.name, self._calls, self._fails, self._hangs = name, calls, fails, hangs

    async def start(self) -> None:
        self._calls.append(f"+{self.name}")
        await asyncio.sleep(0)
        if self._fails:
            raise RuntimeError("failed")

    async def stop(self) -> None:
        self._calls.append(f"-{self.name}")
        if self._hangs:
            await asyncio.Event().wait()


async def test_services_start_in_order_and_stop_in_reverse() -> None:
    calls: list[str] = []
    process = Lifecycle([Step(name, calls) for name in "abc"])
    await process.start()
    await process.stop()
    assert calls == ["+a", "+b", "+c", "-c", "-b", "-a"]


async def test_starting_and_stopping_twice_has_the_effect_of_once() -> None:
    calls: list[str] = []
    process = Lifecycle([Step("a", calls)])
    await asyncio.gather(*(process.ensure_started() for _ in range(10)))
    await asyncio.gather(process.stop(), process.stop())
    await process.stop()
    assert calls == ["+a", "-a"]


async def test_the_start_continues_when_its_first_caller_is_cancelled() -> None:
    calls: list[str] = []
    process = Lifecycle([Step("a", calls), Step("b", calls)])
    first = asyncio.ensure_future(process.ensure_started())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait_for(process.ensure_started(), SOON)
    assert calls == ["+a", "+b"]


async def test_a_failed_start_stops_started_services_and_can_be_retried() -> None:
    calls: list[str] = []
    broken = Step("b", calls, fails=True)
    process = Lifecycle([Step("a", calls), broken])
    with pytest.raises(RuntimeError, match="failed"):
        await process.start()
    assert calls == ["+a", "+b", "-b", "-a"]
    broken._fails = False
    await process.start()
    assert calls[4:] == ["+a", "+b"]


async def test_nothing_starts_after_the_stop() -> None:
    process = Lifecycle([])
    await process.stop()
    with pytest.raises(Refused, match="stopping"):
        await process.ensure_started()


async def test_a_service_that_does_not_stop_does_not_delay_the_others() -> None:
    calls: list[str] = []
    process = Lifecycle([Step("a", calls), Step("b", calls, hangs=True)], stop_seconds=0.05)
    await process.start()
    await asyncio.wait_for(process.stop(), SOON)
    assert calls == ["+a", "+b", "-b", "-a"]


async def test_a_stop_during_the_start_ends_it() -> None:
    calls: list[str] = []
    stuck = Step("a", calls)
    stuck.start = asyncio.Event().wait  # type: ignore[method-assign, assignment]
    process = Lifecycle([stuck], stop_seconds=SOON)
    starting = asyncio.ensure_future(process.start())
    await asyncio.sleep(0)
    await asyncio.wait_for(process.stop(), SOON)
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert calls == ["-a"]


def crashing(times: int, then: asyncio.Event) -> Work:
    runs = 0

    async def worker(*, stop: asyncio.Event) -> None:
        nonlocal runs
        runs += 1
        if runs <= times:
            raise RuntimeError(f"crash {runs}")
        then.set()
        await stop.wait()

    return worker


async def test_a_crashed_worker_is_logged_and_started_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    well = asyncio.Event()
    process = Lifecycle([Worker("chat", crashing(3, well))])
    await process.start()
    await asyncio.wait_for(well.wait(), SOON)
    crashes = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.message for record in crashes] == [
        f"worker chat crashed; again in {pause} s" for pause in (0.001, 0.002, 0.004)
    ]
    assert all(record.exc_info for record in crashes)
    await process.stop()


async def test_the_pause_between_restarts_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    slept = asyncio.sleep

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await slept(0)

    monkeypatch.setattr("config.server.lifecycle.asyncio.sleep", sleep)
    well = asyncio.Event()
    process = Lifecycle([Worker("chat", crashing(9, well))])
    await process.start()
    await asyncio.wait_for(well.wait(), SOON)
    assert pauses[:9] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    await process.stop()


@pytest.mark.parametrize("obeys", [True, False])
async def test_a_worker_ends_before_the_services_it_uses_and_leaves_no_task(
    monkeypatch: pytest.MonkeyPatch, obeys: bool
) -> None:
    monkeypatch.setattr(module, "LEAVE_SECONDS", 0.05)
    calls: list[str] = []
    running = asyncio.Event()

    async def worker(*, stop: asyncio.Event) -> None:
        running.set()
        try:
            await (stop if obeys else asyncio.Event()).wait()
            calls.append("obeyed")
        except asyncio.CancelledError:
            calls.append("cancelled")
            raise

    before = asyncio.all_tasks()
    process = Lifecycle([Step("a", calls), Worker("chat", worker)])
    await process.start()
    await asyncio.wait_for(running.wait(), SOON)
    await process.stop()
    assert calls == ["+a", "obeyed" if obeys else "cancelled", "-a"]
    assert asyncio.all_tasks() == before
