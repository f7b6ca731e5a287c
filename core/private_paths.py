"""Directories and files that no other user of this machine can read, replace or take over.

Every file that webtmux or tmux opens by its path lies in a directory that passed these checks. A
check followed by a use is safe only if no other user can change the path in between, so
the whole chain of directories above it is checked, as OpenSSH does for `authorized_keys`.

root is trusted throughout: it can do anything to us anyway.
"""

import contextlib
import fcntl
import grp
import os
import pwd
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from core.errors import Refused

LINKS_LIMIT = 40  # as the kernel's
NAME_BYTES = 512  # a shell without an editor reads at most 4,096 bytes in a line
GROUP_OR_OTHERS = 0o077
PREFIX = "webtmux-"
STALE_SECONDS = 60.0  # longer than it takes to lock a directory that was just created
DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW_FILE_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def owner(uid: int) -> str:
    """A uid as messages show it."""
    try:
        return f"{pwd.getpwuid(uid).pw_name} (uid {uid})"
    except KeyError:
        return f"uid {uid}"


def problem_with_chain(path: Path) -> str:
    """Why another user could replace `path` or a directory above it; empty if only root could.

    Each directory on the way must belong to root or to us. One that others may write to must be
    sticky, as /tmp is: then they cannot rename or remove what is ours in it. A symbolic link must
    be root's or ours, and is followed under the same rules.
    """
    links = 0
    parts = list(reversed(path.absolute().parts[1:]))
    place = Path("/")
    while True:
        if problem := _problem_with_ancestor(place):
            return problem
        if not parts:
            return ""
        part = parts.pop()
        if part == "..":
            place = place.parent
            continue
        status = (place / part).lstat()
        if not stat.S_ISLNK(status.st_mode):
            place /= part
            continue
        links += 1
        if status.st_uid not in {0, os.getuid()}:
            return f"{place / part} is a symbolic link of {owner(status.st_uid)}"
        if links > LINKS_LIMIT:
            return f"{path} has too many symbolic links"
        target = Path(os.readlink(place / part))
        if target.is_absolute():
            place, target = Path("/"), target.relative_to("/")
        parts.extend(reversed(target.parts))


def _problem_with_ancestor(place: Path) -> str:
    status = place.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{place} is not a directory"
    if status.st_uid not in {0, os.getuid()}:
        return f"{place} belongs to {owner(status.st_uid)}"
    if others_may_write(status) and not status.st_mode & stat.S_ISVTX:
        return f"{place} can be changed by other users (mode {stat.S_IMODE(status.st_mode):04o})"
    return ""


def others_may_write(status: os.stat_result) -> bool:
    """The group counts as others, except the user's own private group (`umask 002` systems)."""
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_private_group(status.st_gid)


def _is_private_group(gid: int) -> bool:
    uid = os.getuid()
    if gid != uid:
        return False
    with contextlib.suppress(KeyError):
        return set(grp.getgrgid(gid).gr_mem) <= {pwd.getpwuid(uid).pw_name}
    return False


