"""Starts and stops the services and workers of the process, in order.

config/asgi.py builds the list; the server, or the first request under another server, starts it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine, Sequence
from typing import Protocol

from core.errors import Refused

logger = logging.getLogger(__name__)

START_SECONDS = 20.0
STOP_SECONDS = 5.0
LEAVE_SECONDS = 1.0  # for a worker to finish its current work
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0


class Work(Protocol):
    def __call__(self, *, stop: asyncio.Event) -> Coroutine[object, None, None]: ...


class Service(Protocol):
    @property
    def name(self) -> str: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Lifecycle:
    """Owns the services of one process."""

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
        self._starting: asyncio.Future[None] | None = None
        self._stopping: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Start in order. If one fails, stop the earlier ones; the next call tries again."""
        await self.ensure_started()

    async def ensure_started(self) -> None:
        """For servers without a start hook: the first request starts the services."""
        if self._stopping is not None:
            raise Refused("the server is stopping")
        # No await between check and assignment: two first requests must start it once.
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start_all())
        if self._starting.done() and not self._starting.cancelled():
            self._starting.result()
            return
        # A client that disconnects must not cancel the start.
        await asyncio.shield(self._starting)

    async def stop(self) -> None:
        """Stop in reverse order. Each service has a bounded time."""
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop_all())
        await asyncio.shield(self._stopping)

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
        await self._stop_services()

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


class Worker:
    """A loop as a service. It ends when `stop` is set, or is cancelled shortly after."""

    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self._work = work
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._supervise(), name=self.name)

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=LEAVE_SECONDS)
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _supervise(self) -> None:
        """Log a crash and restart the loop after a growing pause."""
        pause, clock = FIRST_PAUSE, asyncio.get_running_loop().time
        while not self._stop.is_set():
            began = clock()
            try:
                await self._work(stop=self._stop)
                return
            except Exception:
                # After a long successful run the pauses start from the beginning.
                pause = FIRST_PAUSE if clock() - began > LONGEST_PAUSE else pause
                logger.exception("worker %s crashed; again in %s s", self.name, pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
