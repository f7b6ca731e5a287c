"""A terminal for the tests: pyte, with the alternate screen that it lacks."""

import copy
from typing import Any

import pyte

ALTERNATE = 1049


class Terminal(pyte.Screen):
    def __init__(self, columns: int, lines: int) -> None:
        self._primary: Any = None
        super().__init__(columns, lines)

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        if ALTERNATE in modes and kwargs.get("private"):
            self._primary = (copy.deepcopy(self.buffer), copy.copy(self.cursor))
            self.erase_in_display(2)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        if ALTERNATE in modes and kwargs.get("private") and self._primary:
            self.buffer, self.cursor = self._primary
            self._primary = None
        super().reset_mode(*modes, **kwargs)

    def has(self, private_mode: int) -> bool:
        return private_mode << 5 in self.mode

    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.display]


class Rebuilt:
    """What a viewer of `columns` by `lines` would see after the bytes it got."""

    def __init__(self, columns: int, lines: int) -> None:
        self.screen = Terminal(columns, lines)
        self._stream = pyte.ByteStream(self.screen)

    def feed(self, data: bytes) -> None:
        self._stream.feed(data)
