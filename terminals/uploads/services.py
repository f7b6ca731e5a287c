"""Saves an uploaded file near its pane and pastes it there. Never presses Enter.

payload.py decides about names and what is pasted. The database stores only that a file was
uploaded, when and by whom, for the timeline. Symbolic links inside the directory are not followed:
a checkout may contain a `.webtmux` that points elsewhere.
"""

import asyncio
import contextlib
import errno
import os
import re
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePath

from core import timeline
from core.actors import display_name
from core.callers import caller_name
from core.database import in_db
from core.errors import Refused
from core.private_paths import others_may_write
from core.timeline import TimelineCursor, TimelineItem, TimelineKind
from terminals import selectors
from terminals.models import NAME_LIMIT, Attachment, Project, Window
from terminals.services import get_live_window
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from terminals.uploads import payload
from terminals.uploads.payload import Upload

PLACE = (".webtmux", "uploads")
QUOTA = 256 * 1024 * 1024  # per directory: some hundred screenshots
KEPT_SECONDS = 3600.0  # an agent may still have to read what was uploaded in the last hour
_OURS = re.compile(r"\d{8}-\d{6}-\d{6}-.+", re.ASCII)
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


async def upload_file(*, tmux: Tmux, pane: str, upload: Upload, data_dir: Path) -> Path:
    """Save and paste. Returns the path. `pane` is an id. Content that could execute is not pasted,
    its path is."""
    row = await tmux.pane(pane)
    path = await _save_and_record(tmux, row, upload, data_dir)
    content = upload.content.decode() if payload.is_inline(upload) else None
    async with tmux.lock(pane):
        if content is None or not await tmux.is_safe_text(pane, content):
            content = payload.pasted_path(upload, path, Path(row.path))
        await tmux.paste(pane, content, locked=True)
    return path


async def save_upload(*, tmux: Tmux, pane: str, upload: Upload, data_dir: Path) -> PurePath:
    """Save without pasting. Returns the path for programs in the pane. `pane` is an id."""
    if len(upload.content) > payload.FILE_LIMIT:
        raise payload.too_large(len(upload.content))
    row = await selectors.find_pane(tmux, pane)
    try:
        path = await _save_and_record(tmux, row, upload, data_dir)
    except OSError as problem:
        raise Refused(f"the file cannot be saved: {problem.strerror}") from None
    return payload.path_in_pane(upload, path, Path(row.path))


async def _save_and_record(tmux: Tmux, row: PaneRow, upload: Upload, data_dir: Path) -> Path:
    path = await asyncio.to_thread(save, upload, directory=Path(row.path), data_dir=data_dir)
    window = await get_live_window(tmux, row.window_id)
    await in_db(record_attachment)(window=window, pane=row.id, upload=upload)
    return path


# --- for the timeline -------------------------------------------------------------------------


def record_attachment(*, window: Window, pane: str, upload: Upload) -> Attachment:
    """Store that a file was uploaded, never its content."""
    return Attachment.objects.create(
        window=window,
        pane=pane,
        name=payload.safe_name(upload.name),
        size=len(upload.content),
        mime=upload.mime.replace("\0", "")[:NAME_LIMIT],
        by=caller_name(),
    )


def timeline_items(
    project: Project, before: TimelineCursor | None, limit: int
) -> list[TimelineItem]:
    rows = Attachment.objects.filter(
        timeline.older(TimelineKind.ATTACHMENT, before), window__project=project
    )
    return [
        TimelineItem(
            place=TimelineCursor(timeline.microseconds(row.at), TimelineKind.ATTACHMENT, row.pk),
            window=row.window,
            text=row.name,
            by=display_name(row.by),
            detail=f"{row.size} bytes, {row.mime}",
        )
        for row in rows.select_related("window").order_by("-at", "-pk")[:limit]
    ]


# --- files ------------------------------------------------------------------------------------


def save(upload: Upload, *, directory: Path, data_dir: Path) -> Path:
    """In the pane's directory, or in the data directory if that is not writable."""
    if directory.is_absolute() and payload.is_printable(directory):
        with contextlib.suppress(OSError):
            return _save_in(directory, PLACE, upload)  # fails if another user owns that directory
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _save_in(data_dir, PLACE[-1:], upload)


def _save_in(root: Path, place: tuple[str, ...], upload: Upload) -> Path:
    with _opened(root, place) as directory:
        _ignore(directory)
        _make_room(directory, len(upload.content))
        name = payload.stored_name(upload, datetime.now().astimezone())
        _write(directory, name, upload.content)
    return root.joinpath(*place, name)


@contextlib.contextmanager
def _opened(root: Path, place: tuple[str, ...]) -> Iterator[int]:
    """The directory `place` below `root`, created if needed."""
    handles = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        for part in place:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=handles[-1])
            handles.append(os.open(part, _DIRECTORY, dir_fd=handles[-1]))
            status = os.fstat(handles[-1])
            if status.st_uid != os.getuid() or others_may_write(status):
                # Created by another user, in /tmp or a shared checkout: they could swap the file.
                raise PermissionError(errno.EPERM, f"{part} is not ours")
        yield handles[-1]
    finally:
        for handle in handles:
            os.close(handle)


def _ignore(directory: int) -> None:
    """Make git ignore the directory."""
    with contextlib.suppress(FileExistsError):
        _write(directory, ".gitignore", b"*\n")


def _write(directory: int, name: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(name, flags, 0o600, dir_fd=directory)
    try:
        with open(handle, "wb") as file:
            file.write(content)
    except OSError:
        # The disk is full: half a file is worse than none.
        os.unlink(name, dir_fd=directory)
        raise


def _make_room(directory: int, size: int) -> None:
    """Remove the oldest of our files first. Files that may still be in use stay."""
    files = _own_files(directory)
    used, oldest_kept = sum(size for _, _, size in files), time.time() - KEPT_SECONDS
    for changed, name, length in files:
        if used + size <= QUOTA or changed > oldest_kept:
            break
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=directory)
        used -= length
    if used + size > QUOTA:
        raise Refused(
            f"the uploads of the last hour take {used} of {QUOTA} bytes: remove some first"
        )


def _own_files(directory: int) -> list[tuple[float, str, int]]:
    """Time, name and size, oldest first."""
    files = []
    with os.scandir(directory) as entries:
        for entry in entries:
            if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                files.append((status.st_mtime, entry.name, status.st_size))
    return sorted(files)
