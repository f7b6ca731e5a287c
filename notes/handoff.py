"""Tasks given to agents: which window works on which task, and whether the work is accepted.

Called by REST. Sending the prompt is a separate request. A task is addressed by its key, which
survives moves, not by its index.
"""

from django.db import transaction
from django.utils import timezone

from core.errors import NotFound, Refused
from notes import tasklist, writing
from notes.models import NoteSheet
from notes.schemas import HandedReceipt
from notes.selectors import Notes, Owner
from notes.task_history import TaskDifference, difference
from notes.tasklist import Status
from terminals.models import Window


def hand_task(
    *,
    owner: Owner,
    key: str,
    window: Window,
    actor: str,
    expected_text: str = "",
    agent: str = "",
    receipt: HandedReceipt | None = None,
) -> Notes:
    """Sets the task to WIP and links it to the window. The page asks for a verdict when the
    window's agent is idle again. `receipt` is that of the prompt, if one was sent."""
    with transaction.atomic():
        sheet, index = _lock_task(owner, key)
        if expected_text:
            writing.require_text(sheet, index, expected_text)
        link: dict[str, object] = {
            "window": window.key, "at": timezone.now().isoformat(), "declined": False,
        }  # fmt: skip
        if agent:
            link["agent"] = agent
        if receipt is not None:
            link["receipt"] = receipt.model_dump()
        sheet.handed = {**sheet.handed, key: link}
        change = difference("handed", after=agent or str(window))
        return _store(sheet, index, Status.WIP, change, actor=actor, action="hand_task")


def judge_task(*, owner: Owner, key: str, done: bool, actor: str) -> Notes:
    """Done: the task is set to CM. Not done: it keeps its status, and the page asks again after
    the agent's next turn."""
    with transaction.atomic():
        sheet, index = _lock_task(owner, key)
        link = sheet.handed.get(key)
        if link is None:
            raise Refused("no agent has this task: hand it to an agent first")
        sheet.handed = {**sheet.handed, key: {**link, "declined": not done}}
        status = Status.CM if done else tasklist.parse(sheet.body)[index].status
        change = difference("judged", after="done" if done else "not yet done")
        return _store(sheet, index, status, change, actor=actor, action="judge_task")


def _lock_task(owner: Owner, key: str) -> tuple[NoteSheet, int]:
    sheet = writing.lock_local(owner)
    keys = sheet.task_keys.split()
    if key not in keys:
        raise NotFound("this task is gone: read the tasks again")
    return sheet, keys.index(key)


def _store(
    sheet: NoteSheet,
    index: int,
    status: Status,
    change: TaskDifference,
    *,
    actor: str,
    action: str,
) -> Notes:
    also = {sheet.task_keys.split()[index]: [change]}
    changed = tasklist.apply(sheet.body, "set_status", index=index, status=status)
    if changed.body == sheet.body:
        return writing.touch(sheet, actor=actor, action=action, lines=change["after"], also=also)
    return writing.store(
        sheet, changed.body, actor=actor, action=action, origins=changed.origins, also=also
    )
