"""How what a pane prints gets into the files of its recording: tmux pipes it into a recorder.

Not when to record or for how long: recordings.py and recording_care.py. A pane has one pipe, so one
that is logged or piped by somebody else cannot be recorded.
"""

import asyncio
import shlex
import shutil
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from terminals import casts, recorder
from terminals.errors import Refused, TmuxFailed
from terminals.models import Recording
from terminals.private_paths import make_directories
from terminals.recording_files import Files
from terminals.tmux.driver import Tmux
from terminals.tmux.logs import OPTION as LOG_OPTION
from terminals.tmux.logs import RECORDING_OPTION
from terminals.tmux.rows import PaneRow

MEGABYTE = 1_000_000
NO_LIMIT = 1 << 62
START_SECONDS = 15.0  # for the recorder to come up; tmux keeps what is printed meanwhile
END_SECONDS = 15.0  # for it to write what it still holds
LOOK_SECONDS = 0.01
QUIET_SECONDS = 0.1
QUIET_LIMIT = 1.0
WHY = {
    "size": "it has reached WEBTMUX_RECORDING_MAX_MB ({one} MB) and was stopped",
    "all": "all recordings have reached WEBTMUX_RECORDINGS_MAX_MB ({all} MB): delete some",
    "disk": "the disk has less than WEBTMUX_RECORDINGS_FREE_MB ({free} MB) left: make room",
}
GAP = "gap: webtmux's recorder was not running"


def place() -> Path:
    return Path(settings.WEBTMUX.data_dir) / "recordings"


def files_of(row: Recording) -> Files:
    return Files(place() / row.key)


def why(reason: str) -> str:
    env = settings.WEBTMUX
    return WHY[reason].format(
        one=env.recording_max_mb, all=env.recordings_max_mb, free=env.recordings_free_mb
    )


def used() -> int:
    """Bytes of all recordings; of those that run, as they are now."""
    done = Recording.objects.exclude(state=Recording.State.RECORDING)
    running = Recording.objects.filter(state=Recording.State.RECORDING)
    total = done.aggregate(total=Sum("size"))["total"] or 0
    return total + sum(files_of(row).size for row in running)


def room() -> int:
    """Bytes that one more recording may have; refused where there are none."""
    env = settings.WEBTMUX
    most = env.recording_max_mb * MEGABYTE or NO_LIMIT
    if env.recordings_max_mb:
        most = min(most, env.recordings_max_mb * MEGABYTE - used())
    if most <= 0:
        raise Refused(why("all"))
    make_directories(place())
    if shutil.disk_usage(place()).free < env.recordings_free_mb * MEGABYTE:
        raise Refused(why("disk"))
    return most


async def need_free_pipe(tmux: Tmux, pane: PaneRow) -> None:
    if not pane.piped:
        return
    if await tmux.show_option(LOG_OPTION, "-p", "-t", pane.id):
        raise Refused("this pane is logged, and tmux can pipe a pane only once: its log has it all")
    raise Refused("somebody else pipes this pane (pipe-pane); webtmux leaves it alone")


async def open_pipe(tmux: Tmux, row: Recording, pane: PaneRow, *, most: int) -> None:
    """From now on every byte is recorded, after a picture of the screen as it is."""
    files, now = files_of(row), timezone.now()
    (files.directory / recorder.END).unlink(missing_ok=True)
    await tmux.set_option(RECORDING_OPTION, row.key, "-p", "-t", pane.id)
    picture = await tmux.pipe_from_picture(pane.id, command(row, pane, most=most))
    if not files.headed:
        row.columns, row.rows = picture.width, picture.height
        files.write_head(
            casts.header(
                columns=row.columns,
                rows=row.rows,
                timestamp=int(row.started_at.timestamp()),
                title=row.title,
            )
        )
    text = picture.data.decode("utf-8", "replace")
    files.add(casts.event(at(row, now), "o", text))
    await _until(lambda: files.running or bool(files.end), START_SECONDS, "the recorder to start")


async def close_pipe(tmux: Tmux, row: Recording) -> None:
    """The pane itself is not touched."""
    files = files_of(row)
    if files.running:
        await _quiet(files)
        await tmux.close_pipe(row.pane)
        await _until(lambda: not files.running, END_SECONDS, "the recorder to end")
    await tmux.set_option(RECORDING_OPTION, "", "-p", "-t", row.pane)


def command(row: Recording, pane: PaneRow, *, most: int) -> str:
    """For a shell, as tmux wants it; nothing in it is anybody's text."""
    began = row.started_at.timestamp()
    floor = settings.WEBTMUX.recordings_free_mb * MEGABYTE
    program = [
        sys.executable, "-I", "-S", recorder.__file__, str(files_of(row).directory), repr(began),
        str(most), str(floor), pane.tty, f"{pane.width}x{pane.height}",
    ]  # fmt: skip
    return f"umask 077; exec {shlex.join(program)}"


def at(row: Recording, moment: datetime) -> float:
    """A moment as a time of the recording."""
    return max(0.0, (moment - row.started_at).total_seconds())


async def _quiet(files: Files) -> None:
    """tmux drops what it still holds for a pipe that is closed: what was printed a moment ago must
    be through. Of a pane that never stops printing some is cut off either way."""
    deadline, size = time.monotonic() + QUIET_LIMIT, -1
    while files.size != size and time.monotonic() < deadline:
        size = files.size
        await asyncio.sleep(QUIET_SECONDS)


async def _until(done: Callable[[], bool], seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise TmuxFailed(f"waited {seconds:.0f} s in vain for {what}")
        await asyncio.sleep(LOOK_SECONDS)
