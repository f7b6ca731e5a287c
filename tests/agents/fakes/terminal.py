"""The terminal of a fake agent: its size, and output to it."""

import fcntl
import os
import struct
import termios


def size() -> tuple[int, int]:
    rows, columns, _, _ = struct.unpack("4H", fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8))
    return max(20, columns), max(8, rows)


def write(text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]
