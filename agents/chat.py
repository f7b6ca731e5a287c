"""Reads of what was said: a window's records in pages, its messages, search over all.

Changes nothing. How records become messages is transcript.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from agents import journals, search
from agents.chat_schemas import PAGE
from agents.models import ChatRecord, Role
from agents.transcript import Message, Shot, Submitted, messages
from terminals.db import in_db
from terminals.models import Window

# Records that messages are made of, at most: enough for the largest page of any real conversation.
RECORDS_READ = 4000


@dataclass(frozen=True, slots=True)
class History:
    records: list[ChatRecord]  # oldest first
    has_more: bool  # there are older ones
    has_newer: bool = False  # said where a moment was asked for


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
    """So many records up to a moment, and so many after it."""
    page = read_chat_history(window=window, limit=older, before=moment + 1) if older else None
    rows = list(_rows(window, None, moment + 1).order_by("ts")[: newer + 1])
    records = [*(page.records if page else ()), *rows[:newer]]
    return History(records, page.has_more if page else True, len(rows) > newer)


async def read_chat_messages(
    *, window: Window, limit: int = PAGE, before: int | None = None, since: int | None = None
) -> Conversation:
    """The newest messages; what the agent's own log has too is confirmed."""
    told = await in_db(read_messages)(window=window, limit=limit, before=before, since=since)
    return replace(told, messages=await journals.confirm_messages(window, told.messages))


async def read_chat_messages_at(
    *, window: Window, moment: int, older: int, newer: int
) -> Conversation:
    told = await in_db(read_messages_at)(window=window, moment=moment, older=older, newer=newer)
    return replace(told, messages=await journals.confirm_messages(window, told.messages))


def read_messages(
    *, window: Window, limit: int, before: int | None = None, since: int | None = None
) -> Conversation:
    """As the terminal alone shows them; as many records are read as they need."""
    count = 4 * limit
    while True:
        page = read_chat_history(window=window, limit=count, before=before, since=since)
        told = conversation(page.records)
        if page.has_more:  # the first turn may have begun before
            told = _from_first_prompt(told)
        if len(told) >= limit or not page.has_more or count >= RECORDS_READ:
            break
        count = min(2 * count, RECORDS_READ)
    last = page.records[-1].ts if page.records else 0
    return Conversation(told[-limit:], page.has_more or len(told) > limit, last)


def read_messages_at(*, window: Window, moment: int, older: int, newer: int) -> Conversation:
    """So many messages up to a moment and so many after it, in whole turns: records of the turns
    at both ends are read as well, without which their messages would not be the same."""
    count = 4 * (older + newer)
    while True:
        page = read_chat_at(window=window, moment=moment, older=count, newer=count)
        told = conversation(page.records)
        if page.has_more:
            told = _from_first_prompt(told)
        if page.has_newer:
            told = _to_last_prompt(told)
        after = [message for message in told if message.ts > moment]
        if len(after) >= newer or not page.has_newer or count >= RECORDS_READ:
            break
        count = min(2 * count, RECORDS_READ)
    before = [message for message in told if message.ts <= moment]
    last = page.records[-1].ts if page.records else 0
    return Conversation(
        [*before[max(0, len(before) - older) :], *after[:newer]],
        page.has_more or len(before) > older,
        last,
        page.has_newer or len(after) > newer,
    )


def conversation(records: Sequence[ChatRecord]) -> list[Message]:
    """A window's panes are read one by one: only pictures of one pane overlap."""
    panes: dict[str, list[Submitted | Shot]] = {}
    for record in records:
        panes.setdefault(record.pane, []).append(_item(record))
    told = [message for items in panes.values() for message in messages(items)]
    return told if len(panes) == 1 else sorted(told, key=lambda message: message.ts)


def search_chat(
    *, query: str, filters: search.Filters | None = None, limit: int = PAGE, offset: int = 0
) -> History:
    """Newest first; each record with its window and project at hand."""
    found = search.search(search.parse(query), filters or search.Filters())
    rows = list(found.select_related("window__project")[offset : offset + limit + 1])
    return History(rows[:limit], len(rows) > limit)


def _rows(window: Window, before: int | None, since: int | None) -> QuerySet[ChatRecord]:
    rows = ChatRecord.objects.filter(window=window)
    if before is not None:
        rows = rows.filter(ts__lt=before)
    return rows if since is None else rows.filter(ts__gte=since)


def _item(record: ChatRecord) -> Submitted | Shot:
    if record.role == Role.USER:
        return Submitted(record.ts, record.text)
    return Shot(
        record.ts, tuple(record.text.split("\n")), runtime=record.runtime, columns=record.columns,
        top=record.top, full=record.full,
    )  # fmt: skip


def _from_first_prompt(told: list[Message]) -> list[Message]:
    turns = [number for number, message in enumerate(told) if message.role == "user"]
    return told[turns[0] :] if turns else told


def _to_last_prompt(told: list[Message]) -> list[Message]:
    """The last turn goes on after the page; alone it is better than nothing."""
    turns = [number for number, message in enumerate(told) if message.role == "user"]
    return told[: turns[-1]] if turns and turns[-1] else told
