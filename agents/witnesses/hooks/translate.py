"""Translates the events of each runtime into `AgentEvent`. Pure.

One table per runtime: the runtime's name of an event to a function of its payload. Payloads come
from other programs and from models, so every field is checked and bounded. The names were recorded
from the versions in lab/package.json (tests/agents/witnesses/hooks/payloads).
"""

from collections.abc import Callable, Mapping
from typing import Any

from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from agents.witnesses.hooks.message import PAYLOAD_LIMIT, HookReport

ORDER_SECONDS = 10.0  # between sending and arrival; a clock that differs by more is not used
ID_LIMIT = 200
PATH_LIMIT = 4096
REPLY_LIMIT = 64 * 1024
INPUT_TEXT_LIMIT = 16 * 1024  # of one text in a tool's input
INPUT_VALUES = 200
INPUT_DEPTH = 6

Payload = Mapping[str, Any]
Fields = dict[str, Any]
Translation = Callable[[Payload], Fields | None]  # None: the event says nothing


def translate(report: HookReport, timestamp: float) -> AgentEvent | None:
    """None for an event that says nothing about the agent's state."""
    translation = TABLES.get(report.runtime, {}).get(report.event)
    fields = translation(report.payload) if translation else None
    if fields is None:
        return None
    sent = _sent_at(report.payload, timestamp)
    return AgentEvent(runtime=report.runtime, source=EventSource.HOOK, timestamp=sent, **fields)


def _sent_at(payload: Payload, received: float) -> float:
    """When a plugin sent the event: two that were sent within a moment may arrive in any order."""
    value = payload.get("webtmuxSentAt")
    if not isinstance(value, int | float) or isinstance(value, bool):
        return received
    recent = (received - ORDER_SECONDS) * 1000 < value < received * 1000
    return value / 1000 if recent else received


# --- fields -----------------------------------------------------------------------------------


def _text(payload: Payload, *names: str, limit: int = ID_LIMIT) -> str:
    """The first of these fields that is a text."""
    for name in names:
        if isinstance(value := payload.get(name), str) and value:
            return value[:limit]
    return ""


def _mapping(payload: Payload, name: str) -> Payload:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def tool_input(value: object) -> dict[str, Any]:
    """A copy with bounded size: a tool that writes a file contains the whole file."""
    if not isinstance(value, dict):
        return {}
    left = INPUT_VALUES

    def bounded(value: object, depth: int) -> object:
        nonlocal left
        left -= 1
        if isinstance(value, str):
            return value[:INPUT_TEXT_LIMIT]
        if isinstance(value, dict | list) and depth >= INPUT_DEPTH:
            return None
        if isinstance(value, dict):
            return {k[:ID_LIMIT]: bounded(v, depth + 1) for k, v in value.items() if left > 0}
        if isinstance(value, list):
            return [bounded(item, depth + 1) for item in value if left > 0]
        return value

    result = bounded(value, 0)
    assert isinstance(result, dict)
    return result


# --- Claude Code, Codex, Gemini: the same fields, mostly ---------------------------------------


def _base(kind: EventKind, payload: Payload) -> Fields:
    return {
        "kind": kind,
        "session_id": _text(payload, "session_id", "sessionId", "sessionID"),
        "turn_id": _text(payload, "turn_id", "prompt_id"),
        "transcript_path": _text(payload, "transcript_path", "transcriptPath", limit=PATH_LIMIT),
        "work_dir": _text(payload, "cwd", "directory", limit=PATH_LIMIT),
    }


def _plain(kind: EventKind) -> Translation:
    return lambda payload: _base(kind, payload)


def _prompt(*names: str) -> Translation:
    """The exact text, whatever its length: receipts compare it with the prompt that was sent."""

    def translation(payload: Payload) -> Fields:
        text = _text(payload, *names, limit=PAYLOAD_LIMIT)
        return {**_base(EventKind.PROMPT_SUBMITTED, payload), "text": text}

    return translation


def _ended(*names: str) -> Translation:
    return lambda payload: {
        **_base(EventKind.TURN_ENDED, payload),
        "text": _text(payload, *names, limit=REPLY_LIMIT),
    }


def _failed(*names: str) -> Translation:
    return lambda payload: {
        **_base(EventKind.TURN_FAILED, payload),
        "text": _text(payload, *names, limit=REPLY_LIMIT),
    }


_INPUTS = ("tool_input", "toolInput", "toolArgs", "args")


def _tool(kind: EventKind) -> Translation:
    return lambda payload: {
        **_base(kind, payload),
        "request_id": _text(payload, "tool_use_id", "toolCallId", "callID"),
        "tool_name": _text(payload, "tool_name", "toolName", "tool"),
        "tool_input": tool_input(next(filter(None, map(payload.get, _INPUTS)), None)),
    }


