"""One reader of one pane: a bounded queue that repaints when its reader falls behind.

Not a transport, and not a source: a stream pushes, whoever owns the viewer reads.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from terminals.errors import WebtmuxError

BACKLOG_LIMIT = 256 * 1024  # bytes that one viewer may leave unread before it repaints
FRAME_LIMIT = 64 * 1024  # bytes in one chunk; a key's echo never waits behind more
HISTORY_LINES = 2000  # with the first picture
REPAINT_LINES = 200  # with each further one: a viewer that is behind has enough to draw


class Kind(StrEnum):
    SNAPSHOT = "snapshot"  # clear the terminal, then write
    OUTPUT = "output"
    AWAY = "away"  # tmux cannot be reached; a snapshot follows when it can


class Chunk(NamedTuple):
    kind: Kind
    data: bytes


class Source(Protocol):
    """Where a viewer gets its bytes."""

    @property
    def lost(self) -> bool: ...
    async def join(self, viewer: "Viewer", lines: int) -> bytes: ...
    def leave(self, viewer: "Viewer") -> None: ...


class Viewer:
    """One reader of one pane. It holds at most BACKLOG_LIMIT bytes; beyond, it repaints."""

    def __init__(
        self,
        pane: str,
        attach: "Callable[[Viewer], Awaitable[Source]]",
        on_left: "Callable[[Any], None]",
        *,
        window: int = 0,
        life: str = "",
    ) -> None:
        self.pane = pane
        self.life = life  # of the tmux server: in another one the id names another pane
        self.window = window  # bytes that may be under way unacknowledged; 0: no limit
        self.ended = ""  # why there is nothing more to come
        self._attach, self._on_left = attach, on_left
        self._stream: Source | None = None
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._in_flight = 0
        self._stale = True
        self._drawn = False
        self._wake = asyncio.Event()

    async def read(self) -> Chunk | None:
        """The next chunk, waiting for one; None when the pane is gone or the viewer is closed."""
        while not self.ended:
            if self._stream is None and self._drawn:
                self._drawn = False
                return Chunk(Kind.AWAY, b"")
            if self._stream is None:
                await self._find_stream()
            elif self._stale:
                if (picture := await self._repaint()) is not None:
                    return Chunk(Kind.SNAPSHOT, picture)
            elif self._chunks and (room := self._room()) > 0:
                return Chunk(Kind.OUTPUT, self._take(min(room, FRAME_LIMIT)))
            else:
                await self._woken()
        return Chunk(Kind.OUTPUT, self._take(FRAME_LIMIT)) if self._chunks else None

    def acknowledge(self, count: int) -> None:
        """The viewer's terminal has parsed `count` bytes more."""
        self._in_flight = max(0, self._in_flight - count)
        self._wake.set()

    def close(self) -> None:
        self._drop()
        self.end("closed")
        if self._stream is not None:
            self._stream.leave(self)
            self._on_left(self._stream)

    # --- for the stream ---

    def push(self, data: bytes) -> None:
        self._chunks.append(data)
        self._size += len(data)
        if self._size > BACKLOG_LIMIT:
            self.stale()
        self._wake.set()

    def stale(self) -> None:
        """What was queued no longer leads to the screen: draw it anew when there is time."""
        self._stale = True
        self._drop()
        if self._stream is not None:
            self._stream.leave(self)
        self._wake.set()

    def end(self, reason: str) -> None:
        self.ended = self.ended or reason
        self._wake.set()

    def cut_off(self) -> None:
        """This stream has no more of the pane: find another, and draw anew."""
        self.stale()
        self._stream = None

    # --- inside ---

    async def _find_stream(self) -> None:
        try:
            self._stream = await self._attach(self)
        except WebtmuxError as error:
            self.end(error.message)

    async def _repaint(self) -> bytes | None:
        while self._room() <= 0 and not self.ended:
            await self._woken()
        stream = self._stream
        if stream is None or self.ended:
            return None
        self._stale = False
        try:
            lines = REPAINT_LINES if self._drawn else HISTORY_LINES
            picture = await stream.join(self, lines)
        except WebtmuxError as error:
            if stream.lost:
                self.cut_off()
            else:
                self.end(error.message)
            return None
        if self._stale:
            return None
        self._drawn = True
        self._count(len(picture))
        return picture

    async def _woken(self) -> None:
        self._wake.clear()
        await self._wake.wait()

    def _room(self) -> int:
        return self.window - self._in_flight if self.window else FRAME_LIMIT

    def _take(self, most: int) -> bytes:
        taken: list[bytes] = []
        while self._chunks and most > 0:
            chunk = self._chunks.popleft()
            if len(chunk) > most:
                self._chunks.appendleft(chunk[most:])
                chunk = chunk[:most]
            taken.append(chunk)
            most -= len(chunk)
        data = b"".join(taken)
        self._size -= len(data)
        self._count(len(data))
        return data

    def _count(self, size: int) -> None:
        if self.window:
            self._in_flight += size

    def _drop(self) -> None:
        self._chunks.clear()
        self._size = 0
