"""Writes the tasks of a sheet as rows, in the transaction that wrote the body.

Not what a task is: tasklist.py. Rows that a change does not concern are not touched.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Case, F, PositiveIntegerField, QuerySet, When

from notes.models import Task
from notes.selectors import Notes

# One change of one task moves the others in one or two runs; a rewritten sheet may have hundreds.
RUNS_LIMIT = 8
PLACE = PositiveIntegerField()
Places = Sequence[int | None]
Run = tuple[int, int, int]  # the first place, the last, and how far they go


def project(before: Notes, after: Notes, places: Places) -> None:
    """`places`: where each task was before; None for a new one."""
    rows = Task.objects.filter(sheet=after.sheet)
    gone = set(before.keys) - set(after.keys)
    if gone:
        rows.filter(key__in=gone).delete()
    _move(rows, after.keys, places)
    new = []
    for index, place in enumerate(places):
        if place is None:
            new.append(Task(position=index, **_identity(after, index), **_told(after, index)))
        elif not _is_same(before, place, after, index):
            rows.filter(key=after.keys[index]).update(**_told(after, index))
    if new:
        Task.objects.bulk_create(new)


def _identity(notes: Notes, index: int) -> dict[str, Any]:
    return {"sheet": notes.sheet, "key": notes.keys[index]}


def _told(notes: Notes, index: int) -> dict[str, Any]:
    task = notes.tasks[index]
    return {
        "status": task.status.value, "text": task.text, "changed_at": notes.sheet.updated_at,
    }  # fmt: skip


def _is_same(before: Notes, place: int, after: Notes, index: int) -> bool:
    old, new = before.tasks[place], after.tasks[index]
    return old.text == new.text and old.status is new.status


def _move(rows: QuerySet[Task], keys: Sequence[str], places: Places) -> None:
    runs = _runs(places)
    if len(runs) > RUNS_LIMIT:
        for step, moved in _steps(keys, places).items():
            rows.filter(key__in=moved).update(position=F("position") + step)
    elif runs:
        # All in one statement: each place is read before any is written.
        cases = (
            When(position__range=(first, last), then=F("position") + step)
            for first, last, step in runs
        )
        first, last = min(run[0] for run in runs), max(run[1] for run in runs)
        moving = rows.filter(position__range=(first, last))
        moving.update(position=Case(*cases, default=F("position"), output_field=PLACE))


def _runs(places: Places) -> list[Run]:
    """Neighbours that go the same way together."""
    runs: list[Run] = []
    for index, place in enumerate(places):
        if place is None or place == index:
            continue
        step = index - place
        if runs and runs[-1][1:] == (place - 1, step):
            runs[-1] = (runs[-1][0], place, step)
        else:
            runs.append((place, place, step))
    return runs


def _steps(keys: Sequence[str], places: Places) -> dict[int, list[str]]:
    """The tasks that change their place, by how far: one statement for all that go the same way."""
    steps: defaultdict[int, list[str]] = defaultdict(list)
    for index, place in enumerate(places):
        if place is not None and place != index:
            steps[index - place].append(keys[index])
    return steps
