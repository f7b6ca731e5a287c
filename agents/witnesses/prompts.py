"""Finds the event by which an agent confirms that it received a prompt. Pure."""

from collections.abc import Sequence

from agents.delivery import composer
from agents.witnesses.evidence import AgentEvent, EventKind

CLOCK_SECONDS = 0.05  # the clock of a report may be a moment behind ours


def confirmation(prompt: str, began: float, events: Sequence[AgentEvent]) -> AgentEvent | None:
    """The event that reports this prompt; its text may differ in blanks and accents.

    `began` is time.time() before the first key: an earlier prompt may have had the same text.
    """
    wanted = composer.letters(prompt)
    for event in events:
        if event.kind is not EventKind.PROMPT_SUBMITTED or event.timestamp < began - CLOCK_SECONDS:
            continue
        if event.text.rstrip() == prompt.rstrip() or composer.letters(event.text) == wanted:
            return event
    return None
