"""Runs long work away from the event loop: callers' patterns, and text that is unusually large.

Patterns have threads of their own: those that take long must not keep other work waiting.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

THREADS = 2
SMALL = 64 * 1024  # bytes of a screen with its colours: a few milliseconds

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pattern")


async def off_loop(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, lambda: function(*args, **kwargs))


async def by_size(size: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """At once where the input is small, as nearly always; else in a thread of the default pool.

    For functions written in Python: in a thread these give way to the event loop every 5 ms.
    """
    if size <= SMALL:
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)
