"""What can be done with recordings: start, stop, name, mark, delete. One function per verb.

How the bytes get into the files is recording_pipes.py; what happens to a recording by itself (its
pane ends, webtmux was away) is recording_care.py.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from terminals import casts, live, selectors
from terminals import recording_pipes as pipes
from terminals.db import in_db
from terminals.errors import Conflict, Invalid, NotFound, Refused, TmuxAway
from terminals.models import NAME_LIMIT, Project, Recording, Window
from terminals.recording_schemas import RecordingOut
from terminals.tmux.driver import Tmux

RECORDINGS = live.topic("recordings")  # the group that hears of every change to one
State = Recording.State


# --- reading ----------------------------------------------------------------------------------


def recordings(*, window: str = "", project: str = "") -> QuerySet[Recording]:
    rows = Recording.objects.select_related("window__project")
    if window:
        rows = rows.filter(window__key=window)
    if project:
        rows = rows.filter(window__project__name=project)
    return rows


def running() -> QuerySet[Recording]:
    return recordings().filter(state=State.RECORDING)


def get_recording(*, key: str) -> Recording:
    row = recordings().filter(key=key).first()
    if row is None:
        raise NotFound(f"there is no recording {key!r}")
    return row


# --- start and stop ---------------------------------------------------------------------------


async def start_recording(*, tmux: Tmux, pane: str, title: str = "", by: str = "") -> Recording:
    """A pane that is recorded already stays as it is."""
    async with tmux.lock(f"log {pane}"):
        place = await selectors.find_pane(tmux, pane)
        if row := await in_db(_of_pane)(tmux.life, place.id):
            return row
        window = await selectors.fact_of(tmux, place.window_id)
        await pipes.need_free_pipe(tmux, place)
        most = await in_db(pipes.room)()
        row = await in_db(_create)(
            window=window, pane=place.id, life=tmux.life, title=title.strip(), by=by
        )
        try:
            await pipes.open_pipe(tmux, row, place, most=most)
        except BaseException:
            await asyncio.shield(in_db(_forget)(row))
            raise
        return await in_db(change)(key=row.key, columns=row.columns, rows=row.rows)


async def stop_recording(*, tmux: Tmux, key: str) -> Recording:
    """Stopping one that has ended changes nothing."""
    row = await in_db(get_recording)(key=key)
    async with tmux.lock(f"log {row.pane}"):
        row = await in_db(get_recording)(key=key)
        if row.state != State.RECORDING:
            return row
        if row.life == tmux.life:
            with contextlib.suppress(NotFound, TmuxAway):  # the pane has ended meanwhile
                await pipes.close_pipe(tmux, row)
        return await finish(row)


async def record_window(
    *, tmux: Tmux, window: str, title: str = "", by: str = ""
) -> list[Recording]:
    """Each of its panes; all of them, or none where one cannot be recorded."""
    found = await selectors.find_window(tmux, window)
    panes = await tmux.panes(found.id)
    started: list[Recording] = []
    try:
        for pane in panes:
            started.append(await start_recording(tmux=tmux, pane=pane.id, title=title, by=by))
    except Refused:
        for row in started:
            await delete_recording(tmux=tmux, key=row.key)
        raise
    return started


async def stop_window(*, tmux: Tmux, window: str) -> list[Recording]:
    found = await selectors.get_window(tmux=tmux, window=window)
    rows = await in_db(list)(running().filter(window=found))
    return [await stop_recording(tmux=tmux, key=row.key) for row in rows]


async def stop_pane(*, tmux: Tmux, pane: str) -> Recording:
    row = await in_db(_of_pane)(tmux.life, pane)
    if row is None:
        raise NotFound(f"pane {pane} is not being recorded")
    return await stop_recording(tmux=tmux, key=row.key)


# --- changes ----------------------------------------------------------------------------------


def rename_recording(*, key: str, title: str) -> Recording:
    title = title.strip()
    if not title or len(title) > NAME_LIMIT or not title.isprintable():
        raise Invalid(f"a title has 1 to {NAME_LIMIT} characters that can be seen")
    return change(key=key, title=title)


async def delete_recording(*, tmux: Tmux, key: str) -> Recording:
    """With its files and its shares; one that runs is stopped first."""
    await stop_recording(tmux=tmux, key=key)
    return await in_db(remove)(key=key)


def remove(*, key: str) -> Recording:
    row = get_recording(key=key)
    if row.state == State.RECORDING:
        raise Conflict("it is still running: stop it first")
    told = RecordingOut.of(row)
    pipes.files_of(row).remove()
    row.delete()
    live.publish(RECORDINGS, {"type": "recordings-updated", "recordings": [], "gone": [told.key]})
    return row


def mark(*, window: Window, label: str, moment: datetime | None = None, pane: str = "") -> None:
    """A marker in what is being recorded of a window, or of one of its panes."""
    rows = Recording.objects.filter(state=State.RECORDING, window=window)
    _mark(rows.filter(pane=pane) if pane else rows, label, moment)


def mark_project(*, project: Project, label: str) -> None:
    _mark(Recording.objects.filter(state=State.RECORDING, window__project=project), label, None)


# --- inside, and for recording_care.py --------------------------------------------------------


def change(*, key: str, **fields: object) -> Recording:
    """Told after the commit, with the next version."""
    with transaction.atomic():
        row = recordings().select_for_update(of=("self",)).filter(key=key).first()
        if row is None:
            raise NotFound(f"there is no recording {key!r}")
        for name, value in fields.items():
            setattr(row, name, value)
        row.version += 1
        row.save()
        tell([row])
    return row


def tell(rows: Iterable[Recording]) -> None:
    told = [RecordingOut.of(row).model_dump(mode="json") for row in rows]
    live.publish(RECORDINGS, {"type": "recordings-updated", "recordings": told, "gone": []})


async def finish(row: Recording, problem: str = "") -> Recording:
    """Its pieces become one file. `problem`: why it did not go on until somebody stopped it."""
    files, now = pipes.files_of(row), timezone.now()
    if problem:
        files.add(casts.event(pipes.at(row, now), "m", casts.label(problem)))
    await asyncio.to_thread(files.finish)
    return await in_db(change)(
        key=row.key,
        state=State.BROKEN if problem else State.DONE,
        problem=problem[:NAME_LIMIT],
        ended_at=now,
        size=files.size,
        duration=files.duration(),
    )


def _of_pane(life: str, pane: str) -> Recording | None:
    return running().filter(life=life, pane=pane).first()


def _create(*, window: Window, pane: str, life: str, title: str, by: str) -> Recording:
    if len(title) > NAME_LIMIT or not title.isprintable():
        raise Invalid(f"a title has at most {NAME_LIMIT} characters, all of which can be seen")
    title = title or f"{window.project.name} · {window.name} {pane}"[:NAME_LIMIT]
    try:
        row = Recording.objects.create(window=window, pane=pane, life=life, title=title, by=by)
    except IntegrityError:
        raise Conflict(f"pane {pane} is being recorded by another process") from None
    pipes.files_of(row).create()
    return row


def _forget(row: Recording) -> None:
    """It never began."""
    pipes.files_of(row).remove()
    row.delete()


def _mark(rows: Iterable[Recording], label: str, moment: datetime | None) -> None:
    text = casts.label(label)
    for row in rows:
        files = pipes.files_of(row)
        if text and files.headed:
            files.add(casts.event(pipes.at(row, moment or timezone.now()), "m", text))
