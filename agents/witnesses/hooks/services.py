"""Installs and removes the hooks of agents that are started by hand, in the user's home.

install.py decides what the files contain. Before a file is changed for the first time it is copied
to `backups/` in the directory of the scripts. Uninstalling restores that copy if the file is as we
left it; a file that was changed since then only loses what is ours.
"""

import contextlib
import difflib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from agents.witnesses.hooks import files
from agents.witnesses.hooks.install import RUNTIMES, SETTINGS_FOLDERS, FileChange, changes
from core.errors import Invalid, Refused, WebtmuxError
from core.private_paths import make_directories

FILE_LIMIT = 4 << 20
BACKUPS = "backups"


class HookState(StrEnum):
    INSTALLED = "installed"
    OUTDATED = "outdated"  # installed by another version, or for another place
    MISSING = "missing"
    FAILED = "failed"  # `problem` says why


@dataclass(frozen=True, slots=True)
class RuntimeHooks:
    runtime: str
    state: HookState
    files: tuple[str, ...] = ()  # that are changed by an installation
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HookPlace:
    """Where hooks are installed, and whose sockets they report to."""

    home: Path
    data_dir: Path

    @property
    def directory(self) -> Path:
        return files.user_directory(self.home)


def hooks_status(place: HookPlace, runtimes: Sequence[str] = ()) -> list[RuntimeHooks]:
    return [_status(place, runtime) for runtime in _chosen(runtimes)]


def install_hooks(place: HookPlace, runtimes: Sequence[str] = ()) -> list[RuntimeHooks]:
    """By default for the agents that have settings in this home."""
    chosen = _chosen(runtimes or used_runtimes(place))
    planned = {runtime: _planned(place, runtime, install=True) for runtime in chosen}
    if problem := files.write_scripts(place.directory):
        raise Refused(f"hooks cannot be installed: {problem}")
    with _locked(place):
        for runtime in chosen:
            for change in planned[runtime]:
                _back_up(place, runtime, change)
                _write(change.path, change.after)
                _remember(place, runtime, change)
    files.sweep(place.directory)
    for socket in files.sockets(files.data_directory(place.data_dir)):
        files.link(place.directory, socket)
    return hooks_status(place, chosen)


def uninstall_hooks(place: HookPlace, runtimes: Sequence[str] = ()) -> list[RuntimeHooks]:
    chosen = _chosen(runtimes)
    planned = {runtime: _planned(place, runtime, install=False) for runtime in chosen}
    if place.directory.is_dir():
        with _locked(place):
            for runtime in chosen:
                for change in planned[runtime]:
                    _write(change.path, change.after)
                    _forget(place, runtime, change.path)
    states = hooks_status(place)
    if all(status.state is HookState.MISSING for status in states):
        files.remove_scripts(place.directory)
    return [status for status in states if status.runtime in chosen]


def preview(place: HookPlace, runtimes: Sequence[str], *, install: bool) -> str:
    """The changes as a unified diff; writes nothing."""
    diffs: list[str] = []
    for runtime in _chosen(runtimes or (used_runtimes(place) if install else ())):
        for change in _planned(place, runtime, install=install):
            diffs += difflib.unified_diff(
                (change.before or "").splitlines(keepends=True),
                (change.after or "").splitlines(keepends=True),
                str(change.path) if change.before is not None else "/dev/null",
                str(change.path) if change.after is not None else "/dev/null",
            )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in diffs)


def used_runtimes(place: HookPlace) -> Sequence[str]:
    used = [name for name, folder in SETTINGS_FOLDERS.items() if (place.home / folder).is_dir()]
    if not used:
        raise Refused(
            f"no agent has settings in {place.home} yet: start one, or name it "
            f"({', '.join(RUNTIMES)})"
        )
    return used


def _chosen(runtimes: Sequence[str]) -> Sequence[str]:
    unknown = sorted(set(runtimes) - set(RUNTIMES))
    if unknown:
        raise Invalid(f"no hooks for {', '.join(unknown)}: choose from {', '.join(RUNTIMES)}")
    return runtimes or RUNTIMES


