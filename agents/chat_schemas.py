"""What goes over the wire about chat; shared by every door.

Names and limits are the document's; `confirmed`, `key` and the paging of messages are ours.
"""

from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field

from agents.extract import Summary
from agents.models import ChatRecord
from agents.search import MATCHES_LIMIT, Filters
from agents.transcript import Message
from agents.waiting import Happened, Waited, Why
from terminals.models import Window
from terminals.schemas import WindowOut, Wire

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
            ts=row.ts, role=role, session=window.project.session, window=window.tmux_id,
            text=row.text,
        )  # fmt: skip


class ChatHistoryOut(Wire):
    window: WindowOut
    messages: list[ChatRecordOut]
    has_more: bool = Field(description="there are older records: pass the smallest ts as `before`")

    @classmethod
    def of(cls, window: Window, rows: Sequence[ChatRecord], *, has_more: bool) -> Self:
        records = [ChatRecordOut.of(window, row) for row in rows]
        return cls(window=WindowOut.of(window), messages=records, has_more=has_more)


class ChatPageOut(ChatHistoryOut):
    has_newer: bool = Field(False, description="told with `after` and `around`")

    @classmethod
    def page(cls, window: Window, rows: Sequence[ChatRecord], *, more: bool, newer: bool) -> Self:
        told = ChatHistoryOut.of(window, rows, has_more=more)
        return cls(**dict(told), has_newer=newer)


class MessageOut(Wire):
    role: Literal["user", "assistant"]
    text: str
    ts: int
    confirmed: bool = Field(False, description="the agent's own log has it too")

    @classmethod
    def of(cls, message: Message) -> Self:
        return cls(role=message.role, text=message.text, ts=message.ts,
                   confirmed=message.confirmed)  # fmt: skip


class ChatMessagesOut(Wire):
    window: WindowOut
    messages: list[MessageOut]
    has_more: bool

    @classmethod
    def of(cls, window: Window, told: Sequence[Message], *, has_more: bool) -> Self:
        said = [MessageOut.of(message) for message in told]
        return cls(window=WindowOut.of(window), messages=said, has_more=has_more)


class MessagesPageOut(ChatMessagesOut):
    has_newer: bool = Field(False, description="told with `after` and `around`")

    @classmethod
    def page(cls, window: Window, told: Sequence[Message], *, more: bool, newer: bool) -> Self:
        return cls(**dict(ChatMessagesOut.of(window, told, has_more=more)), has_newer=newer)


class SummaryOut(Wire):
    window: WindowOut
    summary: list[str]
    by: Literal["model", "extract"] = Field(
        description="a language model, or quotations and counts"
    )
    model: str = ""

    @classmethod
    def of(cls, window: Window, told: Summary) -> Self:
        return cls(window=WindowOut.of(window), summary=list(told.bullets), by=told.by,
                   model=told.model)  # fmt: skip


class HappenedOut(Wire):
    session: str
    window_id: str
    window_index: int
    window_name: str
    why: Why
    detail: str = Field(description="the line, or the agent's state")
    skipped: bool = Field(description="it printed faster than it could be searched")

    @classmethod
    def of(cls, told: Happened) -> Self:
        row = told.window
        return cls(
            session=row.session_name, window_id=row.id, window_index=row.index,
            window_name=row.name, why=told.why, detail=told.detail, skipped=told.skipped,
        )  # fmt: skip


class WaitedOut(Wire):
    met: bool = Field(description="whether it happened before the time was over")
    ms: int
    windows: list[HappenedOut]

    @classmethod
    def of(cls, told: Waited) -> Self:
        happened = [HappenedOut.of(one) for one in told.windows]
        return cls(met=told.met, ms=int(told.seconds * 1000), windows=happened)


class FoundOut(ChatRecordOut):
    key: str = Field(description="of the window")

    @classmethod
    def found(cls, row: ChatRecord) -> Self:
        record = ChatRecordOut.of(row.window, row)
        return cls(**dict(record), key=row.window.key)


class ChatFoundOut(Wire):
    items: list[FoundOut]
    has_more: bool

    @classmethod
    def of(cls, rows: Sequence[ChatRecord], *, has_more: bool) -> Self:
        return cls(items=[FoundOut.found(row) for row in rows], has_more=has_more)


class ChatPaging(Wire):
    limit: int = Field(PAGE, ge=1, le=LARGEST_PAGE)
    before: int | None = Field(None, description="only what is older than this ts")
    since: int | None = Field(None, description="only what is not older than this ts")


class ChatPlace(ChatPaging):
    after: int | None = Field(None, description="what comes next after this ts, and nothing else")
    around: int | None = Field(None, description="half before this ts, half after it")

    def moment(self) -> dict[str, int] | None:
        """Where the page is asked for by a moment in it."""
        if self.after is not None:
            return {"moment": self.after, "older": 0, "newer": self.limit}
        if self.around is None:
            return None
        half = self.limit // 2
        return {"moment": self.around, "older": self.limit - half, "newer": half}

    def newest(self) -> dict[str, Any]:
        return {"limit": self.limit, "before": self.before, "since": self.since}


class ChatQuery(ChatPaging):
    q: str = Field(description='words, "phrases", the beginning of a wor*')
    window: str = Field("", description="its key or tmux's id")
    role: Literal["", "user", "assistant"] = ""
    offset: int = Field(0, ge=0, le=MATCHES_LIMIT - LARGEST_PAGE)

    def filters(self, window: Window | None) -> Filters:
        return Filters(
            window=window.pk if window else None, role=self.role, since=self.since,
            before=self.before,
        )  # fmt: skip


def chat_added(window: Window, row: ChatRecord) -> dict[str, Any]:
    """Of a record that is new, or of a screen that replaces the one with the same ts."""
    record = ChatRecordOut.of(window, row).model_dump(mode="json")
    return {"type": "chat-added", "key": window.key, "record": record}
