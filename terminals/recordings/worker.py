"""Handles what happens to recordings without a request: panes end, tmux dies, webtmux was not
running, a disk fills up.

A check compares the recordings that should be running with tmux and with their recorders, and
decides. The worker checks at its start, after each change of tmux, and every few seconds.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from django.conf import settings
from django.utils import timezone

from core import events
from core.database import in_db
from core.errors import Refused, TmuxFailed, WebtmuxError
from core.workers import wait_for
from terminals.models import Recording, RecordingState
from terminals.recordings import asciicast, pipe, selectors, services
from terminals.recordings.files import files_of, seconds_into
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from terminals.workers import SETTLE_SECONDS

log = logging.getLogger(__name__)

CHECK_SECONDS = 3.0


class RecordingAction(Enum):
    KEEP = auto()  # all is well, or not known yet
    FINISH = auto()  # no more output can come
    STOP = auto()  # a limit was reached: keep what was recorded
    RESUME = auto()  # the pane is alive, but not its recorder: continue with a marked gap


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """What is known about one recording that should be running."""

    running: bool  # its recorder
    end_reason: str  # why the recorder ended, by its own account
    pane_alive: bool | None  # None: tmux is not available


def decide(status: RecordingStatus) -> RecordingAction:
    if status.running:
        return RecordingAction.KEEP
    if status.end_reason in pipe.STOP_REASONS:
        return RecordingAction.STOP
    if status.pane_alive:
        return RecordingAction.RESUME
    # Without tmux: a recorder that gave a reason gets no more output; a killed one may be resumed.
    ended = status.pane_alive is False or status.end_reason
    return RecordingAction.FINISH if ended else RecordingAction.KEEP


async def keep_recordings(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Runs until `stop`."""
    sizes: dict[str, int] = {}
    with runtime.main.watching() as changed:
        while not stop.is_set():
            changed.clear()
            await check_recordings(runtime.main)
            sizes = await in_db(announce_growth)(sizes)
            if await wait_for(stop, changed, seconds=CHECK_SECONDS) is changed:
                await wait_for(stop, seconds=SETTLE_SECONDS)


async def check_recordings(tmux: Tmux) -> None:
    rows = await in_db(list)(selectors.running())
    if not rows:
        return
    panes = await _panes(tmux)
    for row in rows:
        try:
            await _repair(tmux, row, panes)
        except WebtmuxError as failure:
            log.warning("recording %s: %s", row.key, failure.message)
    await _enforce_total_limit(tmux)


def announce_growth(before: Mapping[str, int]) -> dict[str, int]:
    """Sizes grow without a change of the row. They are sent only while a socket is subscribed."""
    if not events.may_have_listeners(services.RECORDINGS):
        return {}
    rows = list(selectors.running())
    sizes = {row.key: files_of(row).size for row in rows}
    if grown := [row for row in rows if sizes[row.key] != before.get(row.key)]:
        services.announce(grown)
    return sizes


async def _repair(tmux: Tmux, row: Recording, panes: Mapping[str, PaneRow] | None) -> None:
    if decide(_status(tmux, row, panes)) is RecordingAction.KEEP:
        return
    async with tmux.lock(f"log {row.pane}"):
        # Read again under the lock: it may have been stopped, or the list of panes is outdated.
        row = await in_db(selectors.get_recording)(key=row.key)
        panes = await _panes(tmux)
        status = _status(tmux, row, panes)
        if row.state != RecordingState.RECORDING:
            return
        action = decide(status)
        if action is RecordingAction.FINISH:
            await services.finish(row)
        elif action is RecordingAction.STOP:
            await services.finish(row, pipe.stop_reason(_limit(row, status.end_reason)))
        elif action is RecordingAction.RESUME and panes is not None:
            await _resume(tmux, row, panes[row.pane])


async def _resume(tmux: Tmux, row: Recording, pane: PaneRow) -> None:
    files = files_of(row)
    try:
        if not files.has_header:
            raise Refused("it could not be started")
        await pipe.require_free_pipe(tmux, pane)
        byte_limit = await in_db(pipe.available_bytes)()
        files.add(asciicast.event(seconds_into(row, timezone.now()), "m", pipe.GAP))
        await pipe.open_pipe(tmux, row, pane, byte_limit=byte_limit + files.size)
    except Refused as refused:
        await services.finish(row, refused.message)


async def _enforce_total_limit(tmux: Tmux) -> None:
    """Each recorder knows its own limit, but not how much the others write."""
    limit = settings.WEBTMUX.recordings_max_mb * pipe.MEGABYTE
    if not limit or await in_db(pipe.used_bytes)() < limit:
        return
    for row in await in_db(list)(selectors.running()):
        async with tmux.lock(f"log {row.pane}"):
            await pipe.close_pipe(tmux, row)
            await services.finish(row, pipe.stop_reason("all"))


def _limit(row: Recording, end_reason: str) -> str:
    """A recorder whose limit was below the limit of one recording hit the limit of all."""
    limit = settings.WEBTMUX.recording_max_mb * pipe.MEGABYTE
    is_total = end_reason == "size" and (not limit or files_of(row).size < limit)
    return "all" if is_total else end_reason


def _status(tmux: Tmux, row: Recording, panes: Mapping[str, PaneRow] | None) -> RecordingStatus:
    files = files_of(row)
    if panes is None:
        return RecordingStatus(files.running, files.end_reason, None)
    pane = panes.get(row.pane) if row.life == tmux.server_run else None
    return RecordingStatus(files.running, files.end_reason, pane is not None and not pane.dead)


async def _panes(tmux: Tmux) -> Mapping[str, PaneRow] | None:
    try:
        return {pane.id: pane for pane in await tmux.panes()}
    except TmuxFailed:
        return None
