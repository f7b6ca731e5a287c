"""Many concurrent writers on one sheet of a running server, and a check of what they were promised.

Used by test_writers.py for a short run and by `bench/writers.py` for a long one.
"""

import asyncio
import random
import signal
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.config.servers import Running
from tests.waiting import LONGEST_SECONDS, eventually

OWNER = "/api/projects/work"
SERVE = ("manage.py", "serve", "--port", "0")
ENDLESS = 1_000_000


@dataclass
class Promises:
    """What the server acknowledged and what it refused."""

    added: set[str] = field(default_factory=set)
    requested: set[str] = field(default_factory=set)
    refused: int = 0
    errors: list[str] = field(default_factory=list)


async def write_all(address: str, promises: Promises, *, writers: int, each: int) -> None:
    """Returns when each writer has added its tasks, or when the server is gone."""
    limits = httpx.Limits(max_connections=writers)
    async with httpx.AsyncClient(base_url=address, timeout=LONGEST_SECONDS, limits=limits) as rest:
        work = (_write(rest, promises, each, number % 10 == 0) for number in range(writers))
        await asyncio.gather(*work)


async def write_until_killed(
    running: Running, promises: Promises, *, writers: int, count: int
) -> None:
    """Sends SIGKILL after `count` more acknowledged tasks, with all writers at work."""
    enough = len(promises.added) + count
    work = asyncio.create_task(write_all(running.address, promises, writers=writers, each=ENDLESS))
    await eventually(lambda: len(promises.added) >= enough)
    running.process.send_signal(signal.SIGKILL)
    await work


async def _write(rest: httpx.AsyncClient, promises: Promises, each: int, careful: bool) -> None:
    """A careful writer passes the version that it has read, and is refused if that is old."""
    for number in range(each):
        text = f"{random.getrandbits(64):x} number {number}"
        promises.requested.add(text)
        try:
            while not await _add(rest, promises, text, careful):
                pass
        except httpx.TransportError:
            return


async def _add(rest: httpx.AsyncClient, promises: Promises, text: str, careful: bool) -> bool:
    body: dict[str, Any] = {"action": "add", "text": text}
    if careful:
        body["expectedVersion"] = (await rest.get(f"{OWNER}/tasks")).json()["version"]
    response = await rest.post(f"{OWNER}/tasks", json=body)
    if response.status_code == 409 and careful:
        promises.refused += 1
        return False
    if response.status_code == 200:
        promises.added.add(text)
    else:
        promises.errors.append(response.text)
    return True


def compare(address: str, promises: Promises) -> None:
    """Every acknowledged task exists once, and no task that was not requested."""
    notes = httpx.get(f"{address}{OWNER}/notes", timeout=LONGEST_SECONDS).json()
    texts = [task["text"] for task in notes["tasks"]]
    assert promises.errors == [], promises.errors[:2]
    assert len(texts) == len(set(texts)), "a task was added twice"
    lost = promises.added - set(texts)
    assert not lost, f"{len(lost)} of {len(promises.added)} acknowledged tasks are lost"
    assert set(texts) <= promises.requested
    assert notes["notes"].split("\n") == texts
