"""The database threads keep their connections and replace one that failed."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import ProgrammingError, connection

from core.database import THREADS, Connections, in_db, in_turn
from terminals.models import Project

pytestmark = pytest.mark.django_db(transaction=True)


def thread_and_connection() -> tuple[int, object]:
    """The current thread, and its connection after a query."""
    Project.objects.count()
    return threading.get_ident(), connection.connection


async def in_every_thread(work: Callable[[], Any]) -> list[Any]:
    together = threading.Barrier(THREADS)

    def meet() -> Any:
        together.wait(10)
        return work()

    calls = (in_db(meet)() for _ in range(THREADS))
    return await asyncio.gather(*calls, return_exceptions=True)


async def test_a_thread_keeps_its_connection_from_call_to_call() -> None:
    first = await in_every_thread(thread_and_connection)
    assert len(set(first)) == THREADS, "calls at the same time share no connection"
    assert set(await in_every_thread(thread_and_connection)) == set(first)


async def test_a_connection_that_failed_is_not_used_again() -> None:
    def lose() -> None:
        """Without Django's knowledge, as when the database server ends."""
        thread_and_connection()
        connection.connection.close()

    await in_every_thread(lose)
    failed = await in_every_thread(Project.objects.count)
    assert {type(each) for each in failed} == {ProgrammingError}
    assert await in_every_thread(Project.objects.count) == [0] * THREADS


async def test_every_thread_closes_its_connection_with_the_process() -> None:
    await in_every_thread(thread_and_connection)
    await Connections().stop()
    assert await in_every_thread(lambda: connection.connection) == [None] * THREADS


async def test_frequent_writes_run_in_the_order_of_their_calls() -> None:
    order: list[int] = []
    running: list[int] = []

    def write(number: int) -> None:
        running.append(number)
        assert running == [number]
        order.append(number)
        running.remove(number)

    await asyncio.gather(*(in_turn(write)(number) for number in range(50)))
    assert order == list(range(50))
