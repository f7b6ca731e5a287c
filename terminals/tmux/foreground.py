"""Who has a pane's terminal: its foreground process group, read from /proc.

Not detection of agents: that is agents/detect.py, which asks this for every pane.
"""

import array
import fcntl
import os
import termios
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

SHELLS = frozenset({"bash", "zsh", "sh", "fish", "tcsh", "csh", "ksh", "ksh93", "mksh", "dash"})


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    name: str
    state: str
    group: int
    front: int  # the foreground group of its terminal


def process(pid: int) -> Process | None:
    """None when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    name, _, rest = stat.partition("(")[2].rpartition(")")
    fields = rest.split()
    return Process(pid, name, fields[0], int(fields[2]), int(fields[5]))


def in_front(pane_pid: int) -> Process | None:
    """The leader of the group that reads what is typed into the pane."""
    shell = process(pane_pid)
    if shell is None or shell.front <= 0:
        return None
    return shell if shell.front == shell.pid else process(shell.front)


def shell_in_front(pane_pid: int) -> str:
    """The name of the shell that has a pane's terminal, or nothing if another program has it."""
    leader = in_front(pane_pid)
    name = leader.name.removeprefix("-") if leader is not None else ""
    return name if name in SHELLS else ""


def is_idle(pane_pid: int) -> bool:
    """Whether the foreground group is one sleeping process, with nothing that it waits for."""
    leader = in_front(pane_pid)
    return leader is not None and leader.state == "S" and not _helped(leader)


class Echo(StrEnum):
    """What becomes of the characters that are typed into a terminal."""

    SHOWN = "shown"  # the kernel shows them
    HIDDEN = "hidden"  # a line is read and not shown: a password
    PROGRAM = "program"  # up to the program, which reads key by key
    UNKNOWN = "unknown"


def echo_of(tty: str) -> Echo:
    """About 10 µs."""
    try:
        terminal = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return Echo.UNKNOWN
    try:
        flags = termios.tcgetattr(terminal)[3]
    except termios.error:
        return Echo.UNKNOWN
    finally:
        os.close(terminal)
    if not flags & termios.ICANON:
        return Echo.PROGRAM
    return Echo.SHOWN if flags & termios.ECHO else Echo.HIDDEN


def unread(tty: str) -> int:
    """Bytes that were typed and that no program has read yet: one that is stopped reads none."""
    try:
        terminal = os.open(tty, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return 0
    count = array.array("i", [0])
    try:
        fcntl.ioctl(terminal, termios.FIONREAD, count)
    except OSError:
        return 0
    finally:
        os.close(terminal)
    return count[0]


def edits_a_line(tty: str) -> bool:
    """Whether the terminal is out of its line mode: a shell with an editor is at its prompt."""
    return echo_of(tty) is Echo.PROGRAM


def _helped(leader: Process) -> bool:
    """fish and ksh run what a sourced file starts in their own group."""
    try:
        children = Path(f"/proc/{leader.pid}/task/{leader.pid}/children").read_text().split()
    except OSError:
        return False
    found = (process(int(child)) for child in children)
    return any(child is not None and child.group == leader.group for child in found)
