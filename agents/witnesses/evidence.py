"""What an agent reports about itself, in one form for all runtimes. Pure.

Hooks and journals produce events; belief.py decides from them, from the screen and from the process
what the agent is doing. A runtime's own names of events and fields are translated where the event
enters (hooks or journals), so that nothing after it depends on the runtime.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    SESSION_STARTED = "session-started"
    SESSION_ENDED = "session-ended"
    PROMPT_SUBMITTED = "prompt-submitted"  # `text` is the exact prompt
    TURN_STARTED = "turn-started"
    TURN_ENDED = "turn-ended"  # `text` is the last reply, if the agent reports it
    TURN_FAILED = "turn-failed"  # interrupted, or an error ended the turn; `text` is the reason
    TOOL_STARTING = "tool-starting"  # before any permission dialog
    TOOL_ENDED = "tool-ended"
    PERMISSION_ASKED = "permission-asked"
    PERMISSION_RESOLVED = "permission-resolved"


class EventSource(StrEnum):
    HOOK = "hook"
    JOURNAL = "journal"


@dataclass(frozen=True, slots=True)
class AgentEvent:
    runtime: str
    kind: EventKind
    source: EventSource
    timestamp: float  # time.time() when it happened, as far as known
    session_id: str = ""
    turn_id: str = ""
    transcript_path: str = ""  # the journal of the session
    work_dir: str = ""
    pane_id: str = ""  # after mapping: the pane of the agent, or empty
    text: str = ""  # of a prompt, a reply or a reason
    request_id: str = ""  # of a permission request, where the agent has one
    tool_name: str = ""
    tool_input: Mapping[str, Any] = field(default_factory=dict)  # JSON of the runtime
