"""Parses journals of Claude Code. Measured with 2.1.197. Pure.

One record per part of a message. Records of subagents, of a compaction and notes that Claude Code
adds for the model are no part of the conversation. Each record names the one before it; the first
ones of a session may be written in another order.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace

from agents.chat.journals import entries
from agents.chat.journals.entries import (
    Entry,
    JournalMessage,
    MessageKind,
    Record,
    TokenUsage,
    TurnMark,
    TurnStatus,
    record_of,
    text_of,
)

NO_REPLY = "No response requested."
INTERRUPTED = "[Request interrupted by user"
_REFUSED = ("The user doesn't want to proceed with this tool use", "User rejected tool use")
_ENDS = {"end_turn", "stop_sequence", "max_tokens", "refusal"}
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_SHELL = re.compile(r"<bash-input>(.*?)</bash-input>", re.DOTALL)
_OUTPUT = re.compile(r"<bash-(?:stdout|stderr)>(.*?)</bash-(?:stdout|stderr)>", re.DOTALL)
RECENT = 200  # records that are remembered, to notice one that comes after what followed it
LATE_RECORDS = 20  # that may be between the two
NOTES = ("<local-command-", "<system-reminder", "<task-notification", "<ide_")


class ClaudeParser:
    def __init__(self) -> None:
        self._counted = ""  # id of the reply whose usage was returned: each part repeats it
        self._spoken = ""
        self._seen: OrderedDict[str, None] = OrderedDict()  # ids of records
        # Ids that were only named so far: the time of the record that names it, and its number.
        self._missing: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._read = 0  # records

    def feed(self, record: Record) -> Iterator[Entry]:
        if record.get("isSidechain") is True:
            return
        is_late = self._is_late(record)
        for entry in self._entries(record):
            if is_late and isinstance(entry, JournalMessage):
                yield replace(entry, late=True)
            else:
                yield entry

    def _is_late(self, record: Record) -> bool:
        """Whether a record that was read before comes after this one: one is known whose
        predecessor is still missing, and this one is older."""
        own, parent = text_of(record.get("uuid")), text_of(record.get("parentUuid"))
        if not own:
            return False
        ts = entries.milliseconds(record.get("timestamp"))
        is_late = any(ts < since for since, _ in self._missing.values())
        self._missing.pop(own, None)
        self._read += 1
        while self._missing and self._read - next(iter(self._missing.values()))[1] > LATE_RECORDS:
            self._missing.popitem(last=False)
        if parent and parent not in self._seen:
            self._missing[parent] = ts, self._read
        self._seen[own] = None
        if len(self._seen) > RECENT:
            self._seen.popitem(last=False)
        return is_late

    def _entries(self, record: Record) -> Iterator[Entry]:
        ts = entries.milliseconds(record.get("timestamp"))
        key = text_of(record.get("uuid"))
        match record.get("type"):
            case "user" if not record.get("isMeta") and not record.get("isCompactSummary"):
                content = record_of(record.get("message")).get("content")
                yield from self._user(key, content, ts)
            case "assistant":
                yield from self._reply(key, record, ts)
            case "attachment":
                yield from _attachment(key, record_of(record.get("attachment")), ts)
            case "system" if record.get("subtype") == "turn_duration":
                yield TurnMark(TurnStatus.ENDED, ts, self._spoken)

    def _user(self, key: str, content: object, ts: int) -> Iterator[Entry]:
        parts = [content] if isinstance(content, str) else entries.records_of(content)
        texts: list[str] = []
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
            elif part.get("type") == "text":
                texts.append(text_of(part.get("text")))
            elif part.get("type") == "tool_result":
                yield _outcome(part, ts)
        text = "\n".join(texts)
        if text.startswith(INTERRUPTED):
            yield TurnMark(TurnStatus.FAILED, ts, "interrupted")
        elif output := _OUTPUT.findall(text):
            yield from entries.message(
                key=key, role="assistant", text="\n".join(output).strip("\n"), ts=ts
            )
        elif text.strip() and not text.lstrip().startswith(NOTES):
            self._spoken = ""
            yield from entries.message(key=key, role="user", text=_typed(text), ts=ts)

    def _reply(self, key: str, record: Record, ts: int) -> Iterator[Entry]:
        message = record_of(record.get("message"))
        is_error = record.get("isApiErrorMessage") is True
        identity, usage = text_of(message.get("id")), None
        if identity != self._counted:
            self._counted, usage = identity, _usage(record_of(message.get("usage")))
        has_text = False  # thinking has the reason of the whole reply, too
        is_own = message.get("model") != "<synthetic>"  # else the words of Claude Code, or cut off
        for index, part in enumerate(entries.records_of(message.get("content"))):
            part_key = f"{key}/{index}"
            if not is_own and part.get("text") == NO_REPLY:
                continue
            match part.get("type"):
                case "text":
                    self._spoken, has_text = text_of(part.get("text")), True
                    yield from entries.message(
                        key=part_key, role="assistant", text=self._spoken, ts=ts, usage=usage
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
                case "tool_use":
                    yield entries.tool_message(
                        key=key,
                        call=text_of(part.get("id")),
                        name=text_of(part.get("name")),
                        tool_input=part.get("input"),
                        ts=ts,
                        usage=usage,
                    )
            usage = None
        if is_error:
            yield TurnMark(TurnStatus.FAILED, ts, self._spoken)
        elif is_own and has_text and message.get("stop_reason") in _ENDS:
            yield TurnMark(TurnStatus.ENDED, ts, self._spoken)


def _typed(text: str) -> str:
    """What the user typed, for a slash command or a shell command."""
    if shell := _SHELL.search(text):
        return f"!{shell[1]}"
    if command := _COMMAND.search(text):
        arguments = _ARGUMENTS.search(text)
        return f"{command[1]} {arguments[1] if arguments else ''}".strip()
    return text


def _attachment(key: str, attachment: Record, ts: int) -> Iterator[Entry]:
    """A prompt that was sent while the agent worked is attached to the result of a tool."""
    if attachment.get("type") == "queued_command":
        text = entries.parts_text(attachment.get("prompt"))
        if not text.lstrip().startswith(NOTES):
            yield from entries.message(key=key, role="user", text=text, ts=ts)


def _outcome(part: Record, ts: int) -> Entry:
    text = entries.parts_text(part.get("content"))
    return entries.outcome(
        text_of(part.get("tool_use_id")),
        text,
        ts,
        failed=part.get("is_error") is True,
        refused=text.startswith(_REFUSED),
    )


def _usage(usage: Record) -> TokenUsage | None:
    if not usage:
        return None
    written = entries.number_of(usage.get("cache_creation_input_tokens"))
    return TokenUsage(
        entries.number_of(usage.get("input_tokens")) + written,
        entries.number_of(usage.get("output_tokens")),
        entries.number_of(usage.get("cache_read_input_tokens")),
    )
