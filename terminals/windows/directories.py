"""Directories that callers name: resolved, checked, and completed while a user types.

Paths are read in threads of their own, because a network file system may not answer. The operating
system decides what may be listed: webtmux runs as the user.
"""

import asyncio
import os
import re
import stat
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from core.errors import Invalid

THREADS = 2
ANSWER_SECONDS = 3.0  # a local disk takes a millisecond
SCAN_SECONDS = 1.0
SCAN_LIMIT = 20_000  # entries of one directory
COMPLETIONS_LIMIT = 50
PATH_LIMIT = 4096  # characters; PATH_MAX of Linux
FIELD = "cwd"  # of the requests that start something
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

T = TypeVar("T")
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="directories")


@dataclass(frozen=True, slots=True)
class Completions:
    """`directories`: written as the user began to write them, each with a `/` at the end."""

    directories: list[str]
    truncated: bool


async def resolve_directory(text: str, *, base: str) -> str:
    """The absolute path of a directory that programs can be started in.

    `~`, `~user` and paths relative to `base` are accepted. Raises Invalid with the reason.
    """
    return await _in_thread(lambda: resolve(text, base=base))


async def complete_directory(prefix: str, *, base: str) -> Completions:
    """The directories whose path starts with `prefix`; none if that cannot be read."""
    return await _in_thread(lambda: complete(prefix, base=base))


def resolve(text: str, *, base: str) -> str:
    path = _absolute(text, base)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise _invalid(f"there is no directory {path}: check the path or create it") from None
    except NotADirectoryError:
        raise _invalid(f"{path} is not a directory: a part of the path is a file") from None
    except PermissionError:
        raise _invalid(f"no permission to open {path}: choose another directory") from None
    except OSError as error:
        raise _invalid(f"cannot open the directory: {error.strerror}") from None
    if not stat.S_ISDIR(mode):
        raise _invalid(f"{path} is a file, not a directory: give the directory that contains it")
    if not os.access(path, os.X_OK):
        raise _invalid(f"no permission to open {path}: choose another directory")
    return path


def complete(prefix: str, *, base: str) -> Completions:
    if prefix == "~":
        return Completions(["~/"], truncated=False)
    head, slash, start = prefix.rpartition("/")
    try:
        parent = _absolute(head + slash, base)
        names, truncated = _subdirectories(parent, start)
    except (Invalid, OSError):
        return Completions([], truncated=False)
    return Completions(
        [f"{head}{slash}{name}/" for name in names[:COMPLETIONS_LIMIT]],
        truncated or len(names) > COMPLETIONS_LIMIT,
    )


def _subdirectories(parent: str, start: str) -> tuple[list[str], bool]:
    """Names that begin with `start`, in any case; hidden ones only if it begins with a dot."""
    names: list[str] = []
    wanted, deadline = start.casefold(), time.monotonic() + SCAN_SECONDS
    with os.scandir(parent) as entries:
        for number, entry in enumerate(entries):
            if number >= SCAN_LIMIT or time.monotonic() > deadline:
                return sorted(names, key=str.casefold), True
            if entry.name.startswith(".") and not start.startswith("."):
                continue
            if entry.name.casefold().startswith(wanted) and _is_usable(entry):
                names.append(entry.name)
    return sorted(names, key=str.casefold), False


def _is_usable(entry: os.DirEntry[str]) -> bool:
    """A directory, or a link to one, with a name that can be written."""
    if _CONTROL.search(entry.name) or not entry.name.isprintable():
        return False
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _absolute(text: str, base: str) -> str:
    if len(text) > PATH_LIMIT:
        raise _invalid(f"a path has at most {PATH_LIMIT} characters")
    if _CONTROL.search(text):
        raise _invalid("a path cannot contain line breaks or other control characters")
    expanded = os.path.expanduser(text)
    if expanded.startswith("~"):
        name = expanded.partition("/")[0]
        raise _invalid(f"there is no user {name[1:]!r}: give the path, or ./{name} for a directory")
    path = Path(base, expanded)
    # `link/..` is the parent of what the link points to, so `..` cannot just be removed.
    return os.path.realpath(path) if ".." in path.parts else os.path.normpath(path)


def _invalid(message: str) -> Invalid:
    return Invalid(message, field=FIELD)


async def _in_thread(function: Callable[[], T]) -> T:
    running = asyncio.get_running_loop().run_in_executor(_threads, function)
    try:
        return await asyncio.wait_for(running, ANSWER_SECONDS)
    except TimeoutError:
        raise _invalid("the file system does not answer: try again, or use another path") from None
