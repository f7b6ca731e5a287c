"""Prompts and turns as items of a project's timeline. Only reads.

A turn ends where the next record of its window is a prompt, or where there is no next record.
"""

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from agents.chat import selectors as chat
from agents.models import ChatRecord, Role
from core import timeline
from core.actors import display_name
from core.timeline import TimelineCursor, TimelineItem, TimelineKind
from terminals.models import Project, Window

MILLISECOND = 1000  # in microseconds, which a cursor counts

Rows = QuerySet[ChatRecord]


def prompt_items(project: Project, before: TimelineCursor | None, limit: int) -> list[TimelineItem]:
    rows = _newest(
        project, TimelineKind.PROMPT, before, limit, lambda rows: rows.filter(role=Role.USER)
    )
    return [_item(row, TimelineKind.PROMPT, row.text, actor=display_name(row.by)) for row in rows]


def turn_items(project: Project, before: TimelineCursor | None, limit: int) -> list[TimelineItem]:
    rows = _newest(project, TimelineKind.TURN, before, limit, _ended)
    return [_item(row, TimelineKind.TURN, _answer(row), actor=row.runtime) for row in rows]


def _newest(
    project: Project,
    kind: TimelineKind,
    before: TimelineCursor | None,
    limit: int,
    choose: Callable[[Rows], Rows],
) -> list[ChatRecord]:
    """Window by window, because the index is ordered that way. The window with the newest record
    comes first; windows whose newest record is older than the page are not queried."""
    older = timeline.older(kind, before, field="ts", unit=MILLISECOND)
    rows = ChatRecord.objects.filter(older).order_by("-ts", "-pk")
    last = rows.filter(window=OuterRef("pk")).values("ts")[:1]
    windows = Window.objects.filter(project=project).annotate(last=Subquery(last))
    newest: list[ChatRecord] = []
    for window in windows.exclude(last=None).order_by("-last"):
        if len(newest) == limit and newest[-1].ts > window.last:
            break
        own = list(choose(rows.filter(window=window))[:limit])
        for row in own:
            row.window = window
        newest = sorted([*newest, *own], key=lambda row: (row.ts, row.pk), reverse=True)[:limit]
    return newest


def _ended(rows: Rows) -> Rows:
    """The last captures of turns. Only agents have turns; the output of a shell is no answer."""
    records = ChatRecord.objects.filter(window=OuterRef("window"))
    later = records.filter(ts__gt=OuterRef("ts")).order_by("ts").values("role")[:1]
    prompts = records.filter(ts__lt=OuterRef("ts"), role=Role.USER)
    captures = rows.filter(~Q(runtime=""), Exists(prompts), role=Role.ASSISTANT)
    return captures.alias(later=Subquery(later)).filter(Q(later=None) | Q(later=Role.USER))


def _item(row: ChatRecord, kind: TimelineKind, text: str, *, actor: str) -> TimelineItem:
    place = TimelineCursor(row.ts * MILLISECOND, kind, row.pk)
    return TimelineItem(place=place, window=row.window, text=timeline.short(text), by=actor)


def _answer(capture: ChatRecord) -> str:
    """The text that the capture shows below the prompt, in the form of a message."""
    prompts = ChatRecord.objects.filter(window=capture.window, role=Role.USER, ts__lt=capture.ts)
    messages = chat.conversation([*prompts.order_by("-ts")[:1], capture])
    return messages[-1].text if messages and messages[-1].role == "assistant" else ""
