"""Reads the notes of a project or window, and tasks across all of them. Writes nothing."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.db.models import Count, Q, QuerySet

from core.errors import NotFound
from notes import tasklist
from notes.models import NoteChange, NoteSheet, Task
from notes.tasklist import Status, TaskLine
from terminals.models import Project, Window

Owner = Project | Window
# The changes of notes that concern tasks.
TASK_ACTIONS = ("write_notes", "add", "set_status", "set_text", "hand_task", "judge_task")


@dataclass(frozen=True, slots=True)
class Notes:
    """A sheet with its tasks in order, and the key of each."""

    sheet: NoteSheet
    tasks: Sequence[TaskLine]
    keys: list[str]


class SheetOwner(TypedDict, total=False):
    """The field of a sheet that names its owner: one of the two."""

    project: Project
    window: Window


def of(owner: Owner) -> SheetOwner:
    """The filter arguments that select the owner's sheet."""
    return {"project": owner} if isinstance(owner, Project) else {"window": owner}


def key_of(owner: Owner) -> str:
    """Identifies a sheet for as long as its owner exists."""
    return f"project-{owner.pk}" if isinstance(owner, Project) else f"window-{owner.key}"


def read_notes(*, owner: Owner) -> Notes:
    """Empty notes with version 0 if the owner has none."""
    sheet = NoteSheet.objects.filter(**of(owner)).first() or NoteSheet(**of(owner))
    sheet.set_owner(owner)
    return read_sheet(sheet)


def read_sheet(sheet: NoteSheet) -> Notes:
    return Notes(sheet, tasklist.parse(sheet.body), sheet.task_keys.split())


def task_history(notes: Notes, key: str) -> QuerySet[NoteChange]:
    """The changes of one task, newest first. Older changes name no tasks: there, those that
    mention its present text count."""
    if key not in notes.keys:
        raise NotFound("this task is gone: read the tasks again")
    text = notes.tasks[notes.keys.index(key)].text
    mentioned = Q(tasks={}, lines__contains=text, action__in=TASK_ACTIONS)
    rows = NoteChange.objects.filter(Q(tasks__has_key=key) | mentioned, sheet=notes.sheet)
    return rows.order_by("-version", "-pk")


def sheets() -> QuerySet[NoteSheet]:
    """All sheets, with their owners loaded."""
    return NoteSheet.objects.select_related("project", "window__project")


def boards() -> QuerySet[NoteSheet]:
    """Sheets with tasks, without those of closed windows."""
    rows = sheets().exclude(task_keys="").exclude(window__alive=False)
    return rows.order_by("pk")


def count_tasks(rows: Iterable[NoteSheet]) -> dict[int, dict[Status, int]]:
    """The number of tasks by status for each sheet; for the rows of one page of a list."""
    tasks = Task.objects.filter(sheet__in=[row.pk for row in rows]).order_by()
    counts: defaultdict[int, dict[Status, int]] = defaultdict(lambda: dict.fromkeys(Status, 0))
    for sheet, status, number in tasks.values_list("sheet", "status").annotate(Count("pk")):
        counts[sheet][Status(status)] = number
    return counts


def search_tasks(
    *, text: str = "", status: Status | None = None, project: str = "", source: str = ""
) -> QuerySet[Task]:
    """Searches all projects and windows. Every word of `text` must occur in the task."""
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
