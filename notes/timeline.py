"""Changes of notes and tasks as items of a project's timeline. Changes nothing."""

from django.db.models import Q

from notes.models import NoteChange
from terminals import timeline
from terminals.models import Project
from terminals.timeline import Cursor, Item, Kind


def timeline_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    own = Q(sheet__project=project) | Q(sheet__window__project=project)
    rows = NoteChange.objects.filter(own, timeline.older(Kind.TASK, before))
    return [
        Item(
            place=Cursor(timeline.microseconds(row.at), Kind.TASK, row.pk),
            window=row.sheet.window, text=timeline.short(row.lines), action=row.action, by=row.by,
        )
        for row in rows.select_related("sheet__window").order_by("-at", "-pk")[:limit]
    ]  # fmt: skip
