from collections.abc import Collection

from agents.witnesses.hooks.mapping import PaneCandidate, pane_of_event
from agents.witnesses.hooks.message import HookReport

SOCKET = "/tmp/tmux-1/default"
# Two panes; in each a shell (10, 20) with an agent (11, 21) in the same directory.
PANES = [
    PaneCandidate("%1", 10, "claude", 11, "/project"),
    PaneCandidate("%2", 20, "claude", 21, "/project"),
]
CODEX = [
    PaneCandidate("%1", 10, "codex", 11, "/project", frozenset({"/r/first.jsonl"})),
    PaneCandidate("%2", 20, "codex", 21, "/project"),
    PaneCandidate("%3", 30, "codex", 31, "/other"),
]


def pane(
    report: HookReport,
    panes: list[PaneCandidate] = PANES,
    *,
    transcript: str = "",
    agents: Collection[int] = (11, 21, 31),
    daemons: Collection[int] = (),
    work_dir: str = "/project",
) -> str:
    return pane_of_event(
        report,
        transcript_path=transcript,
        work_dir=work_dir,
        panes=panes,
        tmux_socket=SOCKET,
        is_agent=lambda pid: pid in agents,
        is_daemon=lambda pid: pid in daemons,
    )


def test_two_agents_in_one_directory_are_told_apart_by_their_processes() -> None:
    assert pane(HookReport("claude", "Stop", pids=(500, 11, 10, 1))) == "%1"
    assert pane(HookReport("claude", "Stop", pids=(501, 21, 20, 1))) == "%2"


def test_processes_count_more_than_the_variable() -> None:
    report = HookReport("claude", "Stop", "%2", SOCKET, pids=(500, 11, 10))
    assert pane(report) == "%1"


def test_the_variable_counts_where_no_ancestor_is_known() -> None:
    assert pane(HookReport("gemini", "Stop", "%2", SOCKET, pids=(500, 77))) == "%2"
    assert pane(HookReport("gemini", "Stop", "%9", SOCKET, pids=(500, 77))) == ""


def test_the_variable_of_another_tmux_server_is_ignored() -> None:
    assert pane(HookReport("claude", "Stop", "%2", "/tmp/tmux-1/other", pids=(500,))) == ""


def test_an_agent_that_was_started_by_an_agent_has_no_pane() -> None:
    """`claude -p` (600) in a shell (599) of a tool."""
    report = HookReport("claude", "Stop", "%1", SOCKET, pids=(700, 600, 599, 11, 10))
    assert pane(report, agents=(600, 11)) == ""


def test_a_launcher_is_not_another_agent() -> None:
    report = HookReport("claude", "Stop", pids=(700, 13, 12, 11, 10))
    assert pane(report, agents=(13, 12, 11)) == "%1"


def test_codex_without_a_daemon_is_found_by_its_processes() -> None:
    assert pane(HookReport("codex", "Stop", pids=(500, 21, 20)), CODEX) == "%2"


def test_the_pane_of_a_shared_daemon_says_nothing() -> None:
    """The daemon (15) runs below the agent of %1, and reports for a session in %3."""
    report = HookReport("codex", "Stop", "%1", SOCKET, pids=(500, 15, 11, 10))
    assert pane(report, CODEX, daemons=(15,), work_dir="/other") == "%3"


def test_an_open_journal_decides_between_two_in_one_directory() -> None:
    report = HookReport("codex", "Stop", "%2", SOCKET, pids=(500, 15))
    assert pane(report, CODEX, daemons=(15,), transcript="/r/first.jsonl") == "%1"


def test_nothing_is_guessed_between_two_candidates() -> None:
    report = HookReport("codex", "Stop", "%1", SOCKET, pids=(500, 15, 11, 10))
    assert pane(report, CODEX, daemons=(15,), transcript="/r/unknown.jsonl") == ""
    assert pane(report, CODEX, daemons=(15,), work_dir="") == ""
