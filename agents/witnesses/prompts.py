"""Finds the event by which an agent confirms that it received a prompt. Pure."""

from collections.abc import Sequence

from agents.delivery import composer
from agents.witnesses.evidence import AgentEvent, EventKind

CLOCK_SECONDS = 0.05  # the clock of a report may be a moment behind ours


def confirmation(
    prompt: str, began: float, events: Sequence[AgentEvent]
) -> tuple[AgentEvent, bool] | None:
    """The event that reports this prompt, and whether it has exactly the same text.

    `began` is time.time() before the first key: an earlier prompt may have had the same text.
    """
    for event in events:
        if event.kind is EventKind.PROMPT_SUBMITTED and event.timestamp >= began - CLOCK_SECONDS:
            if event.text.rstrip() == prompt.rstrip():
                return event, True
            if composer.letters(event.text) == composer.letters(prompt):
                return event, False
    return None
