"""Many writers on one sheet, on both databases, and a server that is killed under them."""

import asyncio
from pathlib import Path

import pytest

from tests.config.servers import environment, serving
from tests.notes.writers import SERVE, Promises, compare, write_all, write_until_killed
from tests.terminals.served import cli

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


def test_of_many_writers_none_loses_a_task(env: dict[str, str]) -> None:
    promises = Promises()
    with serving(SERVE, env) as running:
        asyncio.run(write_all(running.address, promises, writers=WRITERS, each=3))
        compare(running.address, promises)
    assert len(promises.added) == WRITERS * 3


def test_what_was_acknowledged_survives_the_kill_of_the_server(env: dict[str, str]) -> None:
    promises = Promises()
    for _ in range(2):
        with serving(SERVE, env) as running:
            asyncio.run(write_until_killed(running, promises, writers=WRITERS, count=20))
    with serving(SERVE, env) as running:
        compare(running.address, promises)
    assert len(promises.added) >= 40
