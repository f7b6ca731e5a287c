"""Looks at the windows that have printed, and records what is new on them.

A window that is quiet costs nothing but its part of one question a second. How pictures become
messages is transcript.py.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from agents import cells, noise, records
from agents.models import Role
from agents.recorded import Memory, Pane, first_row, is_trimmed, now_ms, rules_of
from agents.records import New
from terminals.db import in_db
from terminals.errors import NotFound
from terminals.models import Window
from terminals.off_loop import by_size
from terminals.tmux.driver import Picture, Tmux
from terminals.tmux.rows import PaneRow

LONGEST_SECONDS = 5.0  # between two records of a window that never settles
RECENT_SECONDS = 2.0  # a session of a server that has just been started printed before we came
LINES_LIMIT = 2000  # of history in one record
MARGINS = (0, 200, LINES_LIMIT)  # for rows that scroll by between two pictures
FIRST_LINES = 200  # of a full history, before all of it is looked at
FULL_SECONDS = 1.0  # between two records where a history is full and goes by uncounted
OVERLAP = 20  # lines that a picture repeats, so that it can be joined to the one before


class Pictures:
    def __init__(self, tmux: Tmux, memory: Memory) -> None:
        self._tmux, self._memory = tmux, memory
        self._activity: dict[str, int] = {}
        self._begun = False

    async def look(self) -> None:
        """At the windows that have printed since the last look."""
        if self._memory.begin() or not self._begun:
            await self._begin()
        activity = await self._tmux.activity()
        if activity is not self._activity:
            before, self._activity = self._activity, activity
            if before.keys() - activity.keys():
                self._memory.keep(activity)
            self._memory.active |= {
                window for window, at in activity.items() if before.get(window) != at
            }
        for window in tuple(self._memory.active):
            await self._look_at(window)

    def forget(self) -> None:
        """Another tmux has come: what its windows show is to be learnt anew."""
        self._begun = False

    async def keep(self, pane: Pane, picture: Picture) -> None:
        """A record of what is new on a picture. The caller holds the pane's lock."""
        window = await self._memory.window(picture.row.window_id)
        runtime = pane.runtime
        if pane.said is None:
            await self._recall(pane, window)
        picture = await self._with_history(pane, picture)
        pane.history, pane.kept_at = picture.row.history, time.monotonic()
        pane.tail = _tail(picture)
        said = await _said(picture.lines, runtime, picture.row.width)
        if said and said != pane.said:
            pane.said = said
            await self._write(pane, window, picture, runtime)

    # --- inside ---

    async def _begin(self) -> None:
        """What stands in windows already is there; only what comes, or has just come, is new."""
        known = set(self._memory.panes)
        for row in await self._tmux.panes():
            pane = self._meet(row)
            pane.history = pane.history if row.id in known else row.history
        self._activity = await self._tmux.activity()
        self._begun = True
        recent = time.time() - RECENT_SECONDS
        self._memory.active |= {window for window, at in self._activity.items() if at >= recent}

    def _meet(self, row: PaneRow) -> Pane:
        pane = self._memory.pane(row.id)
        pane.tty, pane.window_id = row.tty, row.window_id
        return pane

    async def _look_at(self, window: str) -> None:
        at = int(time.time())
        try:
            panes = [self._meet(row) for row in await self._tmux.panes(window) if not row.dead]
        except NotFound:
            panes = []
        settled = [await self._glimpse(pane) for pane in panes]
        # tmux tells activity in whole seconds: in the same second more may have come.
        if all(settled) and self._activity.get(window, 0) < at:
            self._memory.active.discard(window)

    async def _glimpse(self, pane: Pane) -> bool:
        """Whether it shows the same as at the last look; then, or in time, it is recorded."""
        try:
            async with pane.work:
                picture = await self._tmux.shoot(pane.id, join=not pane.runtime)
                seen = (picture.row.history, picture.lines)
                settled, pane.glimpse = seen == pane.glimpse, seen
                if settled or _is_due(pane, picture):
                    await self.keep(pane, picture)
                return settled
        except NotFound:
            self._memory.panes.pop(pane.id, None)
            return True

    async def _with_history(self, pane: Pane, picture: Picture) -> Picture:
        """With the rows that have scrolled by since the last record; what came later is not in."""
        if picture.row.alternate:
            return picture
        if is_trimmed(picture):
            return await self._since_last(pane, picture)
        if (grown := picture.row.history - pane.history) <= 0:
            return picture
        for margin in MARGINS:
            above = min(LINES_LIMIT, grown + OVERLAP + margin)
            later = await self._tmux.shoot(pane.id, above=above, join=not pane.runtime)
            if is_trimmed(later):
                return await self._since_last(pane, later)
            if first_row(later) <= pane.history or above == LINES_LIMIT:
                break
        size = sum(map(len, later.lines))
        lines = await by_size(size, _before, later, first_row(picture), picture.lines)
        return replace(picture, lines=lines, above=picture.row.history - first_row(later))

    async def _since_last(self, pane: Pane, picture: Picture) -> Picture:
        """A history that is full has no numbers: what was kept last tells what is new."""
        for above in (0, FIRST_LINES, LINES_LIMIT):
            if above:
                picture = await self._tmux.shoot(pane.id, above=above, join=not pane.runtime)
            if (start := _after(picture.lines, pane.tail)) is not None:
                return replace(picture, lines=picture.lines[start:])
        return picture

    async def _write(self, pane: Pane, window: Window, picture: Picture, runtime: str) -> None:
        text = "\n".join(line.rstrip() for line in picture.lines).rstrip("\n")
        full = picture.row.alternate
        if full and pane.screen is not None and await self._replace(pane.screen, window, text):
            return
        new = New(
            role=Role.ASSISTANT, text=text, ts=now_ms(), pane=pane.id, runtime=runtime, full=full,
            columns=picture.row.width, top=None if is_trimmed(picture) else first_row(picture),
        )  # fmt: skip
        row = await in_db(records.add_record)(window=window, new=new)
        pane.screen = row.pk if full else None

    async def _replace(self, record: int, window: Window, text: str) -> bool:
        """Of a full-screen program only the last settled screen is kept."""
        return await in_db(records.replace_screen)(window=window, record=record, text=text)

    async def _recall(self, pane: Pane, window: Window) -> None:
        """Our process may have been restarted: what it wrote last is in the database."""
        row = await in_db(records.last_picture)(window=window, pane=pane.id)
        pane.said = await _said(row.text.split("\n"), row.runtime, row.columns) if row else []


