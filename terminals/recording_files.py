"""The files of one recording: what the recorder writes, what we add, and at last one `.cast`.

While it runs there are two writers, each with a file of its own: the recorder (`output.jsonl`) and
we (`ours.jsonl`: pictures and markers). A reader gets them merged by time, in one pass.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terminals import casts
from terminals.casts import Hit, Marker
from terminals.private_paths import make_directories
from terminals.recorder import END, LINE, OUTPUT

HEAD, OURS, CAST = "head.json", "ours.jsonl", "recording.cast"
OURS_LIMIT = 8 * 1024 * 1024  # bytes of pictures and markers; more are not added
PIECE = 256 * 1024  # bytes that are sent at once
SEARCH_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Files:
    directory: Path

    # --- writing ---

    def create(self) -> None:
        make_directories(self.directory.parent)
        self.directory.mkdir(mode=0o700)

    def write_head(self, head: bytes) -> None:
        _write(self.directory / HEAD, head)

    def add(self, line: bytes) -> None:
        """One event of ours; whole or not at all, also beside another writer of ours."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        file = os.open(self.directory / OURS, flags, 0o600)
        try:
            if os.fstat(file).st_size + len(line) <= OURS_LIMIT:
                os.write(file, line)
        finally:
            os.close(file)

    def finish(self) -> None:
        """One file of all; may be done again if it was cut short."""
        if self.cast.exists():
            return
        draft = self.directory / f"{CAST}.draft"
        with draft.open("wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.writelines(self.lines())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.cast)
        for name in (OUTPUT, HEAD, END):
            (self.directory / name).unlink(missing_ok=True)

    def remove(self) -> None:
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def headed(self) -> bool:
        """Whether it has begun, and is not one file yet."""
        return (self.directory / HEAD).exists()

    # --- the recorder ---

    @property
    def running(self) -> bool:
        """Whether a recorder holds its file."""
        try:
            file = os.open(self.directory / OUTPUT, os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        else:
            return False
        finally:
            os.close(file)

    @property
    def end(self) -> str:
        """Why the recorder ended; nothing while it runs, or if it was killed."""
        try:
            return str(json.loads((self.directory / END).read_text())["why"])
        except FileNotFoundError:
            return ""

    # --- reading ---

    @property
    def cast(self) -> Path:
        return self.directory / CAST

    @property
    def size(self) -> int:
        """Bytes on the disk."""
        names = (CAST,) if self.cast.exists() else (HEAD, OURS, OUTPUT)
        return sum(
            path.stat().st_size for name in names if (path := self.directory / name).exists()
        )

    def lines(self) -> Iterator[bytes]:
        """The header and every event until now, in order."""
        if self.cast.exists():
            yield from _lines(self.cast)
            return
        yield from _lines(self.directory / HEAD)
        yield from casts.merged(_lines(self.directory / OURS), _lines(self.directory / OUTPUT))

    def pieces(self) -> Iterator[bytes]:
        """The same in larger pieces, to be sent."""
        piece = bytearray()
        for line in self.lines():
            piece += line
            if len(piece) >= PIECE:
                yield bytes(piece)
                piece.clear()
        if piece:
            yield bytes(piece)

    def duration(self) -> float:
        """The time of the last event."""
        paths = (
            (self.cast,) if self.cast.exists() else (self.directory / OURS, self.directory / OUTPUT)
        )
        return max((_last_time(path) for path in paths), default=0.0)

    def markers(self) -> list[Marker]:
        return casts.markers(_lines(self.directory / OURS))

    def search(self, wanted: str) -> tuple[list[Hit], bool]:
        """The first hits, and whether these are all of them."""
        deadline, lines = time.monotonic() + SEARCH_SECONDS, self.lines()
        next(lines, None)
        found: list[Hit] = []
        for hit in casts.search(_until(lines, deadline), wanted):
            if len(found) == casts.HITS_LIMIT:
                return found, False
            found.append(hit)
        return found, time.monotonic() < deadline


def _write(path: Path, data: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(data)


def _lines(path: Path) -> Iterator[bytes]:
    """Whole ones: the last may be half written."""
    try:
        with path.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))
    except FileNotFoundError:
        return


def _until(lines: Iterator[bytes], deadline: float) -> Iterator[bytes]:
    for line in lines:
        if time.monotonic() > deadline:
            return
        yield line


def _last_time(path: Path) -> float:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LINE))
            events = [line for line in file.read().split(b"\n")[:-1] if line.startswith(b"[")]
    except FileNotFoundError:
        return 0.0
    return max((casts.time_of(line) for line in events[-1:]), default=0.0)
