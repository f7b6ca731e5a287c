"""Stores the entries of journals as messages of windows, and publishes that they changed.

Entries may come twice, because a journal is read again after a restart: the key of a message tells.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Max, QuerySet

from agents.chat import schemas, store
from agents.chat.journals.entries import (
    Entry,
    JournalMessage,
    JournalToolCall,
    TokenUsage,
    ToolOutcome,
    ToolStatus,
    UsageUpdate,
)
from agents.models import KEY_LIMIT, AgentRun, ChatMessage
from core import events
from terminals.models import Window

BATCH = 200  # rows per statement
LATE_MS = 1000  # that a late message may be moved, if there are others at its time


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalSource:
    """Whose journal it is."""

    pane: str
    runtime: str
    session_id: str
    started: int  # ms, of the process


def storable(text: str) -> str:
    """Without NUL and surrogates; the parsers have bounded it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def add_entries(*, window: Window, source: JournalSource, entries: Sequence[Entry]) -> int:
    """Store new messages and change known ones. Returns how many were stored or changed."""
    wanted = {entry.key: entry for entry in entries if isinstance(entry, JournalMessage)}
    updates = [
        entry
        for entry in entries
        if isinstance(entry, ToolOutcome | UsageUpdate) and not _is_merged(entry, wanted)
    ]
    if not wanted and not updates:
        return 0
    with transaction.atomic():
        Window.objects.select_for_update().only("pk").get(pk=window.pk)
        keys = {*wanted, *(update.key for update in updates)}
        rows = {row.key: row for row in known_rows(window, keys)}
        changed = _add(window, source, wanted, rows)
        outdated = {
            row.pk: row
            for update in updates
            if (row := rows.get(update.key)) and _update(row, update)
        }
        ChatMessage.objects.bulk_update(outdated.values(), ("tool", "usage"), batch_size=BATCH)
        changed += len(outdated)
        if changed:
            events.publish(store.topic(window), schemas.messages_changed(window))
    return changed


def known_rows(window: Window, keys: Collection[str]) -> QuerySet[ChatMessage]:
    """In no order: for one, SQLite would read all messages of the window."""
    return ChatMessage.objects.filter(window=window, key__in=keys).order_by()


def _add(
    window: Window,
    source: JournalSource,
    wanted: dict[str, JournalMessage],
    rows: dict[str, ChatMessage],
) -> int:
    """The order of a journal is that of the conversation, whatever the times in it."""
    new = [message for message in wanted.values() if message.key not in rows]
    changed = 0
    if new:
        _begin(window, source)
    # Messages of one session stay in the order in which they were read, piece by piece; only those
    # before a known one are sorted in by their times.
    last = 0 if rows or not new else _last_ts(window, source)
    taken, created = _taken(window, new), list[ChatMessage]()
    for message in wanted.values():
        if row := rows.get(message.key):
            last = max(last, row.ts)
            changed += _rewrite(row, message)
            continue
        if message.late:
            moment = message.ts
            while moment in taken:
                moment -= 1
        else:
            moment = max(message.ts, last + 1)
            while moment in taken:
                moment += 1
            last = moment
        taken.add(moment)
        row = ChatMessage(
            window=window,
            ts=moment,
            key=message.key,
            pane=source.pane,
            session_id=source.session_id[:KEY_LIMIT],
            role=message.role,
            kind=message.kind,
            text=storable(message.text),
            tool=_tool(message.tool) if message.tool else None,
            usage=_usage(message.usage) if message.usage else None,
        )
        rows[message.key] = row
        created.append(row)
    ChatMessage.objects.bulk_create(created, batch_size=BATCH)
    return changed + len(created)


def _rewrite(row: ChatMessage, message: JournalMessage) -> int:
    """Some journals write a message again when something was added to it."""
    text = storable(message.text)
    usage = _usage(message.usage) if message.usage else row.usage
    tool = row.tool
    if message.tool is not None and message.tool.status is not ToolStatus.RUNNING:
        tool = _tool(message.tool)
    if (row.text, row.usage, row.tool) == (text, usage, tool):
        return 0
    row.text, row.usage, row.tool = text, usage, tool
    row.save(update_fields=["text", "usage", "tool"])
    return 1


def _last_ts(window: Window, source: JournalSource) -> int:
    rows = ChatMessage.objects.filter(window=window, session_id=source.session_id[:KEY_LIMIT])
    return int(rows.aggregate(last=Max("ts"))["last"] or 0)


def _taken(window: Window, new: Sequence[JournalMessage]) -> set[int]:
    """Times around and after these messages that other messages have."""
    if not new:
        return set()
    first = min(message.ts for message in new) - LATE_MS
    rows = ChatMessage.objects.filter(window=window, ts__gte=first)
    return set(rows.values_list("ts", flat=True))


def _is_merged(update: ToolOutcome | UsageUpdate, wanted: dict[str, JournalMessage]) -> bool:
    """Whether the update became part of a message of the same piece: one row less to change."""
    message = wanted.get(update.key)
    if message is None:
        return False
    if isinstance(update, UsageUpdate):
        wanted[update.key] = replace(message, usage=update.usage)
    elif message.tool is not None:
        tool = replace(message.tool, outcome=update.outcome, status=update.status)
        wanted[update.key] = replace(message, tool=tool)
    return True


def _update(row: ChatMessage, update: ToolOutcome | UsageUpdate) -> bool:
    if isinstance(update, UsageUpdate):
        new = _usage(update.usage)
        changed, row.usage = row.usage != new, new
    else:
        tool = {**(row.tool or {}), "outcome": storable(update.outcome)}
        tool["status"] = update.status.value
        changed, row.tool = row.tool != tool, tool
    return changed


def _tool(tool: JournalToolCall) -> dict[str, object]:
    return {
        "name": storable(tool.name),
        "input": storable(tool.input),
        "outcome": storable(tool.outcome),
        "status": tool.status.value,
    }


def _usage(usage: TokenUsage) -> dict[str, object]:
    return {
        "input": usage.input,
        "output": usage.output,
        "cached": usage.cached,
        "cost": usage.cost,
    }


# --- runs -------------------------------------------------------------------------------------


def _begin(window: Window, source: JournalSource) -> None:
    """From the first stored message on, the journal is the conversation of the pane."""
    AgentRun.objects.update_or_create(
        window=window,
        pane=source.pane,
        session_id=source.session_id[:KEY_LIMIT],
        started=source.started,
        defaults={"runtime": source.runtime, "ended": None},
    )


def continue_run(*, window: Window, source: JournalSource) -> None:
    """After a restart of webtmux: the run may have been taken for ended."""
    AgentRun.objects.filter(
        window=window,
        pane=source.pane,
        session_id=source.session_id[:KEY_LIMIT],
        started=source.started,
    ).update(ended=None)


def end_runs(*, running: Sequence[tuple[str, int]], now: int) -> int:
    """End the runs of processes that have ended: `running` are panes with starts of processes."""
    count = 0
    for run in AgentRun.objects.filter(ended=None):
        if (run.pane, run.started) not in running:
            run.ended = now
            run.save(update_fields=["ended"])
            count += 1
    return count
