"""Parses journals of Codex ("rollouts"). Measured with 0.169.0. Pure.

Prompts and replies come as events, as the terminal shows them. The same texts are in the records
of the model's context ("response_item"), between texts that Codex itself adds; only tool calls are
taken from there. Earlier versions write `user_message` instead of `item_completed`.
"""

import json
from collections.abc import Iterator

from agents.chat.journals import entries
from agents.chat.journals.entries import (
    Entry,
    JournalMessage,
    MessageKind,
    Record,
    TokenUsage,
    TurnMark,
    TurnStatus,
    UsageUpdate,
    record_of,
    text_of,
)

_REFUSALS = ("rejected by user", "user rejected", "aborted by user", "denied by user")
_CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
_OUTPUTS = {"function_call_output", "custom_tool_call_output", "local_shell_call_output"}


class CodexParser:
    def __init__(self) -> None:
        self._has_items = False  # whether this version writes `item_completed`
        self._last = ""  # key of the last message of the model: its usage follows

    def feed(self, record: Record) -> Iterator[Entry]:
        for entry in self._entries(record):
            if isinstance(entry, JournalMessage) and entry.role == "assistant":
                self._last = entry.key
            yield entry

    def _entries(self, record: Record) -> Iterator[Entry]:
        payload = record_of(record.get("payload"))
        ts = entries.milliseconds(record.get("timestamp"))
        match record.get("type"):
            case "event_msg":
                yield from self._event(payload, ts)
            case "response_item" if payload.get("type") in _CALLS:
                tool_input = (
                    payload.get("arguments") or payload.get("input") or payload.get("action")
                )
                yield entries.tool_message(
                    key=f"{ts}",
                    call=text_of(payload.get("call_id")),
                    name=text_of(payload.get("name")) or "shell",
                    tool_input=tool_input,
                    ts=ts,
                )
            case "response_item" if payload.get("type") in _OUTPUTS:
                yield _outcome(payload, ts)
            case "token_usage_record" if self._last:
                if usage := _usage(record_of(payload.get("usage"))):
                    yield UsageUpdate(self._last, usage)
                self._last = ""  # counted once

    def _event(self, payload: Record, ts: int) -> Iterator[Entry]:
        match payload.get("type"):
            case "item_completed":
                self._has_items = True
                yield from _item(record_of(payload.get("item")), ts)
            case "user_message" if not self._has_items:
                text = text_of(payload.get("message"))
                yield from entries.message(key=f"{ts}/user", role="user", text=text, ts=ts)
            case "agent_message" if not self._has_items:
                text = text_of(payload.get("message"))
                yield from entries.message(key=f"{ts}/agent", role="assistant", text=text, ts=ts)
            case "agent_reasoning" if not self._has_items:
                yield from _thinking(f"{ts}/thinking", text_of(payload.get("text")), ts)
            case "task_started" | "turn_started":
                yield TurnMark(TurnStatus.STARTED, ts)
            case "task_complete" | "turn_complete":
                yield TurnMark(TurnStatus.ENDED, ts, text_of(payload.get("last_agent_message")))
            case "turn_aborted":
                yield TurnMark(TurnStatus.FAILED, ts, text_of(payload.get("reason")))


def _item(item: Record, ts: int) -> Iterator[Entry]:
    key = f"{ts}/{text_of(item.get('id'))}"
    match item.get("type"):
        case "UserMessage":
            text = entries.parts_text(item.get("content"), ("text", "Text"))
            yield from entries.message(key=key, role="user", text=text, ts=ts)
        case "AgentMessage":
            text = entries.parts_text(item.get("content"), ("text", "Text"))
            yield from entries.message(key=key, role="assistant", text=text, ts=ts)
        case "Reasoning":
            summary = item.get("summary_text") or item.get("summary") or item.get("raw_content")
            yield from _thinking(key, entries.parts_text(summary, ("text", "summary_text")), ts)


def _thinking(key: str, text: str, ts: int) -> Iterator[Entry]:
    yield from entries.message(
        key=key, role="assistant", text=text, ts=ts, kind=MessageKind.THINKING
    )


def _outcome(payload: Record, ts: int) -> Entry:
    output, failed = payload.get("output"), False
    if isinstance(output, dict):
        failed = output.get("success") is False
        output = output.get("content") or output.get("text")
    text = entries.parts_text(output, ("text", "input_text", "output_text"))
    if text.startswith('{"output"'):
        text, failed = _wrapped(text)
    refused = any(words in text[:200].lower() for words in _REFUSALS)
    return entries.outcome(
        text_of(payload.get("call_id")), text, ts, failed=failed, refused=refused
    )


def _wrapped(text: str) -> tuple[str, bool]:
    """Some versions put the output and the exit code into JSON."""
    try:
        value = record_of(json.loads(text))
    except ValueError:
        return text, False
    code = record_of(value.get("metadata")).get("exit_code")
    return text_of(value.get("output")), code not in (None, 0)


def _usage(usage: Record) -> TokenUsage | None:
    if not usage:
        return None
    cached = entries.number_of(usage.get("cached_input_tokens"))
    return TokenUsage(
        entries.number_of(usage.get("input_tokens")) - cached,
        entries.number_of(usage.get("output_tokens")),
        cached,
    )
