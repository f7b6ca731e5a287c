"""A list of tmux for callers that want it at the same time, parsed only when it has changed.

Every caller gets a list that tmux made after the call: nothing that happened before is missing.
While one list is on its way, all new callers wait together for the one after it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Row = TypeVar("Row")


class SharedList(Generic[Row]):
    def __init__(
        self, query: Callable[[], Awaitable[list[bytes]]], parse: Callable[[list[bytes]], list[Row]]
    ) -> None:
        self._query, self._parse = query, parse
        self._querying = asyncio.Lock()
        self._waiting: asyncio.Task[list[Row]] | None = None  # has not sent its query yet
        self._last: tuple[list[bytes], list[Row]] = ([], [])

    async def read(self) -> list[Row]:
        """The same object as the last time if nothing has changed. Callers do not change it."""
        if self._waiting is None or self._waiting.done():
            self._waiting = asyncio.create_task(self._read())
            self._waiting.add_done_callback(_retrieve)
        # Shielded: others wait for the same list.
        return await asyncio.shield(self._waiting)

    async def _read(self) -> list[Row]:
        async with self._querying:
            self._waiting = None  # who comes from now on needs a later list
            reply = await self._query()
        if reply != self._last[0]:
            self._last = reply, self._parse(reply)
        return self._last[1]


def _retrieve(task: asyncio.Task[list[Row]]) -> None:
    """All callers may have left: then no one else reads the failure."""
    if not task.cancelled():
        task.exception()
