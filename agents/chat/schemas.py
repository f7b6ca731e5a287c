"""Wire models of chat, shared by REST, MCP and the socket.

Names and limits come from the webtmux-mcp document; `key`, the paging of messages, and what a
message has besides role, text and ts are extensions.
"""

from collections.abc import Sequence
from typing import Literal, Self, TypedDict

from pydantic import Field

from agents.chat.extractive import Summary
from agents.chat.journals.entries import JournalToolCall, TokenUsage, UsageTotal
from agents.chat.search import MATCHES_LIMIT, SearchFilters
from agents.chat.transcript import Message
from agents.models import ChatMessage, ChatRecord
from agents.waiting.wait import Reason, WaitResult, WindowResult
from core.wire import SocketAnswer, SocketMessage, SocketRequest, Wire
from terminals.models import Window
from terminals.schemas import WindowOut

PAGE, LARGEST_PAGE = 50, 500


class ChatRecordOut(Wire):
    ts: int = Field(description="ms since 1970, strictly increasing in a window")
    role: Literal["user", "assistant"]
    session: str
    window: str = Field(description="tmux's id of the window, such as @7")
    text: str

    @classmethod
    def of(cls, window: Window, row: ChatRecord) -> Self:
        role: Literal["user", "assistant"] = "user" if row.role == "user" else "assistant"
        return cls(
            ts=row.ts,
            role=role,
            session=window.project.session,
            window=window.tmux_id,
            text=row.text,
        )


class ChatHistoryOut(Wire):
    window: WindowOut
    messages: list[ChatRecordOut]
    has_more: bool = Field(description="there are older records: pass the smallest ts as `before`")

    @classmethod
    def of(cls, window: Window, rows: Sequence[ChatRecord], *, has_more: bool) -> Self:
        records = [ChatRecordOut.of(window, row) for row in rows]
        return cls(window=WindowOut.of(window), messages=records, has_more=has_more)


class ChatPageOut(ChatHistoryOut):
    has_newer: bool = Field(False, description="set only with `after` and `around`")

    @classmethod
    def page(cls, window: Window, rows: Sequence[ChatRecord], *, more: bool, newer: bool) -> Self:
        history = ChatHistoryOut.of(window, rows, has_more=more)
        return cls(**dict(history), has_newer=newer)


class ToolCallOut(Wire):
    name: str
    input: str = Field("", description="the command or path, else JSON; shortened")
    outcome: str = Field("", description="shortened")
    status: Literal["running", "done", "failed", "refused"]

    @classmethod
    def of(cls, tool: JournalToolCall) -> Self:
        return cls(name=tool.name, input=tool.input, outcome=tool.outcome, status=tool.status.value)


class UsageOut(Wire):
    input: int = Field(description="tokens, without those read from the cache")
    output: int
    cached: int
    cost: float = Field(description="US dollars; 0 if the agent does not say")

    @classmethod
    def of(cls, usage: TokenUsage) -> Self:
        return cls(input=usage.input, output=usage.output, cached=usage.cached, cost=usage.cost)


class UsageTotalOut(UsageOut):
    replies: int = Field(description="of models, whose usage a journal says")
    sessions: int

    @classmethod
    def total(cls, total: UsageTotal) -> Self:
        usage = dict(UsageOut.of(total.usage))
        return cls(**usage, replies=total.replies, sessions=total.sessions)


class MessageOut(Wire):
    role: Literal["user", "assistant"]
    text: str
    ts: int
    confirmed: bool = Field(
        False, description="the agent itself reported this text, by its journal or a hook"
    )
    source: Literal["journal", "hook", "screen"] = "screen"
    kind: Literal["text", "thinking", "tool", "answer"] = Field(
        "text", description="`tool`: a tool call; `answer`: to a dialog"
    )
    tool: ToolCallOut | None = None
    usage: UsageOut | None = Field(None, description="of the reply of the model, on its first part")

    @classmethod
    def of(cls, message: Message) -> Self:
        return cls(
            role=message.role,
            text=message.text,
            ts=message.ts,
            confirmed=message.confirmed,
            source=message.source,
            kind=message.kind.value,
            tool=ToolCallOut.of(message.tool) if message.tool else None,
            usage=UsageOut.of(message.usage) if message.usage else None,
        )


class ChatMessagesOut(Wire):
    window: WindowOut
    messages: list[MessageOut]
    has_more: bool

    @classmethod
    def of(cls, window: Window, messages: Sequence[Message], *, has_more: bool) -> Self:
        items = [MessageOut.of(message) for message in messages]
        return cls(window=WindowOut.of(window), messages=items, has_more=has_more)


class MessagesPageOut(ChatMessagesOut):
    has_newer: bool = Field(False, description="set only with `after` and `around`")

    @classmethod
    def page(cls, window: Window, messages: Sequence[Message], *, more: bool, newer: bool) -> Self:
        return cls(**dict(ChatMessagesOut.of(window, messages, has_more=more)), has_newer=newer)


