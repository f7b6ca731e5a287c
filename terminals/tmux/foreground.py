"""The foreground process of a pane's terminal and the terminal's line mode, from the kernel.

Agents are detected in agents/detection/.
"""

import array
import fcntl
import os
import termios
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

SHELLS = frozenset({"bash", "zsh", "sh", "fish", "tcsh", "csh", "ksh", "ksh93", "mksh", "dash"})
PASTING_SHELLS = frozenset({"bash", "zsh", "fish"})  # their line editors support bracketed paste


@dataclass(frozen=True, slots=True)
class ProcessStat:
    pid: int
    name: str
    state: str
    group: int
    foreground_group: int  # of its terminal


def process(pid: int) -> ProcessStat | None:
    """None if the process is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    name, _, rest = stat.partition("(")[2].rpartition(")")
    fields = rest.split()
    return ProcessStat(pid, name, fields[0], int(fields[2]), int(fields[5]))


def in_front(pane_pid: int) -> ProcessStat | None:
    """The leader of the process group that reads the keys of the pane."""
    shell = process(pane_pid)
    if shell is None or shell.foreground_group <= 0:
        return None
    return shell if shell.foreground_group == shell.pid else process(shell.foreground_group)


def shell_in_front(pane_pid: int) -> str:
    """The name of the shell in the foreground; empty if another program is there."""
    leader = in_front(pane_pid)
    name = leader.name.removeprefix("-") if leader is not None else ""
    return name if name in SHELLS else ""


def is_idle(pane_pid: int) -> bool:
    """Whether the foreground process sleeps and has no child in its own group."""
    leader = in_front(pane_pid)
    return leader is not None and leader.state == "S" and not _has_child_in_group(leader)


class Echo(StrEnum):
    """What happens to characters that are typed into a terminal."""

    SHOWN = "shown"  # the kernel echoes them
    HIDDEN = "hidden"  # a line is read without echo: a password
    PROGRAM = "program"  # the program decides: it reads key by key
    UNKNOWN = "unknown"


def echo_of(tty: str) -> Echo:
    """Takes about 10 µs."""
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
    """Bytes that were typed and not read yet: a program that is stopped reads none."""
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
    """Whether the terminal is not in line mode: a shell with a line editor is at its prompt."""
    return echo_of(tty) is Echo.PROGRAM


def takes_pastes(pane_pid: int, tty: str) -> bool:
    """Whether the foreground program can distinguish a bracketed paste from typed lines.

    It must read key by key: in line mode the kernel passes on each line of a paste. And a shell
    must be one that supports bracketed paste: any output may have enabled the mode before.
    """
    return edits_a_line(tty) and shell_in_front(pane_pid) in {"", *PASTING_SHELLS}


def _has_child_in_group(leader: ProcessStat) -> bool:
    """fish and ksh run the programs of a sourced file in their own process group."""
    try:
        children = Path(f"/proc/{leader.pid}/task/{leader.pid}/children").read_text().split()
    except OSError:
        return False
    stats = (process(int(child)) for child in children)
    return any(stat is not None and stat.group == leader.group for stat in stats)
