"""Writes a note sheet: body, task rows, history and the event for subscribers, together.

Every change goes through here, inside a transaction of the caller: services.py (notes and tasks),
handoff.py (tasks given to agents), notion/sync.py and exchange/importing.py. The row lock makes
writers of one sheet wait for each other. Subscribers are notified after the commit.
"""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from core import events
from core.errors import Conflict, Refused
from notes import tasklist
from notes.models import NoteChange, NoteSheet, NoteSource
from notes.schemas import NotesUpdated
from notes.selectors import Notes, Owner, key_of, of, read_sheet
from notes.task_history import Differences, task_differences
from notes.task_identity import diff, match_tasks
from notes.task_rows import write_rows
from notes.tasklist import Origins
from terminals.models import Project, new_key
from terminals.recordings import services as recordings

CHANGES_KEPT = 1000  # for each sheet
PRUNE_EVERY = 50  # versions
MARKERS_LIMIT = 20  # for each change: a rewritten sheet must not add a hundred markers
ALL_NOTES_TOPIC = events.topic("notes")  # the channel group that receives changes of every sheet

# The only place for the text of a write that is refused because the notes come from Notion.
NOTION_WRITE_REFUSED = (
    "these notes come from Notion ({page}) and cannot be changed here: edit the page in Notion, or"
    " switch the source to local first (PATCH {path})"
)


def topic(owner: Owner) -> str:
    """The channel group that receives the changes of one sheet."""
    return events.topic("notes", key_of(owner))


# --- locking and preconditions ------------------------------------------------------------------


def lock(owner: Owner) -> NoteSheet:
    """Locks the owner's sheet until the end of the transaction. Creates it if there is none."""
    sheet, _ = NoteSheet.objects.select_for_update().get_or_create(**of(owner))
    sheet.set_owner(owner)
    return sheet


def lock_local(owner: Owner, *, expected_version: int | None = None) -> NoteSheet:
    """Locks the sheet for a change by a user. Refused while the notes come from Notion."""
    sheet = lock(owner)
    if sheet.source == NoteSource.NOTION:
        page = sheet.notion_url or sheet.notion_page_id
        raise Refused(NOTION_WRITE_REFUSED.format(page=page, path=source_path(sheet)))
    if expected_version is not None and expected_version != sheet.version:
        raise Conflict(
            f"the notes are at version {sheet.version}, not {expected_version}: they have changed;"
            " read them again, then repeat your change"
        )
    return sheet


def source_path(sheet: NoteSheet) -> str:
    """The REST path that switches the source of these notes."""
    owner = sheet.owner
    name = owner.name if isinstance(owner, Project) else owner.key
    return f"/api/local/{sheet.scope}s/{name}/source"


def require_text(sheet: NoteSheet, index: int, expected: str) -> None:
    """Checks that the index still names the intended task: adding or removing tasks shifts it."""
    task = tasklist.pick(tasklist.parse(sheet.body), index)
    if task.text != expected.strip():
        raise Conflict(
            f"task {index} is a different one now: the list has changed; read the tasks again"
        )


# --- writing ------------------------------------------------------------------------------------


def store(
    sheet: NoteSheet,
    body: str,
    *,
    actor: str,
    action: str,
    origins: Origins | None = None,
    also: Differences | None = None,
) -> Notes:
    """Writes a new body. Without `origins` tasks are matched to the old ones by their texts.
    `also` is recorded in the histories of tasks, besides the differences of the bodies."""
    before, tasks = read_sheet(sheet), tasklist.parse(body)
    if origins is None:
        origins = match_tasks([task.text for task in before.tasks], [task.text for task in tasks])
    # Two tasks with the same text may swap places, which leaves the body as it was.
    unmoved = list(origins) == list(range(len(before.tasks)))
    if body == sheet.body and unmoved and sheet.version:
        return before
    keys = [new_key() if origin is None else before.keys[origin] for origin in origins]
    lines = diff(sheet.body, body)
    sheet.body, sheet.task_keys = body, " ".join(keys)
    sheet.handed = {key: link for key, link in sheet.handed.items() if key in keys}
    sheet.version, sheet.updated_at = sheet.version + 1, timezone.now()
    sheet.save()
    after = Notes(sheet, tasks, keys)
    write_rows(before, after, origins)
    changes = task_differences(before.tasks, tasks, keys, origins)
    for key, differences in (also or {}).items():
        changes[key] = [*differences, *changes.get(key, ())]
    _add_history(sheet, actor=actor, action=action, lines=lines, changes=changes)
    _publish(after, actor=actor, action=action)
    _mark_status_changes(before, after, origins)
    return after


def touch(
    sheet: NoteSheet, *, actor: str, action: str, lines: str, also: Differences | None = None
) -> Notes:
    """Saves a change of anything but the body, as a new version with history and event."""
    sheet.version, sheet.updated_at = sheet.version + 1, timezone.now()
    sheet.save()
    notes = read_sheet(sheet)
    _add_history(sheet, actor=actor, action=action, lines=lines, changes=also or {})
    _publish(notes, actor=actor, action=action)
    return notes


def _add_history(
    sheet: NoteSheet, *, actor: str, action: str, lines: str, changes: Differences
) -> None:
    NoteChange.objects.create(
        sheet=sheet, version=sheet.version, by=actor, action=action, lines=lines, tasks=changes
    )
    if sheet.version % PRUNE_EVERY == 0:
        old = NoteChange.objects.filter(sheet=sheet, version__lte=sheet.version - CHANGES_KEPT)
        old.delete()


def _publish(notes: Notes, *, actor: str, action: str) -> None:
    """Sends the new state after the commit. The event is built only for subscribers."""

    def event() -> events.Event:
        return NotesUpdated.event(notes, actor=actor, action=action).message()

    events.publish_lazily([topic(notes.sheet.owner), ALL_NOTES_TOPIC], event)


def _mark_status_changes(before: Notes, after: Notes, origins: Origins) -> None:
    """Adds a marker to running recordings of the owner for each task that changed its column."""
    labels = [
        f"{old_task.status} → {task.status}: {task.text}"
        for task, origin in zip(after.tasks, origins, strict=True)
        if origin is not None and (old_task := before.tasks[origin]).status is not task.status
    ]
    if labels:
        transaction.on_commit(partial(_mark, after.sheet.owner, labels[:MARKERS_LIMIT]))


def _mark(owner: Owner, labels: Sequence[str]) -> None:
    for label in labels:
        if isinstance(owner, Project):
            recordings.mark_project(project=owner, label=label)
        else:
            recordings.mark(window=owner, label=label)
