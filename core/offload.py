"""Runs long work outside the event loop: callers' patterns, and unusually large text.

Patterns have a separate thread pool, so that slow ones do not delay other work.
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
    """Call the function directly for small input (the usual case), else in the default pool.

    For functions written in Python: a thread running one yields to the event loop every 5 ms.
    """
    if size <= SMALL:
        return function(*args, **kwargs)
    return await asyncio.to_thread(function, *args, **kwargs)
