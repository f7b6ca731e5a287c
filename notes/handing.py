"""Tasks given to agents: which window works on which, and whether it is done. For every door.

Not the prompt: whoever hands a task over has sent it. A task is named by its key, not its place.
"""

from django.db import transaction
from django.utils import timezone

from notes import services, tasklist
from notes.models import NoteSheet
from notes.selectors import Notes, Owner
from notes.tasklist import Status
from terminals.errors import NotFound, Refused
from terminals.models import Window


def hand_task(*, owner: Owner, key: str, window: Window, by: str, expected_text: str = "") -> Notes:
    """It goes to WIP, and is asked about when the window's agent rests."""
    with transaction.atomic():
        sheet, index = _find(owner, key)
        if expected_text:
            services.need_text(sheet, index, expected_text)
        link = {"window": window.key, "at": timezone.now().isoformat(), "declined": False}
        sheet.handed = {**sheet.handed, key: link}
        return _stored(sheet, index, Status.WIP, by=by, action="hand_task", lines=str(window))


def judge_task(*, owner: Owner, key: str, done: bool, by: str) -> Notes:
    """Done: it goes to CM. Not yet: it stays, and is not asked about before more was done."""
    with transaction.atomic():
        sheet, index = _find(owner, key)
        link = sheet.handed.get(key)
        if link is None:
            raise Refused("no agent has this task: hand it to one first")
        sheet.handed = {**sheet.handed, key: {**link, "declined": not done}}
        status = Status.CM if done else tasklist.parse(sheet.body)[index].status
        lines = "done" if done else "not yet done"
        return _stored(sheet, index, status, by=by, action="judge_task", lines=lines)


def _find(owner: Owner, key: str) -> tuple[NoteSheet, int]:
    sheet = services.lock(owner)
    services.need_local(sheet)
    keys = sheet.task_keys.split()
    if key not in keys:
        raise NotFound("this task is gone: read the tasks again")
    return sheet, keys.index(key)


def _stored(
    sheet: NoteSheet, index: int, status: Status, *, by: str, action: str, lines: str
) -> Notes:
    body = tasklist.set_status(sheet.body, index, status)
    if body == sheet.body:
        return services.touch(sheet, by=by, action=action, lines=lines)
    places: services.Places = [*range(len(sheet.task_keys.split()))]
    return services.store(sheet, body, by=by, action=action, places=places)
