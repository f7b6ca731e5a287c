"""Reads what the mapping of events needs of processes: what they are, and which files are open."""

import os

import psutil

from agents.detection import classify
from agents.detection.classify import PaneProcess, RuntimeTable
from agents.runtimes.loader import runtimes

DESCRIPTORS = 512  # of one process
FAMILY = 16  # an agent and its descendants
ARGUMENTS = 8
DAEMON = "app-server"


class ProcessReader:
    def __init__(self) -> None:
        self._table = RuntimeTable(runtimes())

    def is_agent(self, pid: int) -> bool:
        """Whether it is a known agent, or a launcher of one."""
        try:
            process = psutil.Process(pid)
            described = PaneProcess(
                pid, process.name(), arguments=tuple(process.cmdline()[:ARGUMENTS])
            )
        except psutil.Error:
            return False
        return classify.in_front(described, self._table) is not None

    def is_daemon(self, pid: int) -> bool:
        """Whether it runs sessions for several agents: `codex app-server`."""
        try:
            return DAEMON in psutil.Process(pid).cmdline()[1:ARGUMENTS]
        except psutil.Error:
            return False

    def exists(self, pid: int) -> bool:
        return psutil.pid_exists(pid)

    def open_files(self, pid: int) -> frozenset[str]:
        """Paths that an agent and its descendants have open, without those of a shared daemon."""
        try:
            agent = psutil.Process(pid)
            family = [agent, *agent.children(recursive=True)][:FAMILY]
        except psutil.Error:
            return frozenset()
        own = [process.pid for process in family if not self.is_daemon(process.pid)]
        return frozenset(path for pid in own for path in _open_files(pid))


def _open_files(pid: int) -> list[str]:
    paths: list[str] = []
    try:
        for name in os.listdir(f"/proc/{pid}/fd")[:DESCRIPTORS]:
            paths.append(os.readlink(f"/proc/{pid}/fd/{name}"))
    except OSError:
        pass
    return paths
