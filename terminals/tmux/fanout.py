"""From one stream client to any number of viewers: exact joins, bounded memory, no slow bystander.

Not a transport: whoever owns a viewer reads its chunks and sends them wherever it wants.
"""

import asyncio
import itertools
import re
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from terminals.errors import TmuxFailed, WebtmuxError
from terminals.tmux import commands
from terminals.tmux.client import ControlClient, forget
from terminals.tmux.control import Notice
from terminals.tmux.snapshot import (
    BRACKETED_PASTE,
    FOCUS_EVENTS,
    Captured,
    Screen,
    Seen,
    restore,
)

BACKLOG_LIMIT = 256 * 1024  # bytes that one viewer may leave unread before it repaints
FRAME_LIMIT = 64 * 1024  # bytes in one chunk; a key's echo never waits behind more
HISTORY_LINES = 2000  # with the first picture
REPAINT_LINES = 200  # with each further one: a viewer that is behind has enough to draw
TAIL = 16  # bytes remembered of a pane: more than a cut character or mode switch needs
REMEMBERED_MODES = {b"%d" % BRACKETED_PASTE, b"%d" % FOCUS_EVENTS}
_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_numbers = itertools.count(1)

Tap = Callable[[bytes], None]


class Kind(StrEnum):
    SNAPSHOT = "snapshot"  # clear the terminal, then write
    OUTPUT = "output"
    AWAY = "away"  # tmux cannot be reached; a snapshot follows when it can


class Chunk(NamedTuple):
    kind: Kind
    data: bytes


@dataclass(slots=True)
class Pane:
    """One pane of a stream: who follows it, and what only the stream knows of it."""

    viewers: "set[Viewer]" = field(default_factory=set)
    taps: list[Tap] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    joining: int = 0  # viewers whose picture is under way
    fresh: bool = True  # no byte of it was seen yet: a first one may be inside a character
    paused: bool = False

    @property
    def followed(self) -> bool:
        return bool(self.viewers or self.taps or self.joining)


class Viewer:
    """One reader of one pane. It holds at most BACKLOG_LIMIT bytes; beyond, it repaints."""

    def __init__(
        self,
        pane: str,
        attach: "Callable[[Viewer], Awaitable[Stream]]",
        on_left: "Callable[[Stream], None]",
        *,
        window: int = 0,
    ) -> None:
        self.pane = pane
        self.window = window  # bytes that may be under way unacknowledged; 0: no limit
        self.ended = ""  # why there is nothing more to come
        self._attach, self._on_left = attach, on_left
        self._stream: Stream | None = None
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
            if stream.client.lost.done():
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


class Stream:
    """The output of one session's panes. It reads always, and sheds load at its viewers."""

    def __init__(self, session_id: str, directory: Path) -> None:
        self.session_id = session_id
        self.client = ControlClient(self._output, self._notice)
        self._panes: dict[str, Pane] = {}
        self._directory = directory
        self.on_notice: Callable[[Notice], None] = lambda notice: None

    @property
    def busy(self) -> bool:
        return any(pane.followed for pane in self._panes.values())

    def viewers(self) -> "list[Viewer]":
        return [viewer for pane in self._panes.values() for viewer in pane.viewers]

    async def join(self, viewer: Viewer, lines: int) -> bytes:
        """A picture of the pane; from its moment on, `viewer` gets every byte and none twice."""
        pane = self._panes.setdefault(viewer.pane, Pane())
        shot = _Shot(viewer.pane, lines, self._directory, resume=pane.paused)

        def on_block(number: int, told: list[bytes]) -> None:
            if number == shot.moment and not (viewer.ended or shot.given_up):
                if shot.resumed:
                    pane.paused, pane.fresh, pane.seen.tail = False, True, b""
                pane.viewers.add(viewer)
                shot.seen = Seen(dict(pane.seen.modes), pane.seen.tail)

        pane.joining += 1
        try:
            told = await self.client.run(*shot.line, on_block=on_block, lenient=True)
            return shot.picture(told)
        except BaseException:
            shot.given_up = True
            pane.viewers.discard(viewer)
            raise
        finally:
            pane.joining -= 1
            shot.clean()

    def leave(self, viewer: Viewer) -> None:
        if (pane := self._panes.get(viewer.pane)) is not None:
            pane.viewers.discard(viewer)

    async def tap(self, pane_id: str, tap: Tap) -> None:
        """Every byte that the pane prints from now on, as it comes."""
        pane = self._panes.setdefault(pane_id, Pane())
        pane.taps.append(tap)
        if pane.paused:
            pane.paused = False
            await self.client.run(commands.flow(pane_id, "continue"))

    def untap(self, pane_id: str, tap: Tap) -> None:
        if (pane := self._panes.get(pane_id)) is not None and tap in pane.taps:
            pane.taps.remove(tap)

    async def close(self) -> None:
        """The viewers look for another stream by themselves."""
        for viewer in self.viewers():
            viewer.cut_off()
        await self.client.close()

    # --- events of the client, in the order of the stream ---

    def _output(self, pane_id: str, data: bytes) -> None:
        pane = self._panes.get(pane_id)
        if pane is None or not pane.followed:
            self._spare(pane_id)
            return
        if pane.fresh:
            pane.fresh = False
            data = _whole_start(data)
        _remember(pane.seen, data)
        for tap in tuple(pane.taps):
            tap(data)
        for viewer in tuple(pane.viewers):
            viewer.push(data)

    def _spare(self, pane_id: str) -> None:
        """Nobody follows this pane: tmux need not send it."""
        pane = self._panes.setdefault(pane_id, Pane())
        if not pane.paused and self.client.usable:
            pane.paused = True
            self.client.send(commands.flow(pane_id, "pause")).add_done_callback(forget)

    def _notice(self, notice: Notice) -> None:
        if notice.name == "pause":
            pane = self._panes.setdefault(notice.rest.decode("ascii", "replace"), Pane())
            pane.paused = True
            for viewer in tuple(pane.viewers):
                viewer.stale()
        self.on_notice(notice)


