"""The data directory and everything in it belong to the server's own user alone.

It holds the secret key, hashes of tokens, and what terminals printed. Earlier versions created
some of it with the user's umask: each start removes what other users may do there.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from config.env import SettingError
from terminals.private_paths import GROUP_OR_OTHERS, owner

PUBLIC = {"static"}  # copies of files of the checkout, collected anew at each change
ADVICE = "Give it to the user that runs webtmux (chown), or set WEBTMUX_DATA_DIR to another one."


def tighten(data_dir: Path) -> None:
    """No permission for group and others. Refuses what another user owns and could change."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = data_dir.stat()
    if found.st_uid != os.getuid():
        raise SettingError(f"{data_dir} belongs to {owner(found.st_uid)}. {ADVICE}")
    if found.st_mode & GROUP_OR_OTHERS:
        data_dir.chmod(0o700)
    for entry in os.scandir(data_dir):
        if entry.stat(follow_symlinks=False).st_uid not in {0, os.getuid()}:
            name = owner(entry.stat(follow_symlinks=False).st_uid)
            raise SettingError(f"{entry.path} belongs to {name}. {ADVICE}")
        if entry.name not in PUBLIC:
            _tighten(entry)


def _tighten(entry: "os.DirEntry[str]") -> None:
    """Links are left alone: what they point to is somebody's own choice."""
    with contextlib.suppress(FileNotFoundError):  # a segment of a log that was just pruned
        found = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(found.st_mode):
            return
        if found.st_mode & GROUP_OR_OTHERS and found.st_uid == os.getuid():
            os.chmod(entry.path, stat.S_IMODE(found.st_mode) & ~GROUP_OR_OTHERS)
        if stat.S_ISDIR(found.st_mode):
            for below in _entries(entry.path):
                _tighten(below)


def _entries(path: str) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(path) as entries:
            yield from entries
    except PermissionError:  # another user's: nothing of ours
        return


def create_private(path: Path) -> None:
    """An empty file, 0600, where there is none. SQLite gives its -wal and -shm the same mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
