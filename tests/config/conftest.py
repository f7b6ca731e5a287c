"""Server processes that the tests of this directory share, and data directories for their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config.sign_in.attempts import SignIns
from tests.config.servers import Running, environment, prepare, serving
from tests.terminals.served import Served, served_tmux

SAMPLE = ("-m", "tests.config.server.sample_server")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a server whose database is migrated."""
    env = environment(tmp_path_factory.mktemp("served") / "data")
    prepare(env)
    return env


@pytest.fixture(scope="session")
def sample(prepared: dict[str, str]) -> Iterator[Running]:
    """The sample server, for tests that do not stop it."""
    with serving(SAMPLE, prepared) as running:
        yield running


@pytest.fixture(scope="session")
def strict() -> Iterator[Served]:
    """A server that requires a token or a sign-in from every caller."""
    with served_tmux("--require-token") as served:
        yield served


@pytest.fixture(autouse=True)
def no_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Failed sign-ins of one test do not count in the next."""
    monkeypatch.setattr("config.sign_in.limits.sign_ins", SignIns())


@pytest.fixture
def empty(tmp_path: Path) -> dict[str, str]:
    """The environment of a server that has never run."""
    return environment(tmp_path / "data")
