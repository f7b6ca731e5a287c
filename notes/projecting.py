"""Writes the tasks of a sheet as rows, in the transaction that wrote the body.

Not what a task is: tasklist.py. Rows that a change does not concern are not touched.
"""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import F

from notes.models import Task
from notes.selectors import Notes


def project(before: Notes, after: Notes, places: Sequence[int | None]) -> None:
    """`places`: where each task was before; None for a new one."""
    rows = Task.objects.filter(sheet=after.sheet)
    gone = set(before.keys) - set(after.keys)
    if gone:
        rows.filter(key__in=gone).delete()
    for step, keys in _steps(after.keys, places).items():
        rows.filter(key__in=keys).update(position=F("position") + step)
    new = []
    for index, (key, task) in enumerate(zip(after.keys, after.tasks, strict=True)):
        told = {
            "status": task.status.value, "text": task.text, "changed_at": after.sheet.updated_at,
        }  # fmt: skip
        place = places[index]
        if place is None:
            new.append(Task(sheet=after.sheet, key=key, position=index, **told))
            continue
        old = before.tasks[place]
        if (old.status, old.text) != (task.status, task.text):
            rows.filter(key=key).update(**told)
    if new:
        Task.objects.bulk_create(new)


def _steps(keys: Sequence[str], places: Sequence[int | None]) -> dict[int, list[str]]:
    """The tasks that change their place, by how far: one statement for all that go the same way."""
    steps: defaultdict[int, list[str]] = defaultdict(list)
    for index, place in enumerate(places):
        if place is not None and place != index:
            steps[index - place].append(keys[index])
    return steps
