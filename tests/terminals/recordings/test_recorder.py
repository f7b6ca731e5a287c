"""The recorder process on its own: every byte in any reads, times, limits, and its end reason."""

import contextlib
import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from terminals.recordings import recorder
from terminals.recordings.files import RecordingFiles
from terminals.recordings.recorder import END, OUTPUT, Recorder, truncate_partial_event, window_size
from tests.waiting import LONGEST_SECONDS, wait_until

NO_LIMIT = 1 << 40


def start(
    directory: Path,
    *,
    byte_limit: int = NO_LIMIT,
    free_bytes: int = 0,
    tty: str = "/nowhere",
    size: str = "",
) -> "subprocess.Popen[bytes]":
    """As tmux starts it: without site packages and without our modules."""
    limits = [str(byte_limit), str(free_bytes)]
    arguments = [str(directory), repr(time.time()), *limits, tty, size]
    command = [sys.executable, "-I", "-S", recorder.__file__, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def feed(process: "subprocess.Popen[bytes]", *pieces: bytes) -> None:
    assert process.stdin is not None
    for piece in pieces:
        process.stdin.write(piece)
        process.stdin.flush()
    process.stdin.close()
    assert process.wait(LONGEST_SECONDS) == 0


def read(directory: Path) -> list[tuple[float, str, str]]:
    lines = (directory / OUTPUT).read_text().splitlines()
    return [(event[0], event[1], event[2]) for event in map(json.loads, lines)]


def text(directory: Path) -> str:
    return "".join(data for _, code, data in read(directory) if code == "o")


def end_reason(directory: Path) -> str:
    return str(json.loads((directory / END).read_text())["why"])


def test_every_byte_of_a_flood_is_recorded(tmp_path: Path) -> None:
    flood = "".join(f"\x1b[3{n % 8}m{n} größe 漢字 😀\r\n" for n in range(60_000)).encode()
    feed(start(tmp_path), flood)
    assert text(tmp_path).encode() == flood
    times = [event[0] for event in read(tmp_path)]
    assert times == sorted(times)
    assert end_reason(tmp_path) == "closed"


def test_a_character_split_between_reads_stays_whole(tmp_path: Path) -> None:
    file = os.open(tmp_path / OUTPUT, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    writer = Recorder(file, time.time(), NO_LIMIT, 0, "/nowhere", "")
    for byte in "a漢😀é".encode():
        writer.take(bytes([byte]))
    os.close(file)
    assert text(tmp_path) == "a漢😀é"


def test_invalid_utf8_becomes_a_replacement_character(tmp_path: Path) -> None:
    feed(start(tmp_path), b"a\xff\xfeb\xe6\xbc")
    assert text(tmp_path) == "a��b�"


def test_it_stops_at_its_limit_with_the_reason(tmp_path: Path) -> None:
    process = start(tmp_path, byte_limit=200_000)
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(b"x" * 10_000_000)
    assert process.wait(LONGEST_SECONDS) == 0
    assert end_reason(tmp_path) == "size"
    assert 200_000 <= (tmp_path / OUTPUT).stat().st_size < 400_000


def test_it_stops_when_the_disk_is_nearly_full(tmp_path: Path) -> None:
    process = start(tmp_path, free_bytes=1 << 62)
    assert process.stdin is not None
    process.stdin.write(b"one")
    process.stdin.flush()
    assert process.wait(LONGEST_SECONDS) == 0
    assert (end_reason(tmp_path), text(tmp_path)) == ("disk", "one")


def test_a_resize_event_precedes_the_output_in_the_new_size(tmp_path: Path) -> None:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
    feed(start(tmp_path, tty=os.ttyname(slave), size="80x24"), b"x")
    assert [event[1:] for event in read(tmp_path)] == [("r", "101x33"), ("o", "x")]
    assert window_size("/nowhere") == ""
    os.close(master)
    os.close(slave)


def test_it_continues_after_a_recorder_that_was_killed_while_writing(tmp_path: Path) -> None:
    (tmp_path / OUTPUT).write_text('[0.1, "o", "one"]\n[0.2, "o", "ha')
    feed(start(tmp_path), b"two")
    assert text(tmp_path) == "onetwo"


def test_a_complete_file_is_not_truncated(tmp_path: Path) -> None:
    for content in (b"", b"[1]\n", b"x" * recorder.LINE + b"\n[1]\n"):
        path = tmp_path / "file"
        path.write_bytes(content)
        file = os.open(path, os.O_RDWR)
        truncate_partial_event(file)
        os.close(file)
        assert path.read_bytes() == content


def test_its_lock_shows_whether_it_is_running(tmp_path: Path) -> None:
    files, process = RecordingFiles(tmp_path), start(tmp_path)
    wait_until(lambda: files.running)
    process.kill()
    process.wait(LONGEST_SECONDS)
    assert (files.running, files.end_reason) == (False, "")  # a killed recorder gives no reason
