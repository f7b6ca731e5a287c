"""A progress bar for long commands. Draws nothing unless the stream is a terminal. Pure."""

from typing import Protocol

WIDTH = 30
CLEAR = "\r\033[K"


class Terminal(Protocol):
    def write(self, text: str, /) -> object: ...
    def flush(self) -> object: ...
    def isatty(self) -> bool: ...


class Progress:
    """`with Progress(sys.stderr, total=9) as progress:`, then `progress.step()` nine times."""

    def __init__(self, stream: Terminal, *, total: int) -> None:
        self._stream, self._total, self._done = stream, total, 0
        self.is_shown = stream.isatty()

    def __enter__(self) -> "Progress":
        self._draw()
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def step(self) -> None:
        self._done += 1
        self._draw()

    def clear(self) -> None:
        """Remove the bar, so that a line can be written in its place."""
        self._put(CLEAR)

    def _draw(self) -> None:
        filled = WIDTH * self._done // self._total if self._total else WIDTH
        self._put(f"{CLEAR}[{'#' * filled}{'.' * (WIDTH - filled)}] {self._done}/{self._total}")

    def _put(self, text: str) -> None:
        if self.is_shown:
            self._stream.write(text)
            self._stream.flush()
