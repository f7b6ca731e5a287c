"""Waits for conditions. Tests never sleep for a fixed time: they wait for what they need.

`eventually` is for coroutines, `wait_until` for plain functions. Both return the first true result
of the check. The bound is generous because it only matters for a test that fails: a loaded machine
may take ten times as long as an idle one.

`remains` and `remains_sync` are for behaviour that must not happen: they check a condition for a
while and fail at once when it becomes false. Prefer a later event that proves the absence, such as
the answer to a second request on the same connection.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import Any, TypeVar, overload

T = TypeVar("T")
LONGEST_SECONDS = 60.0
# For the time-outs of Playwright, which waits by itself.
LONGEST_MS = LONGEST_SECONDS * 1000
# The first pauses are short; later ones leave the processor to what is being waited for.
PAUSES = (0.005, 0.01, 0.01, 0.02, 0.02)
LONGEST_PAUSE = 0.05
SHOWN_CHARACTERS = 2_000


@overload
async def eventually(
    check: Callable[[], Awaitable[T]], seconds: float = ..., *, description: str = ...
) -> T: ...
@overload
async def eventually(
    check: Callable[[], T], seconds: float = ..., *, description: str = ...
) -> T: ...
async def eventually(
    check: Callable[[], Any], seconds: float = LONGEST_SECONDS, *, description: str = ""
) -> Any:
    """The first true result of `check`, a function or a coroutine function."""
    deadline = time.monotonic() + seconds
    pauses = _pauses()
    while True:
        result = check()
        if inspect.isawaitable(result):
            result = await result
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(_timed_out(check, seconds, description, result))
        await asyncio.sleep(next(pauses))


def wait_until(
    check: Callable[[], T],
    seconds: float = LONGEST_SECONDS,
    *,
    description: str = "",
    pause: Callable[[float], object] = time.sleep,
) -> T:
    """The same for plain functions. `pause` takes seconds, for loops that have work to do between
    two checks: a page of Playwright handles its events only while it is called.
    """
    deadline = time.monotonic() + seconds
    pauses = _pauses()
    while True:
        if result := check():
            return result
        if time.monotonic() > deadline:
            raise AssertionError(_timed_out(check, seconds, description, result))
        pause(next(pauses))


async def remains(check: Callable[[], Any], seconds: float, *, description: str = "") -> None:
    """Fails as soon as `check` is false within these seconds."""
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        if inspect.isawaitable(result):
            result = await result
        assert result, _changed(check, description, result)
        if time.monotonic() > deadline:
            return
        await asyncio.sleep(PAUSES[-1])


def remains_sync(
    check: Callable[[], object],
    seconds: float,
    *,
    description: str = "",
    pause: Callable[[float], object] = time.sleep,
) -> None:
    """The same for plain functions."""
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        assert result, _changed(check, description, result)
        if time.monotonic() > deadline:
            return
        pause(PAUSES[-1])


def _pauses() -> chain[float]:
    return chain(PAUSES, repeat(LONGEST_PAUSE))


def _timed_out(
    check: Callable[[], object], seconds: float, description: str, result: object
) -> str:
    return (
        f"not within {seconds:g} s: {description or _source(check)}\nlast value: {_shown(result)}"
    )


def _changed(check: Callable[[], object], description: str, result: object) -> str:
    return f"did not stay so: {description or _source(check)}\nlast value: {_shown(result)}"


def _shown(result: object) -> str:
    return repr(result)[:SHOWN_CHARACTERS]


def _source(check: Callable[[], object]) -> str:
    """The text of the check, so that a failure names what was awaited."""
    try:
        return inspect.getsource(check).strip()[:SHOWN_CHARACTERS]
    except (OSError, TypeError):
        return repr(check)
