"""Waiting for a condition with a bound, instead of sleeping and hoping."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
LONGEST = 10.0


async def eventually(look: Callable[[], Awaitable[T]], seconds: float = LONGEST) -> T:
    """The first true answer of `look`."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not (found := await look()):
        assert asyncio.get_running_loop().time() < deadline, "it did not happen in time"
        await asyncio.sleep(0.01)
    return found
