"""Durable logs: the output of a pane, in files that survive a restart of webtmux.

tmux pipes a pane into a process of webtmux (terminals/logs/writer.py). The pipe is opened once and
never reopened, because that would lose bytes. The writer splits the log into segments by size and
removes old ones. An offset counts all bytes since the log began; it is never reused.
"""

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import Invalid, NotFound, Refused
from core.private_paths import make_directories
from terminals.logs import writer as log_writer
from terminals.logs.writer import SEGMENT, LogLimits, Segment
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

READ_LIMIT = 8 * 1024 * 1024  # bytes in one call
TAIL_BLOCK = 64 * 1024
LOG_OPTION = "@webtmux_log"  # of a pane: the directory of its log, found again after a restart
RECORDING_OPTION = "@webtmux_recording"  # of a pane: the key of the recording that has its pipe


@dataclass(frozen=True, slots=True)
class Tail:
    content: bytes
    lines: int
    truncated: bool  # there were more lines before these


@dataclass(frozen=True, slots=True)
class Piece:
    chunk: bytes
    start: int  # of the chunk: later than requested if those bytes are gone
    next: int
    eof: bool
    truncated: bool  # bytes between the requested offset and `start` are gone


class PaneLog:
    """The files of one log. Reading does not need tmux."""

    def __init__(self, directory: Path, *, segment: int = SEGMENT) -> None:
        self.directory = directory
        self._segment = segment

    def segments(self) -> list[Segment]:
        """Oldest first."""
        return log_writer.segments(self.directory, numbered=self._segment)

    def size(self) -> int:
        """The offset after the last byte."""
        return max((segment.end for segment in self.segments()), default=0)

    def read(self, start: int = 0, limit: int = TAIL_BLOCK) -> Piece:
        """At most `limit` bytes from offset `start` on, or from the first byte that still exists.

        Ends where bytes are missing: the next piece begins after the gap.
        """
        if start < 0 or not 0 < limit <= READ_LIMIT:
            raise Invalid(f"read from 0 or later, and 1 to {READ_LIMIT} bytes at a time")
        parts: list[bytes] = []
        first = offset = start
        for segment in self.segments():
            if segment.end <= offset:
                continue
            if parts and (segment.start > offset or limit <= 0):
                break
            begin = max(offset, segment.start)
            data = _read(segment.path, begin - segment.start, limit)
            if not data:
                continue  # removed since it was listed
            first = first if parts else begin
            parts.append(data)
            offset, limit = begin + len(data), limit - len(data)
        return Piece(b"".join(parts), first, offset, offset >= self.size(), first > start)

    def tail(self, lines: int) -> Tail:
        """The last `lines` lines, read from the end; an incomplete last line counts."""
        if lines < 1:
            raise Invalid("lines must be at least 1")
        blocks: list[bytes] = []
        breaks = size = 0
        complete = True
        for block in self._backwards():
            blocks.append(block)
            breaks, size = breaks + block.count(b"\n"), size + len(block)
            if breaks > lines or size > READ_LIMIT:
                complete = False
                break
        return _last_lines(b"".join(reversed(blocks)), lines, complete)

    def _backwards(self) -> Iterator[bytes]:
        for segment in reversed(self.segments()):
            end = segment.size
            while end > 0:
                begin = max(0, end - TAIL_BLOCK)
                if not (block := _read(segment.path, begin, end - begin)):
                    return  # removed since it was listed, like everything before it
                yield block
                end = begin


class PaneLogs:
    """The logs of the panes of one tmux server."""

    def __init__(
        self,
        tmux: Tmux,
        directory: Path,
        *,
        root: Path | None = None,
        limits: LogLimits | None = None,
        segment: int = 0,
        by_window: bool = False,
    ) -> None:
        """`root`: the directory whose logs share the limits.

        `by_window`: logs are named by the window, of which only the first pane is logged.
        """
        self._tmux = tmux
        self._directory, self._root = directory, root or directory
        self._limits = limits or LogLimits()
        self._segment = segment or self._limits.segment
        self._by_window = by_window

    async def attach(self, pane_id: str) -> PaneLog:
        """Log a pane from now on; a pane that is already logged keeps its log."""
        async with self._tmux.lock(f"log {pane_id}"):
            pane = await self._tmux.pane(pane_id)
            directory_name = await self._tmux.show_option(LOG_OPTION, pane.id)
            if pane.piped and await self._tmux.show_option(RECORDING_OPTION, pane.id):
                raise Refused("this pane is being recorded, and tmux can pipe a pane only once")
            if pane.piped and not directory_name:
                raise Refused("another program pipes this pane (pipe-pane): stop that first")
            directory = Path(directory_name) if directory_name else self._new_directory(pane)
            make_directories(directory)
            if not pane.piped:
                await self._open(pane.id, directory)
            return PaneLog(directory)

    async def find(self, pane_id: str) -> PaneLog:
        """The log of a pane that is logged."""
        directory_name = await self._tmux.show_option(
            LOG_OPTION, (await self._tmux.pane(pane_id)).id
        )
        if not directory_name or not Path(directory_name).is_dir():
            raise NotFound(f"pane {pane_id} is not logged: start its log first")
        return PaneLog(Path(directory_name))

    def find_ended(self, window_id: str) -> PaneLog | None:
        """With `by_window`: the log of a window that has ended, in the last run that had its id.

        The server itself may have ended since, and a new one counts its ids from 0 again.
        """
        stored = self._directory.glob(f"*/pane-{window_id}")
        newest = max(stored, key=lambda path: path.stat().st_mtime, default=None)
        return PaneLog(newest) if newest is not None else None

    async def _open(self, pane_id: str, directory: Path) -> None:
        """If a pipe has ended, its log stays: the new writer continues after the last byte."""
        limits = self._limits
        program = [
            sys.executable, "-I", "-S", log_writer.__file__, str(directory), str(self._root),
            str(self._segment), str(limits.pane), str(limits.total), str(limits.floor),
        ]  # fmt: skip  # flags next to their values
        await self._tmux.set_option(LOG_OPTION, str(directory), pane_id)
        await self._tmux.pipe(pane_id, f"umask 077; exec {shlex.join(program)}")

    def _new_directory(self, pane: PaneRow) -> Path:
        identifier = pane.window_id if self._by_window else pane.id
        return self._directory / self._tmux.server_run / f"pane-{identifier}"


def _read(path: Path, start: int, limit: int) -> bytes:
    """Empty if the file is gone."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(limit)
    except FileNotFoundError:
        return b""


def _last_lines(data: bytes, lines: int, complete: bool) -> Tail:
    """`data` is the end of the log, and all of it if `complete`."""
    parts = _split(data)
    kept = parts[-lines:]
    return Tail(b"".join(kept), len(kept), not complete or len(parts) > lines)


def _split(data: bytes) -> list[bytes]:
    """Lines with their line feeds. A CR does not end a line: progress bars print it."""
    parts = [part + b"\n" for part in data.split(b"\n")]
    parts[-1] = parts[-1][:-1]
    return parts if parts[-1] else parts[:-1]
