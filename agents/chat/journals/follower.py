"""Follows a file of JSON lines as it grows. Plain blocking calls, for a worker's thread.

Each call reads a bounded piece. A file that has not changed costs one `stat`. A file that was
replaced (another inode), truncated or rewritten is read again from the start; the reader says so,
and because every message has a key, reading twice stores nothing twice.
"""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PIECE = 512 * 1024  # bytes read by one call
TAIL = 16 * 1024 * 1024  # of a longer file only the end is read at first
LINE_LIMIT = 2 * 1024 * 1024  # parsing a longer one would hold Python's lock for too long
VALUES = 150_000  # likewise, however short they are: parsing takes 15 ms then
LONGEST_LINE = 32 * 1024 * 1024  # with images in it, which are removed before it is parsed
MARK = 64  # bytes before our place that must stay the same
# Images and other data in base64. Searched in pieces, because a search holds Python's lock.
_BLOB = re.compile(rb"[A-Za-z0-9+/=]{4096,}")


@dataclass(frozen=True, slots=True)
class JournalPiece:
    lines: list[bytes]
    restarted: bool = False  # these lines are the first of a file that was not read before
    has_more: bool = False  # the next call will return more at once


NOTHING = JournalPiece([])


class LineFollower:
    def __init__(self, path: Path, *, tail: int = TAIL) -> None:
        self.path = path
        self._tail = tail
        self._identity: tuple[int, int] | None = None  # device and inode
        self._version: tuple[int, int] = (0, 0)  # size and time of the last change
        self._offset = 0
        self._mark = b""  # the bytes before the offset
        self._partial: list[bytes] = []  # of the last line, which has no end yet
        self._partial_size = 0
        self._skips = False  # until the end of a line that is too long, or was cut off

    @property
    def buffered(self) -> int:
        """Bytes that are held for a line without an end."""
        return self._partial_size

    def read(self) -> JournalPiece:
        """The complete lines of the next piece. Raises nothing: an unreadable file is empty."""
        try:
            status = os.stat(self.path)
        except OSError:
            return NOTHING
        identity = (status.st_dev, status.st_ino)
        version = (status.st_size, status.st_mtime_ns)
        if identity == self._identity and version == self._version and self._offset == version[0]:
            return NOTHING
        if not stat.S_ISREG(status.st_mode):
            return NOTHING
        try:
            with self.path.open("rb", buffering=0) as file:
                opened = os.fstat(file.fileno())
                identity = (opened.st_dev, opened.st_ino)
                version = (opened.st_size, opened.st_mtime_ns)
                return self._read(file.fileno(), identity, version)
        except OSError:
            return NOTHING

    def _read(self, file: int, identity: tuple[int, int], version: tuple[int, int]) -> JournalPiece:
        size, restarted, lines = version[0], False, list[bytes]()
        if identity != self._identity or size < self._offset or not self._is_same(file):
            restarted = True
            lines += self._restart(file, size)
        self._identity, self._version = identity, version
        data = os.pread(file, PIECE, self._offset)
        self._offset += len(data)
        self._mark = (self._mark + data)[-MARK:]
        lines += self._split(data)
        return JournalPiece(lines, restarted, self._offset < size)

    def _restart(self, file: int, size: int) -> Iterator[bytes]:
        """Start again. Of a long file the first line is returned too: it describes the session."""
        self._partial, self._partial_size, self._skips = [], 0, False
        self._offset = max(0, size - self._tail)
        self._mark = os.pread(file, MARK, max(0, self._offset - MARK)) if self._offset else b""
        if self._offset:
            self._skips = not self._mark.endswith(b"\n")
            first, end, _ = os.pread(file, PIECE, 0).partition(b"\n")
            if end:
                yield first

    def _is_same(self, file: int) -> bool:
        """Whether the bytes before our place are still the same."""
        return os.pread(file, len(self._mark), self._offset - len(self._mark)) == self._mark

    def _split(self, data: bytes) -> Iterator[bytes]:
        *complete, rest = data.split(b"\n")
        for end in complete:
            line, skips = b"".join([*self._partial, end]), self._skips
            self._partial, self._partial_size, self._skips = [], 0, False
            if not skips and (line := parseable(line)):
                yield line
        if not rest:
            return
        self._partial_size += len(rest)
        if self._partial_size > LONGEST_LINE:
            self._skips = True
        if self._skips:
            self._partial, self._partial_size = [], 0
        else:
            self._partial.append(rest)


def parseable(line: bytes) -> bytes:
    """The line without long data in base64; empty if it would take too long to parse."""
    if sum(map(line.count, (b",", b"[", b"{"))) > VALUES:
        return b""
    if len(line) <= LINE_LIMIT:
        return line.strip()
    pieces = (line[start : start + PIECE] for start in range(0, len(line), PIECE))
    short = b"".join(_BLOB.sub(b"", piece) for piece in pieces)
    return short.strip() if len(short) <= LINE_LIMIT else b""
