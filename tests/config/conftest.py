"""A data directory that was prepared once, for the tests that start server processes."""

from pathlib import Path

import pytest

from config.attempts import SignIns
from tests.config.servers import environment, manage


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a server whose database is migrated."""
    env = environment(tmp_path_factory.mktemp("served") / "data")
    done = manage(env, "migrate", "--verbosity", "0")
    assert done.returncode == 0, done.stderr
    return env


@pytest.fixture(autouse=True)
def no_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Failed sign-ins of one test do not count in the next."""
    monkeypatch.setattr("config.signing_in.sign_ins", SignIns())


@pytest.fixture
def empty(tmp_path: Path) -> dict[str, str]:
    """The environment of a server that has never run."""
    return environment(tmp_path / "data")