class _Shot:
    """The line that photographs a pane, and what becomes of its replies."""

    def __init__(self, pane: str, lines: int, directory: Path, *, resume: bool) -> None:
        self.seen = Seen()
        self.resumed = resume
        self.given_up = False
        number = next(_numbers)
        kinds = ("screen", "history", "saved")
        self._buffers = {kind: f"webtmux{number}{kind}" for kind in kinds}
        self._files = {kind: directory / f"{number}.{kind}" for kind in kinds}
        take = {
            kind: commands.take_buffer(self._buffers[kind], self._files[kind]) for kind in kinds
        }
        first = (commands.flow(pane, "continue"),) if resume else ()
        self.line = (
            *first,
            commands.display(Screen.form(), pane),
            commands.capture(pane, buffer=self._buffers["screen"], escapes=True, keep_blanks=True),
            commands.capture(
                pane, buffer=self._buffers["history"], escapes=True, join=True,
                start=f"-{lines}", end="-1",
            ),
            commands.capture(
                pane, buffer=self._buffers["saved"], escapes=True, keep_blanks=True, saved=True
            ),
            commands.capture_pending(pane),
            *take["screen"],
            *take["history"],
            *take["saved"],  # last: without an alternate screen there is no such buffer
        )  # fmt: skip
        self._state = len(first)
        self.moment = len(first) + 4  # the last capture; the files are written after it

    def picture(self, told: list[list[bytes]]) -> bytes:
        if len(told) <= self.moment + 4:
            raise TmuxFailed("the pane is gone")
        [state] = Screen.parse(told[self._state])
        pending = b"".join(told[self.moment])
        files = {
            kind: path.read_bytes() if path.exists() else b"" for kind, path in self._files.items()
        }
        return restore(state, Captured(pending=pending, **files), self.seen)

    def clean(self) -> None:
        for path in self._files.values():
            path.unlink(missing_ok=True)


def _whole_start(data: bytes) -> bytes:
    """Without the rest of a character whose beginning went by before we looked."""
    start = 0
    while start < min(3, len(data)) and 0x80 <= data[start] < 0xC0:
        start += 1
    return data[start:]


def _remember(seen: Seen, data: bytes) -> None:
    """Keep the end of what went by, and the modes it switched, also where a read cut them."""
    if b"\x1b[?" in data or b"\x1b" in seen.tail:
        for numbers, switch in _MODE.findall(seen.tail + data):
            for mode in REMEMBERED_MODES.intersection(numbers.split(b";")):
                seen.modes[int(mode)] = switch == b"h"
    seen.tail = (seen.tail + data[-TAIL:])[-TAIL:]
