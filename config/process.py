"""What starts with the process and stops with it: services in order, workers supervised.

Not what they do: each service belongs to its app.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol

from terminals.errors import Refused

logger = logging.getLogger(__name__)

START_SECONDS = 20.0
STOP_SECONDS = 5.0
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0


class Service(Protocol):
    @property
    def name(self) -> str: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Process:
    """Owns the services and the workers of one process."""

    def __init__(
        self,
        services: Sequence[Service] = (),
        *,
        start_seconds: float = START_SECONDS,
        stop_seconds: float = STOP_SECONDS,
    ) -> None:
        self._services = tuple(services)
        self._start_seconds, self._stop_seconds = start_seconds, stop_seconds
        self._running: list[Service] = []
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._starting: asyncio.Future[None] | None = None
        self._stopping: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """In order; when one fails, those before it are stopped and the next call tries again."""
        await self.ensure_started()

    async def ensure_started(self) -> None:
        """For servers that start nothing themselves: the first request waits here, once."""
        if self._stopping is not None:
            raise Refused("the server is stopping")
        # No await between the test and the assignment: two first requests start one process.
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start_all())
        # A client that leaves while we start must not take the start with it.
        await asyncio.shield(self._starting)

    async def stop(self) -> None:
        """Workers first, then services in reverse. Each gets a bounded time, and none a second."""
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop_all())
        await asyncio.shield(self._stopping)

    def supervise(self, name: str, worker: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a worker until stop; a crash is logged, and the worker started again."""
        if self._stopping is not None:
            raise Refused("the server is stopping")
        if name in self._workers and not self._workers[name].done():
            raise ValueError(f"there is already a worker named {name!r}")
        self._workers[name] = asyncio.create_task(_keep_running(name, worker), name=name)

    async def _start_all(self) -> None:
        try:
            for service in self._services:
                self._running.append(service)
                await asyncio.wait_for(service.start(), self._start_seconds)
                logger.info("%s started", service.name)
        except BaseException:
            await self._stop_services()
            self._starting = None
            raise

    async def _stop_all(self) -> None:
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait({self._starting}, timeout=self._stop_seconds)
        await self._stop_workers()
        await self._stop_services()

    async def _stop_workers(self) -> None:
        tasks = [task for task in self._workers.values() if not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self._stop_seconds)
            for task in late:
                logger.error("worker %s did not end", task.get_name())

    async def _stop_services(self) -> None:
        while self._running:
            service = self._running.pop()
            await self._bounded(service.name, service.stop())

    async def _bounded(self, name: str, stop: Awaitable[None]) -> None:
        try:
            await asyncio.wait_for(stop, self._stop_seconds)
        except TimeoutError:
            logger.error("%s did not stop within %s s", name, self._stop_seconds)
        except Exception:
            logger.exception("%s failed to stop", name)


async def _keep_running(name: str, worker: Callable[[], Coroutine[Any, Any, None]]) -> None:
    pause = FIRST_PAUSE
    clock = asyncio.get_running_loop().time
    while True:
        began = clock()
        try:
            await worker()
        except Exception:
            # One that ran well for a while starts its pauses anew.
            pause = FIRST_PAUSE if clock() - began > LONGEST_PAUSE else pause
            logger.exception("worker %s crashed; again in %s s", name, pause)
        else:
            return
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
