"""Parses journals of Copilot: session-state/SESSION/events.jsonl. Measured with 1.0.102. Pure."""

from collections.abc import Iterator

from agents.chat.journals import entries
from agents.chat.journals.entries import (
    Entry,
    MessageKind,
    Record,
    TokenUsage,
    TurnMark,
    TurnStatus,
    record_of,
    text_of,
)


class CopilotParser:
    def __init__(self) -> None:
        self._usage: TokenUsage | None = None  # precedes the reply that it belongs to
        self._has_calls = False  # of the last reply: the turn goes on after them
        self._spoken = ""

    def feed(self, record: Record) -> Iterator[Entry]:
        data, ts = record_of(record.get("data")), entries.milliseconds(record.get("timestamp"))
        if text_of(data.get("parentToolCallId")) or text_of(record.get("agentId")):
            return  # of an agent within the agent
        key = text_of(data.get("messageId")) or text_of(record.get("id"))
        match record.get("type"):
            case "user.message":
                if text_of(data.get("source")) in {"", "user"}:
                    text = text_of(data.get("content"))
                    yield from entries.message(key=key, role="user", text=text, ts=ts)
            case "session.usage_record":
                self._usage = _usage(record_of(data.get("usage")))
            case "assistant.message":
                yield from self._reply(key, data, ts)
            case "tool.execution_complete":
                yield _outcome(data, ts)
            case "permission.completed":
                yield from _permission(data, ts)
            case "assistant.turn_end" if not self._has_calls:
                yield TurnMark(TurnStatus.ENDED, ts, self._spoken)
            case "abort":
                yield TurnMark(TurnStatus.FAILED, ts, "interrupted")
            case "session.error":
                yield TurnMark(TurnStatus.FAILED, ts, text_of(data.get("message")))

    def _reply(self, key: str, data: Record, ts: int) -> Iterator[Entry]:
        usage, self._usage = self._usage, None
        calls = entries.records_of(data.get("toolRequests"))
        self._has_calls, self._spoken = bool(calls), text_of(data.get("content"))
        thinking = text_of(data.get("reasoningText"))
        yield from entries.message(
            key=f"{key}/thinking",
            role="assistant",
            text=thinking,
            ts=ts,
            kind=MessageKind.THINKING,
        )
        yield from entries.message(key=key, role="assistant", text=self._spoken, ts=ts, usage=usage)
        if self._spoken.strip():
            usage = None  # counted once
        for call in calls:
            yield entries.tool_message(
                key=key,
                call=text_of(call.get("toolCallId")),
                name=text_of(call.get("name")),
                tool_input=call.get("arguments"),
                ts=ts,
                usage=usage,
            )
            usage = None


def _outcome(data: Record, ts: int) -> Entry:
    text = text_of(record_of(data.get("result")).get("content"))
    text = text or text_of(record_of(data.get("error")).get("message"))
    failed = data.get("success") is False
    refused = text_of(record_of(data.get("error")).get("code")) in {"denied", "rejected"}
    return entries.outcome(
        text_of(data.get("toolCallId")), text, ts, failed=failed, refused=refused
    )


def _permission(data: Record, ts: int) -> Iterator[Entry]:
    """Only a refusal: after an approval the outcome of the tool follows."""
    result = record_of(data.get("result"))
    kind, call = text_of(result.get("kind")), text_of(data.get("toolCallId"))
    if call and kind and not kind.startswith("approved"):
        yield entries.outcome(call, text_of(result.get("reason")) or kind, ts, refused=True)


def _usage(usage: Record) -> TokenUsage | None:
    if not usage:
        return None
    return TokenUsage(
        entries.number_of(usage.get("inputTokens")),
        entries.number_of(usage.get("outputTokens")),
        entries.number_of(usage.get("cacheReadTokens")),
        entries.amount_of(usage.get("cost")),
    )
