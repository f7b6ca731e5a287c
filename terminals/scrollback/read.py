"""Reads a pane's screen, and afterwards only what is new on it. Used by the MCP tool read_screen.

cursor.py computes what is new. Nothing is stored: the client keeps the cursor.
"""

from dataclasses import dataclass
from zlib import crc32

from core.errors import Invalid
from core.offload import by_size
from terminals import selectors
from terminals.scrollback import cursor as cursors
from terminals.scrollback.cursor import ANCHOR, ScreenCursor, ScreenPage, TextCapture, lines_of
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

LINES = (1, 5000)
CHARACTERS = 60_000  # of one page
LINE = 80  # characters, roughly
AHEAD = 200  # lines that may be printed between two of our commands


@dataclass(frozen=True, slots=True)
class ScreenUpdate:
    pane: PaneRow
    page: ScreenPage
    reset: bool  # the cursor no longer matched: this is the whole screen


async def read_screen(*, tmux: Tmux, pane: str, cursor: str = "", lines: int = 200) -> ScreenUpdate:
    """The screen. With the cursor of an earlier call, only the lines that are new since."""
    low, high = LINES
    if not low <= lines <= high:
        raise Invalid(f"lines is {low} to {high}")
    row = await selectors.find_pane(tmux, pane)
    last = ScreenCursor.parse(cursor) if cursor else None
    if last and last.place.partition("_")[0] != row.id[1:]:
        raise Invalid(
            f"this cursor is of another pane than {row.id}: pass a cursor of this pane, or none"
        )
    capture = await _capture(tmux, row.id, _first_line(row, last))
    start = cursors.resume(capture, last) if last else None
    if last and start is None:
        capture = await _capture(tmux, row.id, None)
        start = await by_size(len(capture.lines) * LINE, cursors.find, capture, last)
    reset = last is not None and start is None
    begin = cursors.screen_start(capture, lines) if start is None else start
    page = cursors.page(capture, begin, lines=lines, characters=CHARACTERS)
    return ScreenUpdate(row, page, reset)


def _first_line(row: PaneRow, cursor: ScreenCursor | None) -> int:
    """The first line to capture, relative to the top of the screen."""
    if cursor is None:
        return -ANCHOR
    return min(cursor.end - cursor.anchor - row.history, 0) - AHEAD


async def _capture(tmux: Tmux, pane_id: str, start: int | None) -> TextCapture:
    history, raw = await tmux.capture_history(pane_id, start=start)
    first = 0 if start is None else max(history.size + start, 0)
    lines = await by_size(len(raw), lines_of, raw)
    place = f"{pane_id[1:]}_{crc32(tmux.server_run.encode()):x}"
    return TextCapture(place, first, history.size, tuple(lines), history.full)
