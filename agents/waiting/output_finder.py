"""Searches the output of a pane for text or a pattern, piece by piece.

Pure, used by wait.py. Only output that is fed counts, not what the pane showed before.
"""

import codecs
from collections import deque

from core import patterns
from core.errors import Invalid
from terminals.scrollback import ansi

TEXT_LIMIT = 1000  # characters of the text to search for
LINE_LIMIT = patterns.TEXT_LIMIT  # only the last characters of a line are searched
BACKLOG_LIMIT = 512 * 1024  # bytes that wait to be searched; beyond, the oldest are skipped
STEP = 8 * 1024  # bytes that are searched before other tasks may run


class OutputFinder:
    """Feed it bytes, then `search` what `take` returns until that is empty."""

    def __init__(self, *, text: str = "", pattern: str = "") -> None:
        if "\n" in text or len(text) > TEXT_LIMIT:
            raise Invalid(f"text must be one line of at most {TEXT_LIMIT} characters")
        self._text = text
        self._pattern = patterns.compile(pattern) if pattern else None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._backlog: deque[bytes] = deque()
        self._size = 0
        self._line = ""
        self.match: str | None = None  # the line that contains it
        self.matched_by = ""  # "text" or "pattern"
        self.skipped = False

    @property
    def is_heavy(self) -> bool:
        """Whether `search` may take long, so that it must not run on the event loop."""
        return self._pattern is not None

    def feed(self, data: bytes) -> None:
        if not self._text and self._pattern is None:
            return
        self._backlog.append(data)
        self._size += len(data)
        while self._size > BACKLOG_LIMIT and len(self._backlog) > 1:
            self._size -= len(self._backlog.popleft())
            self.skipped = True

    def take(self) -> bytes:
        """The next bytes to search; empty if there are none."""
        taken, size = list[bytes](), 0
        while self.match is None and self._backlog and size < STEP:
            data = self._backlog.popleft()
            if size + len(data) > STEP:
                cut = STEP - size
                self._backlog.appendleft(data[cut:])
                data = data[:cut]
            taken.append(data)
            size += len(data)
        self._size -= size
        return b"".join(taken)

    def search(self, data: bytes) -> None:
        """Searches bytes that were taken. May run in a thread while more is fed."""
        *lines, rest = (self._line + self._decoder.decode(data)).split("\n")
        for line in (*lines, rest):
            shown = ansi.strip(line[-LINE_LIMIT:]).rstrip("\r")
            if matched_by := self._match(shown):
                self.match, self.matched_by = shown.strip(), matched_by
                return
        self._line = rest[-LINE_LIMIT:]

    def _match(self, line: str) -> str:
        if self._text and self._text in line:
            return "text"
        return "pattern" if self._pattern is not None and self._pattern.search(line) else ""
