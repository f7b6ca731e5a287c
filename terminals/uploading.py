"""Saves an uploaded file near the pane that it is for, and pastes it there. Never presses Enter.

What a name or a paste looks like is decided in uploads.py. No symbolic link is followed inside the
directory: a checkout may bring a `.webtmux` that points elsewhere.
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

from terminals import attachments, selectors, uploads
from terminals.db import in_db
from terminals.errors import Refused
from terminals.private_paths import others_may_write
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from terminals.uploads import Upload

PLACE = (".webtmux", "uploads")
QUOTA = 256 * 1024 * 1024  # of one directory: some hundred screenshots
KEPT_SECONDS = 3600.0  # an agent may still be told to read what came in the last hour
_OURS = re.compile(r"\d{8}-\d{6}-\d{6}-.+", re.ASCII)
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


async def upload_file(*, tmux: Tmux, pane: str, upload: Upload, data_dir: Path) -> Path:
    """Where it was saved. `pane` is an id. Contents that could run are pasted as a path."""
    row = await tmux.pane(pane)
    path = await _keep(tmux, row, upload, data_dir)
    content = upload.content.decode() if uploads.is_inline(upload) else None
    async with tmux.lock(pane):
        if content is None or not await tmux.is_safe_text(pane, content):
            content = uploads.pasted_path(upload, path, Path(row.path))
        await tmux.paste(pane, content, locked=True)
    return path


async def save_upload(*, tmux: Tmux, pane: str, upload: Upload, data_dir: Path) -> PurePath:
    """Saved and not pasted: the path by which a program in the pane finds it. `pane` is an id."""
    if len(upload.content) > uploads.FILE_LIMIT:
        raise uploads.too_large(len(upload.content))
    row = await selectors.find_pane(tmux, pane)
    try:
        path = await _keep(tmux, row, upload, data_dir)
    except OSError as problem:
        raise Refused(f"the file cannot be saved: {problem.strerror}") from None
    return uploads.told(upload, path, Path(row.path))


async def _keep(tmux: Tmux, row: PaneRow, upload: Upload, data_dir: Path) -> Path:
    """Saved, and noted for the timeline."""
    path = await asyncio.to_thread(save, upload, here=Path(row.path), data_dir=data_dir)
    window = await selectors.fact_of(tmux, row.window_id)
    await in_db(attachments.note_attachment)(window=window, pane=row.id, upload=upload)
    return path


def save(upload: Upload, *, here: Path, data_dir: Path) -> Path:
    """In the directory of the pane, or in our own where that cannot be written."""
    if here.is_absolute() and uploads.is_printable(here):
        with contextlib.suppress(OSError):
            return _save_in(here, PLACE, upload)  # not if another user made that directory
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _save_in(data_dir, PLACE[-1:], upload)


def _save_in(root: Path, place: tuple[str, ...], upload: Upload) -> Path:
    with _opened(root, place) as directory:
        _ignore(directory)
        _make_room(directory, len(upload.content))
        name = uploads.stored_name(upload, datetime.now().astimezone())
        _write(directory, name, upload.content)
    return root.joinpath(*place, name)


@contextlib.contextmanager
def _opened(root: Path, place: tuple[str, ...]) -> Iterator[int]:
    """The directory `place` below `root`, made if need be."""
    handles = [os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        for part in place:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o700, dir_fd=handles[-1])
            handles.append(os.open(part, _DIRECTORY, dir_fd=handles[-1]))
            found = os.fstat(handles[-1])
            if found.st_uid != os.getuid() or others_may_write(found):
                # Made by another user, in /tmp or a shared checkout: they could swap the file.
                raise PermissionError(errno.EPERM, f"{part} is not ours")
        yield handles[-1]
    finally:
        for handle in handles:
            os.close(handle)


def _ignore(directory: int) -> None:
    """git does not see what lies here."""
    with contextlib.suppress(FileExistsError):
        _write(directory, ".gitignore", b"*\n")


def _write(directory: int, name: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(name, flags, 0o600, dir_fd=directory)
    try:
        with open(handle, "wb") as file:
            file.write(content)
    except OSError:
        # A full disk: half a file is worse than none.
        os.unlink(name, dir_fd=directory)
        raise


def _make_room(directory: int, size: int) -> None:
    """The oldest of our own files go first; what may still be in use stays."""
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
            f"the uploads of the last hour hold {used} bytes, {QUOTA} at most: remove some first"
        )


def _own_files(directory: int) -> list[tuple[float, str, int]]:
    """Time, name and size, the oldest first."""
    found = []
    with os.scandir(directory) as entries:
        for entry in entries:
            if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                told = entry.stat(follow_symlinks=False)
                found.append((told.st_mtime, entry.name, told.st_size))
    return sorted(found)
