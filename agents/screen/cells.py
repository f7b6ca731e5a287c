"""How many columns text takes in a terminal of tmux. Pure.

The tables are wcwidth's. tmux asks the C library about each character and knows three rules that
wcwidth does not share (measured with tmux 3.3a and glibc 2.36 over all code points):

- A spacing combining mark takes columns; wcwidth attaches it to the character before.
- A regional indicator takes one column, so that a flag of two takes two.
- After a zero width joiner the next character takes none, unless it is ASCII. Variation selectors
  and skin tones change nothing: therefore single characters, not `wcswidth`.

It stays an estimate for characters that are newer than the C library: glibc 2.36 has other widths
for 134 rare symbols (trigrams, counting rods), and drops characters that it does not know.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from wcwidth import wcwidth

ZERO_WIDTH_JOINER = "\u200d"
REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    if unicodedata.category(character) == "Mc":
        return 2 if unicodedata.east_asian_width(character) in "WF" else 1
    if ord(character) in REGIONAL_INDICATORS:
        return 1
    return max(0, wcwidth(character))  # -1: a control character


def _each(text: str) -> Iterator[int]:
    """The columns of each character in its place."""
    joined = False
    for character in text:
        yield 0 if joined and not character.isascii() else _columns(character)
        joined = character == ZERO_WIDTH_JOINER


def width(text: str) -> int:
    return len(text) if text.isascii() else sum(_each(text))


def rows(text: str, columns: int) -> int:
    """The rows that a line takes; an empty line takes one too."""
    return max(1, -(-width(text) // columns)) if columns > 0 else 1


def cut(text: str, start: int, end: int | None = None) -> str:
    """The characters in columns `start` to `end`, with the marks attached to them."""
    if text.isascii():
        return text[start:end]
    kept, column, inside = [], 0, start == 0
    for character, columns in zip(text, _each(text), strict=True):
        if columns:
            inside = column >= start and (end is None or column < end)
        if inside:
            kept.append(character)
        column += columns
    return "".join(kept)


def pad(text: str, columns: int) -> str:
    """The text, with blanks up to the end of its last row."""
    return text + " " * (rows(text, columns) * columns - width(text))
