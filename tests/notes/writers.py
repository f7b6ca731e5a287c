"""Many writers on one sheet of a running server; what each was promised is compared afterwards.

Used by the tests for a short while and by `bench/writers.py` for long.
"""

import asyncio
import random
import signal
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.config.servers import Running

OWNER = "/api/projects/work"
SERVE = ("manage.py", "serve", "--port", "0")
ENDLESS = 1_000_000
KILL_SECONDS = 60.0


@dataclass
class Promises:
    """What the server acknowledged, and what it refused."""

    added: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    refused: int = 0
    errors: list[str] = field(default_factory=list)


async def write_all(address: str, promises: Promises, *, writers: int, each: int) -> None:
    """Until each writer has added its tasks, or the server is gone."""
    limits = httpx.Limits(max_connections=writers)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as rest:
        work = (_write(rest, promises, each, number % 10 == 0) for number in range(writers))
        await asyncio.gather(*work)


async def write_until_killed(
    running: Running, promises: Promises, *, writers: int, count: int
) -> None:
    """SIGKILL once so many more tasks were acknowledged, with all writers at work."""
    enough = len(promises.added) + count
    work = asyncio.create_task(write_all(running.address, promises, writers=writers, each=ENDLESS))
    async with asyncio.timeout(KILL_SECONDS):
        while len(promises.added) < enough:
            await asyncio.sleep(0.005)
    running.process.send_signal(signal.SIGKILL)
    await work


async def _write(rest: httpx.AsyncClient, promises: Promises, each: int, careful: bool) -> None:
    """A careful writer says which version it has read, and is refused when that is old."""
    for number in range(each):
        text = f"{random.getrandbits(64):x} number {number}"
        promises.asked.add(text)
        try:
            while not await _add(rest, promises, text, careful):
                pass
        except httpx.TransportError:
            return


async def _add(rest: httpx.AsyncClient, promises: Promises, text: str, careful: bool) -> bool:
    asked: dict[str, Any] = {"action": "add", "text": text}
    if careful:
        asked["expectedVersion"] = (await rest.get(f"{OWNER}/tasks")).json()["version"]
    answer = await rest.post(f"{OWNER}/tasks", json=asked)
    if answer.status_code == 409 and careful:
        promises.refused += 1
        return False
    if answer.status_code == 200:
        promises.added.add(text)
    else:
        promises.errors.append(answer.text)
    return True


def compare(address: str, promises: Promises) -> None:
    """Every acknowledged task is there once, and none that nobody asked for."""
    told = httpx.get(f"{address}{OWNER}/notes", timeout=30).json()
    texts = [task["text"] for task in told["tasks"]]
    assert promises.errors == [], promises.errors[:2]
    assert len(texts) == len(set(texts)), "a task was added twice"
    lost = promises.added - set(texts)
    assert not lost, f"{len(lost)} of {len(promises.added)} acknowledged tasks are lost"
    assert set(texts) <= promises.asked
    assert told["notes"].split("\n") == texts
