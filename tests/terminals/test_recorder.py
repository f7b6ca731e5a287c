"""The recorder's process, by itself: every byte, whatever the reads; times; limits; its own end."""

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

from terminals import recorder
from terminals.recorder import END, OUTPUT, Recorder, mend, window_size
from terminals.recording_files import Files

MOST = 1 << 40


def start(
    directory: Path, *, most: int = MOST, floor: int = 0, tty: str = "/nowhere", size: str = ""
) -> "subprocess.Popen[bytes]":
    """As tmux starts it: no site packages, nothing of ours."""
    told = [str(directory), repr(time.time()), str(most), str(floor), tty, size]
    command = [sys.executable, "-I", "-S", recorder.__file__, *told]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def feed(process: "subprocess.Popen[bytes]", *pieces: bytes) -> None:
    assert process.stdin is not None
    for piece in pieces:
        process.stdin.write(piece)
        process.stdin.flush()
    process.stdin.close()
    assert process.wait(30) == 0


def read(directory: Path) -> list[tuple[float, str, str]]:
    lines = (directory / OUTPUT).read_text().splitlines()
    return [(event[0], event[1], event[2]) for event in map(json.loads, lines)]


def text(directory: Path) -> str:
    return "".join(data for _, code, data in read(directory) if code == "o")


def why(directory: Path) -> str:
    return str(json.loads((directory / END).read_text())["why"])


def test_every_byte_of_a_flood_is_recorded(tmp_path: Path) -> None:
    flood = "".join(f"\x1b[3{n % 8}m{n} größe 漢字 😀\r\n" for n in range(60_000)).encode()
    feed(start(tmp_path), flood)
    assert text(tmp_path).encode() == flood
    times = [event[0] for event in read(tmp_path)]
    assert times == sorted(times)
    assert why(tmp_path) == "closed"


def test_a_character_that_is_cut_between_reads_stays_whole(tmp_path: Path) -> None:
    file = os.open(tmp_path / OUTPUT, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    taking = Recorder(file, time.time(), MOST, 0, "/nowhere", "")
    for byte in "a漢😀é".encode():
        taking.take(bytes([byte]))
    os.close(file)
    assert text(tmp_path) == "a漢😀é"


def test_what_is_no_text_becomes_a_replacement_character(tmp_path: Path) -> None:
    feed(start(tmp_path), b"a\xff\xfeb\xe6\xbc")
    assert text(tmp_path) == "a��b�"


def test_it_stops_at_its_limit_and_says_so(tmp_path: Path) -> None:
    process = start(tmp_path, most=200_000)
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(b"x" * 10_000_000)
    assert process.wait(30) == 0
    assert why(tmp_path) == "size"
    assert 200_000 <= (tmp_path / OUTPUT).stat().st_size < 400_000


def test_it_stops_where_the_disk_is_nearly_full(tmp_path: Path) -> None:
    process = start(tmp_path, floor=1 << 62)
    assert process.stdin is not None
    process.stdin.write(b"one")
    process.stdin.flush()
    assert process.wait(30) == 0
    assert (why(tmp_path), text(tmp_path)) == ("disk", "one")


def test_a_change_of_size_is_an_event_before_what_is_printed_in_it(tmp_path: Path) -> None:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
    feed(start(tmp_path, tty=os.ttyname(slave), size="80x24"), b"x")
    assert [event[1:] for event in read(tmp_path)] == [("r", "101x33"), ("o", "x")]
    assert window_size("/nowhere") == ""
    os.close(master)
    os.close(slave)


def test_it_goes_on_after_one_that_was_killed_in_the_middle_of_an_event(tmp_path: Path) -> None:
    (tmp_path / OUTPUT).write_text('[0.1, "o", "one"]\n[0.2, "o", "ha')
    feed(start(tmp_path), b"two")
    assert text(tmp_path) == "onetwo"


def test_a_file_that_is_whole_is_left_as_it_is(tmp_path: Path) -> None:
    for content in (b"", b"[1]\n", b"x" * recorder.LINE + b"\n[1]\n"):
        path = tmp_path / "file"
        path.write_bytes(content)
        file = os.open(path, os.O_RDWR)
        mend(file)
        os.close(file)
        assert path.read_bytes() == content


def test_whether_it_runs_is_told_by_its_lock(tmp_path: Path) -> None:
    files, process = Files(tmp_path), start(tmp_path)
    deadline = time.monotonic() + 30
    while not files.running:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait(30)
    assert (files.running, files.end) == (False, "")  # it could not say why
