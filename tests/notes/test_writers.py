"""Many concurrent writers on one sheet, on both databases, also when the server is killed."""

import asyncio
from pathlib import Path

import pytest

from tests.config.servers import environment, prepare, serving
from tests.notes.writers import SERVE, Promises, compare, write_all, write_until_killed
from tests.terminals.served import cli

WRITERS = 50


@pytest.fixture(params=["sqlite", "postgresql"])
def env(request: pytest.FixtureRequest, tmp_path: Path, socket: str) -> dict[str, str]:
    """The environment of a server with its own database, and a tmux with the session `work`."""
    cli(socket, "new-session", "-d", "-s", "work", "exec sh")
    env = environment(tmp_path / "data", WEBTMUX_TMUX_SOCKET=socket)
    if request.param == "postgresql":
        new_database = request.getfixturevalue("new_database")
        return {**env, "DATABASE_URL": new_database("writers")}
    prepare(env)
    return env


def test_acknowledged_tasks_survive_many_writers_and_a_kill_of_the_server(
    env: dict[str, str],
) -> None:
    promises = Promises()
    with serving(SERVE, env) as running:
        asyncio.run(write_until_killed(running, promises, writers=WRITERS, count=20))
    killed = len(promises.added)
    assert killed >= 20
    with serving(SERVE, env) as running:
        compare(running.address, promises)
        asyncio.run(write_all(running.address, promises, writers=WRITERS, each=3))
        compare(running.address, promises)
    assert len(promises.added) == killed + WRITERS * 3
