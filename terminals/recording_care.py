"""What becomes of recordings by themselves: panes end, tmux dies, webtmux was away, a disk is full.

One look compares the rows that run with tmux and with their recorders, and decides; the worker
looks at each change of tmux and every few seconds, and so also once at the start.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from django.conf import settings
from django.utils import timezone

from terminals import casts, live
from terminals import recording_pipes as pipes
from terminals import recordings as service
from terminals.db import in_db
from terminals.errors import Refused, TmuxFailed, WebtmuxError
from terminals.models import Recording
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from terminals.workers import SETTLE_SECONDS, wait_for

log = logging.getLogger(__name__)

LOOK_SECONDS = 3.0


class Step(Enum):
    LEAVE = auto()  # all is well, or not known yet
    FINISH = auto()  # nothing more can come
    STOP = auto()  # a limit: what there is, is kept
    RESUME = auto()  # the pane lives, its recorder does not: on with a marked gap


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of one recording that should run."""

    running: bool  # its recorder
    end: str  # why the recorder says it ended
    here: bool | None  # the pane; None: tmux cannot be asked


def decide(seen: Seen) -> Step:
    if seen.running:
        return Step.LEAVE
    if seen.end in pipes.WHY:
        return Step.STOP
    if seen.here:
        return Step.RESUME
    # Without tmux a recorder that said its end will get no more; of a killed one nothing is known.
    return Step.FINISH if seen.here is False or seen.end else Step.LEAVE


async def keep_recordings(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Until `stop`."""
    sizes: dict[str, int] = {}
    with runtime.main.watching() as changed:
        while not stop.is_set():
            changed.clear()
            await look(runtime.main)
            sizes = await in_db(tell_growth)(sizes)
            if await wait_for(stop, changed, seconds=LOOK_SECONDS) is changed:
                await wait_for(stop, seconds=SETTLE_SECONDS)


async def look(tmux: Tmux) -> None:
    rows = await in_db(list)(service.running())
    if not rows:
        return
    panes = await _panes(tmux)
    for row in rows:
        try:
            await _mend(tmux, row, panes)
        except WebtmuxError as failure:
            log.warning("recording %s: %s", row.key, failure.message)
    await _keep_within_limit(tmux)


def tell_growth(before: Mapping[str, int]) -> dict[str, int]:
    """Sizes go on growing between two changes of a row; told only where somebody listens."""
    if not live.may_be_heard(service.RECORDINGS):
        return {}
    rows = list(service.running())
    sizes = {row.key: pipes.files_of(row).size for row in rows}
    if grown := [row for row in rows if sizes[row.key] != before.get(row.key)]:
        service.tell(grown)
    return sizes


async def _mend(tmux: Tmux, row: Recording, panes: Mapping[str, PaneRow] | None) -> None:
    if decide(_seen(tmux, row, panes)) is Step.LEAVE:
        return
    async with tmux.lock(f"log {row.pane}"):
        # Somebody may have stopped it while we waited, or tmux told an older state.
        row = await in_db(service.get_recording)(key=row.key)
        panes = await _panes(tmux)
        seen = _seen(tmux, row, panes)
        if row.state != Recording.State.RECORDING:
            return
        step = decide(seen)
        if step is Step.FINISH:
            await service.finish(row)
        elif step is Step.STOP:
            await service.finish(row, pipes.why(_limit(row, seen.end)))
        elif step is Step.RESUME and panes is not None:
            await _resume(tmux, row, panes[row.pane])


async def _resume(tmux: Tmux, row: Recording, pane: PaneRow) -> None:
    files = pipes.files_of(row)
    try:
        if not files.headed:
            raise Refused("it could not begin")
        await pipes.need_free_pipe(tmux, pane)
        most = await in_db(pipes.room)()
        files.add(casts.event(pipes.at(row, timezone.now()), "m", pipes.GAP))
        await pipes.open_pipe(tmux, row, pane, most=most + files.size)
    except Refused as refused:
        await service.finish(row, refused.message)


async def _keep_within_limit(tmux: Tmux) -> None:
    """Each recorder knows how much it may write; not what the others write meanwhile."""
    most = settings.WEBTMUX.recordings_max_mb * pipes.MEGABYTE
    if not most or await in_db(pipes.used)() < most:
        return
    for row in await in_db(list)(service.running()):
        async with tmux.lock(f"log {row.pane}"):
            await pipes.close_pipe(tmux, row)
            await service.finish(row, pipes.why("all"))


def _limit(row: Recording, end: str) -> str:
    """A recorder that was given less than one recording may have stopped for all of them."""
    one = settings.WEBTMUX.recording_max_mb * pipes.MEGABYTE
    return "all" if end == "size" and (not one or pipes.files_of(row).size < one) else end


def _seen(tmux: Tmux, row: Recording, panes: Mapping[str, PaneRow] | None) -> Seen:
    files = pipes.files_of(row)
    if panes is None:
        return Seen(files.running, files.end, None)
    pane = panes.get(row.pane) if row.life == tmux.life else None
    return Seen(files.running, files.end, pane is not None and not pane.dead)


async def _panes(tmux: Tmux) -> Mapping[str, PaneRow] | None:
    try:
        return {pane.id: pane for pane in await tmux.panes()}
    except TmuxFailed:
        return None
