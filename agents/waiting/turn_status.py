"""Decides whether the turn that a prompt began is over. Pure.

The state that an agent had before the prompt must never end the wait for its turn. So a turn is
over only after its beginning was noticed: by a hook that reports this very prompt, or by a state
other than idle. turns.py collects the observations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.runtimes.loader import AgentState
from agents.witnesses.evidence import AgentEvent, EventKind
from agents.witnesses.prompts import confirmation

# A turn that is shorter than the time until its state is published is never seen to begin: so an
# agent that stays idle for this long after a prompt has ended its turn.
UNSEEN_SECONDS = 3.0


class TurnEnd(StrEnum):
    ENDED = "ended"
    WAITING = "waiting"  # it asks something
    FAILED = "failed"  # it was interrupted, or an error ended it
    AGENT_ENDED = "agent_ended"


@dataclass(frozen=True, slots=True)
class TurnResult:
    end: TurnEnd
    text: str = ""  # the reply that a hook or journal reported, or the reason of a failure
    source: str = ""  # of the text: hook or journal


@dataclass(frozen=True, slots=True)
class SubmittedPrompt:
    text: str
    began: float  # time.time() before the first key
    submitted: float  # time.time() after it was confirmed
    queued: bool  # the agent was working


@dataclass(slots=True)
class StateHistory:
    """What was reported of the agent since the prompt was submitted."""

    state: AgentState | None = None  # None: the agent has ended
    since: float = 0.0  # time.time() of the last change
    has_worked: bool = False

    def update(self, state: AgentState | None, now: float) -> None:
        if state is not self.state or not self.since:
            self.state, self.since = state, now
        if state is AgentState.WORKING:
            self.has_worked = True


def result(
    prompt: SubmittedPrompt, history: StateHistory, events: Sequence[AgentEvent], now: float
) -> TurnResult | None:
    """None: the turn goes on, or has not begun."""
    if history.state is None:
        return TurnResult(TurnEnd.AGENT_ENDED)
    reported = confirmation(prompt.text, prompt.began, events)
    if reported is not None and (over := _reported_end(reported, events)) is not None:
        return over
    if history.state is AgentState.WAITING:
        return TurnResult(TurnEnd.WAITING)
    if history.state is not AgentState.IDLE:
        return None
    # A queued prompt begins when the turn before it ends; in between the agent may look idle.
    is_known = history.has_worked and (reported is not None or not prompt.queued)
    if is_known or now - max(history.since, prompt.submitted) >= UNSEEN_SECONDS:
        return TurnResult(TurnEnd.ENDED)
    return None


def next_check(prompt: SubmittedPrompt, history: StateHistory, now: float) -> float | None:
    """Seconds until the passage of time alone could end the turn; None: it cannot."""
    if history.state is not AgentState.IDLE:
        return None
    return max(0.05, UNSEEN_SECONDS - (now - max(history.since, prompt.submitted)))


def _reported_end(begin: AgentEvent, events: Sequence[AgentEvent]) -> TurnResult | None:
    """The end that the agent itself reported, after the event that began the turn."""
    own = [
        event
        for event in events
        if event.session_id == begin.session_id and event.timestamp > begin.timestamp
    ]
    for event in own:
        if event.kind is EventKind.TURN_ENDED:
            return TurnResult(TurnEnd.ENDED, event.text, event.source.value)
        if event.kind in {EventKind.TURN_FAILED, EventKind.SESSION_ENDED}:
            return TurnResult(TurnEnd.FAILED, event.text, event.source.value)
    return None
