"""The only way from async code to the database: run a plain function in a database thread.

Terminal bytes never go through here.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import wraps
from threading import Barrier, BrokenBarrierError
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Each thread keeps one connection open: opening one costs more than most queries, and closing the
# last connection of SQLite writes the whole write-ahead log back.
THREADS = 8
CLOSE_SECONDS = 2.0
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database")
# SQLite has one writer at a time, and those that wait for it sleep for up to 0.1 s between two
# attempts, in no order: the last of sixteen waited ten times as long as the first.
_writer = ThreadPoolExecutor(1, thread_name_prefix="database-writer")


def in_db(work: Callable[Arguments, Result]) -> Callable[Arguments, Awaitable[Result]]:
    """`await in_db(service)(key=value)`: `transaction.atomic` works only in a plain function."""
    return _in_thread(work, _threads)


def in_turn(work: Callable[Arguments, Result]) -> Callable[Arguments, Awaitable[Result]]:
    """The same for frequent writes: with SQLite one after the other, in the order of the calls."""
    return _in_thread(work, _writer if connections["default"].vendor == "sqlite" else _threads)


def _in_thread(
    work: Callable[Arguments, Result], threads: ThreadPoolExecutor
) -> Callable[Arguments, Awaitable[Result]]:
    @wraps(work)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        _check_connections()
        return work(*args, **kwargs)

    return sync_to_async(run, thread_sensitive=False, executor=threads)


class Connections:
    """Closes the threads' connections with the process; only then is SQLite a single file again."""

    name = "database"

    async def start(self) -> None:
        """Each thread opens its connection at its first query."""

    async def stop(self) -> None:
        # As many jobs as threads, each waiting for the others: every thread gets one.
        together = Barrier(THREADS)
        await asyncio.gather(
            _in_thread(connections.close_all, _writer)(),
            *(in_db(_close)(together) for _ in range(THREADS)),
        )


def _close(together: Barrier) -> None:
    # Do not wait for a thread that is busy for longer; the others close their connections.
    with suppress(BrokenBarrierError):
        together.wait(CLOSE_SECONDS)
    connections.close_all()


def _check_connections() -> None:
    """Do not reuse a connection that failed, or whose server was restarted."""
    for connection in connections.all(initialized_only=True):
        vars(connection)["health_check_done"] = False  # the stubs lack this attribute
        if connection.errors_occurred:
            connection.close()
