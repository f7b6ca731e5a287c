"""What can be done with notes and tasks: one function per verb, for every door.

What needs Notion is in linking.py. Writers on one sheet come one after the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from notes import tasklist
from notes.marking import mark_moves
from notes.models import NoteChange, NoteSheet, Source
from notes.projecting import project
from notes.projection import carry, difference
from notes.schemas import Action, NotesOut, TasksOut
from notes.selectors import Notes, Owner, key_of, of, read_notes, read_sheet
from notes.tasklist import Status
from terminals import live
from terminals.errors import Conflict, Invalid, Refused
from terminals.models import Project, new_key
from terminals.schemas import TEXT_LIMIT

TASKS_LIMIT = 10_000  # of one sheet
CHANGES_KEPT = 1000  # of one sheet
PRUNE_EVERY = 50
EVERY_SHEET = live.topic("notes")  # the group that hears of all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChange:
    """The arguments of `update_task`; which of them are needed depends on the action."""

    action: Action
    index: int | None = None
    text: str = ""
    status: Status | None = None
    to_index: int | None = None

    def need(self, name: str) -> int:
        value = {"index": self.index, "toIndex": self.to_index}[name]
        if value is None:
            raise Invalid(f"{self.action} needs {name}: the task's place in the list, from 0")
        return value

    def need_status(self) -> Status:
        if self.status is None:
            raise Invalid(f"{self.action} needs status: one of {', '.join(Status)}")
        return self.status


def topic(owner: Owner) -> str:
    """The group that hears of one sheet."""
    return live.topic("notes", key_of(owner))


# --- the verbs --------------------------------------------------------------------------------


def list_tasks(*, owner: Owner, status: Status | None = None) -> TasksOut:
    """`status` chooses one column among the tasks; the board is always whole."""
    return TasksOut.of(read_notes(owner=owner), status=status)


def write_notes(*, owner: Owner, notes: str, by: str, expected_version: int | None = None) -> Notes:
    """The whole text at once. Tasks that are in it still keep their keys."""
    check_body(notes)
    check_tasks(notes)
    with transaction.atomic():
        sheet = lock(owner)
        need_local(sheet)
        _need_version(sheet, expected_version)
        return store(sheet, notes, by=by, action="write_notes")


def update_task(
    *,
    owner: Owner,
    change: TaskChange,
    by: str,
    expected_version: int | None = None,
    expected_text: str = "",
) -> Notes:
    """One task, in place. `expected_text`: refuse if another task has that index by now."""
    with transaction.atomic():
        sheet = lock(owner)
        need_local(sheet)
        _need_version(sheet, expected_version)
        if expected_text and change.index is not None:
            need_text(sheet, change.index, expected_text)
        count = len(sheet.task_keys.split())
        body, places = CHANGES[change.action](sheet.body, change, range(count))
        check_body(body)
        if len(places) > count:
            check_tasks(body)
        return store(sheet, body, by=by, action=change.action, places=places)


# --- one table of what an action does: the new body, and where each of its tasks was before -------

Places = list[int | None]
Change = Callable[[str, TaskChange, Sequence[int]], tuple[str, Places]]


def _add(body: str, change: TaskChange, places: Sequence[int]) -> tuple[str, Places]:
    body, last = tasklist.add(body, change.text, change.status), len(places)
    if change.to_index is None:
        return body, [*places, None]
    to_index = change.to_index
    return tasklist.move(body, last, to_index), [*places[:to_index], None, *places[to_index:]]


def _set_status(body: str, change: TaskChange, places: Sequence[int]) -> tuple[str, Places]:
    return tasklist.set_status(body, change.need("index"), change.need_status()), [*places]


def _set_text(body: str, change: TaskChange, places: Sequence[int]) -> tuple[str, Places]:
    return tasklist.set_text(body, change.need("index"), change.text), [*places]


def _remove(body: str, change: TaskChange, places: Sequence[int]) -> tuple[str, Places]:
    index = change.need("index")
    return tasklist.remove(body, index), [*places[:index], *places[index + 1 :]]


def _move(body: str, change: TaskChange, places: Sequence[int]) -> tuple[str, Places]:
    index, to_index = change.need("index"), change.need("toIndex")
    body = tasklist.move(body, index, to_index)
    if change.status is not None:
        body = tasklist.set_status(body, to_index, change.status)
    rest: Places = [place for place in places if place != index]
    return body, [*rest[:to_index], index, *rest[to_index:]]


CHANGES: dict[Action, Change] = {
    "add": _add,
    "set_status": _set_status,
    "set_text": _set_text,
    "remove": _remove,
    "move": _move,
}


# --- what every writer does ---------------------------------------------------------------------


def lock(owner: Owner) -> NoteSheet:
    """Inside a transaction: until its end nobody else writes this sheet."""
    sheet, _ = NoteSheet.objects.select_for_update().get_or_create(**of(owner))
    sheet.owned_by(owner)
    return sheet


def store(
    sheet: NoteSheet, body: str, *, by: str, action: str, places: Places | None = None
) -> Notes:
    """Body, tasks, history and news together. `places`: where each task was until now."""
    before, tasks = read_sheet(sheet), tasklist.parse(body)
    if places is None:
        places = carry([task.text for task in before.tasks], [task.text for task in tasks])
    # Of two tasks with the same text one may take the other's place: the body stays the same.
    if body == sheet.body and places == list(range(len(before.tasks))) and sheet.version:
        return before
    keys = [new_key() if place is None else before.keys[place] for place in places]
    lines = difference(sheet.body, body)
    sheet.body, sheet.task_keys = body, " ".join(keys)
    sheet.handed = {key: link for key, link in sheet.handed.items() if key in keys}
    sheet.version, sheet.updated_at = sheet.version + 1, timezone.now()
    sheet.save()
    notes = Notes(sheet, tasks, keys)
    project(before, notes, places)
    note(sheet, by=by, action=action, lines=lines)
    announce(notes, by=by, action=action)
    mark_moves(before, notes, places)
    return notes


def touch(sheet: NoteSheet, *, by: str, action: str, lines: str) -> Notes:
    """Something else about the sheet has changed: saved and told like a change of its body."""
    sheet.version, sheet.updated_at = sheet.version + 1, timezone.now()
    sheet.save()
    note(sheet, by=by, action=action, lines=lines)
    notes = read_sheet(sheet)
    announce(notes, by=by, action=action)
    return notes


def note(sheet: NoteSheet, *, by: str, action: str, lines: str) -> None:
    NoteChange.objects.create(sheet=sheet, version=sheet.version, by=by, action=action, lines=lines)
    if sheet.version % PRUNE_EVERY == 0:
        old = NoteChange.objects.filter(sheet=sheet, version__lte=sheet.version - CHANGES_KEPT)
        old.delete()


def announce(notes: Notes, *, by: str, action: str) -> None:
    def event() -> live.Event:
        told = NotesOut.of(notes).model_dump(mode="json")
        return {**told, "type": "notes-updated", "by": by, "action": action}

    live.publish_made([topic(notes.sheet.owner), EVERY_SHEET], event)


def check_body(body: str) -> None:
    if len(body) > TEXT_LIMIT:
        raise Invalid(f"notes have at most {TEXT_LIMIT:,} characters: split them")
    if "\0" in body:
        raise Invalid("notes cannot hold the character NUL")


def check_tasks(body: str) -> None:
    """The list of tasks goes whole to every reader and listener."""
    if len(tasklist.parse(body)) > TASKS_LIMIT:
        raise Invalid(
            f"notes have at most {TASKS_LIMIT:,} tasks, and every line with text is one:"
            " split them, or put long texts between ``` lines"
        )


def need_local(sheet: NoteSheet) -> None:
    if sheet.source == Source.NOTION:
        raise Refused(
            f"these notes come from Notion ({sheet.notion_url or sheet.notion_page_id}) and are"
            " not written here: edit the page, or switch the source to local first"
            f" (PATCH {source_path(sheet)})"
        )


def source_path(sheet: NoteSheet) -> str:
    owner = sheet.owner
    name = owner.name if isinstance(owner, Project) else owner.key
    return f"/api/local/{sheet.scope}s/{name}/source"


def _need_version(sheet: NoteSheet, expected: int | None) -> None:
    if expected is not None and expected != sheet.version:
        raise Conflict(
            f"the notes are at version {sheet.version}, not {expected}: somebody changed them;"
            " read them again, then repeat your change"
        )


def need_text(sheet: NoteSheet, index: int, expected: str) -> None:
    task = tasklist.pick(tasklist.parse(sheet.body), index)
    if task.text != expected.strip():
        raise Conflict(
            f"task {index} is another one by now: the list has changed; read the tasks again"
        )
