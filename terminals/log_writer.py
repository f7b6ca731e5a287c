"""The process that tmux pipes a logged pane into: bytes on stdin, files of limited size on disk.

A program of its own that uses only the standard library: it outlives webtmux, so it keeps the
limits by itself. The server imports the same rules for `manage.py prune` and its worker.

    python -I -S log_writer.py DIRECTORY ROOT SEGMENT PANE TOTAL FLOOR

A log is a directory of segments. A segment is named after the offset of its first byte, counted
since the log began. Where there is no room, output is dropped and the offset goes on: readers see
that bytes are missing. The writer holds a lock on its directory while it runs.
"""

import contextlib
import fcntl
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

READ = 64 * 1024  # bytes at a time: what a pipe holds
BLOCK = 4096  # the least that a file takes on a disk: many small files count as well
SEGMENT = 16 * 1024 * 1024
SEGMENTS = 16  # of one log, at least: the oldest part that goes at once is small
SMALLEST_SEGMENT = 64 * 1024
LOCK_SECONDS = 10.0  # for a writer before this one to finish what it holds
RETRY_SECONDS = 1.0  # between two looks for room
LOCK = ".lock"  # in the root: one process at a time makes room there
_OFFSET_NAME = re.compile(r"\d{16}")
_NUMBER_NAME = re.compile(r"\d{6}")  # written by split(1) up to version 0.1: number times SEGMENT


