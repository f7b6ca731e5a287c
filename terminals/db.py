"""The one bridge from async code to the database: a plain function, run in a thread of the ORM's.

Not for terminal bytes: those never meet the database.
"""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

# Each holds one connection for as long as it lives: opening one costs more than most queries, and
# closing SQLite's last one writes the whole log back.
THREADS = 8
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database")


def in_db(work: Callable[Arguments, Result]) -> Callable[Arguments, Awaitable[Result]]:
    """`await in_db(service)(key=value)`: `transaction.atomic` works only in a plain function."""

    @wraps(work)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        _check_connections()
        return work(*args, **kwargs)

    return sync_to_async(run, thread_sensitive=False, executor=_threads)


def _check_connections() -> None:
    """A connection that failed is not used again, nor one whose server was restarted."""
    for connection in connections.all(initialized_only=True):
        setattr(connection, "health_check_done", False)  # noqa: B010  # the stubs lack it
        if connection.errors_occurred:
            connection.close()
