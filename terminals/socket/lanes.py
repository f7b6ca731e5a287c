"""Lanes: jobs with the same key run one after the other, jobs with different keys side by side.

Bounded: `put` waits while too many jobs, or too many bytes, are queued or running.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import NamedTuple

JOB_LIMIT = 64
SIZE_LIMIT = 16 * 1024 * 1024  # bytes that the jobs hold: two of the largest frames

Work = Callable[[], Coroutine[object, None, None]]
OnError = Callable[[Exception], Awaitable[None]]


class _Job(NamedTuple):
    work: Work
    size: int


class Lanes:
    def __init__(self, on_error: OnError) -> None:
        """`on_error` is awaited with the exception of a job; then the lane continues."""
        self._on_error = on_error
        self._lanes: dict[str, deque[_Job]] = {}
        self._tasks: dict[asyncio.Task[None], str] = {}  # each with the key of its lane
        self._jobs = self._size = 0
        self._room = asyncio.Event()

    async def put(self, key: str, work: Work, *, size: int = 0, replace: bool = False) -> None:
        """`replace`: drop the jobs of this lane that have not started."""
        if replace and (lane := self._lanes.get(key)) is not None:
            while len(lane) > 1:
                self._remove(lane.pop())
        while self._jobs >= JOB_LIMIT or self._size >= SIZE_LIMIT:
            self._room.clear()
            await self._room.wait()
        self._jobs, self._size = self._jobs + 1, self._size + size
        lane = self._lanes.setdefault(key, deque())
        lane.append(_Job(work, size))
        if len(lane) == 1:
            task = asyncio.create_task(self._run(key, lane), name=f"lane {key.split()[0]}")
            self._tasks[task] = key
            task.add_done_callback(self._tasks.pop)

    async def finish(self, prefix: str, *, seconds: float) -> None:
        """Wait until the lanes whose key begins with `prefix` are empty, at most `seconds`."""
        if tasks := [task for task, key in self._tasks.items() if key.startswith(prefix)]:
            await asyncio.wait(tasks, timeout=seconds)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, key: str, lane: deque[_Job]) -> None:
        try:
            while lane:
                try:
                    await lane[0].work()
                except Exception as problem:
                    await self._on_error(problem)
                finally:
                    self._remove(lane.popleft())
        finally:
            del self._lanes[key]

    def _remove(self, job: _Job) -> None:
        self._jobs, self._size = self._jobs - 1, self._size - job.size
        self._room.set()
