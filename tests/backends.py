"""A real PostgreSQL and a real Redis of the tests' own, one each for a whole run."""

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from psycopg import sql

START_SECONDS = 20.0
BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def wait_until(ready: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        assert time.monotonic() < deadline, f"{what} did not start"
        time.sleep(0.02)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed")
    with running_postgres() as address:
        yield address


@contextmanager
def running_postgres() -> Iterator[str]:
    """The address of a server of our own; PostgreSQL refuses to run as root."""
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    with TemporaryDirectory(prefix="wtpg") as place:
        shutil.chown(place, user)
        data, log = f"{place}/data", open(f"{place}/log", "wb")  # noqa: SIM115
        binaries = BINARIES[-1].parent
        make = [str(binaries / "initdb"), "-D", data, "-A", "trust", "-U", "webtmux", "--no-sync"]
        subprocess.run(make, user=user, cwd=place, stdout=log, stderr=log, check=True)
        run = [str(binaries / "postgres"), "-D", data, "-k", place, "-c", "listen_addresses="]
        process = subprocess.Popen(run, user=user, cwd=place, stdout=log, stderr=log)
        address = f"postgresql://webtmux@/postgres?host={place}"

        def answers() -> bool:
            try:
                psycopg.connect(address).close()
            except psycopg.OperationalError:
                return False
            return True

        try:
            wait_until(answers, "PostgreSQL")
            yield address
        finally:
            process.terminate()
            process.wait(START_SECONDS)
            log.close()


@pytest.fixture
def new_database(postgres: str) -> Callable[[str], str]:
    return partial(make_database, postgres)


def make_database(server: str, name: str) -> str:
    """An empty one; tells its address."""
    name = f"{name}_{time.monotonic_ns()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    if shutil.which("redis-server") is None:
        pytest.skip("Redis is not installed")
    with TemporaryDirectory(prefix="wtrd") as place:
        options = ["--port", "0", "--unixsocket", f"{place}/s", "--save", "", "--dir", place]
        process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        try:
            wait_until(Path(f"{place}/s").exists, "Redis")
            yield f"unix://{place}/s"
        finally:
            process.terminate()
            process.wait(START_SECONDS)
