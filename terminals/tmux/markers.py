"""Where a command's output begins and ends in the raw bytes of a pane, and with which exit code.

Pure: bytes in, an Execution out. Who types the command and waits for it is execute.py.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

OUTPUT_LIMIT = 16 * 1024 * 1024  # bytes kept of one command's output; the oldest go first
LINE_LIMIT = 4096  # bytes of a last line that are compared with a prompt
MARKER_LENGTH = 64  # more than an end marker has


@dataclass(frozen=True, slots=True)
class Execution:
    output: bytes  # as the program wrote it: the terminal's CR LF is LF again
    exit_code: int | None  # None when it was not to be had
    timed_out: bool = False
    truncated: bool = False  # more than OUTPUT_LIMIT: this is the end of it
    pane_exited: bool = False


class Markers:
    """Raw bytes in; the bytes between the markers and the exit code out."""

    def __init__(self, nonce: str) -> None:
        self._start = b"\x1b]7717;S;%b\x07" % nonce.encode()
        self._end = re.compile(rb"\x1b\]7717;E;%b;(\d+)\x07" % nonce.encode())
        self._bytes = bytearray()
        self._started = self._truncated = False
        self._scanned = 0
        self._cut: int | None = None
        self.code: int | None = None
        self.done = False

    def feed(self, data: bytes) -> None:
        if self.done:
            return
        self._bytes += data
        if not self._started:
            self._look_for_start()
        if self._started:
            self._look_for_end()

    def _look_for_start(self) -> None:
        at = self._bytes.find(self._start)
        self._started = at >= 0
        keep = (
            at + len(self._start) if self._started else max(0, len(self._bytes) - len(self._start))
        )
        del self._bytes[:keep]

    def _look_for_end(self) -> None:
        # The marker may be cut between two reads: look again at as much as it is long.
        found = self._end.search(self._bytes, max(0, self._scanned - MARKER_LENGTH))
        self._scanned = len(self._bytes)
        if found is not None:
            self.code = int(found[1])
            del self._bytes[found.start() :]
            self.done = True
        elif len(self._bytes) > 2 * OUTPUT_LIMIT:
            self._truncated = True
            gone = len(self._bytes) - OUTPUT_LIMIT
            del self._bytes[:gone]
            self._scanned = len(self._bytes)
            self._cut = None if self._cut is None else max(0, self._cut - gone)

    def cut(self, *, prompt: bool) -> None:
        """What comes from here on is not the command's; nor is the line of a prompt before it."""
        if self._cut is None:
            self._cut = len(self._bytes)
            if prompt:
                self._cut = self._bytes.rfind(b"\n") + 1

    def last_line(self) -> bytes:
        end = bytes(self._bytes[-LINE_LIMIT:])
        return end[end.rfind(b"\n") + 1 :]

    def result(self, *, timed_out: bool = False, pane_exited: bool = False) -> Execution:
        """Copies all of the output: with megabytes of it, in a thread."""
        whole = bytes(self._bytes[: self._cut]) if self._started else b""
        output = b"\n".join(_lines(whole))
        cut = self._truncated or len(output) > OUTPUT_LIMIT
        # ksh reports a death by signal as 256 + its number, the others as 128 + it.
        code = 128 + self.code - 256 if self.code is not None and self.code > 256 else self.code
        return Execution(output[-OUTPUT_LIMIT:], code, timed_out, cut, pane_exited)


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines between CR LF, found one by one so that other threads have their turn."""
    start = 0
    while (end := data.find(b"\r\n", start)) >= 0:
        yield data[start:end]
        start = end + 2
    yield data[start:]
