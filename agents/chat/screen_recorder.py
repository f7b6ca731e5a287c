"""Captures the windows that have printed and records what is new on them.

A quiet window costs no more than its share of one list command per second. transcript.py turns the
records into messages.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from agents.chat import screen_filter, store
from agents.chat.pane_state import PaneState, RecorderState, first_row, is_trimmed, now_ms, rules_of
from agents.chat.store import NewRecord
from agents.models import Role
from agents.screen import cells
from core.database import in_db
from core.errors import NotFound
from core.offload import by_size
from terminals.models import Window
from terminals.tmux.driver import Capture, Tmux
from terminals.tmux.rows import PaneRow

UNSETTLED_SECONDS = 5.0  # between two records of a window that never settles
RECENT_SECONDS = 2.0  # a server that was just started may have printed before we connected
LINES_LIMIT = 2000  # of history in one record
MARGINS = (0, 200, LINES_LIMIT)  # for rows that scroll between two captures
FIRST_LINES = 200  # of a full history, tried before all of it is captured
FULL_SECONDS = 1.0  # between two records while a full history scrolls without row numbers
OVERLAP = 20  # lines that a record repeats, so that it can be joined to the previous one


class ScreenRecorder:
    def __init__(self, tmux: Tmux, state: RecorderState) -> None:
        self._tmux, self._state = tmux, state
        self._activity: dict[str, int] = {}
        self._started = False

    async def capture_active_windows(self) -> None:
        """Capture the windows that have printed since the last call."""
        if self._state.reset_after_restart() or not self._started:
            await self._start()
        activity = await self._tmux.activity()
        if activity is not self._activity:
            before, self._activity = self._activity, activity
            if before.keys() - activity.keys():
                self._state.forget_panes(except_in=activity)
            self._state.active |= {
                window for window, time in activity.items() if before.get(window) != time
            }
        for window in tuple(self._state.active):
            await self._capture_window(window)

    def forget(self) -> None:
        """tmux was restarted: start again with what its windows show now."""
        self._started = False

    async def record(self, pane: PaneState, capture: Capture) -> None:
        """Record what is new on a capture. The caller holds the pane's lock."""
        window = await self._state.window(capture.row.window_id)
        runtime = pane.runtime
        if pane.content is None:
            await self._recall(pane, window)
        capture = await self._with_history(pane, capture)
        pane.history, pane.recorded_at = capture.row.history, time.monotonic()
        pane.tail = _tail(capture)
        content = await _content(capture.lines, runtime, capture.row.width)
        if content and content != pane.content:
            pane.content = content
            await self._write(pane, window, capture, runtime)

    # --- inside ---

    async def _start(self) -> None:
        """Take what windows show as known; only output from now on, or just before, is new."""
        known = set(self._state.panes)
        for row in await self._tmux.panes():
            pane = self._update(row)
            pane.history = pane.history if row.id in known else row.history
        self._activity = await self._tmux.activity()
        self._started = True
        recent = time.time() - RECENT_SECONDS
        self._state.active |= {window for window, time in self._activity.items() if time >= recent}

    def _update(self, row: PaneRow) -> PaneState:
        pane = self._state.pane(row.id)
        pane.tty, pane.window_id = row.tty, row.window_id
        return pane

    async def _capture_window(self, window: str) -> None:
        now = int(time.time())
        try:
            panes = [self._update(row) for row in await self._tmux.panes(window) if not row.dead]
        except NotFound:
            panes = []
        settled = [await self._capture_pane(pane) for pane in panes]
        # tmux reports activity in whole seconds: more output may follow in the same second.
        if all(settled) and self._activity.get(window, 0) < now:
            self._state.active.discard(window)

    async def _capture_pane(self, pane: PaneState) -> bool:
        """Whether the pane has settled. It is recorded then, or when a record is due."""
        try:
            async with pane.work:
                capture = await self._tmux.capture_now(pane.id, join=not pane.runtime)
                current = (capture.row.history, capture.lines)
                settled, pane.last_capture = current == pane.last_capture, current
                if settled or _is_due(pane, capture):
                    await self.record(pane, capture)
                return settled
        except NotFound:
            self._state.panes.pop(pane.id, None)
            return True

    async def _with_history(self, pane: PaneState, capture: Capture) -> Capture:
        """Add the rows that scrolled off since the last record, but nothing after `capture`."""
        if capture.row.alternate:
            return capture
        if is_trimmed(capture):
            return await self._since_last(pane, capture)
        if (grown := capture.row.history - pane.history) <= 0:
            return capture
        for margin in MARGINS:
            above = min(LINES_LIMIT, grown + OVERLAP + margin)
            later = await self._tmux.capture_now(pane.id, above=above, join=not pane.runtime)
            if is_trimmed(later):
                return await self._since_last(pane, later)
            if first_row(later) <= pane.history or above == LINES_LIMIT:
                break
        size = sum(map(len, later.lines))
        lines = await by_size(size, _before, later, first_row(capture), capture.lines)
        return replace(capture, lines=lines, above=capture.row.history - first_row(later))

    async def _since_last(self, pane: PaneState, capture: Capture) -> Capture:
        """The rows of a full history have no numbers: find the new ones by the last record."""
        for above in (0, FIRST_LINES, LINES_LIMIT):
            if above:
                capture = await self._tmux.capture_now(pane.id, above=above, join=not pane.runtime)
            if (start := _after(capture.lines, pane.tail)) is not None:
                return replace(capture, lines=capture.lines[start:])
        return capture

    async def _write(self, pane: PaneState, window: Window, capture: Capture, runtime: str) -> None:
        text = "\n".join(line.rstrip() for line in capture.lines).rstrip("\n")
        full = capture.row.alternate
        # Only the last settled screen of a full-screen program is kept.
        if full and pane.screen is not None and await self._replace(pane.screen, window, text):
            return
        new = NewRecord(
            role=Role.ASSISTANT,
            text=text,
            ts=now_ms(),
            pane=pane.id,
            runtime=runtime,
            full=full,
            columns=capture.row.width,
            top=None if is_trimmed(capture) else first_row(capture),
        )
        row = await in_db(store.add_record)(window=window, new=new)
        pane.screen = row.pk if full else None

    async def _replace(self, record: int, window: Window, text: str) -> bool:
        return await in_db(store.replace_screen)(window=window, record=record, text=text)

    async def _recall(self, pane: PaneState, window: Window) -> None:
        """After a restart of webtmux the last record is known to the database only."""
        row = await in_db(store.last_screen_record)(window=window, pane=pane.id)
        pane.content = await _content(row.text.split("\n"), row.runtime, row.columns) if row else []


