"""A data directory that was prepared once, for the tests that start server processes."""

from pathlib import Path

import pytest

from tests.config.servers import environment, manage


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a server whose database is migrated."""
    env = environment(tmp_path_factory.mktemp("served") / "data")
    done = manage(env, "migrate", "--verbosity", "0")
    assert done.returncode == 0, done.stderr
    return env


@pytest.fixture
def empty(tmp_path: Path) -> dict[str, str]:
    """The environment of a server that has never run."""
    return environment(tmp_path / "data")
