"""The input box of a fake agent: its text, and how the text is shown.

Keys are read in typed.py. The caret is always at the end.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

Fold = Callable[[bytes, int], str]


@dataclass(slots=True)
class Piece:
    data: bytes
    label: str = ""  # replaces a long paste on the screen


@dataclass(slots=True)
class Composer:
    fold: Fold
    pieces: list[Piece] = field(default_factory=list)
    folded: int = 0

    @property
    def value(self) -> bytes:
        return b"".join(piece.data for piece in self.pieces)

    @property
    def shown(self) -> str:
        text = (piece.label or piece.data.decode("utf-8", "replace") for piece in self.pieces)
        return "".join(text).replace("\t", "    ")

    def type(self, data: bytes) -> None:
        if self.pieces and not self.pieces[-1].label:
            self.pieces[-1].data += data
        else:
            self.pieces.append(Piece(data))

    def paste(self, data: bytes) -> None:
        if label := self.fold(data, self.folded + 1):
            self.folded += 1
            self.pieces.append(Piece(data, label))
        else:
            self.type(data)

    def back(self) -> None:
        """Deletes one character, or one folded paste."""
        if not self.pieces:
            return
        last = self.pieces[-1]
        rest = b"" if last.label else last.data.decode("utf-8", "replace")[:-1].encode()
        self.pieces[-1:] = [Piece(rest)] if rest else []

    def kill(self) -> None:
        """Deletes to the beginning of the line; at the beginning, deletes the line break."""
        last = self.pieces[-1].data if self.pieces else b""
        if not self.pieces or self.pieces[-1].label or last.endswith(b"\n"):
            self.back()
            return
        rest = last[: last.rfind(b"\n") + 1]
        self.pieces[-1:] = [Piece(rest)] if rest else []

    def clear(self) -> None:
        self.pieces, self.folded = [], 0


def cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width(text: str) -> int:
    return sum(map(cells, text))


def pad(text: str, to: int) -> str:
    return text + " " * max(0, to - width(text))


def wrap(text: str, to: int) -> list[str]:
    """Rows of at most `to` cells, broken anywhere, as composers do."""
    rows: list[str] = []
    for line in text.split("\n"):
        row, used = "", 0
        for character in line:
            size = cells(character)
            if used + size > to:
                rows.append(row)
                row, used = "", 0
            row, used = row + character, used + size
        rows.append(row)
    return rows
