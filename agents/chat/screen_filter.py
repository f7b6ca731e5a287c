"""Removes from a screen what is not conversation: composer, footer, spinners, frames.

Pure. The patterns are data, in agents/runtimes/*.toml.
"""

import re
from collections.abc import Iterable, Sequence

from agents.runtimes.loader import Rules
from agents.screen import cells, layout, menus

# A frame is a box with one cell. A border with junctions belongs to a table, which is kept.
# Each pattern reads a line once: panes may be 1,000 columns wide.
_TOP = re.compile(r"^\s*[╭┌╔](?:[^┬╦]*[─━═])?[╮┐╗]$")
_BOTTOM = re.compile(r"^\s*[╰└╚](?:[^┴╩]*[─━═])?[╯┘╝]$")
_SIDES = re.compile(r"^\s*[│┃║].*[│┃║]$")
_RULE = re.compile(r"^\s?[─━═▔▁▀▄]{8,}(?:[^─━═▔▁▀▄].*[─━═▔▁▀▄]{2})?$")
_EDGE = re.compile(r"[\u2500-\u259f|+]$")  # a full row with this end is drawn, not wrapped


def conversation_lines(lines: Sequence[str], rules: Rules, columns: int = 0) -> list[str]:
    """The lines of the conversation, without blank lines at both ends."""
    if rules.is_shell:
        return trim(_without_noise((line.rstrip() for line in lines), rules), collapse=False)
    screen = layout.parse(lines, rules)
    end = _conversation_end(screen)
    kept = _unboxed(_without_margin(screen.lines[:end], rules))
    kept = [line for line in _without_noise(kept, rules) if not _RULE.match(line)]
    return trim(_unwrapped(kept, rules, columns))


def trim(lines: Iterable[str], *, collapse: bool = True) -> list[str]:
    """Remove blank lines at both ends; with `collapse` also the second of two blank lines."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and (kept[-1] or not collapse)):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _conversation_end(screen: layout.ScreenLayout) -> int:
    """Where the composer or an agent's dialog begins."""
    menu = menus.find(screen)
    if menu is not None:
        return menu.first
    return screen.composer.first if screen.composer is not None else len(screen.lines)


def _without_noise(lines: Iterable[str], rules: Rules) -> list[str]:
    noise = rules.chat.noise
    return [line for line in lines if not any(pattern.search(line) for pattern in noise)]


def _without_margin(lines: Sequence[str], rules: Rules) -> list[str]:
    margin = rules.chat.margin
    return [margin.sub("", line).rstrip() if margin else line for line in lines]


def _unboxed(lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    index = 0
    while index < len(lines):
        end = _box_end(lines, index)
        if end is None:
            kept.append(lines[index])
            index += 1
        else:
            kept += [layout.inner(line).removeprefix(" ") for line in lines[index + 1 : end]]
            index = end + 1
    return kept


def _box_end(lines: Sequence[str], first: int) -> int | None:
    """The last border of the box that begins at `first`. An unfinished box ends with the lines."""
    if not _TOP.match(lines[first]):
        return None
    for index in range(first + 1, len(lines)):
        if _BOTTOM.match(lines[index]):
            return index
        if not _SIDES.match(lines[index]):
            return None
    return len(lines)


def _unwrapped(lines: Sequence[str], rules: Rules, columns: int) -> list[str]:
    """Join full rows with the next row: full-screen programs break their lines this way."""
    kept: list[str] = []
    continues = False
    for line in lines:
        if continues and line and not _begins(line, rules):
            kept[-1] += line
        else:
            kept.append(line)
        continues = columns > 0 and cells.width(line) >= columns - 1 and not _EDGE.search(line)
    return kept


def _begins(line: str, rules: Rules) -> bool:
    marks = (rules.chat.echo, rules.chat.said, rules.transcript)
    return any(mark is not None and mark.match(line) for mark in marks)
