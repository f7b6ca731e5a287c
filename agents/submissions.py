"""Which text was submitted, judged by the keys and by what the screen shows of it.

Pure. In a program that reads key by key only what is seen on the screen is taken for a line: what
is typed at a password prompt, also at the far end of an ssh, is not to be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents import cells
from agents.composer import letters
from agents.rules import Rules
from agents.states import State, read_screen
from agents.typed import Doubt, Entered

NEXT_ROWS = 200  # below the cursor: where the next line of one burst may stand


@dataclass(frozen=True, slots=True)
class Place:
    """Where the text of an input line begins."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class View:
    """A picture row by row; rows are counted as tmux does, since the pane began."""

    rows: Sequence[str]
    top: int
    columns: int
    cursor_row: int
    cursor_x: int

    def between(self, first: int, last: int) -> list[str]:
        """Of the rows from `first` to `last` those that the picture shows."""
        return [row.rstrip() for row in self.rows[max(0, first - self.top) : last + 1 - self.top]]


def is_seen(view: View, row: int, text: str, *, later: bool) -> bool:
    """At the row of the cursor; `later`: also at the end of a line below it, where a program that
    was busy shows what had been typed ahead."""
    first = text.strip().split("\n")[0]
    wanted = letters(first)
    reach = (cells.width(first) + view.columns // 2) // max(1, view.columns)
    if wanted in letters("".join(view.between(row - reach, row + reach))):
        return True
    below = view.between(row + 1, row + NEXT_ROWS) if later else []
    ends = ("".join(below[max(0, end - reach) : end + 1]) for end in range(len(below)))
    return any(letters(line).endswith(wanted) for line in ends)


def read_line(view: View, start: Place, *, up_to_cursor: bool) -> str:
    """What stands behind a prompt: a line that was recalled or completed."""
    last = view.cursor_row if up_to_cursor else start.row
    rows = view.between(start.row, max(start.row, last))
    if not up_to_cursor and rows:  # a row that is full goes on in the next one
        prompt = cells.cut(rows[0], 0, start.column).rstrip()
        for row in view.between(start.row + 1, start.row + NEXT_ROWS):
            full = cells.width(rows[-1]) >= view.columns - 1
            if not full or (prompt and row.startswith(prompt)):
                break
            rows.append(row)
    flat = "".join(cells.pad(row, view.columns) for row in rows)
    end = (last - start.row) * view.columns + view.cursor_x if up_to_cursor else None
    return cells.cut(flat, start.column, end).strip()


def begins(view: View, typed: str) -> Place | None:
    """Where the line begins whose cursor stands behind `typed`; None: it is not shown yet."""
    width = cells.width(typed)
    cell = view.cursor_row * view.columns + view.cursor_x - width
    start = Place(*divmod(cell, view.columns))
    shown = read_line(view, start, up_to_cursor=True)
    return start if letters(shown) == letters(typed) else None


def from_composer(lines: Sequence[str], rules: Rules, entered: Entered) -> str:
    """What an agent was sent: what was typed, or what stood in its box by other means."""
    if entered.doubt < Doubt.GREAT and not entered.blank:
        return entered.text
    reading = read_screen(lines, rules)
    if reading.state is State.WAITING:
        return ""  # Enter chose an option
    return reading.composer or ("" if entered.blank else entered.text)
