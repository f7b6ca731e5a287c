"""Reads: the notes of a project or window, and tasks across all of them. Changes nothing."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from notes import tasklist
from notes.models import NoteSheet, Task
from notes.tasklist import Status
from terminals.models import Project, Window

Owner = Project | Window


@dataclass(frozen=True, slots=True)
class Notes:
    """A sheet as it is: its tasks in their order, and the key of each."""

    sheet: NoteSheet
    tasks: Sequence[tasklist.Task]
    keys: list[str]


def of(owner: Owner) -> dict[str, Any]:
    """Which sheet is the owner's, as a filter has it."""
    return {"project": owner} if isinstance(owner, Project) else {"window": owner}


def key_of(owner: Owner) -> str:
    """Names a sheet for as long as its owner is there."""
    return f"project-{owner.pk}" if isinstance(owner, Project) else f"window-{owner.key}"


def read_notes(*, owner: Owner) -> Notes:
    """Of an owner that nobody has noted anything for: empty notes, version 0."""
    sheet = NoteSheet.objects.filter(**of(owner)).first() or NoteSheet(**of(owner))
    sheet.owned_by(owner)
    return read_sheet(sheet)


def read_sheet(sheet: NoteSheet) -> Notes:
    return Notes(sheet, tasklist.parse(sheet.body), sheet.task_keys.split())


def sheets() -> QuerySet[NoteSheet]:
    """All, each with its owner at hand."""
    return NoteSheet.objects.select_related("project", "window__project")


def boards() -> QuerySet[NoteSheet]:
    """Those with tasks, but for windows that are gone."""
    rows = sheets().exclude(task_keys="").exclude(window__alive=False)
    return rows.order_by("pk")


def count_tasks(rows: Iterable[NoteSheet]) -> dict[int, dict[Status, int]]:
    """How many tasks of each status, by sheet; for the rows of one page of a list."""
    found = Task.objects.filter(sheet__in=[row.pk for row in rows]).order_by()
    counts: defaultdict[int, dict[Status, int]] = defaultdict(lambda: dict.fromkeys(Status, 0))
    for sheet, status, number in found.values_list("sheet", "status").annotate(Count("pk")):
        counts[sheet][Status(status)] = number
    return counts


def search_tasks(
    *, text: str = "", status: Status | None = None, project: str = "", source: str = ""
) -> QuerySet[Task]:
    """Over all projects and windows; every word of `text` must be in the task."""
    rows = Task.objects.select_related("sheet__project", "sheet__window__project")
    for word in text.split():
        rows = rows.filter(text__icontains=word)
    if status is not None:
        rows = rows.filter(status=status.value)
    if project:
        own = Q(sheet__project__name=project)
        rows = rows.filter(own | Q(sheet__window__project__name=project))
    if source:
        rows = rows.filter(sheet__source=source)
    return rows.order_by("-changed_at", "sheet", "position")
