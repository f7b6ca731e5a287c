"""Durable logs: every byte that a pane printed, in files that outlive us.

tmux pipes a pane into `split`, opened once and never again (opening it anew would lose bytes),
which starts a new segment by size. An offset counts all bytes since the log began: segment number
times segment size plus the place in it. Old segments are removed; their offsets are not reused.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terminals.errors import Invalid, NotFound, Refused
from terminals.private_paths import make_directories
from terminals.tmux.driver import Tmux

SEGMENT = 16 * 1024 * 1024
KEPT_SEGMENTS = 16  # 256 MiB of one pane at the most
DIGITS = 6
READ_LIMIT = 8 * 1024 * 1024  # bytes in one answer
TAIL_BLOCK = 64 * 1024
OPTION = "@webtmux_log"  # of the pane: where its log is, so that we find it again after a restart
RECORDING_OPTION = "@webtmux_recording"  # the key of the recording that has the pane's only pipe
_SEGMENT_NAME = re.compile(rf"\d{{{DIGITS}}}")


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

    def segments(self) -> list[tuple[int, Path]]:
        """(first offset, file), oldest first."""
        names = sorted(p for p in self.directory.iterdir() if _SEGMENT_NAME.fullmatch(p.name))
        return [(int(path.name) * self._segment, path) for path in names]

    def size(self) -> int:
        """The offset behind the last byte."""
        return max((start + path.stat().st_size for start, path in self.segments()), default=0)

    def read(self, start: int = 0, most: int = TAIL_BLOCK) -> Piece:
        """At most `most` bytes from offset `start` on, or from the first byte still kept."""
        if start < 0 or not 0 < most <= READ_LIMIT:
            raise Invalid(f"read from 0 or later, and 1 to {READ_LIMIT} bytes at a time")
        parts: list[bytes] = []
        first, at = None, start
        for begin, path in self.segments():
            end = begin + path.stat().st_size
            if end <= at or most <= 0:
                continue
            at = max(at, begin)
            first = at if first is None else first
            data = _read(path, at - begin, most)
            parts.append(data)
            at, most = at + len(data), most - len(data)
        first = start if first is None else first
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

    def prune(self, keep: int = KEPT_SEGMENTS) -> None:
        for _, path in self.segments()[:-keep]:
            path.unlink(missing_ok=True)

    def _backwards(self) -> Iterator[bytes]:
        for _, path in reversed(self.segments()):
            end = path.stat().st_size
            while end > 0:
                begin = max(0, end - TAIL_BLOCK)
                yield _read(path, begin, end - begin)
                end = begin


class Logs:
    """The logs of one tmux server's panes."""

    def __init__(self, tmux: Tmux, directory: Path, *, segment: int = SEGMENT) -> None:
        self._tmux = tmux
        self._directory = directory
        self._segment = segment

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
            log = Log(directory, segment=self._segment)
            log.prune()
            return log

    async def find(self, pane_id: str) -> Log:
        """The log of a pane that is logged."""
        known = await self._tmux.show_option(
            OPTION, "-p", "-t", (await self._tmux.pane(pane_id)).id
        )
        if not known or not Path(known).is_dir():
            raise NotFound(f"pane {pane_id} is not logged: start its log first")
        return Log(Path(known), segment=self._segment)

    async def _open(self, pane_id: str, directory: Path) -> None:
        """A pipe that died starts a new segment: what was written stays."""
        last = [path.name for _, path in Log(directory, segment=self._segment).segments()][-1:]
        number = int(last[0]) + 1 if last else 0
        program = [
            "split", "-b", str(self._segment), f"--numeric-suffixes={number}", "-a", str(DIGITS),
            "-", f"{directory}/",
        ]  # fmt: skip
        await self._tmux.set_option(OPTION, str(directory), "-p", "-t", pane_id)
        await self._tmux.pipe(pane_id, f"umask 077; exec {shlex.join(program)}")

    def _place(self, pane_id: str) -> Path:
        return self._directory / self._tmux.life / f"pane-{pane_id}"


def _read(path: Path, start: int, most: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(most)


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
