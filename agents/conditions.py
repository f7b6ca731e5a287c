"""Text or a pattern looked for in what a pane prints, piece by piece.

Pure. Only what is fed counts: what stood there before is not new. Waiting itself is waiting.py.
"""

import codecs
from collections import deque

from terminals import ansi, patterns
from terminals.errors import Invalid

TEXT_LIMIT = 1000  # characters of a text that is looked for
LINE_LIMIT = patterns.TEXT_LIMIT  # the last characters of a line are looked at
BACKLOG_LIMIT = 512 * 1024  # bytes that wait to be looked at; beyond, the oldest are skipped
STEP = 8 * 1024  # bytes between two chances for others to run


class Finder:
    """Feed it bytes, then `look` at what `take` gives until that is empty."""

    def __init__(self, *, text: str = "", pattern: str = "") -> None:
        if "\n" in text or len(text) > TEXT_LIMIT:
            raise Invalid(f"text is one line of at most {TEXT_LIMIT} characters")
        self._text = text
        self._pattern = patterns.compile(pattern) if pattern else None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._backlog: deque[bytes] = deque()
        self._size = 0
        self._line = ""
        self.found: str | None = None  # the line that it stands in
        self.by = ""  # which of the two was found
        self.skipped = False

    @property
    def is_heavy(self) -> bool:
        """Whether `look` may take long, so that it belongs off the event loop."""
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
        """The next bytes to look at; empty if it is done for now."""
        taken, size = list[bytes](), 0
        while self.found is None and self._backlog and size < STEP:
            data = self._backlog.popleft()
            if size + len(data) > STEP:
                cut = STEP - size
                self._backlog.appendleft(data[cut:])
                data = data[:cut]
            taken.append(data)
            size += len(data)
        self._size -= size
        return b"".join(taken)

    def look(self, data: bytes) -> None:
        """Search in bytes that were taken. May run in a thread while more is fed."""
        *lines, rest = (self._line + self._decoder.decode(data)).split("\n")
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
