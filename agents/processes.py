"""The processes in the panes: one pass over /proc by foreground group; psutil where there is none.

Not what they are: that is detect.py. Only where the program in front is a shell, an interpreter or
unknown are its descendants read.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from agents import detect
from agents.detect import Found, Process, Table
from agents.rules import Rules

PROC = Path("/proc")
DEEPEST = 6  # shell → npx → sh → node → agent, and one to spare
MOST = 64  # descendants of one pane; a build may have thousands


@dataclass(frozen=True, slots=True)
class Usage:
    memory: int  # bytes, with its descendants
    cpu: float  # seconds so far, likewise


@dataclass(frozen=True, slots=True)
class _Stat:
    pid: int
    name: str
    state: bytes
    group: int
    front: int  # the foreground group of its terminal
    threads: int
    started: int

    @property
    def stopped(self) -> bool:
        return self.state in {b"T", b"t", b"Z"}


class Scanner:
    """Remembers the command lines: those change only with the process."""

    def __init__(self, rules: Iterable[Rules], proc: Path = PROC) -> None:
        self._table = Table(rules)
        self._proc = f"{proc}"
        self._native = (proc / "self" / "stat").exists()
        self._known: dict[tuple[int, str, int], Process] = {}
        self._fresh: dict[tuple[int, str, int], Process] = {}

    def scan(self, pane_pids: Mapping[str, int]) -> dict[str, Found]:
        """Pane → its agent, for those that have one."""
        self._fresh = {}
        look = self._look if self._native else _by_psutil(self._table)
        found = {pane: agent for pane, pid in pane_pids.items() if (agent := look(pid))}
        self._known = self._fresh
        return found

    def _look(self, pane_pid: int) -> Found | None:
        leader = self._leader(pane_pid)
        if leader is None:
            return None
        if agent := detect.in_front(leader, self._table):
            return agent
        if detect.wants_path(leader):
            leader = replace(leader, program=self._program(leader.pid))
        return detect.behind(leader, self._descendants(leader), self._table)

    def _leader(self, pane_pid: int) -> Process | None:
        first = self._stat(pane_pid)
        if first is None or first.front <= 0 or first.front == pane_pid:
            return self._process(first) if first else None
        # The leader may have ended before the rest of its group.
        return self._process(self._stat(first.front) or first)

    def _stat(self, pid: int) -> "_Stat | None":
        _, _, rest = self._read(pid, "stat").partition(b"(")
        name, _, tail = rest.rpartition(b")")  # a name may hold brackets
        fields = tail.split()
        if len(fields) < 20:
            return None
        group, front, threads, started = (int(fields[number]) for number in (2, 5, 17, 19))
        text = name.decode("utf-8", "replace")
        return _Stat(pid, text, fields[0], group, front, threads, started)

    def _process(self, stat: "_Stat") -> Process:
        key = (stat.pid, stat.name, stat.started)
        process = self._known.get(key)
        if process is None:
            words = self._read(stat.pid, "cmdline").decode("utf-8", "replace").split("\0")
            process = Process(stat.pid, stat.name, arguments=tuple(words[:MOST]))
        now = (stat.group, stat.stopped, stat.threads)
        if now != (process.group, process.stopped, process.threads):
            process = replace(process, group=now[0], stopped=now[1], threads=now[2])
        # Between the name and the arguments of a program that starts there is a moment: one that
        # was read then must be read again.
        if any(process.arguments):
            self._fresh[key] = process
        return process

    def _descendants(self, leader: Process) -> Iterator[Process]:
        """Nearest first, so that a wrapper is found before its helpers."""
        level, count = [leader], 0
        for _ in range(DEEPEST):
            below: list[Process] = []
            for child in (child for parent in level for child in self._children(parent)):
                count += 1
                if count > MOST:
                    return
                if stat := self._stat(child):
                    below.append(self._process(stat))
                    yield below[-1]
            level = below

    def _children(self, process: Process) -> list[int]:
        """Of all its threads: each knows only those that it started itself."""
        pid, threads = process.pid, [f"{process.pid}"]
        if process.threads > 1:
            with contextlib.suppress(OSError):
                threads = os.listdir(f"{self._proc}/{pid}/task")[:MOST]
        told = b" ".join(self._read(pid, f"task/{thread}/children") for thread in threads)
        return [int(child) for child in told.split()]

    def _program(self, pid: int) -> str:
        try:
            return os.readlink(f"{self._proc}/{pid}/exe")
        except OSError:
            return ""

    def _read(self, pid: int, name: str) -> bytes:
        try:
            descriptor = os.open(f"{self._proc}/{pid}/{name}", os.O_RDONLY)
        except OSError:
            return b""
        try:
            return os.read(descriptor, 65536)
        except OSError:
            return b""
        finally:
            os.close(descriptor)


# --- without /proc ----------------------------------------------------------------------------


def _by_psutil(table: Table) -> Callable[[int], Found | None]:
    """Cannot tell who has the terminal: every descendant that is not stopped counts."""

    def look(pane_pid: int) -> Found | None:
        try:
            leader = _of_psutil(psutil.Process(pane_pid), group=1)
            children = psutil.Process(pane_pid).children(recursive=True)[:MOST]
        except psutil.Error:
            return None
        started = (_of_psutil(child, group=1) for child in children)
        return detect.in_front(leader, table) or detect.behind(leader, started, table)

    return look


def _of_psutil(process: psutil.Process, group: int) -> Process:
    try:
        stopped = process.status() in {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE}
        words = tuple(process.cmdline()[:MOST])
        return Process(process.pid, process.name(), group, stopped, words, process.exe())
    except psutil.Error:
        return Process(process.pid, "", group, stopped=True)


def usage(pid: int) -> Usage | None:
    """What an agent and all that it started take; None when it is gone."""
    try:
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return None
    memory, cpu = 0, 0.0
    for process in family:
        with contextlib.suppress(psutil.Error), process.oneshot():
            memory += process.memory_info().rss
            times = process.cpu_times()
            cpu += times.user + times.system
    return Usage(memory, cpu)
