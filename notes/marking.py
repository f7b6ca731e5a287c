"""Tasks that went to another column, as markers in what is being recorded of their windows."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from notes.selectors import Notes
from terminals import recordings
from terminals.models import Project

MOVES_LIMIT = 20  # of one change: a rewritten sheet is not a hundred moves


def mark_moves(before: Notes, after: Notes, places: Sequence[int | None]) -> None:
    """`places`: where each task was before."""
    if labels := moves(before, after, places)[:MOVES_LIMIT]:
        transaction.on_commit(partial(_mark, after, labels))


def moves(before: Notes, after: Notes, places: Sequence[int | None]) -> list[str]:
    pairs = [
        (before.tasks[place].status, after.tasks[index])
        for index, place in enumerate(places)
        if place is not None
    ]
    return [f"{was} → {task.status}: {task.text}" for was, task in pairs if was is not task.status]


def _mark(notes: Notes, labels: Sequence[str]) -> None:
    owner = notes.sheet.owner
    for label in labels:
        if isinstance(owner, Project):
            recordings.mark_project(project=owner, label=label)
        else:
            recordings.mark(window=owner, label=label)
