"""The program that tmux pipes a logged pane into: reads stdin, writes files of limited size.

A separate process that imports only the standard library: it keeps running when webtmux stops, so
it enforces the limits itself. The server uses the same rules for `manage.py prune` and its worker.

    python -I -S writer.py DIRECTORY ROOT SEGMENT PANE TOTAL FLOOR

A log is a directory of segments. A segment is named after the offset of its first byte, counted
from the start of the log. If there is no space, output is dropped but still counted: readers see
from the offsets that bytes are missing. The writer holds a lock on its directory while it runs.
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

READ = 64 * 1024  # bytes per read: the capacity of a pipe
BLOCK = 4096  # the minimum that a file takes on disk: many small files count as well
SEGMENT = 16 * 1024 * 1024
SEGMENTS = 16  # minimum per log, so that removing the oldest segment removes little
SMALLEST_SEGMENT = 64 * 1024
LOCK_SECONDS = 10.0  # for an earlier writer of the same log to finish
RETRY_SECONDS = 1.0  # between two checks for free space
LOCK = ".lock"  # in the root: one process at a time frees space there
_OFFSET_NAME = re.compile(r"\d{16}")
_NUMBER_NAME = re.compile(r"\d{6}")  # written by split(1) up to version 0.1: number times SEGMENT


@dataclass(frozen=True, slots=True)
class LogLimits:
    """In bytes; 0 means no limit."""

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
class StoredLog:
    segments: tuple[Segment, ...]  # oldest first, at least one
    live: bool  # a writer is running

    @property
    def used(self) -> int:
        return sum(segment.room for segment in self.segments)


# --- existing logs ----------------------------------------------------------------------------


def segments(directory: Path, *, numbered: int = SEGMENT) -> list[Segment]:
    """Oldest first. `numbered`: the size of segments that are named by their number."""
    rows = []
    with contextlib.suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            if _OFFSET_NAME.fullmatch(entry.name):
                start = int(entry.name)
            elif _NUMBER_NAME.fullmatch(entry.name):
                start = int(entry.name) * numbered
            else:
                continue
            with contextlib.suppress(FileNotFoundError):  # removed since it was listed
                status = entry.stat(follow_symlinks=False)
                rows.append(Segment(start, status.st_size, status.st_mtime, Path(entry.path)))
    return sorted(rows, key=lambda segment: segment.start)


def logs(root: Path) -> Iterator[StoredLog]:
    """Every log below a directory that has segments."""
    for directory, _, _ in os.walk(root):
        if rows := segments(Path(directory)):
            yield StoredLog(tuple(rows), is_live(Path(directory)))


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
    """Bytes that are free on its disk."""
    disk = os.statvfs(directory)
    return disk.f_bavail * disk.f_frsize


# --- removing segments ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Removal:
    segments: list[Segment]
    sufficient: bool  # whether all limits hold afterwards


def plan_removal(
    stored: list[StoredLog],
    limits: LogLimits,
    *,
    available: int,
    need: int = 0,
    own: Path | None = None,
    before: float = 0.0,
) -> Removal:
    """The segments to remove so that all limits hold, oldest first.

    `available`: bytes free on the disk. `need`: bytes that the log in directory `own` is about to
    write. `before`: a log last written before this time is removed whole if its pane has ended.
    A live log keeps its last segment, which its writer may still fill.
    """
    removed: dict[Path, Segment] = {}
    removable: list[Segment] = []
    reserved = need
    for log in stored:
        is_own = log.segments[0].path.parent == own
        keeps_last = log.live and not is_own
        if not log.live and log.segments[-1].changed < before:
            removed.update((segment.path, segment) for segment in log.segments)
            continue
        closed = log.segments[:-1] if keeps_last else log.segments
        reserved += max(0, limits.segment - log.segments[-1].room) if keeps_last else 0
        over = log.used + (need if is_own else 0) - limits.pane if limits.pane else 0
        for segment in closed:
            if over > 0:
                removed[segment.path] = segment
                over -= segment.room
            else:
                removable.append(segment)
    freed = sum(segment.room for segment in removed.values())
    used = sum(log.used for log in stored) + reserved - freed
    available += freed - need
    for segment in sorted(removable, key=lambda segment: segment.changed):
        if _holds(limits, used, available):
            break
        removed[segment.path] = segment
        used, available = used - segment.room, available + segment.room
    return Removal(list(removed.values()), _holds(limits, used, available))


def _holds(limits: LogLimits, used: int, available: int) -> bool:
    return available >= limits.floor and (not limits.total or used <= limits.total)


def remove(old: list[Segment]) -> None:
    """Directories that become empty are removed too, unless a writer uses them."""
    for segment in old:
        segment.path.unlink(missing_ok=True)
    for directory in {segment.path.parent for segment in old}:
        with contextlib.suppress(OSError):  # not empty
            if not is_live(directory):
                directory.rmdir()
                directory.parent.rmdir()


@contextlib.contextmanager
def freeing_space(root: Path) -> Iterator[None]:
    """One process at a time: two at once would both count the same free space."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def enforce_limits(
    root: Path, limits: LogLimits, *, before: float = 0.0, dry_run: bool = False
) -> int:
    """Apply all limits once. Returns how many segments were, or would be, removed."""
    if not root.is_dir():
        return 0
    with freeing_space(root):
        removal = plan_removal(list(logs(root)), limits, available=free(root), before=before)
        if not dry_run:
            remove(removal.segments)
    return len(removal.segments)


# --- the writer -------------------------------------------------------------------------------


class Writer:
    """Writes one log. `offset` counts every byte received, written or dropped."""

    def __init__(self, directory: Path, root: Path, limits: LogLimits, segment: int) -> None:
        self._directory, self._root = directory, root
        self._limits, self._segment = limits, segment
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = lock(directory)
        existing = segments(directory)
        self.offset = existing[-1].end if existing else 0
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
            except OSError:  # the disk or a quota of the file system is full
                self._retry_at = time.monotonic() + RETRY_SECONDS
                continue
            view = view[written:]
            self.offset, self._left = self.offset + written, self._left - written

    def close(self) -> None:
        self._close()
        os.close(self._lock)

    def _has_room(self, size: int) -> bool:
        """Whether there is a file to write to. Begins a new segment if needed."""
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
        """Free space for a whole segment, and open it."""
        self._close()
        with freeing_space(self._root):
            removal = plan_removal(
                list(logs(self._root)),
                self._limits,
                available=free(self._directory),
                need=self._segment,
                own=self._directory,
            )
            remove(removal.segments)
            if not removal.sufficient:
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
    writer = Writer(directory, root, LogLimits(pane, total, floor), segment)
    while data := os.read(sys.stdin.fileno(), READ):
        writer.write(data)


if __name__ == "__main__":
    main(sys.argv[1:])
