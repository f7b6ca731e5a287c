"""Prompts and turns as items of a project's timeline. Changes nothing.

A turn has ended where the next record of its window is a prompt, or where there is none yet.
"""

from collections.abc import Callable

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from agents import chat
from agents.models import ChatRecord, Role
from terminals import timeline
from terminals.models import Project, Window
from terminals.timeline import Cursor, Item, Kind

MILLISECOND = 1000  # in microseconds, which a cursor counts

Rows = QuerySet[ChatRecord]


def prompt_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    rows = _newest(project, Kind.PROMPT, before, limit, lambda rows: rows.filter(role=Role.USER))
    return [_item(row, Kind.PROMPT, row.text, by=row.by) for row in rows]


def turn_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    rows = _newest(project, Kind.TURN, before, limit, _ended)
    return [_item(row, Kind.TURN, _answer(row), by=row.runtime) for row in rows]


def _newest(
    project: Project, kind: Kind, before: Cursor | None, limit: int, choose: Callable[[Rows], Rows]
) -> list[ChatRecord]:
    """Window by window, since an index holds those in order; the one that spoke last comes first,
    and those that fell silent before the page ends are not asked."""
    older = timeline.older(kind, before, field="ts", unit=MILLISECOND)
    rows = ChatRecord.objects.filter(older).order_by("-ts", "-pk")
    last = rows.filter(window=OuterRef("pk")).values("ts")[:1]
    windows = Window.objects.filter(project=project).annotate(last=Subquery(last))
    found: list[ChatRecord] = []
    for window in windows.exclude(last=None).order_by("-last"):
        if len(found) == limit and found[-1].ts > window.last:
            break
        own = list(choose(rows.filter(window=window))[:limit])
        for row in own:
            row.window = window
        found = sorted([*found, *own], key=lambda row: (row.ts, row.pk), reverse=True)[:limit]
    return found


def _ended(rows: Rows) -> Rows:
    """Of agents alone: what a shell prints is no answer."""
    here = ChatRecord.objects.filter(window=OuterRef("window"))
    later = here.filter(ts__gt=OuterRef("ts")).order_by("ts").values("role")[:1]
    asked = here.filter(ts__lt=OuterRef("ts"), role=Role.USER)
    pictures = rows.filter(~Q(runtime=""), Exists(asked), role=Role.ASSISTANT)
    return pictures.alias(later=Subquery(later)).filter(Q(later=None) | Q(later=Role.USER))


def _item(row: ChatRecord, kind: Kind, text: str, *, by: str) -> Item:
    place = Cursor(row.ts * MILLISECOND, kind, row.pk)
    return Item(place=place, window=row.window, text=timeline.short(text), by=by)


def _answer(picture: ChatRecord) -> str:
    """What the picture shows below the prompt, as a message has it."""
    asked = ChatRecord.objects.filter(window=picture.window, role=Role.USER, ts__lt=picture.ts)
    told = chat.conversation([*asked.order_by("-ts")[:1], picture])
    return told[-1].text if told and told[-1].role == "assistant" else ""
