"""Finds the output and the exit code of a command in the raw bytes of a pane.

Pure: bytes in, an Execution out. execute.py types the command and waits for it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

OUTPUT_LIMIT = 16 * 1024 * 1024  # bytes of one command; the oldest are dropped first
LINE_LIMIT = 4096  # bytes of a last line that are compared with a prompt
MARKER_LENGTH = 64  # more than an end marker has


@dataclass(frozen=True, slots=True)
class Execution:
    output: bytes  # as the program wrote it: CR LF of the terminal is LF again
    exit_code: int | None  # None if it is not known
    timed_out: bool = False
    truncated: bool = False  # a part is missing: over OUTPUT_LIMIT, or dropped by tmux
    pane_exited: bool = False


class Markers:
    """Raw bytes in; the bytes between the markers and the exit code out."""

    def __init__(self, nonce: str) -> None:
        self._start = b"\x1b]7717;S;%b\x07" % nonce.encode()
        # E: printed by our file. R: requested at the prompt, where the output ended before.
        self._end = re.compile(rb"\x1b\]7717;([ER]);%b;(\d+)\x07" % nonce.encode())
        self._bytes = bytearray()
        self._started = self._truncated = False
        self._scanned = 0
        self._cut: int | None = None
        self._cut_is_guess = False
        self.code: int | None = None
        self.done = False

    def feed(self, data: bytes) -> None:
        if self.done:
            return
        self._bytes += data
        if not self._started:
            if self._truncated:  # before `_find_start` drops what it has searched
                self._find_end()
            self._find_start()
        if self._started:
            self._find_end()

    def note_gap(self) -> None:
        """Output is missing here, perhaps with the start marker: then the end marker is enough."""
        self._truncated = True

    def _find_start(self) -> None:
        index = self._bytes.find(self._start)
        self._started = index >= 0
        # Without a match the end is kept: a read may have cut the marker.
        drop = index + len(self._start) if self._started else len(self._bytes) - MARKER_LENGTH
        del self._bytes[: max(0, drop)]
        self._scanned = 0

    def _find_end(self) -> None:
        # The marker may be cut between two reads: search its length again.
        match = self._end.search(self._bytes, max(0, self._scanned - MARKER_LENGTH))
        self._scanned = len(self._bytes)
        if match is not None:
            self.code = int(match[2])
            if match[1] == b"E" and self._cut_is_guess:
                self._cut = None  # the shell had not skipped it: it was only late to arrive
            del self._bytes[match.start() :]
            self.done = True
        elif len(self._bytes) > 2 * OUTPUT_LIMIT:
            self._truncated = True
            excess = len(self._bytes) - OUTPUT_LIMIT
            del self._bytes[:excess]
            self._scanned = len(self._bytes)
            self._cut = None if self._cut is None else max(0, self._cut - excess)

    @property
    def started(self) -> bool:
        """Whether the start marker was seen."""
        return self._started

    def cut(self, *, prompt: bool) -> None:
        """The output of the command ends here; with `prompt`, before the current line."""
        if self._cut is None:
            self._cut = len(self._bytes)
            self._cut_is_guess = prompt
            if prompt:
                self._cut = self._bytes.rfind(b"\n") + 1

    def last_line(self) -> bytes:
        end = bytes(self._bytes[-LINE_LIMIT:])
        return end[end.rfind(b"\n") + 1 :]

    def result(self, *, timed_out: bool = False, pane_exited: bool = False) -> Execution:
        """Copies all of the output: for megabytes call it in a thread."""
        whole = bytes(self._bytes[: self._cut]) if self._started else b""
        output = b"\n".join(_lines(whole))
        cut = self._truncated or len(output) > OUTPUT_LIMIT
        # After a signal the exit code of ksh is 256 + its number, of other shells 128 + it.
        code = 128 + self.code - 256 if self.code is not None and self.code > 256 else self.code
        return Execution(output[-OUTPUT_LIMIT:], code, timed_out, cut, pane_exited)


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines between CR LF, one by one, so that other threads can run in between."""
    start = 0
    while (end := data.find(b"\r\n", start)) >= 0:
        yield data[start:end]
        start = end + 2
    yield data[start:]
