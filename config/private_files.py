"""Keeps the data directory private to the user that runs the server.

It contains the secret key, hashes of tokens and the output of terminals. Earlier versions created
some files with the user's umask, so each start removes the permissions of other users.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from config.env import SettingError
from core.private_paths import GROUP_OR_OTHERS, owner

PUBLIC = {"static"}  # copies of files of the checkout
ADVICE = "Give it to the user that runs webtmux (chown), or set WEBTMUX_DATA_DIR to another one."


def tighten(data_dir: Path) -> None:
    """Remove all permissions of group and others. Refuses files that another user owns."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = data_dir.stat()
    if status.st_uid != os.getuid():
        raise SettingError(f"{data_dir} belongs to {owner(status.st_uid)}. {ADVICE}")
    if status.st_mode & GROUP_OR_OTHERS:
        data_dir.chmod(0o700)
    for entry in os.scandir(data_dir):
        if entry.stat(follow_symlinks=False).st_uid not in {0, os.getuid()}:
            name = owner(entry.stat(follow_symlinks=False).st_uid)
            raise SettingError(f"{entry.path} belongs to {name}. {ADVICE}")
        if entry.name not in PUBLIC:
            _tighten(entry)


def _tighten(entry: "os.DirEntry[str]") -> None:
    """Symbolic links are left alone: their targets are the user's choice."""
    with contextlib.suppress(FileNotFoundError):  # a segment of a log that was just pruned
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            return
        if status.st_mode & GROUP_OR_OTHERS and status.st_uid == os.getuid():
            os.chmod(entry.path, stat.S_IMODE(status.st_mode) & ~GROUP_OR_OTHERS)
        if stat.S_ISDIR(status.st_mode):
            for below in _entries(entry.path):
                _tighten(below)


def _entries(path: str) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(path) as entries:
            yield from entries
    except PermissionError:  # belongs to another user
        return


def create_private(path: Path) -> None:
    """Create an empty file 0600 if it is missing. SQLite gives its -wal and -shm the same mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
