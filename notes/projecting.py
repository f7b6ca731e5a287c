"""Writes the tasks of a sheet as rows, in the transaction that wrote the body.

Not what a task is: tasklist.py. Rows that a change does not concern are not touched.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from notes.models import NoteSheet, Task
from notes.tasklist import Task as Line
from terminals.models import new_key


@dataclass(frozen=True, slots=True)
class Row:
    """A task as its row has it; its place is that in the list."""

    pk: int
    key: str
    status: str
    text: str


def rows(sheet: NoteSheet) -> list[Row]:
    """In their order. Plain values: a thousand model instances take longer than all the rest."""
    told = Task.objects.filter(sheet=sheet).order_by("position")
    return [Row(*values) for values in told.values_list("pk", "key", "status", "text")]


def project(
    sheet: NoteSheet,
    before: Sequence[Row],
    after: Sequence[tuple[Row | None, Line]],
    now: datetime,
) -> list[str]:
    """`after`: each task with the row it was until now, if any. Returns the keys."""
    kept = {row.pk for row, _ in after if row is not None}
    gone = [row.pk for row in before if row.pk not in kept]
    if gone:
        Task.objects.filter(pk__in=gone).delete()
    _shift(before, after)
    keys, new = [], []
    for place, (row, line) in enumerate(after):
        key = new_key() if row is None else row.key
        keys.append(key)
        told = {"status": line.status.value, "text": line.text, "changed_at": now}
        if row is None:
            new.append(Task(sheet=sheet, key=key, position=place, **told))
        elif (row.status, row.text) != (line.status, line.text):
            Task.objects.filter(pk=row.pk).update(**told)
    if new:
        Task.objects.bulk_create(new)
    return keys


def _shift(before: Sequence[Row], after: Sequence[tuple[Row | None, Line]]) -> None:
    """One statement for all that go the same way."""
    places = {row.pk: place for place, row in enumerate(before)}
    steps: defaultdict[int, list[int]] = defaultdict(list)
    for place, (row, _) in enumerate(after):
        if row is not None and place != places[row.pk]:
            steps[place - places[row.pk]].append(row.pk)
    for step, pks in steps.items():
        Task.objects.filter(pk__in=pks).update(position=F("position") + step)
