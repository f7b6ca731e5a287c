"""The echo of what was submitted, found among the lines that a pane showed.

Pure. A shell repeats a line behind its prompt, an agent behind a mark, wrapped as it likes. Which
of several is meant is up to transcript.py.
"""

import re
from collections.abc import Sequence

from agents import cells
from agents.composer import letters
from agents.rules import Rules

ECHO_LINES = 400  # rows that the echo of one prompt may take
# What may stand before an echo.
_PROMPT_END = re.compile(r"(?:^|[\s$#%>❯›»λ:)\]])$")  # noqa: RUF001 - prompts people use


def echo_end(lines: Sequence[str], at: int, text: str, rules: Rules, columns: int) -> int:
    """The line after the echo that begins at `at`; 0: none begins there."""
    if rules.chat.echo is not None:
        return _marked_end(lines, at, text, rules.chat.echo)
    first, *rest = text.split("\n")
    line, end = lines[at], at + 1
    while _is_full(lines[end - 1], columns) and end < len(lines) and not _is_prompted(line, first):
        line, end = line + lines[end], end + 1  # an editor broke its line itself
    if not _is_prompted(line, first):
        return 0
    for more in rest:
        if end < len(lines) and lines[end].endswith(more.rstrip()):
            end += 1
    return end


def _is_full(line: str, columns: int) -> bool:
    return columns > 0 and cells.width(line) in {columns - 1, columns}


def _is_prompted(line: str, text: str) -> bool:
    text = text.rstrip()
    if not line.endswith(text):
        return False
    return _PROMPT_END.search(line[: len(line) - len(text)]) is not None


def _marked_end(lines: Sequence[str], at: int, text: str, mark: re.Pattern[str]) -> int:
    """After the mark come the prompt's rows, wrapped and indented as the program likes."""
    found, wanted = mark.match(lines[at]), letters(text)
    if found is None or not wanted:
        return 0
    shown = letters(lines[at][found.end() :])
    if not shown or not wanted.startswith(shown):
        return 0
    end = at + 1
    while shown != wanted and end < min(len(lines), at + ECHO_LINES):
        more = shown + letters(lines[end].removeprefix(found[0]))
        if not wanted.startswith(more):
            break
        shown, end = more, end + 1
    return end if shown == wanted or "[" in lines[at] else 0


def height(text: str, columns: int) -> int:
    """Rows that a line may take behind its prompt."""
    return sum(cells.rows(line, columns) for line in text.split("\n")) + 1
