"""`make soak-notes`: 50 writers on one sheet while the server is killed, on both databases.

What the server had acknowledged is compared with what is there afterwards.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.backends import BINARIES, create_database, running_postgres
from tests.config.servers import environment, serving
from tests.notes.writers import SERVE, Promises, compare, write_all, write_until_killed
from tests.terminals.served import cli

WRITERS, EACH = 50, 20
KILLS = 30
BETWEEN_KILLS = 20  # acknowledged writes, so that every kill comes under load


@contextmanager
def place_to_serve(database: str) -> Iterator[dict[str, str]]:
    """The environment of a server with a private tmux and the session `work`."""
    with tempfile.TemporaryDirectory(prefix="wtn") as directory:
        socket = f"{directory}/s"
        more = {"DATABASE_URL": database} if database else {}
        cli(socket, "new-session", "-d", "-s", "work", "exec sh")
        try:
            yield environment(Path(directory) / "data", WEBTMUX_TMUX_SOCKET=socket, **more)
        finally:
            with suppress(subprocess.CalledProcessError):
                cli(socket, "kill-server")


def write_at_once(env: dict[str, str], promises: Promises) -> None:
    with serving(SERVE, env) as running:
        asyncio.run(write_all(running.address, promises, writers=WRITERS, each=EACH))
        compare(running.address, promises)


def kill_often(env: dict[str, str], promises: Promises) -> None:
    for _ in range(KILLS):
        with serving(SERVE, env) as running:
            asyncio.run(write_until_killed(running, promises, writers=WRITERS, count=BETWEEN_KILLS))
    with serving(SERVE, env) as running:
        compare(running.address, promises)


SOAKS = {
    f"{WRITERS} writers, {EACH} tasks each": write_at_once,
    f"killed {KILLS} times under load": kill_often,
}


def soak(kind: str, server: str = "") -> int:
    """The number of failed soaks."""
    wrong = 0
    for number, (name, work) in enumerate(SOAKS.items()):
        promises, began, problem = Promises(), time.monotonic(), ""
        database = create_database(server, f"soak{number}") if server else ""
        with place_to_serve(database) as env:
            try:
                work(env, promises)
            except AssertionError as lost:
                problem, wrong = str(lost), wrong + 1
        print(
            f"{kind:10} {name}: {len(promises.added)} acknowledged, {promises.refused} refused by"
            f" version, {len(promises.errors)} errors, {problem or '0 lost'}"
            f" ({time.monotonic() - began:.0f} s)",
            flush=True,
        )
    return wrong


def main() -> int:
    wrong = soak("SQLite")
    if not BINARIES:
        print("PostgreSQL is not installed")
        return 1
    with running_postgres() as server:
        return wrong + soak("PostgreSQL", server)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