class SummaryOut(Wire):
    window: WindowOut
    summary: list[str]
    by: Literal["model", "extract"] = Field(
        description="`model`: written by a language model; `extract`: quotations and counts"
    )
    model: str = ""

    @classmethod
    def of(cls, window: Window, summary: Summary) -> Self:
        return cls(
            window=WindowOut.of(window),
            summary=list(summary.bullets),
            by=summary.by,
            model=summary.model,
        )


class HappenedOut(Wire):
    session: str
    window_id: str
    window_index: int
    window_name: str
    why: Reason
    detail: str = Field(description="the matching line, or the agent's state")
    skipped: bool = Field(description="the window printed faster than it could be searched")

    @classmethod
    def of(cls, event: WindowResult) -> Self:
        row = event.window
        return cls(
            session=row.session_name,
            window_id=row.id,
            window_index=row.index,
            window_name=row.name,
            why=event.reason,
            detail=event.detail,
            skipped=event.skipped,
        )


class WaitedOut(Wire):
    met: bool = Field(description="false: the time-out expired first")
    ms: int
    windows: list[HappenedOut]

    @classmethod
    def of(cls, result: WaitResult) -> Self:
        windows = [HappenedOut.of(window) for window in result.windows]
        return cls(met=result.met, ms=int(result.seconds * 1000), windows=windows)


class FoundOut(ChatRecordOut):
    key: str = Field(description="the key of the window")
    source: Literal["journal", "screen"] = Field(
        "screen", description="`journal`: a message; `screen`: a submitted line or a screen"
    )

    @classmethod
    def found(cls, row: ChatRecord | ChatMessage) -> Self:
        return cls(
            ts=row.ts,
            role="user" if row.role == "user" else "assistant",
            session=row.window.project.session,
            window=row.window.tmux_id,
            text=row.text,
            key=row.window.key,
            source="journal" if isinstance(row, ChatMessage) else "screen",
        )


class ChatFoundOut(Wire):
    items: list[FoundOut]
    has_more: bool

    @classmethod
    def of(cls, rows: Sequence[ChatRecord | ChatMessage], *, has_more: bool) -> Self:
        return cls(items=[FoundOut.found(row) for row in rows], has_more=has_more)


class ChatPaging(Wire):
    limit: int = Field(PAGE, ge=1, le=LARGEST_PAGE)
    before: int | None = Field(None, description="only records before this ts")
    since: int | None = Field(None, description="only records from this ts on")


class NewestRecords(TypedDict):
    limit: int
    before: int | None
    since: int | None


class ShownMessages(TypedDict):
    thinking: bool
    screen: bool


class ChatPlace(ChatPaging):
    after: int | None = Field(None, description="the next records after this ts")
    around: int | None = Field(
        None, description="half of the records before this ts, half after it"
    )

    def moment(self) -> dict[str, int] | None:
        """The moment to read around, if the query names one."""
        if self.after is not None:
            return {"moment": self.after, "older": 0, "newer": self.limit}
        if self.around is None:
            return None
        half = self.limit // 2
        return {"moment": self.around, "older": self.limit - half, "newer": half}

    def newest(self) -> "NewestRecords":
        return {"limit": self.limit, "before": self.before, "since": self.since}


class MessagePlace(ChatPlace):
    thinking: bool = Field(False, description="also what the model thought, where it is known")
    screen: bool = Field(False, description="as the screen alone shows it, without journals")

    def shown(self) -> "ShownMessages":
        return {"thinking": self.thinking, "screen": self.screen}


class ChatQuery(ChatPaging):
    q: str = Field(description='words, "phrases", the beginning of a wor*')
    window: str = Field("", description="the window's key or tmux id")
    role: Literal["", "user", "assistant"] = ""
    offset: int = Field(0, ge=0, le=MATCHES_LIMIT - LARGEST_PAGE)

    def filters(self, window: Window | None) -> SearchFilters:
        return SearchFilters(
            window=window.pk if window else None,
            role=self.role,
            since=self.since,
            before=self.before,
        )


class ChatRequest(SocketRequest):
    window: str = Field(description="the key or tmux id of a window")


class SubscribedChatOut(ChatHistoryOut, SocketAnswer):
    """The newest page of a window's chat."""


class ChatAdded(SocketMessage):
    type: Literal["chat-added"] = "chat-added"
    key: str = Field(description="the key of the window")
    record: ChatRecordOut


def chat_added(window: Window, row: ChatRecord) -> dict[str, object]:
    """The event for a new record, or for a screen that replaces the record with the same ts."""
    return ChatAdded(key=window.key, record=ChatRecordOut.of(window, row)).message()


class MessagesChanged(SocketMessage):
    type: Literal["messages-changed"] = "messages-changed"
    key: str = Field(description="the key of the window")


def messages_changed(window: Window) -> dict[str, object]:
    """The event for messages that were read from the journal of an agent."""
    return MessagesChanged(key=window.key).message()
