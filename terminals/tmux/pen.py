"""The pen of a terminal: the colours and attributes that the next character gets. Pure.

repaint.py uses it for captures, in which each row starts with the pen of the row before. fanout.py
follows the output of a pane with it, because tmux has no format for the pen of a pane.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

SCANNED_BYTES = 4096  # at the end of one read: a flood of sequences must not hold the event loop
_INCOMPLETE_BYTES = 64  # programs write less than 50 in one sequence
_MANY = 8  # sequences
_SGR = re.compile(rb"\x1b\[([0-9;:]{0,63})m")  # tmux ignores longer ones
_INCOMPLETE = re.compile(rb"\x1b(?:\(|\[[?!]?[0-9;:]*)?\Z")
_HARD_RESET = b"\x1bc"
# A soft reset; or a cursor that is restored with the pen that it was saved with, which is the
# default one as a rule.
_RESET = re.compile(rb"\x1b(?:8|\[!p|\[u|\[\?1049l)")

_FOREGROUND = {*range(30, 40), *range(90, 98)}
_BACKGROUND = {*range(40, 50), *range(100, 108)}
_ATTRIBUTES = {1: 1, 2: 2, 3: 3, 4: 4, 21: 4, 5: 5, 6: 5, 7: 7, 8: 8, 9: 9, 53: 53}
_SLOTS = {
    **dict.fromkeys(_FOREGROUND, 38),
    **dict.fromkeys(_BACKGROUND, 48),
    **_ATTRIBUTES,
    58: 58,
}
_CLEARED = {
    22: (1, 2), 23: (3,), 24: (4,), 25: (5,), 27: (7,), 28: (8,), 29: (9,),
    39: (38,), 49: (48,), 55: (53,), 59: (58,),
}  # fmt: skip  # one slot next to the other


# Slots that are cleared (None: all of them), and the slot that gets a value, if there is one.
_Change = tuple[tuple[int, ...] | None, int, bytes]


class Pen:
    """What a series of SGR sequences adds up to, in slots: at most one parameter for each kind."""

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots: dict[int, bytes] = {}

    @property
    def sequence(self) -> bytes:
        """The sequence that sets this pen on a terminal with the default pen; empty: it has it."""
        return b"\x1b[%bm" % b";".join(self._slots.values()) if self._slots else b""

    def reset(self) -> None:
        self._slots.clear()

    def write(self, data: bytes) -> None:
        """Apply the SGR sequences in `data`. Those before the last plain reset do not matter."""
        start = max(0, data.rfind(b"\x1b[0m"), data.rfind(b"\x1b[m"))
        sequences = _SGR.findall(data, start)
        if len(sequences) > _MANY:  # only where each was last matters
            sequences = list(dict.fromkeys(reversed(sequences)))[::-1]
        slots = self._slots
        for parameters in sequences:
            for cleared, slot, value in _changes(parameters):
                if cleared is None:
                    slots.clear()
                for each in cleared or ():
                    slots.pop(each, None)
                if value:
                    slots[slot] = value


class OutputPen:
    """The pen after all output of one pane. Feed it every byte in order; `forget` after a gap.

    After a gap it is the default pen until the program sets another one: the same as a viewer has
    that joined then.
    """

    def __init__(self) -> None:
        self._pen = Pen()
        self._charset = b""
        self._shift = b""
        self._carried = b""

    @property
    def sequence(self) -> bytes:
        return self._charset + self._shift + self._pen.sequence

    def forget(self) -> None:
        self._pen.reset()
        self._charset = self._shift = self._carried = b""

    def feed(self, data: bytes) -> None:
        data = self._carried + data if len(data) <= SCANNED_BYTES else data[-SCANNED_BYTES:]
        self._carried = b""
        if _HARD_RESET in data:
            self.forget()
            data = data.rpartition(_HARD_RESET)[2]
        if b"\x1b" in data:
            self._follow_pen(data)
            self._charset = last_switch(data, b"\x1b(0", b"\x1b(B", self._charset)
            incomplete = _INCOMPLETE.search(data, max(0, len(data) - _INCOMPLETE_BYTES))
            if incomplete:
                self._carried = incomplete[0]
        self._shift = last_switch(data, b"\x0e", b"\x0f", self._shift)

    def _follow_pen(self, data: bytes) -> None:
        start = 0
        for reset in _RESET.finditer(data):
            start = reset.end()
        if start:
            self._pen.reset()
        self._pen.write(data[start:])


@lru_cache(maxsize=2048)
def _changes(parameters: bytes) -> tuple[_Change, ...]:
    return tuple(_change(number, value) for number, value in _split(parameters))


def _change(number: int, value: bytes) -> _Change:
    if number == 0:
        return None, 0, b""
    if number in _CLEARED:
        return _CLEARED[number], 0, b""
    if value == b"4:0":
        return (4,), 0, b""
    slot = _SLOTS.get(number, 0)
    return (), slot, value if slot else b""


def _split(parameters: bytes) -> Iterator[tuple[int, bytes]]:
    """The parameters of one sequence with their values: `38;5;1` is one parameter."""
    parts = parameters.split(b";")
    index = 0
    while index < len(parts):
        part = parts[index]
        number = int(part.partition(b":")[0][:4] or b"0")
        length = 1
        if part in {b"38", b"48", b"58"}:
            length = {b"5": 3, b"2": 5}.get(parts[index + 1] if index + 1 < len(parts) else b"", 1)
            part = b";".join(parts[index : index + length])
            number = number if length > 1 else -1  # a colour without a value changes nothing
        yield number, part
        index += length


def last_switch(data: bytes, on: bytes, off: bytes, before: bytes) -> bytes:
    """`on` if it is the last of the two in the data; empty after `off`."""
    on_index, off_index = data.rfind(on), data.rfind(off)
    if on_index == off_index:  # neither
        return before
    return on if on_index > off_index else b""
