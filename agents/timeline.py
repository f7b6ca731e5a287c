"""Prompts and turns as items of a project's timeline. Changes nothing.

A turn has ended where the next record of its window is a prompt, or where there is none yet.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from agents import chat
from agents.models import ChatRecord, Role
from terminals import timeline
from terminals.models import Project
from terminals.timeline import Cursor, Item, Kind

MILLISECOND = 1000  # in microseconds, which a cursor counts


def prompt_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    rows = _rows(project, Kind.PROMPT, before).filter(role=Role.USER)[:limit]
    return [_item(row, Kind.PROMPT, row.text, by=row.by) for row in rows]


def turn_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    """Of agents alone: what a shell prints is no answer."""
    here = ChatRecord.objects.filter(window=OuterRef("window"))
    later = here.filter(ts__gt=OuterRef("ts")).order_by("ts").values("role")[:1]
    prompts = here.filter(ts__lt=OuterRef("ts"), role=Role.USER)
    rows = (
        _rows(project, Kind.TURN, before)
        .filter(~Q(runtime=""), Exists(prompts), role=Role.ASSISTANT)
        .annotate(
            next_role=Subquery(later), prompt=Subquery(prompts.order_by("-ts").values("pk")[:1])
        )
        .filter(Q(next_role=None) | Q(next_role=Role.USER))
    )[:limit]
    asked = ChatRecord.objects.in_bulk([row.prompt for row in rows])
    return [
        _item(row, Kind.TURN, _answer(asked.get(row.prompt), row), by=row.runtime) for row in rows
    ]


def _rows(project: Project, kind: Kind, before: Cursor | None) -> "QuerySet[ChatRecord]":
    older = timeline.older(kind, before, field="ts", unit=MILLISECOND)
    rows = ChatRecord.objects.filter(older, window__project=project)
    return rows.select_related("window").order_by("-ts", "-pk")


def _item(row: ChatRecord, kind: Kind, text: str, *, by: str) -> Item:
    return Item(
        place=Cursor(row.ts * MILLISECOND, kind, row.pk), window=row.window,
        text=timeline.short(text), by=by,
    )  # fmt: skip


def _answer(prompt: ChatRecord | None, picture: ChatRecord) -> str:
    """What the picture shows below the prompt, as a message has it."""
    told = chat.conversation([*([prompt] if prompt else []), picture])
    return told[-1].text if told and told[-1].role == "assistant" else ""
