"""The files of a recording: what the recorder writes, what the server adds, and the final `.cast`.

While a recording runs there are two writers with a file each: the recorder (`output.jsonl`) and the
server (`ours.jsonl`: captures and markers). Readers get both merged by time, in one pass.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from core.private_paths import make_directories
from terminals.models import Recording
from terminals.recordings import asciicast
from terminals.recordings.asciicast import CastMatch, Marker
from terminals.recordings.recorder import END, LINE, OUTPUT

HEAD, OURS, CAST = "head.json", "ours.jsonl", "recording.cast"
OURS_LIMIT = 8 * 1024 * 1024  # bytes of captures and markers; more are not added
PIECE = 256 * 1024  # bytes of one piece of a download
SEARCH_SECONDS = 10.0


def recordings_directory() -> Path:
    return Path(settings.WEBTMUX.data_dir) / "recordings"


def files_of(row: Recording) -> "RecordingFiles":
    return RecordingFiles(recordings_directory() / row.key)


def seconds_into(row: Recording, moment: datetime) -> float:
    """A moment as a time of the recording."""
    return max(0.0, (moment - row.started_at).total_seconds())


@dataclass(frozen=True, slots=True)
class RecordingFiles:
    directory: Path

    # --- writing ---

    def create(self) -> None:
        make_directories(self.directory.parent)
        self.directory.mkdir(mode=0o700)

    def write_header(self, header: bytes) -> None:
        _write(self.directory / HEAD, header)

    def add(self, line: bytes) -> None:
        """Append an event: whole or not at all, also when another process appends."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        file = os.open(self.directory / OURS, flags, 0o600)
        try:
            if os.fstat(file).st_size + len(line) <= OURS_LIMIT:
                os.write(file, line)
        finally:
            os.close(file)

    def finish(self) -> None:
        """Merge everything into one file. Can be repeated if it was interrupted."""
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
    def has_header(self) -> bool:
        """Whether it was started and is not merged into one file yet."""
        return (self.directory / HEAD).exists()

    # --- the recorder ---

    @property
    def running(self) -> bool:
        """Whether a recorder holds the lock of its file."""
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
    def end_reason(self) -> str:
        """Why the recorder ended. Empty while it runs, and if it was killed."""
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
        """Bytes on disk."""
        names = (CAST,) if self.cast.exists() else (HEAD, OURS, OUTPUT)
        return sum(
            path.stat().st_size for name in names if (path := self.directory / name).exists()
        )

    def lines(self) -> Iterator[bytes]:
        """The header and every event so far, in order."""
        if self.cast.exists():
            yield from _lines(self.cast)
            return
        yield from _lines(self.directory / HEAD)
        yield from asciicast.merged(_lines(self.directory / OURS), _lines(self.directory / OUTPUT))

    def pieces(self) -> Iterator[bytes]:
        """The same in larger pieces, for a download."""
        piece = bytearray()
        for line in self.lines():
            piece += line
            if len(piece) >= PIECE:
                yield bytes(piece)
                piece.clear()
        if piece:
            yield bytes(piece)

    def duration(self) -> float:
        """The time of the last event, in seconds."""
        names = (CAST,) if self.cast.exists() else (OURS, OUTPUT)
        paths = [self.directory / name for name in names]
        return max((_last_time(path) for path in paths), default=0.0)

    def markers(self) -> list[Marker]:
        return asciicast.markers(_lines(self.directory / OURS))

    def search(self, wanted: str) -> tuple[list[CastMatch], bool]:
        """The first matches, and whether these are all."""
        deadline, lines = time.monotonic() + SEARCH_SECONDS, self.lines()
        next(lines, None)
        matches: list[CastMatch] = []
        for match in asciicast.search(_until(lines, deadline), wanted):
            if len(matches) == asciicast.MATCHES_LIMIT:
                return matches, False
            matches.append(match)
        return matches, time.monotonic() < deadline


def _write(path: Path, data: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(data)


def _lines(path: Path) -> Iterator[bytes]:
    """Complete lines only: the last one may be half written."""
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
    return max((asciicast.time_of(line) for line in events[-1:]), default=0.0)
