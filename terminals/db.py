"""The one bridge from async code to the database: a plain function, run in a thread of the ORM's.

Not for terminal bytes: those never meet the database.
"""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar, cast

from channels.db import database_sync_to_async  # type: ignore[import-untyped]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def in_db(work: Callable[Arguments, Result]) -> Callable[Arguments, Awaitable[Result]]:
    """`await in_db(service)(key=value)`: `transaction.atomic` works only in a plain function."""
    return cast(Callable[Arguments, Awaitable[Result]], database_sync_to_async(work))
