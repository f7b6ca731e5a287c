"""Parses journals of Gemini CLI: chats/session-*.jsonl. Measured with 0.61.0. Pure.

A record is a message, or `$set` with changed fields of the session. A message is written again when
something was added to it: a tool call, but only after its result. So the end of a turn cannot be
told from a reply that a tool call will follow, and these journals are no witness (events.py).

After a cancelled request, a resume and a compression the whole context of the model is written
again, with new ids: first its messages, then a `$set` of all of them. Neither is conversation.
"""

from collections.abc import Iterator

from agents.chat.journals import entries
from agents.chat.journals.entries import (
    Entry,
    MessageKind,
    Record,
    RepeatFilter,
    TokenUsage,
    TurnMark,
    TurnStatus,
    record_of,
    text_of,
)

_CONTEXT = "<session_context>"
CONTEXT_MS = 1000  # between the first and the last message of a context that is written again
# Written by Gemini CLI for the model.
_NOTES = (_CONTEXT, "System: Potential loop detected.")


class GeminiParser:
    def __init__(self) -> None:
        self._repeats = RepeatFilter()
        self._context_until = 0  # ms; while the context is written again

    def feed(self, record: Record) -> Iterator[Entry]:
        if "$set" in record:
            if "messages" in record_of(record.get("$set")):
                self._context_until = 0
            return
        ts = entries.milliseconds(record.get("timestamp"))
        if entries.parts_text(record.get("content")).startswith(_CONTEXT):
            self._context_until = ts + CONTEXT_MS
        if ts <= self._context_until:
            return
        for entry in self._message(record):
            if self._repeats.is_new(entry):
                yield entry

    def _message(self, message: Record) -> Iterator[Entry]:
        key, ts = text_of(message.get("id")), entries.milliseconds(message.get("timestamp"))
        match message.get("type"):
            case "user":
                text = entries.parts_text(message.get("content"))
                if not text.startswith(_NOTES):
                    yield from entries.message(key=key, role="user", text=text, ts=ts)
            case "gemini":
                yield from self._reply(key, message, ts)
            case "error":
                yield TurnMark(TurnStatus.FAILED, ts, entries.parts_text(message.get("content")))

    def _reply(self, key: str, message: Record, ts: int) -> Iterator[Entry]:
        for index, thought in enumerate(entries.records_of(message.get("thoughts"))):
            subject, words = text_of(thought.get("subject")), text_of(thought.get("description"))
            yield from entries.message(
                key=f"{key}/thought{index}",
                role="assistant",
                text="\n\n".join(part for part in (subject and f"**{subject}**", words) if part),
                ts=ts,
                kind=MessageKind.THINKING,
            )
        text, usage = (
            entries.parts_text(message.get("content")),
            _usage(record_of(message.get("tokens"))),
        )
        yield from entries.message(key=key, role="assistant", text=text, ts=ts, usage=usage)
        if text.strip():
            usage = None  # counted once
        calls = entries.records_of(message.get("toolCalls"))
        for call in calls:
            yield from _call(key, call, ts, usage)
            usage = None
        if text.strip() and not calls:
            yield TurnMark(TurnStatus.ENDED, ts, text)


def _call(key: str, call: Record, ts: int, usage: TokenUsage | None) -> Iterator[Entry]:
    tool = entries.tool_message(
        key=key,
        call=text_of(call.get("id")),
        name=text_of(call.get("name")),
        tool_input=call.get("args"),
        ts=ts,
        usage=usage,
    )
    yield tool
    status = text_of(call.get("status"))
    if status in {"success", "error", "cancelled"}:
        yield _outcome(call, status, ts)


def _outcome(call: Record, status: str, ts: int) -> Entry:
    shown = text_of(call.get("resultDisplay"))
    for result in entries.records_of(call.get("result")):
        response = record_of(record_of(result.get("functionResponse")).get("response"))
        shown = text_of(response.get("output")) or text_of(response.get("error")) or shown
    ended = entries.milliseconds(call.get("timestamp")) or ts
    return entries.outcome(
        text_of(call.get("id")),
        shown,
        ended,
        failed=status == "error",
        refused=status == "cancelled",
    )


def _usage(tokens: Record) -> TokenUsage | None:
    if not tokens:
        return None
    cached = entries.number_of(tokens.get("cached"))
    output = entries.number_of(tokens.get("output")) + entries.number_of(tokens.get("thoughts"))
    return TokenUsage(entries.number_of(tokens.get("input")) - cached, output, cached)
