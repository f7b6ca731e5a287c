"""The process of an agent as a witness: when it started, whether it is stopped or in front."""

import psutil

from agents.witnesses.belief import ProcessEvidence
from terminals.tmux.foreground import process


def started(pid: int) -> float:
    """When the process started, as `time.time()`; 0 if it has ended."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return 0.0


def evidence(pid: int, started_at: float) -> ProcessEvidence:
    running = process(pid)
    if running is None:  # it has ended, or this machine has no /proc
        return ProcessEvidence(pid, started_at)
    return ProcessEvidence(
        pid,
        started_at,
        foreground=running.group == running.foreground_group,
        stopped=running.state in "Tt",
    )
