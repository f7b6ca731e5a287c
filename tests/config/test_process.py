"""Services start in order and stop in reverse; workers are kept running and let go."""

import asyncio
import logging

import pytest

from config import process as module
from config.process import Process, Work, Worker
from terminals.errors import Refused

SOON = 5.0


class Step:
    """A service that writes down what happens to it."""

    def __init__(
        self, name: str, diary: list[str], *, fails: bool = False, hangs: bool = False
    ) -> None:
        self.name, self._diary, self._fails, self._hangs = name, diary, fails, hangs

    async def start(self) -> None:
        self._diary.append(f"+{self.name}")
        await asyncio.sleep(0)
        if self._fails:
            raise RuntimeError("no luck")

    async def stop(self) -> None:
        self._diary.append(f"-{self.name}")
        if self._hangs:
            await asyncio.Event().wait()


async def test_services_start_in_order_and_stop_in_reverse() -> None:
    diary: list[str] = []
    process = Process([Step(name, diary) for name in "abc"])
    await process.start()
    await process.stop()
    assert diary == ["+a", "+b", "+c", "-c", "-b", "-a"]


async def test_starting_and_stopping_twice_is_once() -> None:
    diary: list[str] = []
    process = Process([Step("a", diary)])
    await asyncio.gather(*(process.ensure_started() for _ in range(10)))
    await asyncio.gather(process.stop(), process.stop())
    await process.stop()
    assert diary == ["+a", "-a"]


async def test_a_first_caller_who_leaves_does_not_take_the_start_with_it() -> None:
    diary: list[str] = []
    process = Process([Step("a", diary), Step("b", diary)])
    first = asyncio.ensure_future(process.ensure_started())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait_for(process.ensure_started(), SOON)
    assert diary == ["+a", "+b"]


async def test_a_failed_start_stops_what_ran_and_can_be_tried_again() -> None:
    diary: list[str] = []
    broken = Step("b", diary, fails=True)
    process = Process([Step("a", diary), broken])
    with pytest.raises(RuntimeError, match="no luck"):
        await process.start()
    assert diary == ["+a", "+b", "-b", "-a"]
    broken._fails = False
    await process.start()
    assert diary[4:] == ["+a", "+b"]


async def test_nothing_starts_after_the_stop() -> None:
    process = Process([])
    await process.stop()
    with pytest.raises(Refused, match="stopping"):
        await process.ensure_started()


async def test_a_service_that_does_not_stop_holds_nobody() -> None:
    diary: list[str] = []
    process = Process([Step("a", diary), Step("b", diary, hangs=True)], stop_seconds=0.05)
    await process.start()
    await asyncio.wait_for(process.stop(), SOON)
    assert diary == ["+a", "+b", "-b", "-a"]


async def test_a_stop_during_the_start_ends_it() -> None:
    diary: list[str] = []
    stuck = Step("a", diary)
    stuck.start = asyncio.Event().wait  # type: ignore[method-assign, assignment]
    process = Process([stuck], stop_seconds=SOON)
    starting = asyncio.ensure_future(process.start())
    await asyncio.sleep(0)
    await asyncio.wait_for(process.stop(), SOON)
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert diary == ["-a"]


def crashing(times: int, then: asyncio.Event) -> Work:
    runs = 0

    async def worker(*, stop: asyncio.Event) -> None:
        nonlocal runs
        runs += 1
        if runs <= times:
            raise RuntimeError(f"crash {runs}")
        then.set()
        await asyncio.Event().wait()

    return worker


async def test_a_crashed_worker_is_logged_and_started_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
    well = asyncio.Event()
    process = Process([Worker("chat", crashing(3, well))])
    await process.start()
    await asyncio.wait_for(well.wait(), SOON)
    crashes = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.message for record in crashes] == [
        f"worker chat crashed; again in {pause} s" for pause in (0.001, 0.002, 0.004)
    ]
    assert all(record.exc_info for record in crashes)
    await process.stop()


async def test_the_pause_has_a_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    slept = asyncio.sleep

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await slept(0)

    monkeypatch.setattr("config.process.asyncio.sleep", sleep)
    well = asyncio.Event()
    process = Process([Worker("chat", crashing(9, well))])
    await process.start()
    await asyncio.wait_for(well.wait(), SOON)
    assert pauses[:9] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    await process.stop()


@pytest.mark.parametrize("obeys", [True, False])
async def test_a_worker_ends_before_the_services_it_uses_and_leaves_no_task(
    monkeypatch: pytest.MonkeyPatch, obeys: bool
) -> None:
    monkeypatch.setattr(module, "LEAVE_SECONDS", 0.05)
    diary: list[str] = []
    running = asyncio.Event()

    async def worker(*, stop: asyncio.Event) -> None:
        running.set()
        try:
            await (stop if obeys else asyncio.Event()).wait()
            diary.append("obeyed")
        except asyncio.CancelledError:
            diary.append("cancelled")
            raise

    before = asyncio.all_tasks()
    process = Process([Step("a", diary), Worker("chat", worker)])
    await process.start()
    await asyncio.wait_for(running.wait(), SOON)
    await process.stop()
    assert diary == ["+a", "obeyed" if obeys else "cancelled", "-a"]
    assert asyncio.all_tasks() == before
