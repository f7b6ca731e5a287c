"""Returns changes of notes and tasks as items of a project's timeline."""

from django.db.models import Q

from core import timeline
from core.actors import display_name
from core.timeline import TimelineCursor, TimelineItem, TimelineKind
from notes.models import NoteChange
from terminals.models import Project


def timeline_items(
    project: Project, before: TimelineCursor | None, limit: int
) -> list[TimelineItem]:
    own = Q(sheet__project=project) | Q(sheet__window__project=project)
    rows = NoteChange.objects.filter(own, timeline.older(TimelineKind.TASK, before))
    return [
        TimelineItem(
            place=TimelineCursor(timeline.microseconds(row.at), TimelineKind.TASK, row.pk),
            window=row.sheet.window,
            text=timeline.short(row.lines),
            action=row.action,
            by=display_name(row.by),
        )
        for row in rows.select_related("sheet__window").order_by("-at", "-pk")[:limit]
    ]