_CLAUDE: Mapping[str, Translation] = {
    "SessionStart": _plain(EventKind.SESSION_STARTED),
    "SessionEnd": _plain(EventKind.SESSION_ENDED),
    "UserPromptSubmit": _prompt("prompt"),
    "PreToolUse": _tool(EventKind.TOOL_STARTING),
    "PermissionRequest": _tool(EventKind.PERMISSION_ASKED),
    "PostToolUse": _tool(EventKind.TOOL_ENDED),
    "PostToolUseFailure": _tool(EventKind.TOOL_ENDED),
    "Stop": _ended("last_assistant_message"),
    "StopFailure": _failed("error", "error_details"),
}


def _gemini_notification(payload: Payload) -> Fields | None:
    if payload.get("notification_type") != "ToolPermission":
        return None
    details = _mapping(payload, "details")
    return {
        **_base(EventKind.PERMISSION_ASKED, payload),
        "tool_name": _text(details, "toolName", "type"),
        "tool_input": tool_input(dict(details)),
    }


_GEMINI: Mapping[str, Translation] = {
    "SessionStart": _plain(EventKind.SESSION_STARTED),
    "SessionEnd": _plain(EventKind.SESSION_ENDED),
    "BeforeAgent": _prompt("prompt"),
    "BeforeTool": _tool(EventKind.TOOL_STARTING),
    "Notification": _gemini_notification,
    "AfterTool": _tool(EventKind.TOOL_ENDED),
    "AfterAgent": _ended("prompt_response"),
}

# --- Copilot ----------------------------------------------------------------------------------


def _copilot_error(payload: Payload) -> Fields | None:
    """It retries after an error that is recoverable: the turn goes on."""
    if payload.get("recoverable") is not False:
        return None
    reason = _text(_mapping(payload, "error"), "message", "name", limit=REPLY_LIMIT)
    return {**_base(EventKind.TURN_FAILED, payload), "text": reason}


_COPILOT: Mapping[str, Translation] = {
    "sessionStart": _plain(EventKind.SESSION_STARTED),
    "sessionEnd": _plain(EventKind.SESSION_ENDED),
    "userPromptSubmitted": _prompt("prompt"),
    "preToolUse": _tool(EventKind.TOOL_STARTING),
    "permissionRequest": _tool(EventKind.PERMISSION_ASKED),
    "postToolUse": _tool(EventKind.TOOL_ENDED),
    "agentStop": _plain(EventKind.TURN_ENDED),
    "errorOccurred": _copilot_error,
}

# --- opencode ---------------------------------------------------------------------------------


def _opencode_status(payload: Payload) -> Fields | None:
    busy = _mapping(payload, "status").get("type") == "busy"
    return _base(EventKind.TURN_STARTED, payload) if busy else None


def _opencode_error(payload: Payload) -> Fields:
    error = _mapping(payload, "error")
    reason = _text(_mapping(error, "data"), "message", limit=REPLY_LIMIT) or _text(error, "name")
    return {**_base(EventKind.TURN_FAILED, payload), "text": reason}


def _opencode_asked(payload: Payload) -> Fields:
    metadata = {**_mapping(payload, "metadata"), "patterns": payload.get("patterns")}
    return {
        **_base(EventKind.PERMISSION_ASKED, payload),
        "request_id": _text(payload, "id"),
        "tool_name": _text(payload, "permission"),
        "tool_input": tool_input(metadata),
    }


def _opencode_replied(payload: Payload) -> Fields:
    return {
        **_base(EventKind.PERMISSION_RESOLVED, payload),
        "request_id": _text(payload, "requestID"),
        "text": _text(payload, "reply"),  # once, always or reject
    }


_OPENCODE: Mapping[str, Translation] = {
    "session.created": _plain(EventKind.SESSION_STARTED),
    "chat.message": _prompt("text"),
    "session.status": _opencode_status,
    "tool.execute.before": _tool(EventKind.TOOL_STARTING),
    "tool.execute.after": _tool(EventKind.TOOL_ENDED),
    "permission.asked": _opencode_asked,
    "permission.replied": _opencode_replied,
    "session.error": _opencode_error,
    "session.idle": _plain(EventKind.TURN_ENDED),
}

# --- pi ---------------------------------------------------------------------------------------


def _pi_ended(payload: Payload) -> Fields:
    if _text(payload, "stopReason") in {"aborted", "error"}:
        reason = _text(payload, "errorMessage", "stopReason", limit=REPLY_LIMIT)
        return {**_base(EventKind.TURN_FAILED, payload), "text": reason}
    return _ended("text")(payload) or {}


_PI: Mapping[str, Translation] = {
    "session_start": _plain(EventKind.SESSION_STARTED),
    "session_shutdown": _plain(EventKind.SESSION_ENDED),
    "input": _prompt("text"),
    "agent_start": _plain(EventKind.TURN_STARTED),
    "agent_end": _pi_ended,
    "tool_execution_start": _tool(EventKind.TOOL_STARTING),
    "tool_execution_end": _tool(EventKind.TOOL_ENDED),
}

TABLES: Mapping[str, Mapping[str, Translation]] = {
    "claude": _CLAUDE,
    "codex": _CLAUDE,
    "copilot": _COPILOT,
    "gemini": _GEMINI,
    "opencode": _OPENCODE,
    "pi": _PI,
}