def _status(place: HookPlace, runtime: str) -> RuntimeHooks:
    try:
        missing = _changes(place, runtime, install=True)
        present = _changes(place, runtime, install=False)
    except WebtmuxError as error:
        return RuntimeHooks(runtime, HookState.FAILED, problem=error.message)
    paths = tuple(str(change.path) for change in (missing or present))
    if missing:
        return RuntimeHooks(runtime, HookState.OUTDATED if present else HookState.MISSING, paths)
    working = (place.directory / "report").exists()
    return RuntimeHooks(runtime, HookState.INSTALLED if working else HookState.OUTDATED, paths)


# --- what will be written ---------------------------------------------------------------------


def _changes(place: HookPlace, runtime: str, *, install: bool) -> list[FileChange]:
    return changes(runtime, home=place.home, directory=place.directory, install=install, read=_read)


def _planned(place: HookPlace, runtime: str, *, install: bool) -> list[FileChange]:
    """As `_changes`; an uninstallation restores the first backup where nothing changed since."""
    planned = _changes(place, runtime, install=install)
    if install:
        return planned
    return [
        FileChange(change.path, change.before, original)
        if (original := _original(place, runtime, change)) is not _UNKNOWN
        else change
        for change in planned
    ]


_UNKNOWN = "\0unknown"


def _original(place: HookPlace, runtime: str, change: FileChange) -> str | None:
    backup = _backup(place, runtime, change.path)
    try:
        left = json.loads(backup.with_suffix(".note").read_bytes())
    except (OSError, ValueError):
        return _UNKNOWN
    if not isinstance(left, dict) or left.get("sha256") != _digest(change.before):
        return _UNKNOWN
    return _read(backup) if left.get("existed") else None


def _digest(text: str | None) -> str:
    return hashlib.sha256((text or "").encode("utf-8", "surrogateescape")).hexdigest()


# --- files ------------------------------------------------------------------------------------


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > FILE_LIMIT:
            raise Refused(f"{path} is too large to be changed safely")
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}") from error


def _write(path: Path, text: str | None) -> None:
    """Atomically, with the mode it had, through a symbolic link (dotfiles are often links)."""
    path = Path(os.path.realpath(path))
    try:
        if text is None:
            path.unlink(missing_ok=True)
            return
        make_directories(path.parent)
        draft = path.with_name(f".{path.name}.webtmux-{os.getpid()}")
        draft.write_bytes(text.encode("utf-8", "surrogateescape"))
        draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o600)
        draft.replace(path)
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error


def _backup(place: HookPlace, runtime: str, path: Path) -> Path:
    return place.directory / BACKUPS / f"{runtime}-{path.name}"


def _back_up(place: HookPlace, runtime: str, change: FileChange) -> None:
    """Only of a file without our hooks: a later installation must not replace the first copy."""
    if _original(place, runtime, change) is _UNKNOWN:
        clean = next(
            (
                cleaned.after
                for cleaned in _changes(place, runtime, install=False)
                if cleaned.path == change.path
            ),
            change.before,
        )
        backup = _backup(place, runtime, change.path)
        make_directories(backup.parent)
        _write(backup, clean or "")
        _note(backup, existed=clean is not None, text=change.before)


def _remember(place: HookPlace, runtime: str, change: FileChange) -> None:
    backup = _backup(place, runtime, change.path)
    left = json.loads(backup.with_suffix(".note").read_bytes())
    _note(backup, existed=left["existed"], text=change.after)


def _note(backup: Path, *, existed: bool, text: str | None) -> None:
    note = {"existed": existed, "sha256": _digest(text)}
    _write(backup.with_suffix(".note"), json.dumps(note) + "\n")


def _forget(place: HookPlace, runtime: str, path: Path) -> None:
    backup = _backup(place, runtime, path)
    for file in (backup, backup.with_suffix(".note")):
        file.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(place: HookPlace) -> Iterator[None]:
    """Two installations at once would back up each other's files."""
    with (place.directory / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
