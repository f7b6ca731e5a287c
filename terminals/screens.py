"""Reads a pane's screen, and afterwards only what is new on it. For every door.

The arithmetic of it is reading.py. Changes nothing, keeps nothing: the cursor is the reader's.
"""

from dataclasses import dataclass
from zlib import crc32

from terminals import reading, selectors
from terminals.errors import Invalid
from terminals.off_loop import by_size
from terminals.reading import ANCHOR, Cursor, Page, Sight, lines_of
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

LINES = (1, 5000)
CHARACTERS = 60_000  # of one answer
LINE = 80  # characters, about
AHEAD = 200  # lines that may be printed between two commands of ours


@dataclass(frozen=True, slots=True)
class Screen:
    pane: PaneRow
    page: Page
    reset: bool  # the cursor did not fit any more: this is the screen whole


async def read_screen(*, tmux: Tmux, pane: str, cursor: str = "", lines: int = 200) -> Screen:
    """The screen; with the cursor of an earlier answer only the lines that are new since."""
    low, high = LINES
    if not low <= lines <= high:
        raise Invalid(f"lines is {low} to {high}")
    row = await selectors.find_pane(tmux, pane)
    asked = Cursor.parse(cursor) if cursor else None
    if asked and asked.place.partition("_")[0] != row.id[1:]:
        raise Invalid(f"this cursor is of another pane than {row.id}: pass its own, or none")
    sight = await _look(tmux, row.id, _reach(row, asked))
    start = reading.resume(sight, asked) if asked else None
    if asked and start is None:
        sight = await _look(tmux, row.id, None)
        start = await by_size(len(sight.lines) * LINE, reading.find, sight, asked)
    reset = asked is not None and start is None
    begin = reading.screen(sight, lines) if start is None else start
    return Screen(row, reading.page(sight, begin, lines=lines, characters=CHARACTERS), reset)


def _reach(row: PaneRow, cursor: Cursor | None) -> int:
    """From which line on to read, counted from the top of the screen."""
    if cursor is None:
        return -ANCHOR
    return min(cursor.end - cursor.anchor - row.history, 0) - AHEAD


async def _look(tmux: Tmux, pane_id: str, start: int | None) -> Sight:
    history, raw = await tmux.photograph(pane_id, start=start)
    first = 0 if start is None else max(history.size + start, 0)
    lines = await by_size(len(raw), lines_of, raw)
    place = f"{pane_id[1:]}_{crc32(tmux.life.encode()):x}"
    return Sight(place, first, history.size, tuple(lines), history.full)