async def _content(lines: Sequence[str], runtime: str, columns: int) -> list[str]:
    """In a thread if there is much of it: thousands of rows, each up to 1,000 columns."""
    size = sum(map(len, lines))
    return await by_size(size, screen_filter.conversation_lines, lines, rules_of(runtime), columns)


def _is_due(pane: PaneState, capture: Capture) -> bool:
    """Whether the pane never settles, or its history may be dropped before the next capture."""
    age = time.monotonic() - pane.recorded_at
    grown = capture.row.history - pane.history
    if grown > min(LINES_LIMIT, capture.row.history_limit) // 2:
        return True
    return age > (FULL_SECONDS if is_trimmed(capture) else UNSETTLED_SECONDS)


def _tail(capture: Capture) -> tuple[str, ...]:
    """The last lines, which mark the start of the next record. The very last may still grow."""
    end = len(capture.lines)
    while end and not capture.lines[end - 1].strip():
        end -= 1
    return tuple(capture.lines[max(0, end - 1 - OVERLAP) : max(0, end - 1)])


def _after(lines: Sequence[str], tail: Sequence[str]) -> int | None:
    """The index at which `tail` starts in `lines`, the last one if there are several."""
    size = len(tail)
    for start in range(len(lines) - size, -1, -1) if size else ():
        if tuple(lines[start : start + size]) == tuple(tail):
            return start
    return None


def _before(later: Capture, row: int, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a later capture that begin above `row`, followed by `lines`."""
    kept, number = [], first_row(later)
    for line in later.lines:
        if number >= row:
            break
        kept.append(line)
        number += cells.rows(line.rstrip(), later.row.width)
    # A wrapped line that crosses the boundary is complete in the later capture.
    return (*kept, *(lines[1:] if number > row else lines))
