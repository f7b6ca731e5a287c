"""Many writers on one sheet, on both databases, and a server that is killed under them."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.config.servers import Running, environment, serving
from tests.notes.writers import Promises, compare, write_all
from tests.terminals.served import cli

SERVE = ("manage.py", "serve", "--port", "0")
WRITERS = 50


@pytest.fixture(params=["sqlite", "postgresql"])
def env(request: pytest.FixtureRequest, tmp_path: Path, socket: str) -> dict[str, str]:
    """Of a server on a database of its own, beside a tmux with the session `work`."""
    more = {"WEBTMUX_TMUX_SOCKET": socket}
    if request.param == "postgresql":
        make = request.getfixturevalue("new_database")
        more["DATABASE_URL"] = make("writers")
    cli(socket, "new-session", "-d", "-s", "work", "exec sh")
    return environment(tmp_path / "data", **more)


@contextmanager
def served(env: dict[str, str]) -> Iterator[Running]:
    with serving(SERVE, env) as running:
        yield running


def test_of_many_writers_none_loses_a_task(env: dict[str, str]) -> None:
    promises = Promises()
    with served(env) as running:
        asyncio.run(write_all(running.address, promises, writers=WRITERS, each=3))
        compare(running.address, promises)
    assert len(promises.added) == WRITERS * 3


def test_what_was_acknowledged_survives_the_kill_of_the_server(env: dict[str, str]) -> None:
    promises = Promises()
    for _ in range(2):
        with served(env) as running:
            asyncio.run(_killed_after(running, promises, count=20))
    with served(env) as running:
        compare(running.address, promises)
    assert len(promises.added) >= 40


async def _killed_after(running: Running, promises: Promises, *, count: int) -> None:
    """SIGKILL once so many more tasks were acknowledged, with all writers at work."""
    enough = len(promises.added) + count
    work = asyncio.create_task(
        write_all(running.address, promises, writers=WRITERS, each=1_000_000)
    )
    async with asyncio.timeout(60):
        while len(promises.added) < enough:
            await asyncio.sleep(0.005)
    running.process.send_signal(signal.SIGKILL)
    await work
