"""How many columns text takes in a terminal.

Pure, and an estimate: terminals differ over new emoji. tmux's own answer is on the screen.
"""

import unicodedata
from functools import lru_cache

_NO_WIDTH = frozenset({"Mn", "Me", "Cf", "Cc"})


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_cells, text))


def rows(text: str, columns: int) -> int:
    """Rows that a line takes; an empty one takes a row too."""
    return max(1, -(-width(text) // columns)) if columns > 0 else 1


def cut(text: str, start: int, end: int | None = None) -> str:
    """The characters that stand in columns `start` to `end`."""
    if text.isascii():
        return text[start:end]
    kept, column = [], 0
    for character in text:
        if column >= start and (end is None or column < end):
            kept.append(character)
        column += _cells(character)
    return "".join(kept)


def pad(text: str, columns: int) -> str:
    """With blanks up to the end of its last row."""
    return text + " " * (rows(text, columns) * columns - width(text))
