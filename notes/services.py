"""The verbs for notes and tasks, one function each, called by REST, MCP and the admin.

Verbs for tasks that agents work on are in handoff.py, those that need Notion in notion/sync.py.
How a sheet is written is in writing.py.
"""

from django.db import transaction

from core.errors import Invalid
from core.wire import TEXT_LIMIT
from notes import tasklist, writing
from notes.schemas import TaskChange, TasksOut
from notes.selectors import Notes, Owner, read_notes
from notes.tasklist import Status

TASKS_LIMIT = 10_000  # for each sheet


def list_tasks(*, owner: Owner, status: Status | None = None) -> TasksOut:
    """`status` filters the list of tasks; the board is always complete."""
    return TasksOut.of(read_notes(owner=owner), status=status)


def write_notes(
    *, owner: Owner, notes: str, actor: str, expected_version: int | None = None
) -> Notes:
    """Replaces the whole text. Tasks that are still in it keep their keys."""
    check_body(notes)
    check_task_count(notes)
    with transaction.atomic():
        sheet = writing.lock_local(owner, expected_version=expected_version)
        return writing.store(sheet, notes, actor=actor, action="write_notes")


def update_task(*, owner: Owner, change: TaskChange, actor: str) -> Notes:
    """Changes one task in place: the rest of the text stays as it is."""
    with transaction.atomic():
        sheet = writing.lock_local(owner, expected_version=change.expected_version)
        if change.expected_text and change.index is not None:
            writing.require_text(sheet, change.index, change.expected_text)
        changed = tasklist.apply(
            sheet.body,
            change.action,
            index=change.index,
            text=change.text,
            status=change.status,
            to_index=change.to_index,
        )
        check_body(changed.body)
        if change.action == "add":
            check_task_count(changed.body)
        return writing.store(
            sheet, changed.body, actor=actor, action=change.action, origins=changed.origins
        )


def check_body(body: str) -> None:
    if len(body) > TEXT_LIMIT:
        raise Invalid(f"notes can have at most {TEXT_LIMIT:,} characters: split them")
    if "\0" in body:
        raise Invalid("notes cannot contain the character NUL")


def check_task_count(body: str) -> None:
    """Limited because the whole list of tasks is sent to every reader and subscriber."""
    if len(tasklist.parse(body)) > TASKS_LIMIT:
        raise Invalid(
            f"notes can have at most {TASKS_LIMIT:,} tasks, and every line with text is a task:"
            " split them, or put long texts between ``` lines"
        )
