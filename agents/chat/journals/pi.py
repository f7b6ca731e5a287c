"""Parses journals of pi: one record per message. Measured with 0.73.1. Pure."""

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


class PiParser:
    def feed(self, record: Record) -> Iterator[Entry]:
        if record.get("type") != "message":
            return
        key, message = text_of(record.get("id")), record_of(record.get("message"))
        ts = entries.milliseconds(record.get("timestamp"))
        match message.get("role"):
            case "user":
                text = entries.parts_text(message.get("content"))
                yield from entries.message(key=key, role="user", text=text, ts=ts)
            case "assistant":
                yield from self._reply(key, message, ts)
            case "toolResult":
                call = text_of(message.get("toolCallId"))
                text = entries.parts_text(message.get("content"))
                yield entries.outcome(call, text, ts, failed=message.get("isError") is True)
            case "bashExecution":  # a command that the user ran with "!"
                command, output = text_of(message.get("command")), text_of(message.get("output"))
                yield from entries.message(key=key, role="user", text=f"!{command}", ts=ts)
                yield from entries.message(
                    key=f"{key}/output", role="assistant", text=output, ts=ts
                )

    def _reply(self, key: str, message: Record, ts: int) -> Iterator[Entry]:
        usage: TokenUsage | None = _usage(record_of(message.get("usage")))
        spoken = ""
        for index, part in enumerate(entries.records_of(message.get("content"))):
            part_key = f"{key}/{index}"
            match part.get("type"):
                case "text":
                    spoken = text_of(part.get("text"))
                    yield from entries.message(
                        key=part_key, role="assistant", text=spoken, ts=ts, usage=usage
                    )
                case "thinking":
                    yield from entries.message(
                        key=part_key,
                        role="assistant",
                        text=text_of(part.get("thinking")),
                        ts=ts,
                        kind=MessageKind.THINKING,
                        usage=usage,
                    )
                case "toolCall":
                    yield entries.tool_message(
                        key=part_key,
                        call=text_of(part.get("id")),
                        name=text_of(part.get("name")),
                        tool_input=part.get("arguments"),
                        ts=ts,
                        usage=usage,
                    )
                case _:
                    continue
            usage = None  # counted once
        match message.get("stopReason"):
            case "stop" | "length":
                yield TurnMark(TurnStatus.ENDED, ts, spoken)
            case "aborted" | "error":
                yield TurnMark(TurnStatus.FAILED, ts, text_of(message.get("errorMessage")))


def _usage(usage: Record) -> TokenUsage | None:
    if not usage:
        return None
    return TokenUsage(
        entries.number_of(usage.get("input")) + entries.number_of(usage.get("cacheWrite")),
        entries.number_of(usage.get("output")),
        entries.number_of(usage.get("cacheRead")),
        entries.amount_of(record_of(usage.get("cost")).get("total")),
    )
