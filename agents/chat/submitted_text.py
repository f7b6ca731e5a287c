"""Decides which text was submitted, from the keys and from what the screen shows.

Pure. For a program that reads key by key, only text that is visible on the screen counts as a line:
a password is not visible, not even at a prompt at the far end of an ssh connection.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.chat.line_editor import Doubt, EnteredLine
from agents.delivery.composer import letters
from agents.runtimes.loader import AgentState, Rules
from agents.screen import cells
from agents.screen.states import read_screen

NEXT_ROWS = 200  # below the cursor, where the next line of a burst may be


@dataclass(frozen=True, slots=True)
class LineStart:
    """Where the text of an input line begins."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ScreenRows:
    """A capture row by row. Rows are numbered as in tmux, from the start of the pane."""

    rows: Sequence[str]
    top: int
    columns: int
    cursor_row: int
    cursor_x: int

    def between(self, first: int, last: int) -> list[str]:
        """The rows from `first` to `last` that the capture contains."""
        return [row.rstrip() for row in self.rows[max(0, first - self.top) : last + 1 - self.top]]


def is_shown(screen: ScreenRows, row: int, text: str, *, later: bool) -> bool:
    """Whether the cursor row shows the text. `later`: also the end of a line below it, where a
    program that was busy shows what had been typed ahead."""
    first = text.strip().split("\n")[0]
    wanted = letters(first)
    reach = (cells.width(first) + screen.columns // 2) // max(1, screen.columns)
    if wanted in letters("".join(screen.between(row - reach, row + reach))):
        return True
    below = screen.between(row + 1, row + NEXT_ROWS) if later else []
    ends = ("".join(below[max(0, end - reach) : end + 1]) for end in range(len(below)))
    return any(letters(line).endswith(wanted) for line in ends)


def read_line(screen: ScreenRows, start: LineStart, *, up_to_cursor: bool) -> str:
    """The text after a prompt: a line that was recalled or completed."""
    last = screen.cursor_row if up_to_cursor else start.row
    rows = screen.between(start.row, max(start.row, last))
    if not up_to_cursor and rows:  # a full row continues in the next one
        prompt = cells.cut(rows[0], 0, start.column).rstrip()
        for row in screen.between(start.row + 1, start.row + NEXT_ROWS):
            full = cells.width(rows[-1]) >= screen.columns - 1
            if not full or (prompt and row.startswith(prompt)):
                break
            rows.append(row)
    flat = "".join(cells.pad(row, screen.columns) for row in rows)
    end = (last - start.row) * screen.columns + screen.cursor_x if up_to_cursor else None
    return cells.cut(flat, start.column, end).strip()


def is_behind(shown: str, entered: EnteredLine) -> bool:
    """Whether the screen shows only the beginning of a line: the echo of the rest is missing."""
    if entered.doubt >= Doubt.GREAT:
        return False
    typed, visible = letters(entered.text), letters(shown)
    return len(visible) < len(typed) and typed.startswith(visible)


def line_start(screen: ScreenRows, typed: str) -> LineStart | None:
    """The start of the line whose cursor is after `typed`; None if it is not shown yet."""
    width = cells.width(typed)
    cell = screen.cursor_row * screen.columns + screen.cursor_x - width
    start = LineStart(*divmod(cell, screen.columns))
    shown = read_line(screen, start, up_to_cursor=True)
    return start if letters(shown) == letters(typed) else None


def from_composer(lines: Sequence[str], rules: Rules, entered: EnteredLine) -> str:
    """The text sent to an agent: what was typed, or what its composer contained otherwise."""
    if entered.doubt < Doubt.GREAT and not entered.blank:
        return entered.text
    reading = read_screen(lines, rules)
    if reading.state is AgentState.WAITING:
        return ""  # Enter selected an option
    return reading.composer or ("" if entered.blank else entered.text)
