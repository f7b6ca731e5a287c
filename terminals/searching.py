"""Searches the scrollback of panes, newest first, a page at a time. For every door.

Changes nothing and keeps nothing: the cursor is the reader's.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zlib import crc32

from terminals import patterns
from terminals.errors import Invalid, NotFound
from terminals.off_loop import off_loop
from terminals.reading import lines_of
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

QUERY_LIMIT = 500
LIMIT = (1, 100)
CONTEXT = (0, 20)
HISTORY = 100_000  # lines of one pane, the newest
LINE = 2000  # characters of a line that are looked at
SHOWN = 300  # characters of a line that are told
CHARACTERS = 40_000  # of one answer
SEARCH_SECONDS = 10.0  # then the page ends, and its cursor goes on
MATCH_SECONDS = 3.0  # of processor time, for all lines of one page
BATCH = 50  # lines between two looks at that time
TOO_LONG = "this pattern takes too long: make it simpler, or search for plain text"
_CURSOR = re.compile(r"(\d{1,9})\.(\d{1,9}|-)\.(\d{1,10})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hit:
    pane: PaneRow
    line: int  # the oldest that tmux keeps is 1; a wrapped line is one
    text: str  # the line after `> `, and those around it


@dataclass(frozen=True, slots=True)
class Hits:
    hits: list[Hit]
    cursor: str  # of the next page; empty on the last


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a page ended: what is left of this pane is older than `line`."""

    pane: int
    line: int | None = None
    check: int = 0  # of that line: tmux may drop old lines between two pages

    @classmethod
    def parse(cls, text: str) -> "_Place":
        if (found := _CURSOR.fullmatch(text)) is None:
            raise Invalid("this is no cursor of search_history: pass the last one, or none")
        return cls(int(found[1]), None if found[2] == "-" else int(found[2]), int(found[3]))

    def __str__(self) -> str:
        return f"{self.pane}.{'-' if self.line is None else self.line}.{self.check}"

    def end(self, lines: Sequence[str]) -> int:
        if self.line is None:
            return len(lines)
        if self.line < len(lines) and _check(lines[self.line]) == self.check:
            return self.line
        raise Invalid("the history has moved on since that cursor: search again without it")


async def search_history(
    *,
    tmux: Tmux,
    panes: Sequence[PaneRow],
    query: str,
    regex: bool = False,
    context: int = 2,
    limit: int = 20,
    cursor: str = "",
) -> Hits:
    """Plain text in any case, or a pattern in RE2 syntax, in each line of these panes."""
    _need_valid(query, context, limit)
    place = _Place.parse(cursor) if cursor else _Place(0)
    search = _Search(tmux, context, limit)
    todo = sorted({_number(row): row for row in panes}.items())
    matcher = Matcher(query, regex=regex)
    for number, pane in todo:
        if number < place.pane:
            continue
        begin = place if number == place.pane else _Place(number)
        if (rest := await search.pane(pane, matcher, begin)) is not None:
            return Hits(search.hits, str(rest))
    return Hits(search.hits, "")


class Matcher:
    """Finds lines by plain text in any case, or by a pattern, in bounded processor time."""

    def __init__(self, query: str, *, regex: bool) -> None:
        self._test = patterns.compile(query).search if regex else _plain(query)
        self._left = MATCH_SECONDS

    async def match(self, lines: Sequence[str]) -> list[int]:
        """The numbers of the lines that match."""
        return await off_loop(self._match, lines)

    def _match(self, lines: Sequence[str]) -> list[int]:
        deadline = time.thread_time() + self._left
        found: list[int] = []
        for start in range(0, len(lines), BATCH):
            batch = enumerate(lines[start : start + BATCH], start)
            found += [number for number, line in batch if self._test(line)]
            if time.thread_time() > deadline:
                raise Invalid(TOO_LONG)
        self._left = deadline - time.thread_time()
        return found


def _plain(query: str) -> Callable[[str], bool]:
    wanted = query.casefold()
    return lambda line: wanted in line.casefold()


class _Search:
    """One page under way."""

    def __init__(self, tmux: Tmux, context: int, limit: int) -> None:
        self.hits: list[Hit] = []
        self._tmux, self._context, self._limit = tmux, context, limit
        self._left = CHARACTERS
        self._deadline = asyncio.get_running_loop().time() + SEARCH_SECONDS

    async def pane(self, pane: PaneRow, matcher: Matcher, begin: _Place) -> _Place | None:
        """Add the matches of a pane, newest first; where the next page begins, if this is full."""
        if asyncio.get_running_loop().time() > self._deadline:
            return begin
        try:
            lines = await self._lines(pane)
        except NotFound:
            return None  # it has ended meanwhile
        end = begin.end(lines)
        for number in reversed([n for n in await matcher.match(lines) if n < end]):
            if len(self.hits) >= self._limit or self._left <= 0:
                return _Place(begin.pane, end, _check(lines[end])) if end < len(lines) else begin
            self._add(pane, lines, number)
            end = number
        return None

    def _add(self, pane: PaneRow, lines: Sequence[str], number: int) -> None:
        first, last = max(0, number - self._context), number + self._context
        around = enumerate(lines[first : last + 1], first)
        text = "\n".join(("> " if n == number else "  ") + _short(line) for n, line in around)
        self._left -= len(text)
        self.hits.append(Hit(pane, number + 1, text))

    async def _lines(self, pane: PaneRow) -> list[str]:
        """Wrapped lines as one, so that a match is found across the edge of the screen."""
        start = None if pane.history <= HISTORY else -HISTORY
        _, raw = await self._tmux.photograph(pane.id, start=start, join=True)
        return await asyncio.to_thread(_split, raw)


def _split(raw: bytes) -> list[str]:
    return [line[:LINE].rstrip() for line in lines_of(raw)]


def _need_valid(query: str, context: int, limit: int) -> None:
    if not query or len(query) > QUERY_LIMIT or "\n" in query:
        raise Invalid(f"query has 1 to {QUERY_LIMIT} characters, on one line")
    for name, value, (low, high) in (("context", context, CONTEXT), ("limit", limit, LIMIT)):
        if not low <= value <= high:
            raise Invalid(f"{name} is {low} to {high}")


def _number(pane: PaneRow) -> int:
    return int(pane.id[1:])


def _check(line: str) -> int:
    return crc32(line.encode())


def _short(line: str) -> str:
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
