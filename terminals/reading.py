"""What of a pane's text is new since the last look, told by a cursor that the reader keeps.

Pure: lines and a cursor in, new lines and the next cursor out. Lines are counted from the oldest
that tmux keeps. A cursor says how many were told, with a check of the last of them: if these stand
where they stood, all after them is new. tmux drops old lines at its limit, which moves the rest up:
then they are looked for. Where they are not found, the screen was redrawn.
"""

import re
from dataclasses import dataclass
from hashlib import blake2b
from zlib import crc32

from terminals.errors import Invalid

ANCHOR = 100  # lines that are checked: a screen's worth
PIECE = 1024 * 1024  # bytes that are decoded in one call
TRIES = 1000  # places that are compared in full before a moved cursor is given up
_CURSOR = re.compile(r"(\w{1,40})\.(\d{1,9})\.(\d{1,3})\.(\d{1,10})\.(\w{16})\.(\w{16})", re.ASCII)


def lines_of(raw: bytes) -> list[str]:
    """Without the blanks at the end; piece by piece, since decoding holds the GIL."""
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
class Sight:
    """A pane's text at one moment, from some line on to the last that is not blank."""

    place: str  # which pane of which life of tmux
    first: int  # the number of its first line
    top: int  # the number of the screen's first line
    lines: tuple[str, ...]
    full: bool = False  # its history is near its limit: older lines may have been dropped

    @property
    def end(self) -> int:
        return self.first + len(self.lines)

    def part(self, start: int, end: int) -> tuple[str, ...]:
        return self.lines[max(start - self.first, 0) : max(end - self.first, 0)]


@dataclass(frozen=True, slots=True)
class Cursor:
    place: str
    end: int  # how many lines were told or passed over
    anchor: int  # how many of them, before the last, are checked
    mark: int  # of the last that is checked; quick to look for
    check: str
    last: str  # of the last one told, which may have been told half

    @classmethod
    def at(cls, sight: Sight, end: int) -> "Cursor":
        checked = sight.part(max(end - 1 - ANCHOR, sight.first), end - 1)
        return cls(
            sight.place, end, len(checked), _mark(checked), _hash(*checked),
            _hash(*sight.part(end - 1, end)),
        )  # fmt: skip

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        if (found := _CURSOR.fullmatch(text)) is None:
            raise Invalid("this is no cursor of read_screen: pass the last one, or none")
        place, end, anchor, mark, check, last = found.groups()
        return cls(place, int(end), int(anchor), int(mark), check, last)

    def __str__(self) -> str:
        return f"{self.place}.{self.end}.{self.anchor}.{self.mark}.{self.check}.{self.last}"


@dataclass(frozen=True, slots=True)
class Page:
    lines: tuple[str, ...]
    cursor: Cursor
    more: bool


def resume(sight: Sight, cursor: Cursor) -> int | None:
    """The first new line, if the lines told last stand where they stood."""
    if sight.full and cursor.anchor == 0:
        return None  # nothing shows whether they do
    return _next(sight, cursor, cursor.end) if _fits(sight, cursor, cursor.end) else None


def find(sight: Sight, cursor: Cursor) -> int | None:
    """The first new line, if the lines told last stand where they stood or at one other place."""
    if (start := resume(sight, cursor)) is not None:
        return start
    if cursor.place != sight.place or cursor.anchor == 0:
        return None
    marked = [n for n, line in enumerate(sight.lines, sight.first) if _mark((line,)) == cursor.mark]
    if len(marked) > TRIES:
        return None
    ends = [number + 2 for number in marked if _fits(sight, cursor, number + 2)]
    return _next(sight, cursor, ends[0]) if len(ends) == 1 else None


def screen(sight: Sight, lines: int) -> int:
    """Where to begin for one who has read nothing yet: the screen, or the last lines of it."""
    return max(min(sight.top, sight.end), sight.end - lines)


def page(sight: Sight, start: int, *, lines: int, characters: int) -> Page:
    """So many lines from `start` on; at least one, or a reader would never get on."""
    told: list[str] = []
    for line in sight.part(start, start + lines):
        characters -= len(line) + 1
        if told and characters < 0:
            break
        told.append(line)
    end = start + len(told)
    return Page(tuple(told), Cursor.at(sight, end), end < sight.end)


def _fits(sight: Sight, cursor: Cursor, end: int) -> bool:
    begin = max(end - 1, 0) - cursor.anchor
    if cursor.place != sight.place or begin < sight.first or end - 1 > sight.end:
        return False
    return _hash(*sight.part(begin, end - 1)) == cursor.check


def _next(sight: Sight, cursor: Cursor, end: int) -> int:
    """The last line told may have gone on since: then it is told again."""
    return end if _hash(*sight.part(end - 1, end)) == cursor.last else max(end - 1, 0)


def _mark(lines: tuple[str, ...]) -> int:
    return crc32(lines[-1].encode()) if lines else 0


def _hash(*lines: str) -> str:
    return blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()
