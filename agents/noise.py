"""A screen without what is no part of the conversation: composer, footer, spinners, frames.

Pure. What the rest means is up to transcript.py; the patterns are data, in agents/rules/*.toml.
"""

import re
from collections.abc import Iterable, Sequence

from agents import cells, menus, screen
from agents.rules import Rules

# A frame is a box of one cell; with junctions in its border it is a table, and stays.
# Each pattern reads a line once: panes may be 1,000 wide.
_TOP = re.compile(r"^\s*[╭┌╔](?:[^┬╦]*[─━═])?[╮┐╗]$")
_BOTTOM = re.compile(r"^\s*[╰└╚](?:[^┴╩]*[─━═])?[╯┘╝]$")
_SIDES = re.compile(r"^\s*[│┃║].*[│┃║]$")
_RULE = re.compile(r"^\s?[─━═▔▁▀▄]{8,}(?:[^─━═▔▁▀▄].*[─━═▔▁▀▄]{2})?$")
_EDGE = re.compile(r"[\u2500-\u259f|+]$")  # a full row that ends so is drawn, not wrapped


def said(lines: Sequence[str], rules: Rules, columns: int = 0) -> list[str]:
    """What programs and people said, top to bottom, with blank lines only in between."""
    if rules.is_shell:
        return trim(_without_noise((line.rstrip() for line in lines), rules), collapse=False)
    look = screen.look(lines, rules)
    end = _conversation_end(look)
    kept = _unboxed(look.lines[:end])
    kept = [line for line in _without_noise(kept, rules) if not _RULE.match(line)]
    return trim(_unwrapped(kept, rules, columns))


def trim(lines: Iterable[str], *, collapse: bool = True) -> list[str]:
    """Without blank lines at both ends; where something was taken out, never two in a row."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and (kept[-1] or not collapse)):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _conversation_end(look: screen.Screen) -> int:
    """Below stands the composer, or the question that an agent waits with."""
    menu = menus.find(look)
    if menu is not None:
        return menu.first
    return look.composer.first if look.composer is not None else len(look.lines)


def _without_noise(lines: Iterable[str], rules: Rules) -> list[str]:
    noise = rules.chat.noise
    return [line for line in lines if not any(pattern.search(line) for pattern in noise)]


def _unboxed(lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    index = 0
    while index < len(lines):
        end = _box_end(lines, index)
        if end is None:
            kept.append(lines[index])
            index += 1
        else:
            kept += [screen.inner(line).removeprefix(" ") for line in lines[index + 1 : end]]
            index = end + 1
    return kept


def _box_end(lines: Sequence[str], first: int) -> int | None:
    """The last border; a box that goes on where we do not look ends with the lines."""
    if not _TOP.match(lines[first]):
        return None
    for index in range(first + 1, len(lines)):
        if _BOTTOM.match(lines[index]):
            return index
        if not _SIDES.match(lines[index]):
            return None
    return len(lines)


def _unwrapped(lines: Sequence[str], rules: Rules, columns: int) -> list[str]:
    """A row that is full goes on in the next one: programs that paint cut their lines so."""
    kept: list[str] = []
    going_on = False
    for line in lines:
        if going_on and line and not _begins(line, rules):
            kept[-1] += line
        else:
            kept.append(line)
        going_on = columns > 0 and cells.width(line) >= columns - 1 and not _EDGE.search(line)
    return kept


def _begins(line: str, rules: Rules) -> bool:
    marks = (rules.chat.echo, rules.chat.said, rules.transcript)
    return any(mark is not None and mark.match(line) for mark in marks)
