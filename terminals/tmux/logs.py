"""Durable logs: what a pane printed, in files that outlive us.

tmux pipes a pane into a process of ours (terminals/log_writer.py), opened once and never again:
opening it anew would lose bytes. The writer begins a new segment by size and removes old ones. An
offset counts all bytes since the log began; offsets of removed segments are not reused.
"""

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terminals import log_writer
from terminals.errors import Invalid, NotFound, Refused
from terminals.log_writer import SEGMENT, Limits, Segment
from terminals.private_paths import make_directories
from terminals.tmux.driver import Tmux

READ_LIMIT = 8 * 1024 * 1024  # bytes in one answer
TAIL_BLOCK = 64 * 1024
OPTION = "@webtmux_log"  # of the pane: where its log is, so that we find it again after a restart
RECORDING_OPTION = "@webtmux_recording"  # the key of the recording that has the pane's only pipe


@dataclass(frozen=True, slots=True)
class Tail:
    content: bytes
    lines: int
    truncated: bool  # there were more lines before these


@dataclass(frozen=True, slots=True)
class Piece:
    chunk: bytes
    start: int  # where the chunk begins: later than asked for if that is no longer kept
    next: int
    eof: bool
    truncated: bool  # bytes between what was asked for and `start` are gone


class Log:
    """The files of one pane's log. Reading needs no tmux."""

    def __init__(self, directory: Path, *, segment: int = SEGMENT) -> None:
        self.directory = directory
        self._segment = segment

    def segments(self) -> list[Segment]:
        """Oldest first."""
        return log_writer.segments(self.directory, numbered=self._segment)

    def size(self) -> int:
        """The offset behind the last byte."""
        return max((segment.end for segment in self.segments()), default=0)

    def read(self, start: int = 0, most: int = TAIL_BLOCK) -> Piece:
        """At most `most` bytes from offset `start` on, or from the first byte still kept.

        Ends where bytes are missing: the next piece begins behind the gap.
        """
        if start < 0 or not 0 < most <= READ_LIMIT:
            raise Invalid(f"read from 0 or later, and 1 to {READ_LIMIT} bytes at a time")
        parts: list[bytes] = []
        first = at = start
        for segment in self.segments():
            if segment.end <= at:
                continue
            if parts and (segment.start > at or most <= 0):
                break
            begin = max(at, segment.start)
            data = _read(segment.path, begin - segment.start, most)
            if not data:
                continue  # removed since it was listed
            first = first if parts else begin
            parts.append(data)
            at, most = begin + len(data), most - len(data)
        return Piece(b"".join(parts), first, at, at >= self.size(), first > start)

    def tail(self, lines: int) -> Tail:
        """The last `lines` lines, read from the end; a last line without its break counts."""
        if lines < 1:
            raise Invalid("ask for at least one line")
        blocks: list[bytes] = []
        breaks = size = 0
        whole = True
        for block in self._backwards():
            blocks.append(block)
            breaks, size = breaks + block.count(b"\n"), size + len(block)
            if breaks > lines or size > READ_LIMIT:
                whole = False
                break
        return _last(b"".join(reversed(blocks)), lines, whole)

    def _backwards(self) -> Iterator[bytes]:
        for segment in reversed(self.segments()):
            end = segment.size
            while end > 0:
                begin = max(0, end - TAIL_BLOCK)
                if not (block := _read(segment.path, begin, end - begin)):
                    return  # removed since it was listed, and so is all before it
                yield block
                end = begin


class Logs:
    """The logs of one tmux server's panes."""

    def __init__(
        self,
        tmux: Tmux,
        directory: Path,
        *,
        root: Path | None = None,
        limits: Limits | None = None,
        segment: int = 0,
    ) -> None:
        """`root`: the directory whose logs share the limits."""
        self._tmux = tmux
        self._directory, self._root = directory, root or directory
        self._limits = limits or Limits()
        self._segment = segment or self._limits.segment

    async def attach(self, pane_id: str) -> Log:
        """Log a pane from now on; a pane that is logged already stays as it is."""
        async with self._tmux.lock(f"log {pane_id}"):
            pane = await self._tmux.pane(pane_id)
            known = await self._tmux.show_option(OPTION, "-p", "-t", pane.id)
            if pane.piped and await self._tmux.show_option(RECORDING_OPTION, "-p", "-t", pane.id):
                raise Refused("this pane is being recorded, and tmux can pipe a pane only once")
            if pane.piped and not known:
                raise Refused("somebody else pipes this pane (pipe-pane); webtmux leaves it alone")
            directory = Path(known) if known else self._place(pane.id)
            make_directories(directory)
            if not pane.piped:
                await self._open(pane.id, directory)
            return Log(directory)

    async def find(self, pane_id: str) -> Log:
        """The log of a pane that is logged."""
        known = await self._tmux.show_option(
            OPTION, "-p", "-t", (await self._tmux.pane(pane_id)).id
        )
        if not known or not Path(known).is_dir():
            raise NotFound(f"pane {pane_id} is not logged: start its log first")
        return Log(Path(known))

    async def _open(self, pane_id: str, directory: Path) -> None:
        """A pipe that died leaves its log: the new writer goes on behind its last byte."""
        limits = self._limits
        program = [
            sys.executable, "-I", "-S", log_writer.__file__, str(directory), str(self._root),
            str(self._segment), str(limits.pane), str(limits.total), str(limits.floor),
        ]  # fmt: skip
        await self._tmux.set_option(OPTION, str(directory), "-p", "-t", pane_id)
        await self._tmux.pipe(pane_id, f"umask 077; exec {shlex.join(program)}")

    def _place(self, pane_id: str) -> Path:
        return self._directory / self._tmux.life / f"pane-{pane_id}"


def _read(path: Path, start: int, most: int) -> bytes:
    """Nothing where the file is gone."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(most)
    except FileNotFoundError:
        return b""


def _last(data: bytes, lines: int, whole: bool) -> Tail:
    """`data` ends where the log ends; `whole` says that it also begins where the log begins."""
    parts = _split(data)
    kept = parts[-lines:]
    return Tail(b"".join(kept), len(kept), not whole or len(parts) > lines)


def _split(data: bytes) -> list[bytes]:
    """Lines with their breaks. Only LF ends one: a CR is a progress bar's."""
    parts = [part + b"\n" for part in data.split(b"\n")]
    parts[-1] = parts[-1][:-1]
    return parts if parts[-1] else parts[:-1]
