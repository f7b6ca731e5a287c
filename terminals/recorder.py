"""The process that tmux pipes a recorded pane into: bytes on stdin, asciicast events into a file.

A program of its own, with nothing but the standard library: it outlives webtmux, and gets what a
pane prints up to its very end. It holds a lock on its file while it runs, and says in `end.json`
why it stopped; one that was killed says nothing.

    python -I -S recorder.py DIRECTORY BEGAN MOST FLOOR TTY SIZE
"""

import codecs
import contextlib
import fcntl
import json
import os
import select
import struct
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

OUTPUT, END = "output.jsonl", "end.json"
READ = 64 * 1024  # bytes at a time: what a pipe holds
GATHER_SECONDS = 0.015  # a program's single writes become one event; less than a frame of a screen
SYNC_SECONDS = 5.0  # what a power cut may cost; every event is in the file at once
LOCK_SECONDS = 10.0  # for a recorder before this one to finish what it holds
LINE = 1024 * 1024  # bytes: more than the longest event, a read of control characters in JSON


@dataclass
class Recorder:
    """Events out of bytes. Knows the file it writes to, and no pipe."""

    file: int
    began: float  # seconds since 1970: the zero of all times
    most: int  # bytes of this file
    floor: int  # bytes that must stay free on its disk
    tty: str
    size: str
    written: int = 0
    last: float = 0.0
    synced: float = 0.0

    def __post_init__(self) -> None:
        # A character may be cut between two reads. What is no UTF-8 becomes U+FFFD: the format is
        # text, and has no other way to say it.
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.written = os.fstat(self.file).st_size

    def take(self, data: bytes, *, final: bool = False) -> None:
        if (size := window_size(self.tty)) and size != self.size:
            self.size = size
            self._write("r", size)
        if text := self._decoder.decode(data, final):
            self._write("o", text)
        self._sync(at_once=final)

    @property
    def full(self) -> str:
        """Why nothing more may be written; empty while it may."""
        if self.written >= self.most:
            return "size"
        room = os.fstatvfs(self.file)
        return "disk" if room.f_bavail * room.f_frsize < self.floor else ""

    def _write(self, code: str, text: str) -> None:
        # A clock that is set back does not make time run backwards.
        self.last = max(self.last, time.time() - self.began)
        line = json.dumps([round(self.last, 6), code, text], ensure_ascii=False).encode() + b"\n"
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self.file, rest) :]
        self.written += len(line)

    def _sync(self, *, at_once: bool) -> None:
        if at_once or time.monotonic() - self.synced > SYNC_SECONDS:
            self.synced = time.monotonic()
            os.fdatasync(self.file)


def window_size(tty: str) -> str:
    """`80x24`. Opened each time: a terminal that stays open would keep a dead pane from ending."""
    try:
        terminal = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        told = fcntl.ioctl(terminal, termios.TIOCGWINSZ, b"\0" * 8)
    except OSError:
        return ""
    finally:
        os.close(terminal)
    rows, columns = struct.unpack("HHHH", told)[:2]
    return f"{columns}x{rows}" if columns and rows else ""


def gathered(pipe: int) -> bytes:
    """What comes together; nothing at the end."""
    data = os.read(pipe, READ)
    deadline = time.monotonic() + GATHER_SECONDS
    while data and len(data) < READ and (left := deadline - time.monotonic()) > 0:
        if not select.select([pipe], [], [], left)[0]:
            break
        more = os.read(pipe, READ - len(data))
        if not more:
            break  # the next read says so again
        data += more
    return data


def record(recorder: Recorder, pipe: int) -> str:
    """Until the pipe ends, or there is no more room; says which."""
    while data := gathered(pipe):
        recorder.take(data)
        if why := recorder.full:
            recorder.take(b"", final=True)
            return why
    recorder.take(b"", final=True)
    return "closed"


def mend(file: int) -> None:
    """Without the half of an event that a recorder before this one could not finish."""
    size = os.fstat(file).st_size
    tail = os.pread(file, LINE, max(0, size - LINE))
    os.ftruncate(file, size - len(tail) + tail.rfind(b"\n") + 1)


def lock(file: int) -> None:
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def finish(directory: Path, why: str) -> None:
    draft = directory / f"{END}.draft"
    draft.write_text(json.dumps({"why": why}))
    draft.replace(directory / END)


def main(arguments: list[str]) -> None:
    place, began, most, floor, tty, size = arguments
    directory = Path(place)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    file = os.open(directory / OUTPUT, flags, 0o600)
    lock(file)
    mend(file)
    (directory / END).unlink(missing_ok=True)
    recorder = Recorder(file, float(began), int(most), int(floor), tty, size)
    why = "disk"
    with contextlib.suppress(OSError):  # the disk is full: the end is said if there is room for it
        why = record(recorder, sys.stdin.fileno())
    with contextlib.suppress(OSError):
        finish(directory, why)


if __name__ == "__main__":
    main(sys.argv[1:])
