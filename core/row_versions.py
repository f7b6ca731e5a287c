"""Tells whether rows may have changed since they were read, without a query.

This process counts its own commits that concern the rows. Commits of other processes, such as a
maintenance command, show in the files of SQLite. Other databases give no such sign: there
`version` is None, and nothing that was read may be kept.
"""

import os
import time
from collections.abc import Hashable
from contextlib import suppress

from django.conf import settings
from django.db import transaction

# The kernel's clock of file times ticks every few milliseconds: two changes within one tick look
# the same, so a file that has just changed says nothing.
SETTLED_NS = 50_000_000
# Then a version changes in any case: another process may change a file long before its commit ends.
AT_MOST_SECONDS = 5.0


class RowVersions:
    """The versions of a set of rows. Call `changed` in the transaction of every change of them."""

    def __init__(self) -> None:
        self._commits = 0

    def changed(self) -> None:
        transaction.on_commit(self._count)

    def version(self) -> Hashable | None:
        files = file_stamp()
        return (
            None if files is None else (self._commits, files, time.monotonic() // AT_MOST_SECONDS)
        )

    def _count(self) -> None:
        self._commits += 1


def file_stamp() -> Hashable | None:
    """Changes with every commit of any process; None if that is unknown."""
    path = _sqlite_file()
    if path is None:
        return None
    try:
        stamps = [_stamp(path)]
    except OSError:
        return None
    with suppress(OSError):  # the log is gone while no connection is open
        stamps.append(_stamp(f"{path}-wal"))
    if time.time_ns() - max(stamp[0] for stamp in stamps) < SETTLED_NS:
        return None
    return tuple(stamps)


def _stamp(path: str) -> tuple[int, int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size, status.st_ino


def _sqlite_file() -> str | None:
    database = settings.DATABASES["default"]
    name = str(database.get("NAME", ""))
    return name if str(database.get("ENGINE", "")).endswith("sqlite3") else None
