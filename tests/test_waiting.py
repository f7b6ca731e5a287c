"""The waiting helpers return the first true result, and a failure says what was awaited."""

import asyncio
from itertools import count

import pytest

from tests.waiting import eventually, remains, remains_sync, wait_until


async def test_eventually_returns_the_first_true_result_of_a_function() -> None:
    numbers = count()
    assert await eventually(lambda: next(numbers) // 3) == 1


async def test_eventually_awaits_coroutine_functions() -> None:
    numbers = count()

    async def check() -> int:
        await asyncio.sleep(0)
        return next(numbers) // 3

    assert await eventually(check) == 1


async def test_a_failure_names_the_condition_and_the_last_value() -> None:
    with pytest.raises(AssertionError, match=r"(?s)0.01 s: .*\[1, 2\]\.clear.*last value: None"):
        await eventually(lambda: [1, 2].clear(), 0.01)
    with pytest.raises(AssertionError, match="the page is open\nlast value: 0"):
        wait_until(lambda: 0, 0.01, description="the page is open")


def test_wait_until_uses_the_given_pause() -> None:
    paused: list[float] = []
    assert wait_until(lambda: len(paused) == 8, pause=paused.append)
    assert paused == sorted(paused)


async def test_remains_fails_when_the_condition_becomes_false() -> None:
    left = iter([True, True, False])
    with pytest.raises(AssertionError, match="did not stay so"):
        await remains(lambda: next(left), 60)
    left = iter([True, True, False])
    with pytest.raises(AssertionError, match="did not stay so"):
        remains_sync(lambda: next(left), 60)


async def test_remains_returns_when_the_condition_stays_true() -> None:
    await remains(lambda: asyncio.sleep(0, True), 0.03)
    remains_sync(lambda: True, 0.03)
