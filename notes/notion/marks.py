"""Spans: pieces of one line's text, each with its marks.

Not how marks are written: inline.py, payloads.py.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from itertools import groupby


class Mark(IntFlag):
    NONE = 0
    ITALIC = 1  # the value is the number of stars
    BOLD = 2
    STRUCK = 4


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    marks: Mark = Mark.NONE
    code: bool = False
    link: str = ""

    @property
    def is_plain(self) -> bool:
        return not (self.marks or self.code or self.link)


def tidy(parts: Iterable[Span]) -> list[Span]:
    """Marks begin and end at a letter, as Markdown wants it; neighbours of one kind are one."""
    found = [piece for part in parts for piece in _unbroken(part)]
    for mark in (Mark.ITALIC, Mark.BOLD, Mark.STRUCK):
        if any(part.marks & mark for part in found):
            found = _trimmed(_trimmed(found, mark, str.lstrip), mark, str.rstrip)
    grouped = groupby(found, key=lambda part: (part.marks, part.code, part.link))
    return [Span("".join(part.text for part in many), *kind) for kind, many in grouped]


def _unbroken(part: Span) -> list[Span]:
    """No code holds a line break: in Markdown it could not."""
    if not part.code or "\n" not in part.text:
        return [part] if part.text else []
    pieces = filter(None, re.split("(\n)", part.text))
    return [replace(part, text=piece, code=piece != "\n") for piece in pieces]


def _trimmed(parts: Sequence[Span], mark: Mark, strip: Callable[[str], str]) -> list[Span]:
    """Blanks at one end of what is marked lose the mark: with `lstrip` its beginning."""
    step = 1 if strip is str.lstrip else -1
    found, inside = list[Span](), False
    for part in parts[::step]:
        begins = part.marks & mark and not inside and not part.code
        rest = strip(part.text) if begins else part.text
        blank = part.text[::step][: len(part.text) - len(rest)][::step]
        if blank:
            found.append(replace(part, text=blank, marks=part.marks & ~mark))
        if rest:
            found.append(replace(part, text=rest))
            inside = bool(part.marks & mark)
    return found[::step]
