"""Searches the scrollback of panes, newest first, page by page. Used by the MCP tool
search_history.

Nothing is stored: the client keeps the cursor.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zlib import crc32

from core import patterns
from core.errors import Invalid, NotFound
from core.offload import off_loop
from terminals.scrollback.cursor import lines_of
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

QUERY_LIMIT = 500
LIMIT = (1, 100)
CONTEXT = (0, 20)
HISTORY = 100_000  # the newest lines of each pane that are searched
LINE = 2000  # characters of a line that are searched
SHOWN = 300  # characters of a line that are returned
CHARACTERS = 40_000  # of one page
SEARCH_SECONDS = 10.0  # then the page ends, and its cursor continues
MATCH_SECONDS = 3.0  # of processor time, for all lines of one page
BATCH = 50  # lines between two checks of that time
TOO_LONG = "this pattern takes too long: make it simpler, or search for plain text"
_CURSOR = re.compile(r"(\d{1,9})\.(\d{1,9}|-)\.(\d{1,10})", re.ASCII)


@dataclass(frozen=True, slots=True)
class HistoryMatch:
    pane: PaneRow
    line: int  # counted from 1 at the oldest line that tmux keeps; a wrapped line counts once
    text: str  # the line after `> `, with the lines around it


@dataclass(frozen=True, slots=True)
class HistoryMatches:
    matches: list[HistoryMatch]
    cursor: str  # for the next page; empty on the last page


@dataclass(frozen=True, slots=True)
class _HistoryCursor:
    """Where a page ended: the rest of this pane is older than `line`."""

    pane: int
    line: int | None = None
    check: int = 0  # checksum of that line: tmux may drop old lines between two pages

    @classmethod
    def parse(cls, text: str) -> "_HistoryCursor":
        if (match := _CURSOR.fullmatch(text)) is None:
            raise Invalid(
                "this is not a cursor of search_history: pass the last one that it returned, or"
                " none"
            )
        return cls(int(match[1]), None if match[2] == "-" else int(match[2]), int(match[3]))

    def __str__(self) -> str:
        return f"{self.pane}.{'-' if self.line is None else self.line}.{self.check}"

    def end(self, lines: Sequence[str]) -> int:
        if self.line is None:
            return len(lines)
        if self.line < len(lines) and _check(lines[self.line]) == self.check:
            return self.line
        raise Invalid("the history has changed since that cursor: search again without it")


async def search_history(
    *,
    tmux: Tmux,
    panes: Sequence[PaneRow],
    query: str,
    regex: bool = False,
    context: int = 2,
    limit: int = 20,
    cursor: str = "",
) -> HistoryMatches:
    """The lines of these panes that match plain text, ignoring case, or a pattern in RE2
    syntax."""
    _require_valid(query, context, limit)
    last = _HistoryCursor.parse(cursor) if cursor else _HistoryCursor(0)
    search = _Search(tmux, context, limit)
    by_number = sorted({_number(row): row for row in panes}.items())
    matcher = Matcher(query, regex=regex)
    for number, pane in by_number:
        if number < last.pane:
            continue
        begin = last if number == last.pane else _HistoryCursor(number)
        if (rest := await search.pane(pane, matcher, begin)) is not None:
            return HistoryMatches(search.matches, str(rest))
    return HistoryMatches(search.matches, "")


class Matcher:
    """Finds lines by plain text, ignoring case, or by a pattern, in limited processor time."""

    def __init__(self, query: str, *, regex: bool) -> None:
        self._test = patterns.compile(query).search if regex else _plain(query)
        self._left = MATCH_SECONDS

    async def match(self, lines: Sequence[str]) -> list[int]:
        """The indexes of the lines that match."""
        return await off_loop(self._match, lines)

    def _match(self, lines: Sequence[str]) -> list[int]:
        deadline = time.thread_time() + self._left
        indexes: list[int] = []
        for start in range(0, len(lines), BATCH):
            batch = enumerate(lines[start : start + BATCH], start)
            indexes += [index for index, line in batch if self._test(line)]
            if time.thread_time() > deadline:
                raise Invalid(TOO_LONG)
        self._left = deadline - time.thread_time()
        return indexes


def _plain(query: str) -> Callable[[str], bool]:
    wanted = query.casefold()
    return lambda line: wanted in line.casefold()


class _Search:
    """Collects one page of matches."""

    def __init__(self, tmux: Tmux, context: int, limit: int) -> None:
        self.matches: list[HistoryMatch] = []
        self._tmux, self._context, self._limit = tmux, context, limit
        self._left = CHARACTERS
        self._deadline = asyncio.get_running_loop().time() + SEARCH_SECONDS

    async def pane(
        self, pane: PaneRow, matcher: Matcher, begin: _HistoryCursor
    ) -> _HistoryCursor | None:
        """Add the matches of a pane, newest first. Returns where the next page begins if this one
        is full."""
        if asyncio.get_running_loop().time() > self._deadline:
            return begin
        try:
            lines = await self._lines(pane)
        except NotFound:
            return None  # it has ended
        end = begin.end(lines)
        for index in reversed([index for index in await matcher.match(lines) if index < end]):
            if len(self.matches) >= self._limit or self._left <= 0:
                if end == len(lines):
                    return begin
                return _HistoryCursor(begin.pane, end, _check(lines[end]))
            self._add(pane, lines, index)
            end = index
        return None

    def _add(self, pane: PaneRow, lines: Sequence[str], index: int) -> None:
        first, last = max(0, index - self._context), index + self._context
        around = enumerate(lines[first : last + 1], first)
        text = "\n".join(("> " if n == index else "  ") + _short(line) for n, line in around)
        self._left -= len(text)
        self.matches.append(HistoryMatch(pane, index + 1, text))

    async def _lines(self, pane: PaneRow) -> list[str]:
        """Wrapped lines are joined, so that matches across the edge of the screen are found."""
        start = None if pane.history <= HISTORY else -HISTORY
        _, raw = await self._tmux.capture_history(pane.id, start=start, join=True)
        return await asyncio.to_thread(_split, raw)


def _split(raw: bytes) -> list[str]:
    return [line[:LINE].rstrip() for line in lines_of(raw)]


def _require_valid(query: str, context: int, limit: int) -> None:
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
