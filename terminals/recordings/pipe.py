"""Connects a pane with the files of its recording: tmux pipes the pane into recorder.py.

services.py and worker.py decide when. tmux has one pipe per pane, so a pane that is logged or piped
by another program cannot be recorded.
"""

import asyncio
import shlex
import shutil
import sys
import time
from collections.abc import Callable

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from core.errors import Refused, TmuxFailed
from core.private_paths import make_directories
from terminals.models import Recording, RecordingState
from terminals.recordings import asciicast, recorder
from terminals.recordings.files import RecordingFiles, files_of, recordings_directory, seconds_into
from terminals.tmux.driver import Tmux
from terminals.tmux.pane_logs import LOG_OPTION, RECORDING_OPTION
from terminals.tmux.rows import PaneRow

MEGABYTE = 1_000_000
NO_LIMIT = 1 << 62
START_SECONDS = 15.0  # for the recorder to start; until then tmux buffers the output
END_SECONDS = 15.0  # for the recorder to write what it has read
POLL_SECONDS = 0.01
QUIET_SECONDS = 0.1
QUIET_LIMIT = 1.0
# Why a recording was stopped, by the reason that the recorder gives in `end.json`.
STOP_REASONS = {
    "size": "it has reached WEBTMUX_RECORDING_MAX_MB ({one} MB) and was stopped",
    "all": "all recordings have reached WEBTMUX_RECORDINGS_MAX_MB ({all} MB): delete some",
    "disk": "the disk has less than WEBTMUX_RECORDINGS_FREE_MB ({free} MB) left: make room",
}
GAP = "gap: webtmux's recorder was not running"


# --- limits -----------------------------------------------------------------------------------


def stop_reason(reason: str) -> str:
    env = settings.WEBTMUX
    return STOP_REASONS[reason].format(
        one=env.recording_max_mb, all=env.recordings_max_mb, free=env.recordings_free_mb
    )


def used_bytes() -> int:
    """Of all recordings, with the current size of those that are running."""
    ended = Recording.objects.exclude(state=RecordingState.RECORDING)
    running = Recording.objects.filter(state=RecordingState.RECORDING)
    total = ended.aggregate(total=Sum("size"))["total"] or 0
    return total + sum(files_of(row).size for row in running)


def available_bytes() -> int:
    """How large one more recording may become. Raises Refused if there is no space for it."""
    env = settings.WEBTMUX
    limit = env.recording_max_mb * MEGABYTE or NO_LIMIT
    if env.recordings_max_mb:
        limit = min(limit, env.recordings_max_mb * MEGABYTE - used_bytes())
    if limit <= 0:
        raise Refused(stop_reason("all"))
    directory = recordings_directory()
    make_directories(directory)
    if shutil.disk_usage(directory).free < env.recordings_free_mb * MEGABYTE:
        raise Refused(stop_reason("disk"))
    return limit


# --- the pipe ---------------------------------------------------------------------------------


async def require_free_pipe(tmux: Tmux, pane: PaneRow) -> None:
    if not pane.piped:
        return
    if await tmux.show_option(LOG_OPTION, pane.id):
        raise Refused(
            "this pane is logged, and tmux can pipe a pane only once: read its log instead"
        )
    raise Refused("another program pipes this pane (pipe-pane): stop that first")


async def open_pipe(tmux: Tmux, row: Recording, pane: PaneRow, *, byte_limit: int) -> None:
    """From now on every byte is recorded, after a capture of the current screen."""
    files, now = files_of(row), timezone.now()
    (files.directory / recorder.END).unlink(missing_ok=True)
    await tmux.set_option(RECORDING_OPTION, row.key, pane.id)
    capture = await tmux.pipe_from_capture(pane.id, _command(row, pane, byte_limit=byte_limit))
    if not files.has_header:
        row.columns, row.rows = capture.width, capture.height
        files.write_header(
            asciicast.header(
                columns=row.columns,
                rows=row.rows,
                timestamp=int(row.started_at.timestamp()),
                title=row.title,
            )
        )
    text = capture.data.decode("utf-8", "replace")
    files.add(asciicast.event(seconds_into(row, now), "o", text))
    await _wait_until(
        lambda: files.running or bool(files.end_reason), START_SECONDS, "the recorder to start"
    )


async def close_pipe(tmux: Tmux, row: Recording) -> None:
    """The pane itself is not touched."""
    files = files_of(row)
    if files.running:
        await _wait_until_quiet(files)
        await tmux.close_pipe(row.pane)
        await _wait_until(lambda: not files.running, END_SECONDS, "the recorder to end")
    await tmux.set_option(RECORDING_OPTION, "", row.pane)


def _command(row: Recording, pane: PaneRow, *, byte_limit: int) -> str:
    """The shell command that tmux runs. No part of it is text from a user or a program."""
    began = row.started_at.timestamp()
    free_bytes = settings.WEBTMUX.recordings_free_mb * MEGABYTE
    program = [
        sys.executable, "-I", "-S", recorder.__file__, str(files_of(row).directory), repr(began),
        str(byte_limit), str(free_bytes), pane.tty, f"{pane.width}x{pane.height}",
    ]  # fmt: skip  # a command line
    return f"umask 077; exec {shlex.join(program)}"


async def _wait_until_quiet(files: RecordingFiles) -> None:
    """tmux discards what it still buffers when a pipe is closed, so recent output must get through
    first. A pane that never stops printing loses some of it in any case."""
    deadline, size = time.monotonic() + QUIET_LIMIT, -1
    while files.size != size and time.monotonic() < deadline:
        size = files.size
        await asyncio.sleep(QUIET_SECONDS)


async def _wait_until(done: Callable[[], bool], seconds: float, description: str) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise TmuxFailed(f"timed out after {seconds:.0f} s waiting for {description}")
        await asyncio.sleep(POLL_SECONDS)
