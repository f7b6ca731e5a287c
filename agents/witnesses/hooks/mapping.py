"""Decides which pane an event belongs to. Pure: worker.py reads the processes.

The ancestors of the reporting process are the best evidence: one of them is the agent's, or the
first process of a pane. `$TMUX_PANE` counts only if `$TMUX` names our tmux server, because every
tmux server has a `%0`. Codex may run its hooks in a daemon below the pane that started it, for the
sessions of all panes; then neither counts, and the open journal or the directory decides. Between
two candidates nothing is guessed: the event then has no pane.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from agents.witnesses.hooks.message import HookReport

SHARED_DAEMONS = frozenset({"codex"})  # their hooks may run in a process of another pane


@dataclass(frozen=True, slots=True)
class PaneCandidate:
    """A pane, and the agent in it if one was detected."""

    pane_id: str
    pid: int  # of the pane's first process
    runtime: str = ""
    agent_pid: int = 0
    work_dir: str = ""
    open_files: Collection[str] = ()  # by the agent's processes; read for SHARED_DAEMONS only


def pane_of_event(
    report: HookReport,
    *,
    transcript_path: str,
    work_dir: str,
    panes: Sequence[PaneCandidate],
    tmux_socket: str,
    is_agent: Callable[[int], bool],
    is_daemon: Callable[[int], bool],
) -> str:
    """`is_agent`: whether a process is an agent; `is_daemon`: whether it serves several agents."""
    in_chain = _by_ancestors(report, panes, is_agent)
    if report.runtime not in SHARED_DAEMONS:
        return in_chain if in_chain is not None else _by_variable(report, panes, tmux_socket)
    if in_chain is not None and not any(map(is_daemon, report.pids)):
        return in_chain
    candidates = [pane for pane in panes if pane.runtime == report.runtime]
    opened = [pane for pane in candidates if transcript_path in pane.open_files]
    if transcript_path and opened:
        return _only(opened)
    return _only([pane for pane in candidates if work_dir and pane.work_dir == work_dir])


def _only(candidates: Sequence[PaneCandidate]) -> str:
    return candidates[0].pane_id if len(candidates) == 1 else ""


def _by_ancestors(
    report: HookReport, panes: Sequence[PaneCandidate], is_agent: Callable[[int], bool]
) -> str | None:
    """None if no ancestor belongs to a pane; empty if the event is of an agent within an agent."""
    by_pid: Mapping[int, PaneCandidate] = {pane.pid: pane for pane in panes}
    owner = next((by_pid[pid] for pid in report.pids if pid in by_pid), None)
    if owner is None:
        return None
    chain = report.pids[: report.pids.index(owner.pid) + 1]
    return "" if _is_nested(chain, is_agent) else owner.pane_id


def _is_nested(chain: Sequence[int], is_agent: Callable[[int], bool]) -> bool:
    """Whether the agent was started by a tool of another one, for example `claude -p` in a shell.

    A launcher of the same agent is its direct parent; between two agents there is a shell.
    """
    agents = [is_agent(pid) for pid in chain]
    if True not in agents:
        return False
    first = agents.index(True)
    try:
        end = agents.index(False, first)
    except ValueError:
        return False
    return True in agents[end:]


def _by_variable(report: HookReport, panes: Sequence[PaneCandidate], tmux_socket: str) -> str:
    if not report.pane_id or report.tmux_socket != tmux_socket:
        return ""
    return report.pane_id if any(pane.pane_id == report.pane_id for pane in panes) else ""
