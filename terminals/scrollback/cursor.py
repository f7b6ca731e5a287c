"""Finds what is new in a pane's text since an earlier read, by a cursor that the client keeps.

Pure: lines and a cursor in, new lines and the next cursor out. Lines are numbered from the oldest
that tmux keeps. A cursor has the number of lines read so far and a checksum of the last of them: if
those lines are unchanged at their numbers, everything after them is new. At its history limit tmux
drops old lines, which changes the numbers of the rest: then the checked lines are searched for. If
they are not found, the screen was redrawn.
"""

import re
from dataclasses import dataclass
from hashlib import blake2b
from zlib import crc32

from core.errors import Invalid

ANCHOR = 100  # lines that are checked: about one screen
PIECE = 1024 * 1024  # bytes that are decoded in one call
TRIES = 1000  # candidates that are compared in full before the search is given up
_CURSOR = re.compile(r"(\w{1,40})\.(\d{1,9})\.(\d{1,3})\.(\d{1,10})\.(\w{16})\.(\w{16})", re.ASCII)


def lines_of(raw: bytes) -> list[str]:
    """Without trailing blank lines. Decodes piece by piece because decoding holds the GIL."""
    raw = raw.rstrip()
    lines: list[str] = []
    start = 0
    while start < len(raw):
        end = raw.find(b"\n", min(start + PIECE, len(raw)))
        end = len(raw) if end < 0 else end
        lines += raw[start:end].decode("utf-8", "replace").split("\n")
        start = end + 1
    return lines


@dataclass(frozen=True, slots=True)
class TextCapture:
    """A pane's text at one moment, from some line to the last that is not blank."""

    place: str  # identifies the pane and the server run
    first: int  # the number of its first line
    top: int  # the number of the screen's first line
    lines: tuple[str, ...]
    full: bool = False  # the history is near its limit: older lines may have been dropped

    @property
    def end(self) -> int:
        return self.first + len(self.lines)

    def part(self, start: int, end: int) -> tuple[str, ...]:
        return self.lines[max(start - self.first, 0) : max(end - self.first, 0)]


@dataclass(frozen=True, slots=True)
class ScreenCursor:
    place: str
    end: int  # the number of lines read or skipped
    anchor: int  # how many lines before the last one are checked
    mark: int  # quick checksum of the last checked line, to search for it
    check: str  # checksum of all checked lines
    last: str  # checksum of the last line, which may have been incomplete

    @classmethod
    def after(cls, capture: TextCapture, end: int) -> "ScreenCursor":
        """The cursor of a client that has read all lines before number `end`."""
        checked = capture.part(max(end - 1 - ANCHOR, capture.first), end - 1)
        return cls(
            capture.place,
            end,
            len(checked),
            _mark(checked),
            _hash(*checked),
            _hash(*capture.part(end - 1, end)),
        )

    @classmethod
    def parse(cls, text: str) -> "ScreenCursor":
        if (match := _CURSOR.fullmatch(text)) is None:
            raise Invalid(
                "this is not a cursor of read_screen: pass the last one that it returned, or none"
            )
        place, end, anchor, mark, check, last = match.groups()
        return cls(place, int(end), int(anchor), int(mark), check, last)

    def __str__(self) -> str:
        return f"{self.place}.{self.end}.{self.anchor}.{self.mark}.{self.check}.{self.last}"


@dataclass(frozen=True, slots=True)
class ScreenPage:
    lines: tuple[str, ...]
    cursor: ScreenCursor
    more: bool


def resume(capture: TextCapture, cursor: ScreenCursor) -> int | None:
    """The first new line, if the checked lines are unchanged at their numbers."""
    if capture.full and cursor.anchor == 0:
        return None  # there is nothing to check
    return _next(capture, cursor, cursor.end) if _matches(capture, cursor, cursor.end) else None


def find(capture: TextCapture, cursor: ScreenCursor) -> int | None:
    """The first new line, if the checked lines are where they were or at exactly one other
    place."""
    if (start := resume(capture, cursor)) is not None:
        return start
    if cursor.place != capture.place or cursor.anchor == 0:
        return None
    marked = [
        number
        for number, line in enumerate(capture.lines, capture.first)
        if _mark((line,)) == cursor.mark
    ]
    if len(marked) > TRIES:
        return None
    ends = [number + 2 for number in marked if _matches(capture, cursor, number + 2)]
    return _next(capture, cursor, ends[0]) if len(ends) == 1 else None


def screen_start(capture: TextCapture, lines: int) -> int:
    """The first line for a client without a cursor: the top of the screen, or the last lines."""
    return max(min(capture.top, capture.end), capture.end - lines)


def page(capture: TextCapture, start: int, *, lines: int, characters: int) -> ScreenPage:
    """Up to `lines` lines from `start` on; at least one, or the client could never continue."""
    chosen: list[str] = []
    for line in capture.part(start, start + lines):
        characters -= len(line) + 1
        if chosen and characters < 0:
            break
        chosen.append(line)
    end = start + len(chosen)
    return ScreenPage(tuple(chosen), ScreenCursor.after(capture, end), end < capture.end)


def _matches(capture: TextCapture, cursor: ScreenCursor, end: int) -> bool:
    begin = max(end - 1, 0) - cursor.anchor
    if cursor.place != capture.place or begin < capture.first or end - 1 > capture.end:
        return False
    return _hash(*capture.part(begin, end - 1)) == cursor.check


def _next(capture: TextCapture, cursor: ScreenCursor, end: int) -> int:
    """If the last line has changed since it was read, it is sent again."""
    return end if _hash(*capture.part(end - 1, end)) == cursor.last else max(end - 1, 0)


def _mark(lines: tuple[str, ...]) -> int:
    return crc32(lines[-1].encode()) if lines else 0


def _hash(*lines: str) -> str:
    return blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()
