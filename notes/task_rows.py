"""Writes the tasks of a sheet as database rows, in the transaction that writes the body.

What counts as a task is decided in tasklist.py. Rows that a change does not concern are not
written.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from django.db.models import Case, F, PositiveIntegerField, QuerySet, When

from notes.models import Task
from notes.selectors import Notes
from notes.tasklist import Origins

# A change of one task shifts the others in one or two runs; a rewritten sheet may have hundreds.
RUNS_LIMIT = 8
Run = tuple[int, int, int]  # the first old position, the last, and the distance they move


def write_rows(before: Notes, after: Notes, origins: Origins) -> None:
    rows = Task.objects.filter(sheet=after.sheet)
    if removed := set(before.keys) - set(after.keys):
        rows.filter(key__in=removed).delete()
    _shift(rows, after.keys, origins)
    new = []
    for index, origin in enumerate(origins):
        if origin is None:
            new.append(
                Task(
                    sheet=after.sheet,
                    key=after.keys[index],
                    position=index,
                    **_values(after, index),
                )
            )
            continue
        old_task, task = before.tasks[origin], after.tasks[index]
        if old_task.text != task.text or old_task.status is not task.status:
            rows.filter(key=after.keys[index]).update(**_values(after, index))
    if new:
        Task.objects.bulk_create(new)


class TaskValues(TypedDict):
    status: str
    text: str
    changed_at: datetime | None


def _values(notes: Notes, index: int) -> TaskValues:
    task = notes.tasks[index]
    changed_at = notes.sheet.updated_at
    return {"status": task.status.value, "text": task.text, "changed_at": changed_at}


def _shift(rows: QuerySet[Task], keys: Sequence[str], origins: Origins) -> None:
    runs = _runs(origins)
    if len(runs) > RUNS_LIMIT:
        for distance, moved in _by_distance(keys, origins).items():
            rows.filter(key__in=moved).update(position=F("position") + distance)
    elif runs:
        # All in one statement: every position is read before any is written.
        cases = (
            When(position__range=(first, last), then=F("position") + distance)
            for first, last, distance in runs
        )
        first, last = min(run[0] for run in runs), max(run[1] for run in runs)
        position = Case(*cases, default=F("position"), output_field=PositiveIntegerField())
        rows.filter(position__range=(first, last)).update(position=position)


def _runs(origins: Origins) -> list[Run]:
    """Neighbouring tasks that move by the same distance, as one run each."""
    runs: list[Run] = []
    for index, origin in enumerate(origins):
        if origin is None or origin == index:
            continue
        distance = index - origin
        if runs and runs[-1][1:] == (origin - 1, distance):
            runs[-1] = (runs[-1][0], origin, distance)
        else:
            runs.append((origin, origin, distance))
    return runs


def _by_distance(keys: Sequence[str], origins: Origins) -> dict[int, list[str]]:
    """The keys of all tasks that move, by distance: one statement for each distance."""
    moved: defaultdict[int, list[str]] = defaultdict(list)
    for index, origin in enumerate(origins):
        if origin is not None and origin != index:
            moved[index - origin].append(keys[index])
    return moved
