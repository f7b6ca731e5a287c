"""Decides what an agent is doing, from what each witness last said and when. Pure.

Strongest first: the agent's hooks, its journal, its screen. Each has limits, and the rules below
name them. Measured with the real agents:

- Hooks raise nothing for some interrupts (Copilot, Escape twice) and for denied tools. They stop
  arriving when a turn dies. `Stop` comes up to 440 ms before Claude Code's spinner goes, and Codex
  reports a permission request 0.7 s before its dialog.
- A screen shows a dialog for certain, but it may show no status while an agent streams (Codex,
  Copilot), or quote a spinner that does not move.

A visible dialog is always reported as waiting, and an agent whose hook says that it asks is never
reported as idle. Witnesses that contradict each other for several seconds make the agent disputed,
until they agree or the hook has been silent for so long that it no longer counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.runtimes.loader import AgentState
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource

DISPUTE_SECONDS = 4.0  # of contradiction, before an agent is shown as disputed
DIALOG_SECONDS = 5.0  # of work on the screen, after which an unseen request counts as resolved
QUIET_SECONDS = 2.5  # without a change, after which a turn that shows no status counts as ended
# The same, if the screen has turned idle since the hook last spoke: an interrupt without an event.
TURNED_SECONDS = 0.6
LINGER_SECONDS = 1.5  # a spinner may turn so long after the end of its turn
EXPIRY_SECONDS = 60.0  # of contradiction, after which a silent hook no longer counts
START_SECONDS = 2.0  # a hook may be dated a moment before its process, by another clock


class Witness(StrEnum):
    HOOK = "hook"
    JOURNAL = "journal"
    SCREEN = "screen"
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Report:
    """What the events of one source say."""

    witness: Witness
    state: AgentState  # UNKNOWN: they say nothing about what happens now
    timestamp: float  # of the last event, or of the dialog that closed after it
    requests: tuple[AgentEvent, ...] = ()  # permission requests without an answer, oldest first


@dataclass(frozen=True, slots=True)
class ScreenEvidence:
    state: AgentState
    since: float  # when it began to show this state
    changed: float = 0.0  # when it last showed something new, except in its composer
    rule: str = ""  # that decided; empty: no rule matched
    recognised: bool = False  # whether its composer was seen before, so that it is known to be gone


@dataclass(frozen=True, slots=True)
class ProcessEvidence:
    pid: int
    started: float = 0.0
    foreground: bool = True
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Belief:
    state: AgentState
    decided_by: Witness
    disputed: bool = False
    requests: tuple[AgentEvent, ...] = ()  # what it asks for, as far as its hook says


# --- what the events say ------------------------------------------------------------------------

_STATES = {
    EventKind.PROMPT_SUBMITTED: AgentState.WORKING,
    EventKind.TURN_STARTED: AgentState.WORKING,
    EventKind.TOOL_STARTING: AgentState.WORKING,
    EventKind.PERMISSION_RESOLVED: AgentState.WORKING,
    EventKind.TURN_ENDED: AgentState.IDLE,
    EventKind.TURN_FAILED: AgentState.IDLE,
    EventKind.SESSION_ENDED: AgentState.UNKNOWN,
}
# After these nothing is request any more.
_SETTLE = {
    EventKind.PROMPT_SUBMITTED,
    EventKind.TURN_ENDED,
    EventKind.TURN_FAILED,
    EventKind.SESSION_ENDED,
}


def report_of(
    events: Sequence[AgentEvent],
    source: EventSource,
    *,
    started: float = 0.0,
    closings: Sequence[float] = (),
) -> Report | None:
    """`started`: of the process, because events of an earlier agent in the same pane do not count.
    `closings`: when a dialog was seen to close, because a denial raises no event."""
    state, session, last, pending = None, "", 0.0, list[AgentEvent]()
    counted = [
        event
        for event in events
        if event.source is source and event.timestamp >= started - START_SECONDS
    ]
    closed = sorted(closings)
    for event in sorted(counted, key=lambda event: event.timestamp):
        while closed and closed[0] < event.timestamp:
            state, pending = _after_closing(closed.pop(0), state, pending)
        last = event.timestamp
        if event.kind is EventKind.SESSION_STARTED:
            # Also sent in the middle of a turn, after a compaction.
            if event.session_id != session or state is None:
                is_new = state is not AgentState.WORKING
                state, pending = (AgentState.IDLE, []) if is_new else (state, pending)
            session = event.session_id
            continue
        session = event.session_id or session
        state = _STATES.get(event.kind, state)
        if event.kind in _SETTLE:
            pending = []
        elif event.kind is EventKind.PERMISSION_ASKED:
            state = AgentState.WORKING
            pending = [*(request for request in pending if _key(request) != _key(event)), event]
        elif event.kind in {EventKind.PERMISSION_RESOLVED, EventKind.TOOL_ENDED}:
            pending = _without(event, pending)
    if state is None:
        return None
    for closing in closed:
        before = state
        state, pending = _after_closing(closing, state, pending)
        last = closing if state is not before else last
    shown = AgentState.WAITING if pending else state or AgentState.UNKNOWN
    return Report(Witness(source.value), shown, last, tuple(pending))


def _after_closing(
    closing: float, state: AgentState | None, pending: list[AgentEvent]
) -> tuple[AgentState | None, list[AgentEvent]]:
    """A dialog closed: the oldest request was answered, and only the screen shows how."""
    if pending and pending[0].timestamp <= closing:
        return AgentState.UNKNOWN, pending[1:]
    return state, pending


def _key(event: AgentEvent) -> str:
    return event.request_id or f"{event.tool_name} {sorted(event.tool_input.items(), key=str)}"


def _without(event: AgentEvent, pending: list[AgentEvent]) -> list[AgentEvent]:
    """The requests that this event does not answer."""
    exact = [request for request in pending if _key(request) == _key(event)]
    if not exact and event.kind is EventKind.PERMISSION_RESOLVED:
        exact = pending[:1]
    elif not exact:
        exact = [request for request in pending if request.tool_name == event.tool_name][:1]
    return [request for request in pending if request not in exact]


# --- what to believe ----------------------------------------------------------------------------


def decide(
    hook: Report | None,
    journal: Report | None,
    screen: ScreenEvidence,
    process: ProcessEvidence,
    now: float,
) -> Belief:
    requests = hook.requests if hook else ()
    if screen.state is AgentState.WAITING:
        return _with_dialog(hook, screen, now)
    if process.stopped:
        return Belief(AgentState.UNKNOWN, Witness.PROCESS)
    word = _strongest(hook, journal)
    if word is None or word.state is AgentState.UNKNOWN:
        return Belief(screen.state, Witness.SCREEN)
    lasting = now - max(word.timestamp, screen.since)
    disputed = DISPUTE_SECONDS <= lasting < EXPIRY_SECONDS
    if word.state is AgentState.WAITING:
        if screen.state is AgentState.WORKING and lasting >= DIALOG_SECONDS:
            return Belief(AgentState.WORKING, Witness.SCREEN, disputed)
        contradicts = screen.state in {AgentState.IDLE, AgentState.WORKING}
        return Belief(
            AgentState.WAITING,
            word.witness,
            contradicts and lasting >= DISPUTE_SECONDS,
            requests or word.requests,
        )
    if word.state is AgentState.WORKING and screen.state is AgentState.IDLE:
        quiet = now - max(word.timestamp, screen.since, screen.changed)
        turned = screen.since > word.timestamp
        if quiet < (TURNED_SECONDS if turned else QUIET_SECONDS) and lasting < EXPIRY_SECONDS:
            return Belief(AgentState.WORKING, word.witness)
        return Belief(AgentState.IDLE, Witness.SCREEN, disputed)
    if word.state is AgentState.IDLE and screen.state is AgentState.WORKING:
        if screen.changed <= word.timestamp + LINGER_SECONDS:  # a status that does not move
            return Belief(AgentState.IDLE, word.witness)
        return Belief(AgentState.WORKING, Witness.SCREEN, disputed)
    covered = bool(screen.rule) or screen.recognised  # a menu, or a composer in shell mode
    if word.state is AgentState.IDLE and screen.state is AgentState.UNKNOWN and covered:
        return Belief(AgentState.UNKNOWN, Witness.SCREEN)
    return Belief(word.state, word.witness)


def _with_dialog(hook: Report | None, screen: ScreenEvidence, now: float) -> Belief:
    """A dialog is visible. A hook contradicts only if it reported after the dialog had appeared."""
    if hook is None or hook.state is AgentState.UNKNOWN:
        return Belief(AgentState.WAITING, Witness.SCREEN)
    if hook.state is AgentState.WAITING:
        return Belief(AgentState.WAITING, Witness.HOOK, requests=hook.requests)
    spoke_later = hook.timestamp > screen.since + LINGER_SECONDS
    lasting = now - hook.timestamp
    disputed = spoke_later and DISPUTE_SECONDS <= lasting < EXPIRY_SECONDS
    return Belief(AgentState.WAITING, Witness.SCREEN, disputed)


def _strongest(hook: Report | None, journal: Report | None) -> Report | None:
    """The hook, unless only the journal has noted the end of the turn: hooks may stop arriving.

    After a dialog closed, what the journal noted before does not count either.
    """
    if hook is None or hook.state is AgentState.UNKNOWN:
        outdated = hook and journal and journal.timestamp < hook.timestamp
        return journal if journal is not None and not outdated else hook
    if journal is None or hook.state is not AgentState.WORKING:
        return hook
    ended = journal.state is AgentState.IDLE
    return journal if ended and journal.timestamp > hook.timestamp + LINGER_SECONDS else hook
