"""Jobs in lanes: under one key one after the other, under different keys at the same time.

Bounded: whoever puts a job waits while too much is under way. A job answers for its own errors.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

JOB_LIMIT = 64
SIZE_LIMIT = 16 * 1024 * 1024  # bytes that the waiting jobs hold: two of the largest frames

Work = Callable[[], Coroutine[Any, Any, None]]


class _Job(NamedTuple):
    work: Work
    size: int


class Lanes:
    def __init__(self) -> None:
        self._lanes: dict[str, deque[_Job]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._jobs = self._size = 0
        self._room = asyncio.Event()

    async def put(self, key: str, work: Work, *, size: int = 0, replace: bool = False) -> None:
        """`replace`: what waits in the lane and has not begun is no longer wanted."""
        if replace and (lane := self._lanes.get(key)) is not None:
            while len(lane) > 1:
                self._forget(lane.pop())
        while self._jobs >= JOB_LIMIT or self._size >= SIZE_LIMIT:
            self._room.clear()
            await self._room.wait()
        self._jobs, self._size = self._jobs + 1, self._size + size
        lane = self._lanes.setdefault(key, deque())
        lane.append(_Job(work, size))
        if len(lane) == 1:
            task = asyncio.create_task(self._run(key, lane), name=f"lane {key.split()[0]}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, key: str, lane: deque[_Job]) -> None:
        try:
            while lane:
                try:
                    await lane[0].work()
                finally:
                    self._forget(lane.popleft())
        finally:
            del self._lanes[key]

    def _forget(self, job: _Job) -> None:
        self._jobs, self._size = self._jobs - 1, self._size - job.size
        self._room.set()
