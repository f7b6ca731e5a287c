"""Finds the echo of a submitted line among the lines that a pane showed.

Pure. A shell repeats a line after its prompt, an agent after a marker, with its own wrapping.
transcript.py chooses among several candidates.
"""

import re
from collections.abc import Sequence

from agents.delivery.composer import letters
from agents.runtimes.loader import Rules
from agents.screen import cells

ECHO_LINES = 400  # rows of the echo of one prompt, at most
# What may precede an echo.
_PROMPT_END = re.compile(r"(?:^|[\s$#%>❯›»λ:)\]])$")  # noqa: RUF001 - prompts people use


def echo_end(lines: Sequence[str], start: int, text: str, rules: Rules, columns: int) -> int:
    """The index after the echo that begins at `start`, or 0 if none begins there."""
    if rules.chat.echo is not None:
        return _marked_end(lines, start, text, rules.chat.echo)
    first, *rest = text.split("\n")
    line, end = lines[start], start + 1
    while _is_full(lines[end - 1], columns) and end < len(lines) and not _is_prompted(line, first):
        line, end = line + lines[end], end + 1  # a line editor wrapped the line itself
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


def _marked_end(lines: Sequence[str], start: int, text: str, mark: re.Pattern[str]) -> int:
    """The rows of a prompt follow the marker, wrapped and indented by the program."""
    match, wanted = mark.match(lines[start]), letters(text)
    if match is None or not wanted:
        return 0
    shown = letters(lines[start][match.end() :])
    if not shown or not wanted.startswith(shown):
        return 0
    end = start + 1
    while shown != wanted and end < min(len(lines), start + ECHO_LINES):
        more = shown + letters(lines[end].removeprefix(match[0]))
        if not wanted.startswith(more):
            break
        shown, end = more, end + 1
    return end if shown == wanted or "[" in lines[start] else 0


def height(text: str, columns: int) -> int:
    """Rows that a line may take behind its prompt."""
    return sum(cells.rows(line, columns) for line in text.split("\n")) + 1