@dataclass(frozen=True, slots=True)
class Limits:
    """In bytes; 0: no limit."""

    pane: int = 256_000_000  # of one log
    total: int = 4_096_000_000  # of all logs below the root
    floor: int = 512_000_000  # that must stay free on the disk

    @property
    def segment(self) -> int:
        bounds = [limit // SEGMENTS for limit in (self.pane, self.total) if limit]
        return max(SMALLEST_SEGMENT, min([SEGMENT, *bounds]))


@dataclass(frozen=True, slots=True)
class Segment:
    start: int
    size: int
    changed: float  # seconds since 1970
    path: Path

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def room(self) -> int:
        return max(self.size, BLOCK)


@dataclass(frozen=True, slots=True)
class Log:
    segments: tuple[Segment, ...]  # oldest first, at least one
    live: bool  # a writer is at work

    @property
    def used(self) -> int:
        return sum(segment.room for segment in self.segments)


# --- what there is ----------------------------------------------------------------------------


def segments(directory: Path, *, numbered: int = SEGMENT) -> list[Segment]:
    """Oldest first. `numbered`: the size of segments that are named by their number."""
    found = []
    with contextlib.suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            if _OFFSET_NAME.fullmatch(entry.name):
                start = int(entry.name)
            elif _NUMBER_NAME.fullmatch(entry.name):
                start = int(entry.name) * numbered
            else:
                continue
            with contextlib.suppress(FileNotFoundError):  # removed since it was listed
                told = entry.stat(follow_symlinks=False)
                found.append(Segment(start, told.st_size, told.st_mtime, Path(entry.path)))
    return sorted(found, key=lambda segment: segment.start)


def logs(root: Path) -> Iterator[Log]:
    """Every log below a directory that holds anything."""
    for place, _, _ in os.walk(root):
        if found := segments(Path(place)):
            yield Log(tuple(found), is_live(Path(place)))


def is_live(directory: Path) -> bool:
    """Whether a writer holds the lock of this log."""
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def free(directory: Path) -> int:
    told = os.statvfs(directory)
    return told.f_bavail * told.f_frsize


# --- what has to go ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    gone: list[Segment]  # to remove
    fits: bool  # all limits hold afterwards


def plan(
    found: list[Log],
    limits: Limits,
    *,
    available: int,
    need: int = 0,
    own: Path | None = None,
    before: float = 0.0,
) -> Plan:
    """What has to go so that all limits hold, the oldest first.

    `available`: bytes free on the disk. `need`: bytes that the log in directory `own` wants to
    write. `before`: a log that was last written before this time goes whole, if its pane has ended.
    A live log keeps its last segment, which its writer may still fill.
    """
    gone: dict[Path, Segment] = {}
    removable: list[Segment] = []
    reserved = need
    for log in found:
        mine = log.segments[0].path.parent == own
        keeps_last = log.live and not mine
        if not log.live and log.segments[-1].changed < before:
            gone.update((segment.path, segment) for segment in log.segments)
            continue
        closed = log.segments[:-1] if keeps_last else log.segments
        reserved += max(0, limits.segment - log.segments[-1].room) if keeps_last else 0
        over = log.used + (need if mine else 0) - limits.pane if limits.pane else 0
        for segment in closed:
            if over > 0:
                gone[segment.path] = segment
                over -= segment.room
            else:
                removable.append(segment)
    freed = sum(segment.room for segment in gone.values())
    used = sum(log.used for log in found) + reserved - freed
    available += freed - need
    for segment in sorted(removable, key=lambda segment: segment.changed):
        if _holds(limits, used, available):
            break
        gone[segment.path] = segment
        used, available = used - segment.room, available + segment.room
    return Plan(list(gone.values()), _holds(limits, used, available))


def _holds(limits: Limits, used: int, available: int) -> bool:
    return available >= limits.floor and (not limits.total or used <= limits.total)


def remove(gone: list[Segment]) -> None:
    """Directories that are left empty go too, unless a writer is at work in them."""
    for segment in gone:
        segment.path.unlink(missing_ok=True)
    for place in {segment.path.parent for segment in gone}:
        with contextlib.suppress(OSError):  # not empty
            if not is_live(place):
                place.rmdir()
                place.parent.rmdir()


@contextlib.contextmanager
def making_room(root: Path) -> Iterator[None]:
    """One process at a time: two that look at once would both take the same room."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def tidy(root: Path, limits: Limits, *, before: float = 0.0, dry_run: bool = False) -> int:
    """Apply all limits once; how many segments went, or would go."""
    if not root.is_dir():
        return 0
    with making_room(root):
        gone = plan(list(logs(root)), limits, available=free(root), before=before).gone
        if not dry_run:
            remove(gone)
    return len(gone)


# --- the writer -------------------------------------------------------------------------------


class Writer:
    """Writes one log. `offset` counts every byte that came, written or dropped."""

    def __init__(self, directory: Path, root: Path, limits: Limits, segment: int) -> None:
        self._directory, self._root = directory, root
        self._limits, self._segment = limits, segment
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = lock(directory)
        found = segments(directory)
        self.offset = found[-1].end if found else 0
        self._file, self._left = -1, 0
        self._retry_at = 0.0

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            if not self._has_room(len(view)):
                self._close()
                self.offset += len(view)
                return
            try:
                written = os.write(self._file, view[: self._left])
            except OSError:  # the disk is full, or a quota of the file system is
                self._retry_at = time.monotonic() + RETRY_SECONDS
                continue
            view = view[written:]
            self.offset, self._left = self.offset + written, self._left - written

    def close(self) -> None:
        self._close()
        os.close(self._lock)

    def _has_room(self, size: int) -> bool:
        """Whether there is a file to write to; a new one is begun where that is needed."""
        if time.monotonic() < self._retry_at:
            return False
        if self._left and free(self._directory) - size >= self._limits.floor:
            return True
        try:
            if self._begin():
                return True
        except OSError:
            pass
        self._retry_at = time.monotonic() + RETRY_SECONDS
        return False

    def _begin(self) -> bool:
        """Make room for a whole segment, and open it."""
        self._close()
        with making_room(self._root):
            made = plan(
                list(logs(self._root)),
                self._limits,
                available=free(self._directory),
                need=self._segment,
                own=self._directory,
            )
            remove(made.gone)
            if not made.fits:
                return False
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._file = os.open(self._directory / f"{self.offset:016}", flags, 0o600)
        self._left = self._segment
        return True

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file, self._left = -1, 0


def lock(directory: Path) -> int:
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return handle


def main(arguments: list[str]) -> None:
    directory, root = Path(arguments[0]), Path(arguments[1])
    segment, pane, total, floor = map(int, arguments[2:])
    writer = Writer(directory, root, Limits(pane, total, floor), segment)
    while data := os.read(sys.stdin.fileno(), READ):
        writer.write(data)


if __name__ == "__main__":
    main(sys.argv[1:])