def problem_with_private(path: Path) -> str:
    """Why `path` is not a directory that only we can use; empty if it is."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return f"{path} is a symbolic link"
        if not stat.S_ISDIR(status.st_mode):
            return f"{path} is not a directory"
        if status.st_uid != os.getuid():
            return f"{path} belongs to {owner(status.st_uid)}, not to {owner(os.getuid())}"
        if status.st_mode & GROUP_OR_OTHERS:
            return f"{path} is open to other users (mode {stat.S_IMODE(status.st_mode):04o})"
        return problem_with_chain(path)
    except OSError as error:
        return f"{path}: {error.strerror}"


def make_private(path: Path) -> str:
    """Create a directory 0700 if it is missing. Returns what is wrong with it, if anything."""
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except OSError as error:
        return f"cannot create {path}: {error.strerror}"
    return problem_with_private(path)


def make_directories(path: Path) -> None:
    """As mkdir -p, with mode 0700 for each new one: `Path.mkdir` does that for the last only."""
    missing = [path]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for directory in reversed(missing):
        directory.mkdir(mode=0o700, exist_ok=True)


class PrivateDirectory:
    """A directory for files that pass between us and tmux or a shell, kept open by a descriptor.

    Files are created and read relative to the descriptor. tmux and shells get a path, so before
    each use the path must still name the directory that we hold. A directory that was removed, by a
    cleaner of temporary files or at logout, is replaced by a new one.
    """

    def __init__(self, *roots: Path) -> None:
        """`roots`: directories to create it in; the first safe one is used."""
        self._roots = roots
        self._handle = -1
        self._path = Path()

    @property
    def path(self) -> Path:
        """The directory, checked now and created again if it was lost."""
        if not self._is_intact():
            self._make()
        return self._path

    def create(self, name: str, content: bytes = b"") -> "PrivateFile":
        """Create a file with mode 0600. An existing file of any type is an error."""
        path = self.path / name
        handle = os.open(name, NEW_FILE_FLAGS, 0o600, dir_fd=self._handle)
        file = PrivateFile(path, handle, self)
        try:
            file.write(content)
        except OSError as error:  # a full disk
            file.remove()
            raise Refused(f"cannot write {path}: {error.strerror}") from error
        return file

    def require_intact(self) -> None:
        """Call this before passing a path in it to a program that opens it later."""
        if not self._is_intact():
            raise Refused(
                f"the directory for temporary files, {self._path}, was removed or replaced: "
                "nothing was sent; try again"
            )

    def forget(self, path: Path) -> None:
        """Remove a file. Not if its directory was lost: another one may have its descriptor now."""
        if path.parent == self._path and self._handle >= 0:
            with contextlib.suppress(OSError):
                os.unlink(path.name, dir_fd=self._handle)

    def close(self) -> None:
        if self._handle < 0:
            return
        _empty(self._handle)
        if self._is_intact():
            with contextlib.suppress(OSError):
                self._path.rmdir()
        os.close(self._handle)
        self._handle = -1

    def _is_intact(self) -> bool:
        if self._handle < 0:
            return False
        status = os.fstat(self._handle)
        try:
            named = self._path.lstat()
        except OSError:
            return False
        same = (status.st_dev, status.st_ino) == (named.st_dev, named.st_ino)
        return same and status.st_uid == os.getuid() and not status.st_mode & GROUP_OR_OTHERS

    def _make(self) -> None:
        problems = []
        for root in self._roots:
            problem = problem_with_name(root) or make_private(root)
            if problem:
                problems.append(problem)
                continue
            sweep(root)
            path = root / f"{PREFIX}{secrets.token_hex(4)}"
            path.mkdir(mode=0o700)
            if self._handle >= 0:
                os.close(self._handle)
            self._handle, self._path = os.open(path, DIRECTORY_FLAGS), path
            fcntl.flock(self._handle, fcntl.LOCK_SH)  # so that `sweep` sees that it is in use
            return
        raise Refused(
            "no private directory for temporary files: "
            + "; ".join(problems)
            + ". Make WEBTMUX_DATA_DIR a directory that only you can change."
        )


def sweep(root: Path) -> None:
    """Remove what killed processes left in one of webtmux's directories."""
    for path in root.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = path.lstat()
            if not stat.S_ISDIR(status.st_mode) or time.time() - status.st_mtime < STALE_SECONDS:
                continue
            handle = os.open(path, DIRECTORY_FLAGS)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _empty(handle)
                path.rmdir()
            finally:
                os.close(handle)


def _empty(directory: int) -> None:
    for name in os.listdir(directory):
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=directory)


class PrivateFile:
    """A file in a private directory, read and written through the descriptor that created it."""

    def __init__(self, path: Path, handle: int, directory: PrivateDirectory) -> None:
        self.path = path
        self._handle, self._directory = handle, directory

    def write(self, content: bytes) -> None:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(self._handle, rest) :]

    @property
    def size(self) -> int:
        return os.fstat(self._handle).st_size

    def read(self) -> bytes:
        """The content, for example written by tmux. The path may name another file by now."""
        return b"".join(_pieces(self._handle, self.size))

    def remove(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)  # first: removing an open file costs ext4 twice as much
            self._handle = -1
            self._directory.forget(self.path)


def _pieces(handle: int, size: int) -> Iterator[bytes]:
    offset = 0
    while offset < size and (piece := os.pread(handle, size - offset, offset)):
        offset += len(piece)
        yield piece


def problem_with_name(path: Path) -> str:
    """Why a path cannot be typed into a shell or sent to tmux on one line; empty if it can."""
    text = str(path)
    if not text.isprintable() or len(os.fsencode(path)) > NAME_BYTES:
        return f"the path of {text!r:.80} cannot be typed into a shell"
    return ""


def runtime_directory() -> Path | None:
    """$XDG_RUNTIME_DIR, if it is ours and private."""
    configured = os.environ.get("XDG_RUNTIME_DIR", "")
    usable = configured.startswith("/") and not problem_with_private(Path(configured))
    return Path(configured) if usable else None
