"""Bytes of a control-mode stream in, events out. Knows no process and no clock.

The same events come out wherever the reads were cut. It never raises on what tmux or a
program in a pane may print.
"""

import codecs
from collections.abc import Callable
from typing import NamedTuple

from terminals.tmux.rows import BEGIN, END

# Undocumented but in every CPython, and 20 times faster than a regular expression. It is exact
# here because tmux escapes just the bytes below 0x20 and the backslash, as three octal digits.
_escape_decode: Callable[[bytes], tuple[bytes, int]] | None = getattr(codecs, "escape_decode", None)
_FRAME_BEGIN, _FRAME_END = BEGIN.encode(), END.encode()
OURS = 1  # the flag of a reply to a command that this client sent


class Reply(NamedTuple):
    """The answer to one command: its lines, and whether tmux called it an error."""

    ours: bool
    ok: bool
    lines: list[bytes]


class Output(NamedTuple):
    """Bytes that a program wrote to its pane."""

    pane: str
    data: bytes


class Notice(NamedTuple):
    """Something changed; `rest` is what followed the word, undecoded."""

    name: str
    rest: bytes


Event = Reply | Output | Notice


def unescape(data: bytes) -> bytes:
    """Undo tmux's octal escapes; what is not a whole escape stays as it is."""
    if b"\\" not in data:
        return data
    try:
        if _escape_decode is not None:
            return _escape_decode(data)[0]
        return data.decode("unicode_escape").encode("latin-1")
    except ValueError:
        return data


class ControlParser:
    def __init__(self) -> None:
        self._tail: list[bytes] = []
        self._block: bytes | None = None  # the numbers of the reply that is open
        self._body: list[bytes] = []

    def feed(self, data: bytes) -> list[Event]:
        """The events that `data` completes."""
        head, newline, rest = data.partition(b"\n")
        self._tail.append(head)
        if not newline:
            return []
        lines = [b"".join(self._tail), *rest.split(b"\n")]
        self._tail = [lines.pop()]
        events: list[Event] = []
        for line in lines:
            self._line(line, events)
        return events

    def _line(self, line: bytes, events: list[Event]) -> None:
        if self._block is not None:
            self._inside(line, events)
        elif line.startswith(b"%output "):
            pane, _, data = line[8:].partition(b" ")
            _emit_output(pane, data, events)
        elif line.startswith(b"%extended-output "):
            pane, _, rest = line[17:].partition(b" ")
            _emit_output(pane, rest.partition(b" : ")[2], events)
        elif line.startswith(b"%begin "):
            self._block, self._body = line[7:], []
        elif line.startswith(b"%"):
            name, _, rest = line[1:].partition(b" ")
            events.append(Notice(name.decode("ascii", "replace"), rest))

    def _inside(self, line: bytes, events: list[Event]) -> None:
        """Only the line that carries the block's own numbers ends it: text may look like one.

        A program can guess these numbers and put such a line into its name, so in a reply that is
        framed by our nonce they count only behind the end of a frame.
        """
        if line.startswith(b"%end ") and line[5:] == self._block and self._is_whole():
            ok = True
        elif line.startswith(b"%error ") and line[7:] == self._block and self._is_whole():
            ok = False
        else:
            self._body.append(line)
            return
        events.append(Reply(_is_ours(line), ok, self._body))
        self._block, self._body = None, []

    def _is_whole(self) -> bool:
        body = self._body
        return not body or not body[0].startswith(_FRAME_BEGIN) or body[-1].endswith(_FRAME_END)


def _emit_output(pane: bytes, data: bytes, events: list[Event]) -> None:
    if pane.startswith(b"%") and pane[1:].isdigit():
        events.append(Output(pane.decode("ascii"), unescape(data)))


def _is_ours(line: bytes) -> bool:
    flags = line.rpartition(b" ")[2]
    return flags.isdigit() and bool(int(flags[:9]) & OURS)
