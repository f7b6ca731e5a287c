"""One viewer of one pane: a bounded queue that repaints when its reader falls behind.

A stream (fanout.py) pushes output, and the owner of the viewer reads chunks: for the socket that is
terminals/socket/output.py. A slow viewer never delays the others.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from core.errors import WebtmuxError

BACKLOG_LIMIT = 256 * 1024  # unread bytes of one viewer; beyond, it repaints
FRAME_LIMIT = 64 * 1024  # bytes in one chunk: the echo of a key waits behind no more
HISTORY_LINES = 2000  # with the first capture
REPAINT_LINES = 200  # with each later one: a viewer that is behind should not get much more


class ChunkKind(StrEnum):
    CAPTURE = "capture"  # clear the terminal, then write
    OUTPUT = "output"
    AWAY = "away"  # tmux cannot be reached; a capture follows when it can


class Chunk(NamedTuple):
    kind: ChunkKind
    data: bytes


class OutputSource(Protocol):
    """Where a viewer gets its bytes: a stream."""

    @property
    def lost(self) -> bool: ...
    async def join(self, viewer: "Viewer", lines: int) -> bytes: ...
    def leave(self, viewer: "Viewer") -> None: ...


class Viewer:
    """Holds at most BACKLOG_LIMIT bytes. Beyond, it drops them and captures the pane again."""

    def __init__(
        self,
        pane_id: str,
        attach: "Callable[[Viewer], Awaitable[OutputSource]]",
        on_left: "Callable[[Any], None]",  # gets what `attach` returned
        *,
        window: int = 0,
        server_run: str = "",
    ) -> None:
        """`window`: how many bytes may be sent and not acknowledged; 0: no limit."""
        self.pane_id, self.server_run = pane_id, server_run
        self.window = window
        self.ended = ""  # why no more chunks come; empty while they do
        self._attach, self._on_left = attach, on_left
        self._stream: OutputSource | None = None
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._in_flight = 0
        self._stale = True
        self._painted = False
        self._wake = asyncio.Event()

    async def read(self) -> Chunk | None:
        """Wait for the next chunk; None when the pane is gone or the viewer is closed."""
        while not self.ended:
            if self._stream is None and self._painted:
                self._painted = False
                return Chunk(ChunkKind.AWAY, b"")
            if self._stream is None:
                await self._find_stream()
            elif self._stale:
                if (capture := await self._repaint()) is not None:
                    return Chunk(ChunkKind.CAPTURE, capture)
            elif self._chunks and (room := self._room()) > 0:
                return Chunk(ChunkKind.OUTPUT, self._take(min(room, FRAME_LIMIT)))
            else:
                await self._wait_for_change()
        return Chunk(ChunkKind.OUTPUT, self._take(FRAME_LIMIT)) if self._chunks else None

    def acknowledge(self, count: int) -> None:
        """The terminal of the viewer has parsed `count` more bytes."""
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
            self.mark_stale()
        self._wake.set()

    def mark_stale(self) -> None:
        """The queue no longer leads to what the pane shows: drop it, and repaint when possible."""
        self._stale = True
        self._drop()
        if self._stream is not None:
            self._stream.leave(self)
        self._wake.set()

    def end(self, reason: str) -> None:
        self.ended = self.ended or reason
        self._wake.set()

    def leave_stream(self) -> None:
        """This stream has no more output of the pane: find another one and repaint."""
        self.mark_stale()
        self._stream = None

    # --- inside ---

    async def _find_stream(self) -> None:
        try:
            self._stream = await self._attach(self)
        except WebtmuxError as error:
            self.end(error.message)

    async def _repaint(self) -> bytes | None:
        while self._room() <= 0 and not self.ended:
            await self._wait_for_change()
        stream = self._stream
        if stream is None or self.ended:
            return None
        self._stale = False
        try:
            lines = REPAINT_LINES if self._painted else HISTORY_LINES
            capture = await stream.join(self, lines)
        except WebtmuxError as error:
            if stream.lost:
                self.leave_stream()
            else:
                self.end(error.message)
            return None
        if self._stale:
            return None
        self._painted = True
        self._count_sent(len(capture))
        return capture

    async def _wait_for_change(self) -> None:
        self._wake.clear()
        await self._wake.wait()

    def _room(self) -> int:
        return self.window - self._in_flight if self.window else FRAME_LIMIT

    def _take(self, limit: int) -> bytes:
        taken: list[bytes] = []
        while self._chunks and limit > 0:
            chunk = self._chunks.popleft()
            if len(chunk) > limit:
                self._chunks.appendleft(chunk[limit:])
                chunk = chunk[:limit]
            taken.append(chunk)
            limit -= len(chunk)
        data = b"".join(taken)
        self._size -= len(data)
        self._count_sent(len(data))
        return data

    def _count_sent(self, size: int) -> None:
        if self.window:
            self._in_flight += size

    def _drop(self) -> None:
        self._chunks.clear()
        self._size = 0
