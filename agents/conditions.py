"""Text or a pattern looked for in what a pane prints, piece by piece and in bounded time.

Pure. Only what is fed counts: what stood there before is not new. Waiting itself is waiting.py.
"""

import codecs
from collections import deque

from agents import patterns
from terminals import ansi
from terminals.errors import Invalid

TEXT_LIMIT = 1000  # characters of a text that is looked for
LINE_LIMIT = 4096  # of a line its last so many characters are looked at; patterns take no more
BACKLOG_LIMIT = 512 * 1024  # bytes that wait to be looked at; beyond, the oldest are skipped
STEP = 8 * 1024  # bytes between two chances for others to run


class Finder:
    """Feed it bytes; `step` until it is done or has found something."""

    def __init__(self, *, text: str = "", pattern: str = "") -> None:
        if "\n" in text or len(text) > TEXT_LIMIT:
            raise Invalid(f"text is one line of at most {TEXT_LIMIT} characters")
        self._text = text
        try:
            self._pattern = patterns.compile(pattern) if pattern else None
        except ValueError as problem:
            raise Invalid(f"invalid pattern: {problem}") from None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._backlog: deque[bytes] = deque()
        self._size = 0
        self._line = ""
        self.found: str | None = None  # the line that it stands in
        self.by = ""  # which of the two was found
        self.skipped = False

    def feed(self, data: bytes) -> None:
        if not self._text and self._pattern is None:
            return
        self._backlog.append(data)
        self._size += len(data)
        while self._size > BACKLOG_LIMIT and len(self._backlog) > 1:
            self._size -= len(self._backlog.popleft())
            self.skipped = True

    def step(self) -> bool:
        """Look at the next bytes. False: there is nothing more to do now."""
        if self.found is not None or not self._backlog:
            return False
        data = self._backlog.popleft()
        if len(data) > STEP:
            self._backlog.appendleft(data[STEP:])
            data = data[:STEP]
        self._size -= len(data)
        self._look(self._decoder.decode(data))
        return self.found is None and bool(self._backlog)

    def _look(self, new: str) -> None:
        *lines, rest = (self._line + new).split("\n")
        for line in (*lines, rest):
            shown = ansi.strip(line[-LINE_LIMIT:]).rstrip("\r")
            if by := self._match(shown):
                self.found, self.by = shown.strip(), by
                return
        self._line = rest[-LINE_LIMIT:]

    def _match(self, line: str) -> str:
        if self._text and self._text in line:
            return "text"
        return "pattern" if self._pattern is not None and self._pattern.search(line) else ""
