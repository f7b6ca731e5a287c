"""Subscriptions of one client to groups of the channel layer: events in order, none lost silently.

Not for terminal output. The channel layer drops events that are not received in time, so a task
moves them at once into our own queue. When a client is too far behind, or the layer fails, the
connection is closed: the client connects again and reads the current state.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

EVENT_LIMIT = 1000  # that may wait for one client
REJOIN_SECONDS = 6 * 3600.0  # a membership expires after a day, a socket does not
LEAVE_SECONDS = 2.0
LAYER_LOST = "events cannot be delivered"
TOO_SLOW = "too far behind"

OnEvent = Callable[[dict[str, object]], Awaitable[None]]
OnFailure = Callable[[str], Awaitable[None]]


class GroupSubscription:
    """One group. It queues events from `join` on, and delivers them once `open` is set."""

    def __init__(self, group: str, on_event: OnEvent, on_failure: OnFailure) -> None:
        self.open = asyncio.Event()
        self._group, self._on_event, self._on_failure = group, on_event, on_failure
        self._layer = get_channel_layer()
        self._channel = ""
        self._events: asyncio.Queue[dict[str, object]] = asyncio.Queue(EVENT_LIMIT)
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self) -> None:
        self._channel = await self._layer.new_channel()
        await self._layer.group_add(self._group, self._channel)
        work = (self._receive(), self._deliver())
        self._tasks = [asyncio.create_task(each, name=f"follow {self._group}") for each in work]

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self._channel:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._layer.group_discard(self._group, self._channel)
        except Exception as problem:
            log.warning("could not leave the group %s: %s", self._group, problem)

    async def _receive(self) -> None:
        try:
            while True:
                message = await self._layer.receive(self._channel)
                self._events.put_nowait(message["event"])
        except asyncio.QueueFull:
            await self._on_failure(TOO_SLOW)
        except Exception:
            log.exception("receiving events of the group %s failed", self._group)
            await self._on_failure(LAYER_LOST)

    async def _deliver(self) -> None:
        await self.open.wait()
        clock = asyncio.get_running_loop().time
        rejoin = clock() + REJOIN_SECONDS
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(rejoin):
                    event = await self._events.get()
                await self._handle(event)
            if clock() >= rejoin:
                await self._layer.group_add(self._group, self._channel)
                rejoin = clock() + REJOIN_SECONDS

    async def _handle(self, event: dict[str, object]) -> None:
        try:
            await self._on_event(event)
        except Exception:
            log.exception("handling an event of the group %s failed", self._group)
