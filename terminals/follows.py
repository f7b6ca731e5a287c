"""The channel groups that one client follows: events of each in order, none lost in silence.

Not for terminal bytes. The layer itself drops what nobody takes, so it is emptied at once into a
queue of ours; a client that cannot be told any more is turned away, and reads anew when it returns.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import get_channel_layer  # type: ignore[import-untyped]

log = logging.getLogger(__name__)

EVENT_LIMIT = 1000  # facts that may wait for one client
REJOIN_SECONDS = 6 * 3600.0  # a membership expires after a day, a socket does not
LEAVE_SECONDS = 2.0
LAYER_LOST = "events cannot be delivered"
TOO_SLOW = "too far behind"

OnEvent = Callable[[dict[str, Any]], Awaitable[None]]
OnFailure = Callable[[str], Awaitable[None]]


class Follow:
    """One group. It is joined at once, and tells nothing before `open`."""

    def __init__(self, group: str, on_event: OnEvent, on_failure: OnFailure) -> None:
        self.open = asyncio.Event()
        self._group, self._on_event, self._on_failure = group, on_event, on_failure
        self._layer = get_channel_layer()
        self._channel = ""
        self._events: asyncio.Queue[dict[str, Any]] = asyncio.Queue(EVENT_LIMIT)
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self) -> None:
        self._channel = await self._layer.new_channel()
        await self._layer.group_add(self._group, self._channel)
        work = (self._take(), self._tell())
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

    async def _take(self) -> None:
        try:
            while True:
                message = await self._layer.receive(self._channel)
                self._events.put_nowait(message["event"])
        except asyncio.QueueFull:
            await self._on_failure(TOO_SLOW)
        except Exception:
            log.exception("the group %s cannot be heard", self._group)
            await self._on_failure(LAYER_LOST)

    async def _tell(self) -> None:
        await self.open.wait()
        clock = asyncio.get_running_loop().time
        rejoin = clock() + REJOIN_SECONDS
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(rejoin):
                    event = await self._events.get()
                await self._guarded(event)
            if clock() >= rejoin:
                await self._layer.group_add(self._group, self._channel)
                rejoin = clock() + REJOIN_SECONDS

    async def _guarded(self, event: dict[str, Any]) -> None:
        try:
            await self._on_event(event)
        except Exception:
            log.exception("an event of the group %s could not be told", self._group)
