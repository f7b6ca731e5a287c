"""Reads chat: pages of a window's records, its messages, and search over all windows.

transcript.py turns records into messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from agents.chat import journals, search
from agents.chat.schemas import PAGE
from agents.chat.transcript import Message, ScreenRecord, Submitted, to_messages
from agents.models import ChatRecord, Role
from core.database import in_db
from terminals.models import Window

# The most records that are read for one page of messages; enough for real conversations.
RECORDS_READ = 4000


@dataclass(frozen=True, slots=True)
class History:
    records: list[ChatRecord]  # oldest first
    has_more: bool  # there are older ones
    has_newer: bool = False  # set only by reads around a moment


@dataclass(frozen=True, slots=True)
class Conversation:
    messages: list[Message]
    has_more: bool
    last: int  # ts of the newest record that was read; 0: none
    has_newer: bool = False


def read_chat_history(
    *, window: Window, limit: int = PAGE, before: int | None = None, since: int | None = None
) -> History:
    """The newest `limit` records that are older than `before` and not older than `since`."""
    rows = list(_rows(window, before, since).order_by("-ts")[: limit + 1])
    return History(rows[:limit][::-1], len(rows) > limit)


def read_chat_at(*, window: Window, moment: int, older: int, newer: int) -> History:
    """`older` records up to a moment and `newer` records after it."""
    page = read_chat_history(window=window, limit=older, before=moment + 1) if older else None
    rows = list(_rows(window, None, moment + 1).order_by("ts")[: newer + 1])
    records = [*(page.records if page else ()), *rows[:newer]]
    return History(records, page.has_more if page else True, len(rows) > newer)


async def read_chat_messages(
    *, window: Window, limit: int = PAGE, before: int | None = None, since: int | None = None
) -> Conversation:
    """The newest messages; those that the agent's journal contains are marked as confirmed."""
    page = await in_db(read_messages)(window=window, limit=limit, before=before, since=since)
    return replace(page, messages=await journals.confirm_messages(window, page.messages))


async def read_chat_messages_at(
    *, window: Window, moment: int, older: int, newer: int
) -> Conversation:
    messages = await in_db(read_messages_at)(window=window, moment=moment, older=older, newer=newer)
    return replace(messages, messages=await journals.confirm_messages(window, messages.messages))


def read_messages(
    *, window: Window, limit: int, before: int | None = None, since: int | None = None
) -> Conversation:
    """The newest messages from the terminal alone; reads as many records as they need."""
    count = 4 * limit
    while True:
        page = read_chat_history(window=window, limit=count, before=before, since=since)
        messages = conversation(page.records)
        if page.has_more:  # the first turn may be incomplete
            messages = _from_first_prompt(messages)
        if len(messages) >= limit or not page.has_more or count >= RECORDS_READ:
            break
        count = min(2 * count, RECORDS_READ)
    last = page.records[-1].ts if page.records else 0
    return Conversation(messages[-limit:], page.has_more or len(messages) > limit, last)


def read_messages_at(*, window: Window, moment: int, older: int, newer: int) -> Conversation:
    """Messages around a moment, in whole turns: the records of the turns at both ends are read
    too, because a message depends on all records of its turn."""
    count = 4 * (older + newer)
    while True:
        page = read_chat_at(window=window, moment=moment, older=count, newer=count)
        messages = conversation(page.records)
        if page.has_more:
            messages = _from_first_prompt(messages)
        if page.has_newer:
            messages = _to_last_prompt(messages)
        after = [message for message in messages if message.ts > moment]
        if len(after) >= newer or not page.has_newer or count >= RECORDS_READ:
            break
        count = min(2 * count, RECORDS_READ)
    before = [message for message in messages if message.ts <= moment]
    last = page.records[-1].ts if page.records else 0
    return Conversation(
        [*before[max(0, len(before) - older) :], *after[:newer]],
        page.has_more or len(before) > older,
        last,
        page.has_newer or len(after) > newer,
    )


def conversation(records: Sequence[ChatRecord]) -> list[Message]:
    """The messages of all panes. Panes are read separately: only captures of one pane overlap."""
    panes: dict[str, list[Submitted | ScreenRecord]] = {}
    for record in records:
        panes.setdefault(record.pane, []).append(_item(record))
    messages = [message for items in panes.values() for message in to_messages(items)]
    return messages if len(panes) == 1 else sorted(messages, key=lambda message: message.ts)


def search_chat(
    *, query: str, filters: search.SearchFilters | None = None, limit: int = PAGE, offset: int = 0
) -> History:
    """Newest first, with window and project loaded."""
    matches = search.search(search.parse(query), filters or search.SearchFilters())
    rows = list(matches.select_related("window__project")[offset : offset + limit + 1])
    return History(rows[:limit], len(rows) > limit)


def _rows(window: Window, before: int | None, since: int | None) -> QuerySet[ChatRecord]:
    rows = ChatRecord.objects.filter(window=window)
    if before is not None:
        rows = rows.filter(ts__lt=before)
    return rows if since is None else rows.filter(ts__gte=since)


def _item(record: ChatRecord) -> Submitted | ScreenRecord:
    if record.role == Role.USER:
        return Submitted(record.ts, record.text)
    return ScreenRecord(
        record.ts,
        tuple(record.text.split("\n")),
        runtime=record.runtime,
        columns=record.columns,
        top=record.top,
        full=record.full,
    )


def _from_first_prompt(messages: list[Message]) -> list[Message]:
    turns = [number for number, message in enumerate(messages) if message.role == "user"]
    return messages[turns[0] :] if turns else messages


def _to_last_prompt(messages: list[Message]) -> list[Message]:
    """Drop the last turn, which continues after the page, unless it is the only one."""
    turns = [number for number, message in enumerate(messages) if message.role == "user"]
    return messages[: turns[-1]] if turns and turns[-1] else messages
