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
from agents.typed import Entered

NEXT_LINES = 200  # below the cursor: where the next line of one burst may stand


@dataclass(frozen=True, slots=True)
class View:
    """A picture with joined lines, its cursor, and the number of its first row."""

    lines: Sequence[str]
    top: int
    columns: int
    cursor_row: int  # counted as `top` is
    cursor_x: int


def line_at(view: View, row: int) -> tuple[str, int]:
    """The line that holds a row, and the number of its first row; empty where there is none."""
    at = view.top
    for line in view.lines:
        height = cells.rows(line.rstrip(), view.columns)
        if at <= row < at + height:
            return line.rstrip(), at
        at += height
    return "", row


def is_seen(view: View, row: int, text: str, *, later: bool) -> bool:
    """On the line of the cursor; of the further lines of a burst (`later`), on one below."""
    wanted = letters(text.strip().split("\n")[0])
    line, first = line_at(view, row)
    if wanted in letters(line):
        return True
    if not later:
        return False
    below, at = [], view.top
    for line in view.lines:
        if at > first:
            below.append(letters(line))
        at += cells.rows(line.rstrip(), view.columns)
    return any(line.endswith(wanted) for line in below[:NEXT_LINES])


def read_line(view: View, row: int, prompt: int, *, up_to_cursor: bool) -> str:
    """What stands behind the first `prompt` columns: a recalled or completed line."""
    line, first = line_at(view, row)
    if up_to_cursor:  # behind it an editor may suggest something
        end = (view.cursor_row - first) * view.columns + view.cursor_x
        return cells.cut(line, prompt, max(prompt, end)).strip()
    return cells.cut(line, prompt).strip()


def after_prompt(line: str, rules: Rules) -> str:
    """What stands behind a shell's prompt that looks like one."""
    for rule in rules.states:
        if rule.region == "last" and (found := rule.pattern.match(line)):
            return line[found.end() :].strip()
    return ""


def from_composer(lines: Sequence[str], rules: Rules, entered: Entered) -> str:
    """What an agent was sent: what was typed, or what stood in its box by other means."""
    if entered.certain and not entered.blank:
        return entered.text
    reading = read_screen(lines, rules)
    if reading.state is State.WAITING:
        return ""  # Enter chose an option
    return reading.composer or ("" if entered.blank else entered.text)
