"""What a change of a sheet means for each of its tasks, for the history of one card.

Pure. writing.py stores it with the change; schemas.py sends it.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from typing_extensions import TypedDict

from notes.tasklist import Origins, TaskLine

TASKS_LIMIT = 200  # for each change: a rewritten sheet may change thousands of tasks
TEXT_LENGTH = 300
ELLIPSIS = "…"

TaskChangeKind = Literal["added", "status", "text", "description", "handed", "judged", "changed"]


class TaskDifference(TypedDict):
    """`before` and `after` are statuses or texts. `handed`: `after` names the window. `judged`:
    `after` is `done` or `not yet done`. `changed`: an older entry without details."""

    kind: TaskChangeKind
    before: str
    after: str


Differences = dict[str, list[TaskDifference]]  # by the key of the task


def difference(kind: TaskChangeKind, before: str = "", after: str = "") -> TaskDifference:
    return {"kind": kind, "before": _short(before), "after": _short(after)}


def task_differences(
    before: Sequence[TaskLine], after: Sequence[TaskLine], keys: Sequence[str], origins: Origins
) -> Differences:
    """The tasks that are new or have changed. Tasks that only moved are left out."""
    differences: Differences = {}
    for task, key, origin in zip(after, keys, origins, strict=True):
        old = None if origin is None else before[origin]
        if old is not None and _same(old, task):  # nearly always
            continue
        if len(differences) == TASKS_LIMIT:
            break
        differences[key] = list(_compare(old, task))
    return differences


def _same(old: TaskLine, task: TaskLine) -> bool:
    if old.status is not task.status or old.text != task.text:
        return False
    return old.description == task.description


def _compare(old: TaskLine | None, task: TaskLine) -> Iterator[TaskDifference]:
    if old is None:
        yield difference("added", after=task.text)
        return
    if old.status is not task.status:
        yield difference("status", old.status, task.status)
    if old.text != task.text:
        yield difference("text", old.text, task.text)
    if old.description != task.description:
        yield difference("description", old.description, task.description)


def _short(text: str) -> str:
    return text if len(text) <= TEXT_LENGTH else text[: TEXT_LENGTH - 1] + ELLIPSIS
