"""What a journal says, in one form for all runtimes. Pure.

Each runtime has a parser (claude.py, codex.py…) that turns its records into these entries. Formats
change between versions of the agents, so a parser skips what it does not know, and every field is
checked: a journal contains text of models and tools.
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal, Protocol

KEY_LIMIT = 200  # characters
TEXT_LIMIT = 256 * 1024  # of a message; only the beginning of a longer one is kept
TOOL_INPUT_LIMIT = 2000
TOOL_OUTCOME_LIMIT = 2000
CALLS_LIMIT = 1000  # calls whose outcome may still come
KNOWN_LIMIT = 2000  # entries that may be written again
CUT = "\n[… cut off]"

Record = Mapping[str, Any]
Role = Literal["user", "assistant"]


class MessageKind(StrEnum):
    TEXT = "text"
    THINKING = "thinking"
    TOOL = "tool"  # a tool call; `text` says what it does
    ANSWER = "answer"  # to a dialog; never in a journal


class ToolStatus(StrEnum):
    RUNNING = "running"  # or waiting for permission
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"  # by the user


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """The tokens of one reply of the model, and its cost in US dollars where the agent says it."""

    input: int = 0  # without those that were read from the cache
    output: int = 0
    cached: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class UsageTotal:
    """Of all replies of models, as far as journals say it."""

    usage: TokenUsage
    replies: int
    sessions: int


@dataclass(frozen=True, slots=True)
class JournalToolCall:
    id: str  # of the call, by which its outcome refers to it
    name: str
    input: str = ""  # shortened; a command as it is, other input as JSON
    outcome: str = ""  # shortened
    status: ToolStatus = ToolStatus.RUNNING


@dataclass(frozen=True, slots=True)
class JournalMessage:
    key: str  # unique in the session; the same when the journal is read again
    role: Role
    text: str  # exactly as written, in Markdown
    ts: int  # ms since 1970; 0 if the journal does not say
    kind: MessageKind = MessageKind.TEXT
    tool: JournalToolCall | None = None
    usage: TokenUsage | None = None
    late: bool = False  # written after what followed it: its time tells its place, not the journal


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    call: str  # the id of the call
    outcome: str
    status: ToolStatus
    ts: int
    key: str = ""  # of the message with the call


@dataclass(frozen=True, slots=True)
class UsageUpdate:
    """The usage of a message that was returned before."""

    key: str
    usage: TokenUsage


class TurnStatus(StrEnum):
    STARTED = "started"
    ENDED = "ended"
    FAILED = "failed"  # interrupted, or an error ended it


@dataclass(frozen=True, slots=True)
class TurnMark:
    status: TurnStatus
    ts: int
    text: str = ""  # the last reply, or the reason


Entry = JournalMessage | ToolOutcome | UsageUpdate | TurnMark


class Parser(Protocol):
    """Keeps what later records refer to. A new one is made when the journal is read again."""

    def feed(self, record: Record) -> Iterator[Entry]: ...


# --- fields -----------------------------------------------------------------------------------


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def record_of(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def records_of(value: object) -> list[Record]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def number_of(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def amount_of(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def milliseconds(value: object) -> int:
    """Of an ISO 8601 text, or of a number that is already in ms."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return 0
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return int(aware.timestamp() * 1000)
    return number_of(value)