async def _said(lines: Sequence[str], runtime: str, columns: int) -> list[str]:
    """Rows may be 1,000 wide, and thousands of them may have scrolled by since the last record."""
    size = sum(map(len, lines))
    return await by_size(size, noise.said, lines, rules_of(runtime), columns)


def _is_due(pane: Pane, picture: Picture) -> bool:
    """A window that never settles, or whose history would be dropped before we look again."""
    age = time.monotonic() - pane.kept_at
    grown = picture.row.history - pane.history
    if grown > min(LINES_LIMIT, picture.row.history_limit) // 2:
        return True
    return age > (FULL_SECONDS if is_trimmed(picture) else LONGEST_SECONDS)


def _tail(picture: Picture) -> tuple[str, ...]:
    """The last lines but one, which may grow: enough of them to be found again."""
    end = len(picture.lines)
    while end and not picture.lines[end - 1].strip():
        end -= 1
    return tuple(picture.lines[max(0, end - 1 - OVERLAP) : max(0, end - 1)])


def _after(lines: Sequence[str], tail: Sequence[str]) -> int | None:
    """Where the lines that were kept last begin again; None: they are not among these."""
    size = len(tail)
    for start in range(len(lines) - size, -1, -1) if size else ():
        if tuple(lines[start : start + size]) == tuple(tail):
            return start
    return None


def _before(later: Picture, row: int, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a later picture that begin above `row`, and then those of the first one."""
    kept, at = [], first_row(later)
    for line in later.lines:
        if at >= row:
            break
        kept.append(line)
        at += cells.rows(line.rstrip(), later.row.width)
    # A wrapped line that goes on below the edge is whole in the later picture.
    return (*kept, *(lines[1:] if at > row else lines))
