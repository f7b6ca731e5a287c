"""What is believed of an agent, from events, screens and time."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.runtimes.loader import AgentState
from agents.witnesses.belief import (
    DIALOG_SECONDS,
    DISPUTE_SECONDS,
    EXPIRY_SECONDS,
    LINGER_SECONDS,
    QUIET_SECONDS,
    TURNED_SECONDS,
    Belief,
    ProcessEvidence,
    ScreenEvidence,
    Witness,
    decide,
    report_of,
)
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource

WORKING, WAITING, IDLE, UNKNOWN = (
    AgentState.WORKING,
    AgentState.WAITING,
    AgentState.IDLE,
    AgentState.UNKNOWN,
)
START = 1000.0
PROCESS = ProcessEvidence(7, started=START)


def event(
    kind: EventKind,
    seconds: float,
    *,
    source: EventSource = EventSource.HOOK,
    tool: str = "",
    command: str = "",
    request: str = "",
    session: str = "s",
) -> AgentEvent:
    return AgentEvent(
        runtime="claude",
        kind=kind,
        source=source,
        timestamp=START + seconds,
        session_id=session,
        tool_name=tool,
        tool_input={"command": command} if command else {},
        request_id=request,
    )


def believe(
    events: Sequence[AgentEvent],
    state: AgentState,
    *,
    now: float,
    since: float = 0.0,
    changed: float = 0.0,
    closings: Sequence[float] = (),
    rule: str = "a rule",
    recognised: bool = False,
    process: ProcessEvidence = PROCESS,
) -> Belief:
    closed = [START + closing for closing in closings]
    hook, journal = (
        report_of(events, source, started=process.started, closings=closed)
        for source in (EventSource.HOOK, EventSource.JOURNAL)
    )
    screen = ScreenEvidence(state, START + since, START + changed, rule, recognised)
    return decide(hook, journal, screen, process, START + now)


PROMPT = event(EventKind.PROMPT_SUBMITTED, 1)
TOOL = event(EventKind.TOOL_STARTING, 2, tool="Bash", command="make")
ASKED = event(EventKind.PERMISSION_ASKED, 2.1, tool="Bash", command="make")
ENDED = event(EventKind.TURN_ENDED, 5)


def test_without_events_the_screen_decides() -> None:
    for state in AgentState:
        assert believe([], state, now=1) == Belief(state, Witness.SCREEN)


def test_a_turn_is_believed_before_the_screen_shows_it() -> None:
    assert believe([PROMPT], IDLE, now=1.1) == Belief(WORKING, Witness.HOOK)
    assert believe([PROMPT], WORKING, now=1.5, since=1.4) == Belief(WORKING, Witness.HOOK)


def test_the_end_of_a_turn_is_believed_while_the_spinner_lingers() -> None:
    belief = believe([PROMPT, ENDED], WORKING, now=5.4, since=1.2, changed=5.3)
    assert belief == Belief(IDLE, Witness.HOOK)


def test_a_spinner_that_keeps_moving_after_the_end_is_believed_and_disputed() -> None:
    later = 5 + LINGER_SECONDS + 1
    assert believe([PROMPT, ENDED], WORKING, now=later, changed=later).state is WORKING
    long = 5 + DISPUTE_SECONDS + 1
    assert believe([PROMPT, ENDED], WORKING, now=long, changed=long).disputed
    agrees = believe([PROMPT, ENDED], IDLE, now=long, since=long - 0.1, changed=long)
    assert agrees == Belief(IDLE, Witness.HOOK)


def test_a_quoted_spinner_that_does_not_move_is_not_believed() -> None:
    belief = believe([PROMPT, ENDED], WORKING, now=60, since=1.2, changed=5.2)
    assert belief == Belief(IDLE, Witness.HOOK)


def test_a_permission_request_is_believed_before_its_dialog_is_visible() -> None:
    belief = believe([PROMPT, TOOL, ASKED], WORKING, now=2.5, since=1.2, changed=2.5)
    assert (belief.state, belief.decided_by, belief.disputed) == (WAITING, Witness.HOOK, False)
    assert belief.requests == (ASKED,)


def test_a_request_is_completed_with_the_input_of_its_tool() -> None:
    """Copilot asks about a path; what will be written is in the event before."""
    whole = {"path": "a", "old_str": "x", "new_str": "y"}
    start = replace(TOOL, tool_name="edit", tool_input=whole)
    request_of_path = replace(ASKED, tool_name="write", tool_input={"path": "a"})
    other = replace(ASKED, tool_name="write", tool_input={"path": "b"})
    [request] = believe([PROMPT, start, request_of_path], WORKING, now=2.5).requests
    assert (request.tool_name, request.tool_input) == ("edit", whole)
    assert believe([PROMPT, start, other], WORKING, now=2.5).requests == (other,)
    done = replace(start, kind=EventKind.TOOL_ENDED, timestamp=START + 4)
    assert believe([PROMPT, start, request_of_path, done], WORKING, now=5).state is WORKING


def test_a_visible_dialog_wins_over_a_hook_that_reports_no_request() -> None:
    assert believe([PROMPT, TOOL], WAITING, now=9, since=2.2) == Belief(WAITING, Witness.SCREEN)


def test_a_dialog_that_the_hook_contradicts_is_disputed_and_still_waiting() -> None:
    events = [PROMPT, event(EventKind.TURN_ENDED, 10)]
    early = believe(events, WAITING, now=11, since=2)
    late = believe(events, WAITING, now=10 + DISPUTE_SECONDS, since=2)
    assert (early.state, early.disputed) == (WAITING, False)
    assert (late.state, late.disputed) == (WAITING, True)


def test_a_denied_tool_raises_no_event_so_the_screen_decides() -> None:
    events = [PROMPT, TOOL, ASKED]
    assert believe(events, IDLE, now=8, since=7, closings=[7]) == Belief(IDLE, Witness.SCREEN)
    assert believe(events, WORKING, now=8, since=7, closings=[7]).state is WORKING


def test_one_closed_dialog_answers_one_of_two_requests() -> None:
    second = event(EventKind.PERMISSION_ASKED, 2.2, tool="Bash", command="rm x")
    belief = believe([PROMPT, ASKED, second], WORKING, now=4.1, since=4, closings=[4])
    assert (belief.state, belief.requests) == (WAITING, (second,))


def test_an_approved_tool_is_no_longer_asked_about() -> None:
    done = event(EventKind.TOOL_ENDED, 4, tool="Bash", command="make")
    assert believe([PROMPT, TOOL, ASKED, done], WORKING, now=5, since=4).state is WORKING
    resolved = event(EventKind.PERMISSION_RESOLVED, 4, request="r1")
    request_event = event(EventKind.PERMISSION_ASKED, 2, request="r1", tool="bash")
    assert believe([PROMPT, request_event, resolved], WORKING, now=5, since=4).state is WORKING


def test_an_unseen_request_is_never_idle_but_gives_way_to_work() -> None:
    events = [PROMPT, TOOL, ASKED]
    for now in (3.0, 20.0, 600.0):
        belief = believe(events, IDLE, now=now)
        assert belief.state is WAITING
        assert belief.disputed == (now > 2.1 + DISPUTE_SECONDS)
    works = believe(events, WORKING, now=2.1 + DIALOG_SECONDS, since=1)
    assert (works.state, works.disputed) == (WORKING, True)


def test_an_interrupt_without_an_event_is_seen_on_the_screen() -> None:
    """Copilot, Escape twice; also a turn that died, and hooks that stop arriving."""
    soon = believe([PROMPT], IDLE, now=10 + TURNED_SECONDS / 2, since=10, changed=10)
    late = believe([PROMPT], IDLE, now=10 + TURNED_SECONDS, since=10, changed=10)
    long = believe([PROMPT], IDLE, now=10 + EXPIRY_SECONDS, since=10, changed=10)
    assert soon == Belief(WORKING, Witness.HOOK)
    assert late.state is IDLE
    assert long == Belief(IDLE, Witness.SCREEN)  # a hook that is silent for so long does not count


def test_a_screen_that_has_not_changed_since_the_prompt_is_no_end_of_a_turn() -> None:
    """A loaded machine shows the turn late."""
    assert believe([PROMPT], IDLE, now=1 + QUIET_SECONDS / 2).state is WORKING
    assert believe([PROMPT], IDLE, now=1 + QUIET_SECONDS).state is IDLE


def test_a_journal_from_before_a_denial_does_not_count() -> None:
    """Copilot reports no denial; its journal notes the end of the turn later."""
    noted = event(EventKind.TOOL_STARTING, 2, source=EventSource.JOURNAL, tool="Bash")
    events = [PROMPT, noted, ASKED]
    assert believe(events, IDLE, now=7.1, since=7, closings=[7]) == Belief(IDLE, Witness.SCREEN)
    over = event(EventKind.TURN_ENDED, 7.3, source=EventSource.JOURNAL)
    belief = believe([*events, over], WORKING, now=7.4, since=2, closings=[7])
    assert belief == Belief(IDLE, Witness.JOURNAL)


def test_an_agent_that_streams_without_a_status_line_is_working() -> None:
    assert believe([PROMPT], IDLE, now=30, since=2, changed=29.8) == Belief(WORKING, Witness.HOOK)


def test_an_earlier_agent_in_the_same_pane_does_not_count() -> None:
    again = ProcessEvidence(8, started=START + 100)
    assert believe([PROMPT, TOOL, ASKED], IDLE, now=101, since=100, process=again) == Belief(
        IDLE, Witness.SCREEN
    )


def test_a_session_that_is_compacted_during_a_turn_is_still_working() -> None:
    compacted = event(EventKind.SESSION_STARTED, 3)
    assert believe([PROMPT, compacted], WORKING, now=4, since=2).state is WORKING
    assert believe([event(EventKind.SESSION_STARTED, 1)], UNKNOWN, now=2, rule="").state is IDLE


def test_a_menu_on_the_screen_is_not_hidden_by_an_idle_hook() -> None:
    assert believe([PROMPT, ENDED], UNKNOWN, now=9).state is UNKNOWN
    assert believe([PROMPT, ENDED], UNKNOWN, now=9, rule="").state is IDLE
    hidden = believe([PROMPT, ENDED], UNKNOWN, now=9, rule="", recognised=True)
    assert hidden == Belief(UNKNOWN, Witness.SCREEN)


def test_the_journal_counts_without_hooks_and_where_hooks_have_stopped() -> None:
    noted = event(EventKind.PROMPT_SUBMITTED, 1, source=EventSource.JOURNAL)
    over = event(EventKind.TURN_ENDED, 9, source=EventSource.JOURNAL)
    assert believe([noted], UNKNOWN, now=2, rule="") == Belief(WORKING, Witness.JOURNAL)
    assert believe([PROMPT, noted, over], UNKNOWN, now=10, rule="") == Belief(IDLE, Witness.JOURNAL)


def test_a_stopped_process_is_unknown() -> None:
    stopped = ProcessEvidence(7, started=START, stopped=True)
    assert believe([PROMPT], IDLE, now=2, process=stopped) == Belief(UNKNOWN, Witness.PROCESS)


# --- any order of events --------------------------------------------------------------------------

TIMES = st.floats(0, 200, allow_nan=False)
EVENTS = st.lists(
    st.builds(
        event,
        st.sampled_from(EventKind),
        TIMES,
        source=st.sampled_from(EventSource),
        tool=st.sampled_from(["", "Bash", "Edit"]),
        command=st.sampled_from(["", "make", "rm x"]),
        request=st.sampled_from(["", "r1", "r2"]),
        session=st.sampled_from(["s", "t"]),
    ),
    max_size=12,
)
CLOSINGS = st.lists(TIMES, max_size=4)


@given(EVENTS, CLOSINGS, TIMES, TIMES, TIMES, st.booleans())
def test_a_visible_dialog_is_always_reported_as_waiting(
    events: list[AgentEvent],
    closings: list[float],
    since: float,
    changed: float,
    now: float,
    stopped: bool,
) -> None:
    process = ProcessEvidence(7, started=START, stopped=stopped)
    belief = believe(
        events, WAITING, now=now, since=since, changed=changed, closings=closings, process=process
    )
    assert belief.state is WAITING


@given(EVENTS, CLOSINGS, st.sampled_from(AgentState), TIMES, TIMES, TIMES)
def test_a_dispute_ends_when_the_witnesses_agree(
    events: list[AgentEvent],
    closings: list[float],
    state: AgentState,
    since: float,
    changed: float,
    now: float,
) -> None:
    before = believe(events, state, now=now, since=since, changed=changed, closings=closings)
    closed = [START + each for each in closings]
    hook = report_of(events, EventSource.HOOK, started=START, closings=closed)
    journal = report_of(events, EventSource.JOURNAL, started=START, closings=closed)
    if hook is None or hook.state is UNKNOWN:
        return
    if hook.state is WAITING:
        assert before.state is not IDLE
    if journal is not None and journal.state not in {hook.state, UNKNOWN}:
        return  # the journal contradicts, whatever the screen shows
    agreed = believe(
        events, hook.state, now=now, since=since, changed=changed, closings=closings, rule=""
    )
    assert not agreed.disputed
    assert agreed.state is hook.state or agreed.decided_by is Witness.JOURNAL


@pytest.mark.parametrize("state", [IDLE, WORKING, UNKNOWN])
def test_a_dispute_does_not_last_for_ever(state: AgentState) -> None:
    events = [PROMPT, ENDED] if state is WORKING else [PROMPT]
    later = 10 * EXPIRY_SECONDS
    assert not believe(events, state, now=later, since=6, changed=later).disputed