def parts_text(content: object, kinds: Sequence[str] = ("text",)) -> str:
    """The text of a content: a text, or a list of parts of these kinds."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [
        part if isinstance(part, str) else text_of(part.get("text"))
        for part in parts
        if isinstance(part, str) or (isinstance(part, dict) and part.get("type", "text") in kinds)
    ]
    return "\n".join(text for text in texts if text)


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + CUT


def is_whole(text: str) -> bool:
    """Whether this text of a message is all that the journal has."""
    return len(text) <= TEXT_LIMIT


# What a tool does, if its input is one of these; the first that is present counts.
_PATHS = ("file_path", "filePath", "path")
_MEANING = ("command", "cmd", "script", "file_path", "filePath", "path", "pattern", "query", "url")


def input_text(value: object) -> str:
    """The input of a tool as a reader wants it: the command, the path, else JSON."""
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = json.loads(value) if len(value) < TEXT_LIMIT else value
    if isinstance(value, dict):
        if change := _change(value):
            return shortened(change, TOOL_INPUT_LIMIT)
        for name in _MEANING:
            if words := _words(value.get(name)):
                return shortened(words, TOOL_INPUT_LIMIT)
        if not value:
            return ""
    if isinstance(value, str):
        return shortened(value, TOOL_INPUT_LIMIT)
    return shortened(json.dumps(value, ensure_ascii=False, default=str), TOOL_INPUT_LIMIT)


# How agents name the text that an edit replaces, and the text that replaces it.
_EDITS = (
    ("old_string", "new_string"), ("oldString", "newString"), ("old_str", "new_str"),
    ("oldText", "newText"),
)  # fmt: skip  # one row


def _change(value: Record) -> str:
    """An edit as a diff, below the path; empty for other input."""
    for old, new in _EDITS:
        before, after = value.get(old), value.get(new)
        if isinstance(before, str) and isinstance(after, str):
            lines = [f"- {line}" for line in before.splitlines()]
            lines += [f"+ {line}" for line in after.splitlines()]
            path = next((text_of(value[key]) for key in _PATHS if value.get(key)), "")
            return "\n".join([path, *lines] if path else lines)
    return ""


def _words(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        return str(value[2]) if len(value) == 3 and value[1] in {"-c", "-lc"} else " ".join(value)
    return ""


def tool_message(
    *, key: str, call: str, name: str, tool_input: object, ts: int, usage: TokenUsage | None = None
) -> JournalMessage:
    """The id of a call alone is no key: some models number the calls of each reply from 0."""
    words = input_text(tool_input)
    text = f"{name}: {words}" if words else name
    return JournalMessage(
        f"{key}/{call}"[:KEY_LIMIT],
        "assistant",
        text,
        ts,
        MessageKind.TOOL,
        JournalToolCall(call, name[:KEY_LIMIT], words),
        usage,
    )


def outcome(
    call: str, text: str, ts: int, *, failed: bool = False, refused: bool = False
) -> ToolOutcome:
    status = ToolStatus.FAILED if failed else ToolStatus.DONE
    if refused:
        status = ToolStatus.REFUSED
    return ToolOutcome(call, shortened(text, TOOL_OUTCOME_LIMIT), status, ts)


def message(
    *,
    key: str,
    role: Role,
    text: str,
    ts: int,
    kind: MessageKind = MessageKind.TEXT,
    usage: TokenUsage | None = None,
) -> Iterator[JournalMessage]:
    """Nothing for a text that is blank."""
    if text.strip():
        yield JournalMessage(
            key[:KEY_LIMIT], role, shortened(text, TEXT_LIMIT), ts, kind, usage=usage
        )


class JournalReader:
    """Turns the lines of one journal into entries, and finds the call of each outcome."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._calls: dict[str, str] = {}  # the keys of the messages with calls, by id of the call

    def read(self, lines: Iterable[bytes]) -> list[Entry]:
        """A line that is no JSON object is skipped."""
        entries: list[Entry] = []
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:  # also of bytes that are not UTF-8
                continue
            if isinstance(record, dict):
                entries += self.take(record)
        return entries

    def take(self, record: Record) -> Iterator[Entry]:
        for entry in self._parser.feed(record):
            if isinstance(entry, JournalMessage) and entry.tool is not None:
                self._calls.pop(entry.tool.id, None)
                self._calls[entry.tool.id] = entry.key
                if len(self._calls) > CALLS_LIMIT:
                    del self._calls[next(iter(self._calls))]
            if not isinstance(entry, ToolOutcome):
                yield entry
            elif key := self._calls.get(entry.call):
                yield replace(entry, key=key)


class RepeatFilter:
    """Leaves out entries that were returned before, for journals that write a message again."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Entry] = {}

    def is_new(self, entry: Entry) -> bool:
        name = (type(entry).__name__, _name(entry))
        if self._known.get(name) == entry:
            return False
        self._known[name] = entry
        if len(self._known) > KNOWN_LIMIT:
            del self._known[next(iter(self._known))]
        return True


def _name(entry: Entry) -> str:
    if isinstance(entry, TurnMark):
        return f"{entry.ts}"
    return entry.call if isinstance(entry, ToolOutcome) else entry.key
