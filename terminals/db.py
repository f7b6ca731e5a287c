"""The one bridge from async code to the database: a plain function, run in a thread of the ORM's.

Not for terminal bytes: those never meet the database.
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

# Each holds one connection for as long as it lives: opening one costs more than most queries, and
# closing SQLite's last one writes the whole log back.
THREADS = 8
CLOSE_SECONDS = 2.0
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database")


def in_db(work: Callable[Arguments, Result]) -> Callable[Arguments, Awaitable[Result]]:
    """`await in_db(service)(key=value)`: `transaction.atomic` works only in a plain function."""

    @wraps(work)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        _check_connections()
        return work(*args, **kwargs)

    return sync_to_async(run, thread_sensitive=False, executor=_threads)


class Connections:
    """Closes with the process what its threads hold: only then is SQLite one whole file again."""

    name = "database"

    async def start(self) -> None:
        """Each thread opens its own when it is first asked something."""

    async def stop(self) -> None:
        # So many at once, each waiting for the others, come to as many threads.
        together = Barrier(THREADS)
        await asyncio.gather(*(in_db(_close)(together) for _ in range(THREADS)))


def _close(together: Barrier) -> None:
    # A thread that is busy for longer is not waited for; the others close theirs.
    with suppress(BrokenBarrierError):
        together.wait(CLOSE_SECONDS)
    connections.close_all()


def _check_connections() -> None:
    """A connection that failed is not used again, nor one whose server was restarted."""
    for connection in connections.all(initialized_only=True):
        setattr(connection, "health_check_done", False)  # noqa: B010  # the stubs lack it
        if connection.errors_occurred:
            connection.close()
