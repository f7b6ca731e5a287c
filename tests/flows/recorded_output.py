"""Terminal output to join at random moments: screens of real agents, programs, and styled noise."""

import fcntl
import os
import pty
import random
import select
import struct
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "tests" / "agents" / "screens"
RUNTIMES = ("claude", "codex", "copilot", "gemini", "opencode")
WORDS = [
    "alpha",
    "größe",
    "漢字",
    "日本語",
    "─┼─",
    "x",
    " ",
    "      ",
    "0123456789",
    "e\u0301",
    "→",
]
QUIET_SECONDS = 0.3  # without output a program waits for the next key
PROGRAM_SECONDS = 30.0
PROGRAMS: dict[str, tuple[list[str], list[bytes]]] = {
    "ls": (["ls", "-la", "--color=always", "/usr/bin", "/etc", "/dev"], []),
    "git log": (["git", "-C", str(ROOT), "--no-pager", "log", "-p", "-8", "--color=always"], []),
    "vim": (
        ["vim", "-n", "-u", "NONE", "-c", "set nocp bg=light nu cul hls", "-c", "syntax on",
         "-c", "/def", str(ROOT / "manage.py")],
        [b"\x06", b"\x02", b"ggVGd", b"u", b":split\r", b"\x06", b":qa!\r"],
    ),
    "less": (
        ["less", "-R", "-N", str(ROOT / "Makefile")],
        [b" ", b" ", b"/run\r", b"n", b"b", b"q"],
    ),
}  # fmt: skip  # arguments next to the keys


def agent_screens(runtime: str, size: str) -> bytes:
    """The captured screens of an agent, printed one after the other."""
    files = sorted((SCREENS / runtime).glob(f"{size}--*.txt"))
    return b"\x1b[0m\r\n".join(file.read_bytes().replace(b"\n", b"\r\n") for file in files)


def agent_redraws(runtime: str, size: str) -> bytes:
    """The same screens, each drawn over the one before, as a full-screen program does it."""
    files = sorted((SCREENS / runtime).glob(f"{size}--*.txt"))
    frames = [file.read_bytes().rstrip(b"\n").replace(b"\n", b"\x1b[K\r\n") for file in files]
    return b"".join(b"\x1b[H\x1b[0m%b\x1b[0m\x1b[J" % frame for frame in frames)


def program(name: str, size: str) -> bytes:
    """What a program prints on a terminal of this size while the keys are typed."""
    arguments, keys = PROGRAMS[name]
    columns, rows = map(int, size.split("x"))
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LESS="", LANG="C.UTF-8")
        os.execvp(arguments[0], arguments)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    waiting, output, end = list(keys), b"", time.monotonic() + PROGRAM_SECONDS
    try:
        while time.monotonic() < end:
            if select.select([terminal], [], [], QUIET_SECONDS)[0]:
                output += os.read(terminal, 65536)
            elif waiting:
                os.write(terminal, waiting.pop(0))
    except OSError:  # the program has ended
        pass
    os.close(terminal)
    os.waitpid(pid, 0)
    return output


def styled_noise(seed: int, length: int = 60_000) -> bytes:
    """Every attribute, colour, kind of line end and erasure that tmux knows; always the same."""
    chance, out, size = random.Random(seed), [], 0
    while size < length:
        out.append(_noise(chance).encode())
        size += len(out[-1])
    return b"".join(out)


def _noise(chance: random.Random) -> str:
    match chance.randrange(22):
        case 0 | 1 | 2 | 3:
            return _style(chance)
        case 4 | 5:
            return "\r\n"
        case 6:
            return chance.choice(["\x1b[0m\r\n", "\x1b[m", "\x1b[K", "\x1b[1K", "\x1b[2K", "\t"])
        case 7:
            return f"\x1b[{chance.randrange(1, 24)};{chance.randrange(1, 80)}H"
        case 8:
            return chance.choice(
                ["\x0elqqk\x0f", "\x1b(0mqqj\x1b(B", "\x1b)0", "\x1b(0xx", "\x1b(B"]
            )
        case 9:
            return chance.choice(["L", "M", "P", "@", "X", "S", "T"]).join(["\x1b[2", ""])
        case 10 if chance.random() < 0.1:
            return chance.choice(["\x1b[?1049h", "\x1b[?1049l", "\x1b[2J", "\x1b[J"])
        case 11:  # longer than a row
            return "".join(chance.choice(WORDS) for _ in range(chance.randrange(10, 80)))
        case 12 if chance.random() < 0.2:
            return chance.choice(
                ["\x1b[5;20r", "\x1b[r", "\x1b[?7l", "\x1b[?7h", "\x1b[4h", "\x1b[4l"]
            )
        case _:
            return " ".join(chance.choice(WORDS) for _ in range(chance.randrange(1, 12)))


def _style(chance: random.Random) -> str:
    parts = [
        _colour(chance, 3), _colour(chance, 4), _colour(chance, 4), "0",
        f"9{chance.randrange(8)}", f"10{chance.randrange(8)}",
        "1", "2", "3", "4", "4:2", "4:3", "4:4", "4:5", "5", "7", "8", "9", "53", "58;5;9",
        "22", "23", "24", "25", "27", "28", "29", "55", "59",
    ]  # fmt: skip  # a list of parameters
    return f"\x1b[{';'.join(chance.sample(parts, chance.randrange(1, 4)))}m"


def _colour(chance: random.Random, base: int) -> str:
    return chance.choice(
        [
            f"{base}{chance.randrange(8)}",
            f"{base}8;5;{chance.randrange(256)}",
            f"{base}8;2;{chance.randrange(256)};{chance.randrange(256)};{chance.randrange(256)}",
            f"{base}9",
        ]
    )
