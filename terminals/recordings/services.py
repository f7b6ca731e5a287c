"""The actions on recordings: start, stop, rename, mark, share, delete. One function per verb.

pipe.py connects a pane with the files of its recording. worker.py handles what happens without a
request: the pane ends, webtmux was not running, a limit is reached.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from core import events
from core.database import in_db
from core.errors import Conflict, Invalid, NotFound, Refused, TmuxAway
from core.secret_tokens import hash_secret, new_secret
from terminals.models import (
    NAME_LIMIT,
    Project,
    Recording,
    RecordingShare,
    RecordingState,
    Window,
)
from terminals.recordings import asciicast, pipe, selectors
from terminals.recordings.files import files_of, seconds_into
from terminals.recordings.schemas import RecordingOut, RecordingsUpdated
from terminals.selectors import find_pane, find_window
from terminals.services import get_live_window, get_window
from terminals.tmux.driver import Tmux

RECORDINGS = events.topic("recordings")  # the group that gets every change of a recording


# --- start and stop ---------------------------------------------------------------------------


async def start_recording(*, tmux: Tmux, pane: str, title: str = "", actor: str = "") -> Recording:
    """If the pane is already being recorded, returns that recording."""
    async with tmux.lock(f"log {pane}"):
        pane_row = await find_pane(tmux, pane)
        if row := await in_db(_of_pane)(tmux.server_run, pane_row.id):
            return row
        window = await get_live_window(tmux, pane_row.window_id)
        await pipe.require_free_pipe(tmux, pane_row)
        byte_limit = await in_db(pipe.available_bytes)()
        row = await in_db(_create)(
            window=window,
            pane=pane_row.id,
            server_run=tmux.server_run,
            title=title.strip(),
            actor=actor,
        )
        try:
            await pipe.open_pipe(tmux, row, pane_row, byte_limit=byte_limit)
        except BaseException:
            await asyncio.shield(in_db(_discard)(row))
            raise
        return await in_db(change)(key=row.key, columns=row.columns, rows=row.rows)


async def stop_recording(*, tmux: Tmux, key: str) -> Recording:
    """Does nothing if the recording has already ended."""
    row = await in_db(selectors.get_recording)(key=key)
    async with tmux.lock(f"log {row.pane}"):
        row = await in_db(selectors.get_recording)(key=key)
        if row.state != RecordingState.RECORDING:
            return row
        if row.life == tmux.server_run:
            with contextlib.suppress(NotFound, TmuxAway):  # the pane has ended
                await pipe.close_pipe(tmux, row)
        return await finish(row)


async def record_window(
    *, tmux: Tmux, window: str, title: str = "", actor: str = ""
) -> list[Recording]:
    """Records every pane of the window, or none if one of them cannot be recorded."""
    window_row = await find_window(tmux, window)
    panes = await tmux.panes(window_row.id)
    started: list[Recording] = []
    try:
        for pane in panes:
            started.append(await start_recording(tmux=tmux, pane=pane.id, title=title, actor=actor))
    except Refused:
        for row in started:
            await delete_recording(tmux=tmux, key=row.key)
        raise
    return started


async def stop_window(*, tmux: Tmux, window: str) -> list[Recording]:
    window_row = await get_window(tmux=tmux, window=window)
    rows = await in_db(list)(selectors.running().filter(window=window_row))
    return [await stop_recording(tmux=tmux, key=row.key) for row in rows]


async def stop_pane(*, tmux: Tmux, pane: str) -> Recording:
    row = await in_db(_of_pane)(tmux.server_run, pane)
    if row is None:
        raise NotFound(f"pane {pane} is not being recorded")
    return await stop_recording(tmux=tmux, key=row.key)


# --- changes ----------------------------------------------------------------------------------


def rename_recording(*, key: str, title: str) -> Recording:
    title = title.strip()
    if not title or len(title) > NAME_LIMIT or not title.isprintable():
        raise Invalid(f"a title has 1 to {NAME_LIMIT} characters, all of them printable")
    return change(key=key, title=title)


async def delete_recording(*, tmux: Tmux, key: str) -> Recording:
    """With its files and shares. A running recording is stopped first."""
    await stop_recording(tmux=tmux, key=key)
    return await in_db(remove)(key=key)


def remove(*, key: str) -> Recording:
    """Delete a recording that has ended, with its files and shares."""
    row = selectors.get_recording(key=key)
    if row.state == RecordingState.RECORDING:
        raise Conflict("it is still running: stop it first")
    files_of(row).remove()
    row.delete()
    events.publish(RECORDINGS, RecordingsUpdated(recordings=[], gone=[key]).message())
    return row


def mark(*, window: Window, label: str, moment: datetime | None = None, pane: str = "") -> None:
    """Add a marker to the running recordings of a window, or of one of its panes."""
    rows = Recording.objects.filter(state=RecordingState.RECORDING, window=window)
    _mark(rows.filter(pane=pane) if pane else rows, label, moment)


def mark_project(*, project: Project, label: str) -> None:
    """Add a marker to the running recordings of a project."""
    rows = Recording.objects.filter(state=RecordingState.RECORDING, window__project=project)
    _mark(rows, label, None)


# --- shares: secret links to one recording, read-only, that expire ----------------------------


def share_recording(*, key: str, hours: float, actor: str = "") -> tuple[RecordingShare, str]:
    """The row and its secret, which is not stored and cannot be read again.

    The secret opens only the pages below /shared/: it is not an access token.
    """
    recording = selectors.get_recording(key=key)
    recording.shares.filter(expires_at__lte=timezone.now()).delete()
    secret = new_secret()
    expires = timezone.now() + timedelta(hours=hours)
    row = recording.shares.create(hash=hash_secret(secret), by=actor, expires_at=expires)
    return row, secret


def revoke_share(*, key: str, share: str) -> RecordingShare:
    row = selectors.list_shares(key=key).filter(key=share).first()
    if row is None:
        raise NotFound(f"there is no share {share!r} of this recording")
    row.delete()
    return row


# --- also used by worker.py -------------------------------------------------------------------


def change(*, key: str, **fields: object) -> Recording:
    """Write fields with the next version, and announce the row after the commit."""
    with transaction.atomic():
        row = selectors.recordings().select_for_update(of=("self",)).filter(key=key).first()
        if row is None:
            raise NotFound(f"there is no recording {key!r}")
        for name, value in fields.items():
            setattr(row, name, value)
        row.version += 1
        row.save()
        announce([row])
    return row


def announce(rows: Iterable[Recording]) -> None:
    """Send rows to every subscribed socket, after the commit."""
    items = [RecordingOut.of(row) for row in rows]
    events.publish(RECORDINGS, RecordingsUpdated(recordings=items, gone=[]).message())


async def finish(row: Recording, problem: str = "") -> Recording:
    """Merge its files into one. `problem`: why it ended before it was stopped."""
    files, now = files_of(row), timezone.now()
    if problem:
        files.add(asciicast.event(seconds_into(row, now), "m", asciicast.label(problem)))
    await asyncio.to_thread(files.finish)
    return await in_db(change)(
        key=row.key,
        state=RecordingState.BROKEN if problem else RecordingState.DONE,
        problem=problem[:NAME_LIMIT],
        ended_at=now,
        size=files.size,
        duration=files.duration(),
    )


def _of_pane(server_run: str, pane: str) -> Recording | None:
    return selectors.running().filter(life=server_run, pane=pane).first()


def _create(*, window: Window, pane: str, server_run: str, title: str, actor: str) -> Recording:
    if len(title) > NAME_LIMIT or not title.isprintable():
        raise Invalid(f"a title has at most {NAME_LIMIT} characters, all of them printable")
    title = title or f"{window.project.name} · {window.name} {pane}"[:NAME_LIMIT]
    try:
        row = Recording.objects.create(
            window=window, pane=pane, life=server_run, title=title, by=actor
        )
    except IntegrityError:
        raise Conflict(f"pane {pane} is being recorded by another process") from None
    files_of(row).create()
    return row


def _discard(row: Recording) -> None:
    """It could not be started."""
    files_of(row).remove()
    row.delete()


def _mark(rows: Iterable[Recording], label: str, moment: datetime | None) -> None:
    text = asciicast.label(label)
    for row in rows:
        files = files_of(row)
        if text and files.has_header:
            files.add(asciicast.event(seconds_into(row, moment or timezone.now()), "m", text))
