"""The program that tmux pipes a recorded pane into: reads stdin, writes asciicast events.

A separate process that imports only the standard library: it keeps running when webtmux stops, and
gets the output of a pane up to its end. It holds a lock on its file while it runs, and writes the
reason for its end to `end.json`, unless it is killed. On a loaded machine tmux 3.3a may drop the
last output of a program that exits at once: it closes the terminal before it has read everything.

    python -I -S recorder.py DIRECTORY BEGAN BYTE_LIMIT FREE_BYTES TTY SIZE
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
READ = 64 * 1024  # bytes per read: the capacity of a pipe
GATHER_SECONDS = 0.015  # writes within this time become one event; shorter than a screen frame
SYNC_SECONDS = 5.0  # what a power failure may lose; events are written at once, but not synced
LOCK_SECONDS = 10.0  # for an earlier recorder of the same file to finish
LINE = 1024 * 1024  # bytes: more than the longest event, a full read of control characters as JSON


@dataclass
class Recorder:
    """Turns bytes into events and writes them. Does not read the pipe."""

    file: int
    began: float  # seconds since 1970; all times are relative to it
    byte_limit: int  # of this file
    free_bytes: int  # that must stay free on its disk
    tty: str
    size: str
    written: int = 0
    last: float = 0.0
    synced: float = 0.0

    def __post_init__(self) -> None:
        # A character may be split between two reads. Invalid UTF-8 becomes U+FFFD: the format is
        # text and cannot represent it.
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
        """Why nothing more may be written. Empty while it may."""
        if self.written >= self.byte_limit:
            return "size"
        disk = os.fstatvfs(self.file)
        return "disk" if disk.f_bavail * disk.f_frsize < self.free_bytes else ""

    def _write(self, code: str, text: str) -> None:
        # Times never decrease, even when the clock is set back.
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
    """`80x24`. Opened each time: an open terminal would keep a dead pane from ending."""
    try:
        terminal = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        packed = fcntl.ioctl(terminal, termios.TIOCGWINSZ, b"\0" * 8)
    except OSError:
        return ""
    finally:
        os.close(terminal)
    rows, columns = struct.unpack("HHHH", packed)[:2]
    return f"{columns}x{rows}" if columns and rows else ""


def read_burst(pipe: int) -> bytes:
    """Bytes that arrive together. Empty at the end of the pipe."""
    data = os.read(pipe, READ)
    deadline = time.monotonic() + GATHER_SECONDS
    while data and len(data) < READ and (left := deadline - time.monotonic()) > 0:
        if not select.select([pipe], [], [], left)[0]:
            break
        more = os.read(pipe, READ - len(data))
        if not more:
            break  # the next read returns the end again
        data += more
    return data


def record(recorder: Recorder, pipe: int) -> str:
    """Runs until the pipe ends or a limit is reached, and returns which."""
    while data := read_burst(pipe):
        recorder.take(data)
        if reason := recorder.full:
            recorder.take(b"", final=True)
            return reason
    recorder.take(b"", final=True)
    return "closed"


def truncate_partial_event(file: int) -> None:
    """Remove the incomplete last event of a recorder that was killed."""
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


def write_end(directory: Path, reason: str) -> None:
    draft = directory / f"{END}.draft"
    draft.write_text(json.dumps({"why": reason}))
    draft.replace(directory / END)


def main(arguments: list[str]) -> None:
    path, began, byte_limit, free_bytes, tty, size = arguments
    directory = Path(path)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    file = os.open(directory / OUTPUT, flags, 0o600)
    lock(file)
    truncate_partial_event(file)
    (directory / END).unlink(missing_ok=True)
    recorder = Recorder(file, float(began), int(byte_limit), int(free_bytes), tty, size)
    reason = "disk"
    with contextlib.suppress(OSError):  # the disk is full
        reason = record(recorder, sys.stdin.fileno())
    with contextlib.suppress(OSError):  # the disk may be too full for this, too
        write_end(directory, reason)


if __name__ == "__main__":
    main(sys.argv[1:])
