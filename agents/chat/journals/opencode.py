"""Parses what database_reader.py reads of opencode's database. Measured with 1.18.33. Pure.

A record is a message with its parts. It is read again until it is complete, so entries that were
returned before are left out. A prompt that was sent while opencode worked has the time at which it
was sent, which is before the reply to the prompt before it; it counts from when its reply began.
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
    number_of,
    record_of,
    text_of,
)


def is_complete(record: Record) -> bool:
    """Whether nothing will be added to the message."""
    data = record_of(record.get("data"))
    if data.get("role") == "user":
        return bool(record.get("answered"))
    return bool(record_of(data.get("time")).get("completed")) or bool(data.get("error"))


class OpencodeParser:
    def __init__(self) -> None:
        self._repeats = RepeatFilter()

    def feed(self, record: Record) -> Iterator[Entry]:
        data, is_done = record_of(record.get("data")), is_complete(record)
        new_entries = (
            _prompt(record) if data.get("role") == "user" else _reply(record, data, is_done)
        )
        yield from (entry for entry in new_entries if self._repeats.is_new(entry))


def _prompt(record: Record) -> Iterator[Entry]:
    began = number_of(record.get("answered"))
    if not began:
        return
    parts = entries.records_of(record.get("parts"))
    texts = [
        text_of(record_of(part.get("data")).get("text"))
        for part in parts
        if record_of(part.get("data")).get("type") == "text"
        and not record_of(part.get("data")).get("synthetic")
    ]
    yield from entries.message(
        key=text_of(record.get("id")), role="user", text="\n".join(texts), ts=began - 1
    )


def _reply(record: Record, data: Record, is_done: bool) -> Iterator[Entry]:
    if data.get("summary") is True:
        return  # a compaction
    usage: TokenUsage | None = _usage(data) if is_done else None
    spoken, ts = "", number_of(record.get("created"))
    for part in entries.records_of(record.get("parts")):
        content, key = record_of(part.get("data")), text_of(part.get("id"))
        times = record_of(content.get("time"))
        ts = number_of(times.get("start")) or number_of(part.get("created")) or ts
        kind = content.get("type")
        if kind == "tool":
            yield from _tool(key, content, ts, usage)
        elif kind in {"text", "reasoning"} and (is_done or times.get("end")):
            text = text_of(content.get("text"))
            spoken = text if kind == "text" else spoken
            yield from entries.message(
                key=key,
                role="assistant",
                text=text,
                ts=ts,
                kind=MessageKind.TEXT if kind == "text" else MessageKind.THINKING,
                usage=usage if kind == "text" else None,
            )
    ended = number_of(record_of(data.get("time")).get("completed")) or ts
    error = record_of(data.get("error"))
    if error:
        yield TurnMark(TurnStatus.FAILED, ended, text_of(error.get("name")))
    elif is_done and data.get("finish") not in {"tool-calls", "unknown"}:
        yield TurnMark(TurnStatus.ENDED, ended, spoken)


def _tool(key: str, part: Record, ts: int, usage: TokenUsage | None) -> Iterator[Entry]:
    state, call = record_of(part.get("state")), text_of(part.get("callID"))
    status = state.get("status")
    if status not in {"running", "completed", "error"}:
        return  # its input is not complete
    started = number_of(record_of(state.get("time")).get("start")) or ts
    yield entries.tool_message(
        key=key,
        call=call,
        name=text_of(part.get("tool")),
        tool_input=state.get("input"),
        ts=started,
        usage=usage,
    )
    if status == "running":
        return
    text = text_of(state.get("output")) or text_of(state.get("error"))
    yield entries.outcome(
        call,
        text,
        number_of(record_of(state.get("time")).get("end")) or ts,
        failed=status == "error",
        refused="rejected permission" in text or "dismissed" in text,
    )


def _usage(data: Record) -> TokenUsage | None:
    tokens = record_of(data.get("tokens"))
    if not tokens:
        return None
    cache = record_of(tokens.get("cache"))
    return TokenUsage(
        number_of(tokens.get("input")) + number_of(cache.get("write")),
        number_of(tokens.get("output")) + number_of(tokens.get("reasoning")),
        number_of(cache.get("read")),
        entries.amount_of(data.get("cost")),
    )
