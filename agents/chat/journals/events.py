"""What the entries of a journal say about the state of an agent. Pure.

A journal is a witness only if it notes the end of every turn, also of one that was interrupted, and
a tool call before it runs. Measured with the versions in lab/package.json.
"""

from collections.abc import Iterator, Sequence

from agents.chat.journals.entries import (
    Entry,
    JournalMessage,
    MessageKind,
    ToolOutcome,
    TurnMark,
    TurnStatus,
)
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource

WITNESSES = frozenset({"claude", "codex", "copilot", "opencode", "pi"})
_TURNS = {
    TurnStatus.STARTED: EventKind.TURN_STARTED,
    TurnStatus.ENDED: EventKind.TURN_ENDED,
    TurnStatus.FAILED: EventKind.TURN_FAILED,
}
_COMMANDS = ("/", "!")  # they need not begin a turn


def events_of(
    entries: Sequence[Entry], *, runtime: str, pane_id: str, session_id: str
) -> Iterator[AgentEvent]:
    if runtime not in WITNESSES:
        return
    for entry in entries:
        if (event := _event(entry)) is None:
            continue
        kind, ts, text, tool = event
        yield AgentEvent(
            runtime=runtime,
            kind=kind,
            source=EventSource.JOURNAL,
            timestamp=ts / 1000,
            session_id=session_id,
            pane_id=pane_id,
            text=text,
            request_id=tool,
        )


def _event(entry: Entry) -> tuple[EventKind, int, str, str] | None:
    if isinstance(entry, TurnMark):
        return _TURNS[entry.status], entry.ts, entry.text, ""
    if isinstance(entry, ToolOutcome):
        return EventKind.TOOL_ENDED, entry.ts, "", entry.call
    if not isinstance(entry, JournalMessage):
        return None
    if entry.kind is MessageKind.TOOL and entry.tool is not None:
        return EventKind.TOOL_STARTING, entry.ts, "", entry.tool.id
    is_prompt = entry.role == "user" and not entry.text.startswith(_COMMANDS)
    return (EventKind.PROMPT_SUBMITTED, entry.ts, entry.text, "") if is_prompt else None
