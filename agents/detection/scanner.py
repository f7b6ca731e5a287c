"""Reads the processes in panes: one pass over /proc by foreground group, or psutil without /proc.

classify.py decides what they are. Descendants are read only if the program in the foreground is a
shell, an interpreter or unknown.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from agents.detection import classify
from agents.detection.classify import DetectedAgent, PaneProcess, RuntimeTable
from agents.runtimes.loader import Rules

PROC = Path("/proc")
DEPTH_LIMIT = 6  # shell → npx → sh → node → agent, and one to spare
DESCENDANT_LIMIT = 64  # of one pane; a build may have thousands
WRITERS_LIMIT = 6  # processes of one agent whose output is counted


@dataclass(frozen=True, slots=True)
class Usage:
    memory: int  # bytes, including descendants
    cpu: float  # seconds so far, including descendants


@dataclass(frozen=True, slots=True)
class _Stat:
    pid: int
    name: str
    state: bytes
    group: int
    front: int  # the foreground process group of its terminal
    threads: int
    started: int

    @property
    def stopped(self) -> bool:
        return self.state in {b"T", b"t", b"Z"}


class Scanner:
    """Remembers command lines between scans, because they change only with the process."""

    def __init__(self, rules: Iterable[Rules], proc: Path = PROC) -> None:
        self._table = RuntimeTable(rules)
        self._proc = f"{proc}"
        self._native = (proc / "self" / "stat").exists()
        self._known: dict[tuple[int, str, int], PaneProcess] = {}
        self._fresh: dict[tuple[int, str, int], PaneProcess] = {}

    def scan(self, pane_pids: Mapping[str, int]) -> dict[str, DetectedAgent]:
        """The agents by pane."""
        self._fresh = {}
        detect = self._detect if self._native else _by_psutil(self._table)
        agents = {pane: agent for pane, pid in pane_pids.items() if (agent := detect(pid))}
        self._known = self._fresh
        return agents

    def writers(self, pid: int) -> tuple[int, ...]:
        """The process and its descendants in the same process group: any of them may paint.

        A launcher (npm, Gemini CLI) starts the program that paints as its child.
        """
        first = self._stat(pid) if self._native else None
        if first is None:
            return (pid,)
        below = self._descendants(self._process(first))
        group = [process.pid for process in below if process.group == first.group]
        return (pid, *group[: WRITERS_LIMIT - 1])

    def _detect(self, pane_pid: int) -> DetectedAgent | None:
        leader = self._leader(pane_pid)
        if leader is None:
            return None
        if agent := classify.in_front(leader, self._table):
            return agent
        if classify.wants_path(leader):
            leader = replace(leader, program=self._program(leader.pid))
        return classify.behind(leader, self._descendants(leader), self._table)

    def _leader(self, pane_pid: int) -> PaneProcess | None:
        first = self._stat(pane_pid)
        if first is None or first.front <= 0 or first.front == pane_pid:
            return self._process(first) if first else None
        # The leader may have ended before the rest of its group.
        return self._process(self._stat(first.front) or first)

    def _stat(self, pid: int) -> "_Stat | None":
        _, _, rest = self._read(pid, "stat").partition(b"(")
        name, _, tail = rest.rpartition(b")")  # a name may contain brackets
        fields = tail.split()
        if len(fields) < 20:
            return None
        group, front, threads, started = (int(fields[number]) for number in (2, 5, 17, 19))
        text = name.decode("utf-8", "replace")
        return _Stat(pid, text, fields[0], group, front, threads, started)

    def _process(self, stat: "_Stat") -> PaneProcess:
        key = (stat.pid, stat.name, stat.started)
        process = self._known.get(key)
        if process is None:
            words = self._read(stat.pid, "cmdline").decode("utf-8", "replace").split("\0")
            process = PaneProcess(stat.pid, stat.name, arguments=tuple(words[:DESCENDANT_LIMIT]))
        now = (stat.group, stat.stopped, stat.threads)
        if now != (process.group, process.stopped, process.threads):
            process = replace(process, group=now[0], stopped=now[1], threads=now[2])
        # A starting program has its name a moment before its arguments: if it was read in between,
        # it must be read again.
        if any(process.arguments):
            self._fresh[key] = process
        return process

    def _descendants(self, leader: PaneProcess) -> Iterator[PaneProcess]:
        """Nearest first, so that a wrapper comes before its helpers."""
        level, count = [leader], 0
        for _ in range(DEPTH_LIMIT):
            below: list[PaneProcess] = []
            for child in (child for parent in level for child in self._children(parent)):
                count += 1
                if count > DESCENDANT_LIMIT:
                    return
                if stat := self._stat(child):
                    below.append(self._process(stat))
                    yield below[-1]
            level = below

    def _children(self, process: PaneProcess) -> list[int]:
        """Of all its threads, because each lists only the children that it started itself."""
        pid, threads = process.pid, [f"{process.pid}"]
        if process.threads > 1:
            with contextlib.suppress(OSError):
                threads = os.listdir(f"{self._proc}/{pid}/task")[:DESCENDANT_LIMIT]
        children = b" ".join(self._read(pid, f"task/{thread}/children") for thread in threads)
        return [int(child) for child in children.split()]

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


def _by_psutil(table: RuntimeTable) -> Callable[[int], DetectedAgent | None]:
    """The foreground group is unknown, so every descendant that is not stopped counts."""

    def detect(pane_pid: int) -> DetectedAgent | None:
        try:
            leader = _of_psutil(psutil.Process(pane_pid), group=1)
            children = psutil.Process(pane_pid).children(recursive=True)[:DESCENDANT_LIMIT]
        except psutil.Error:
            return None
        started = (_of_psutil(child, group=1) for child in children)
        return classify.in_front(leader, table) or classify.behind(leader, started, table)

    return detect


def _of_psutil(process: psutil.Process, group: int) -> PaneProcess:
    try:
        stopped = process.status() in {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE}
        words = tuple(process.cmdline()[:DESCENDANT_LIMIT])
        return PaneProcess(process.pid, process.name(), group, stopped, words, process.exe())
    except psutil.Error:
        return PaneProcess(process.pid, "", group, stopped=True)


def usage(pid: int) -> Usage | None:
    """Memory and CPU time of an agent and its descendants; None if it has ended."""
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
