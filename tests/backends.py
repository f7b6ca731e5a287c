"""A real PostgreSQL and a real Redis for the tests, one of each per worker."""

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

from tests.waiting import LONGEST_SECONDS, wait_until

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed")
    with running_postgres() as address:
        yield address


@contextmanager
def running_postgres() -> Iterator[str]:
    """The address of a new server. PostgreSQL refuses to run as root."""
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    with TemporaryDirectory(prefix="wtpg") as directory:
        shutil.chown(directory, user)
        data, log = f"{directory}/data", open(f"{directory}/log", "wb")  # noqa: SIM115
        binaries = BINARIES[-1].parent
        initialize = [
            str(binaries / "initdb"),
            "-D",
            data,
            "-A",
            "trust",
            "-U",
            "webtmux",
            "--no-sync",
        ]
        subprocess.run(initialize, user=user, cwd=directory, stdout=log, stderr=log, check=True)
        run = [str(binaries / "postgres"), "-D", data, "-k", directory, "-c", "listen_addresses="]
        process = subprocess.Popen(run, user=user, cwd=directory, stdout=log, stderr=log)
        address = f"postgresql://webtmux@/postgres?host={directory}"

        def answers() -> bool:
            try:
                psycopg.connect(address).close()
            except psycopg.OperationalError:
                return False
            return True

        try:
            wait_until(answers, description="PostgreSQL accepts connections")
            yield address
        finally:
            process.terminate()
            process.wait(LONGEST_SECONDS)
            log.close()


@pytest.fixture
def new_database(postgres: str) -> Callable[[str], str]:
    return partial(create_database, postgres)


def create_database(server: str, name: str) -> str:
    """Creates an empty database and returns its address."""
    name = f"{name}_{time.monotonic_ns()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    if shutil.which("redis-server") is None:
        pytest.skip("Redis is not installed")
    with TemporaryDirectory(prefix="wtrd") as directory:
        options = [
            "--port",
            "0",
            "--unixsocket",
            f"{directory}/s",
            "--save",
            "",
            "--dir",
            directory,
        ]
        process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        try:
            wait_until(Path(f"{directory}/s").exists, description="the socket of Redis exists")
            yield f"unix://{directory}/s"
        finally:
            process.terminate()
            process.wait(LONGEST_SECONDS)
