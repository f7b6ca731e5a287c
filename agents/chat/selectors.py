"""Reads chat: pages of a window's records, its messages, and search over all windows.

Messages come from the journal of the agent for as long as it ran and its journal was followed
(journals/), else from the records: transcript.py turns them into messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, FloatField, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from agents import registry
from agents.chat import search
from agents.chat.comparison import confirm
from agents.chat.journals.entries import (
    JournalToolCall,
    MessageKind,
    TokenUsage,
    ToolStatus,
    UsageTotal,
    is_whole,
)
from agents.chat.schemas import PAGE
from agents.chat.transcript import Message, ScreenRecord, Submitted, to_messages
from agents.models import AgentRun, ChatMessage, ChatRecord, Role
from agents.witnesses import store as events
from core.database import in_db
from core.offload import by_size
from terminals.models import Project, Window

# The most records that are read for one page of messages; enough for real conversations.
RECORDS_READ = 4000
RUNS_READ = 100  # newest runs of agents in a window whose journals replace its records


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
    *,
    window: Window,
    limit: int = PAGE,
    before: int | None = None,
    since: int | None = None,
    thinking: bool = False,
    screen: bool = False,
) -> Conversation:
    """The newest messages: from the agent's journal while it ran, else from the screen. With
    `screen`, from the screen alone."""
    page = await in_db(read_messages)(
        window=window, limit=limit, before=before, since=since, thinking=thinking, screen=screen
    )
    return page if screen else await _with_hooks(window, page)


async def read_chat_messages_at(
    *,
    window: Window,
    moment: int,
    older: int,
    newer: int,
    thinking: bool = False,
    screen: bool = False,
) -> Conversation:
    page = await in_db(read_messages_at)(
        window=window, moment=moment, older=older, newer=newer, thinking=thinking, screen=screen
    )
    return page if screen else await _with_hooks(window, page)


async def _with_hooks(window: Window, page: Conversation) -> Conversation:
    panes = [
        agent.pane_id
        for agent in registry.current().agents.values()
        if agent.window_id == window.tmux_id
    ]
    reported = [event for pane in panes for event in events.events(pane)]
    if not reported:
        return page
    size = sum(len(message.text) for message in page.messages)
    return replace(page, messages=await by_size(size, confirm, page.messages, reported))


def read_messages(
    *,
    window: Window,
    limit: int,
    before: int | None = None,
    since: int | None = None,
    thinking: bool = False,
    screen: bool = False,
) -> Conversation:
    shown = _screen_messages(window, limit, before, since, alone=screen)
    rows = _journal_rows(window, thinking)
    if screen:
        rows = rows.none()
    if before is not None:
        rows = rows.filter(ts__lt=before)
    if since is not None:
        rows = rows.filter(ts__gte=since)
    journal = [journal_message(row) for row in rows.order_by("-ts")[: limit + 1]][::-1]
    if not journal:
        return replace(
            shown,
            messages=shown.messages[-limit:],
            has_more=shown.has_more or len(shown.messages) > limit,
        )
    # Older messages of the screen are not known yet: no message of the journal may be before them.
    floor = _first_ts(shown) if shown.has_more else 0
    messages = _joined(shown.messages, [each for each in journal if each.ts >= floor])
    has_more = shown.has_more or len(messages) > limit or floor > journal[0].ts
    last = max(shown.last, journal[-1].ts)
    return Conversation(messages[-limit:], has_more, last)


def read_messages_at(
    *,
    window: Window,
    moment: int,
    older: int,
    newer: int,
    thinking: bool = False,
    screen: bool = False,
) -> Conversation:
    shown = _screen_messages_at(window, moment, older, newer, alone=screen)
    rows = _journal_rows(window, thinking)
    if screen:
        rows = rows.none()
    earlier = rows.filter(ts__lte=moment).order_by("-ts")[: older + 1]
    later = rows.filter(ts__gt=moment).order_by("ts")[: newer + 1]
    journal = [journal_message(row) for row in (*reversed(earlier), *later)]
    floor = _first_ts(shown) if shown.has_more and older else 0
    ceiling = shown.messages[-1].ts if shown.has_newer and shown.messages else None
    known = [
        each for each in journal if each.ts >= floor and (ceiling is None or each.ts <= ceiling)
    ]
    messages = _joined(shown.messages, known)
    before = [message for message in messages if message.ts <= moment]
    after = [message for message in messages if message.ts > moment]
    cut = len(journal) > len(known)
    return Conversation(
        [*before[max(0, len(before) - older) :], *after[:newer]],
        shown.has_more or len(before) > older or (cut and journal[0].ts < floor),
        max(shown.last, journal[-1].ts if journal else 0),
        shown.has_newer
        or len(after) > newer
        or (cut and ceiling is not None and journal[-1].ts > ceiling),
    )


def _first_ts(screen: Conversation) -> int:
    return screen.messages[0].ts if screen.messages else screen.last


def _joined(screen: Sequence[Message], journal: Sequence[Message]) -> list[Message]:
    return sorted([*screen, *journal], key=lambda message: message.ts)


# --- from the journal -------------------------------------------------------------------------


def _journal_rows(window: Window, thinking: bool) -> QuerySet[ChatMessage]:
    rows = ChatMessage.objects.filter(window=window)
    return rows if thinking else rows.exclude(kind=MessageKind.THINKING)


def journal_message(row: ChatMessage) -> Message:
    tool, usage = row.tool, row.usage
    return Message(
        "user" if row.role == Role.USER else "assistant",
        row.text,
        row.ts,
        confirmed=is_whole(row.text),
        source="journal",
        kind=MessageKind(row.kind),
        tool=JournalToolCall(
            "", tool["name"], tool["input"], tool["outcome"], ToolStatus(tool["status"])
        )
        if tool
        else None,
        usage=TokenUsage(**usage) if usage else None,
    )


def _not_in_journal(rows: QuerySet[ChatRecord], window: Window) -> QuerySet[ChatRecord]:
    """Without the records of panes while the journal of an agent was their conversation. Answers
    to dialogs stay: a journal has only their effect."""
    for run in AgentRun.objects.filter(window=window).order_by("-started")[:RUNS_READ]:
        during = Q(pane=run.pane, answer=False, ts__gte=run.started)
        rows = rows.exclude(during if run.ended is None else during & Q(ts__lte=run.ended))
    return rows


# --- from the screen --------------------------------------------------------------------------


def _screen_messages(
    window: Window, limit: int, before: int | None, since: int | None, *, alone: bool
) -> Conversation:
    """The newest messages of the terminal; reads as many records as they need. `alone`: also of
    the time for which there is a journal."""
    count = 4 * limit
    records = _rows(window, before, since)
    if not alone:
        records = _not_in_journal(records, window)
    while True:
        rows = list(records.order_by("-ts")[: count + 1])
        page = History(rows[:count][::-1], len(rows) > count)
        messages = conversation(page.records, known=() if alone else _known(page.records, window))
        if page.has_more:  # the first turn may be incomplete
            messages = _from_first_prompt(messages)
        if len(messages) >= limit or not page.has_more or count >= RECORDS_READ:
            break
        count = min(2 * count, RECORDS_READ)
    last = page.records[-1].ts if page.records else 0
    return Conversation(messages, page.has_more, last)


def _screen_messages_at(
    window: Window, moment: int, older: int, newer: int, *, alone: bool
) -> Conversation:
    """Messages around a moment, in whole turns: the records of the turns at both ends are read
    too, because a message depends on all records of its turn."""
    count = 4 * (older + newer)
    earlier, later = _rows(window, moment + 1, None), _rows(window, None, moment + 1)
    if not alone:
        earlier, later = _not_in_journal(earlier, window), _not_in_journal(later, window)
    earlier, later = earlier.order_by("-ts"), later.order_by("ts")
    while True:
        old, new = list(earlier[: count + 1]), list(later[: count + 1])
        page = History([*old[:count][::-1], *new[:count]], len(old) > count, len(new) > count)
        messages = conversation(page.records, known=() if alone else _known(page.records, window))
        if page.has_more:
            messages = _from_first_prompt(messages)
        if page.has_newer:
            messages = _to_last_prompt(messages)
        after = [message for message in messages if message.ts > moment]
        if len(after) >= newer or not page.has_newer or count >= RECORDS_READ:
            break
        count = min(2 * count, RECORDS_READ)
    last = page.records[-1].ts if page.records else 0
    return Conversation(messages, page.has_more, last, page.has_newer)


def _known(records: Sequence[ChatRecord], window: Window) -> list[ChatRecord]:
    """The last screens of agents that have ended, before or between these records. The shell after
    them still shows what the journal has."""
    first: dict[str, int] = {}
    for record in records:
        first.setdefault(record.pane, record.ts)
    if not first:
        return []
    screens: dict[int, ChatRecord] = {}
    runs = AgentRun.objects.filter(window=window, pane__in=first, ended__lte=records[-1].ts)
    for run in runs.order_by("-ended")[:RUNS_READ]:
        during = ChatRecord.objects.filter(window=window, pane=run.pane, role=Role.ASSISTANT)
        row = during.filter(ts__gte=run.started, ts__lte=run.ended).order_by("-ts").first()
        if row is not None:
            screens[row.pk] = row
        if run.ended is not None and run.ended < min(first.values()):
            break
    return list(screens.values())


def conversation(
    records: Sequence[ChatRecord], *, known: Sequence[ChatRecord] = ()
) -> list[Message]:
    """The messages of all panes. Panes are read separately: only captures of one pane overlap.
    `known`: screens whose lines are no messages here."""
    panes: dict[str, list[Submitted | ScreenRecord]] = {}
    if known:
        records = sorted([*records, *known], key=lambda record: record.ts)
    numbers = {record.pk for record in known}
    for record in records:
        item = _item(record)
        if isinstance(item, ScreenRecord) and record.pk is not None and record.pk in numbers:
            item = replace(item, known=True)
        panes.setdefault(record.pane, []).append(item)
    messages = [message for items in panes.values() for message in to_messages(items)]
    return messages if len(panes) == 1 else sorted(messages, key=lambda message: message.ts)


def read_usage(*, window: Window | None = None, project: Project | None = None) -> UsageTotal:
    """Of the conversations of one window, or of all windows of a project."""
    rows = ChatMessage.objects.filter(usage__isnull=False)
    if window is not None:
        rows = rows.filter(window=window)
    if project is not None:
        rows = rows.filter(window__project=project)
    names = ("input", "output", "cached", "cost")
    sums = {
        f"total_{name}": Sum(Cast(KeyTextTransform(name, "usage"), FloatField())) for name in names
    }
    totals = rows.order_by().aggregate(
        replies=Count("id"), sessions=Count("session_id", distinct=True), **sums
    )
    amounts = [totals[f"total_{name}"] or 0.0 for name in names]
    tokens = [int(amount) for amount in amounts[:3]]
    usage = TokenUsage(tokens[0], tokens[1], tokens[2], amounts[3])
    return UsageTotal(usage, totals["replies"], totals["sessions"])


def read_project_usage(*, project: Project) -> UsageTotal:
    """The same for all windows of a project."""
    return read_usage(project=project)


@dataclass(frozen=True, slots=True)
class Found:
    records: list[ChatRecord | ChatMessage]  # newest first, with window and project
    has_more: bool


def search_chat(
    *, query: str, filters: search.SearchFilters | None = None, limit: int = PAGE, offset: int = 0
) -> Found:
    """In what windows showed and in journals. A prompt is in both: the message is enough."""
    terms, filters = search.parse(query), filters or search.SearchFilters()
    count = offset + limit + 1
    records = search.search(terms, filters, ChatRecord).select_related("window__project")[:count]
    in_journals = search.search(terms, filters, ChatMessage)
    messages = list(in_journals.select_related("window__project")[:count])
    prompts = {(row.window_id, row.text.strip()) for row in messages if row.role == Role.USER}
    rows: list[ChatRecord | ChatMessage] = [
        *messages,
        *(row for row in records if (row.window_id, row.text.strip()) not in prompts),
    ]
    rows.sort(key=lambda row: row.ts, reverse=True)
    return Found(rows[offset : offset + limit], len(rows) > offset + limit)


def _rows(window: Window, before: int | None, since: int | None) -> QuerySet[ChatRecord]:
    rows = ChatRecord.objects.filter(window=window)
    if before is not None:
        rows = rows.filter(ts__lt=before)
    return rows if since is None else rows.filter(ts__gte=since)


def _item(record: ChatRecord) -> Submitted | ScreenRecord:
    if record.role == Role.USER:
        return Submitted(record.ts, record.text, record.answer)
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
