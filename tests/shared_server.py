"""The server process that tests share. A plugin, because all directories use it."""

from collections.abc import Iterator

import pytest

from tests.terminals.served import Served, served_tmux


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """A server with default settings, and its tmux. One per worker, because a start takes seconds.

    Tests create their own windows and sessions in it, close what they keep busy, and expect those
    of other tests. A test that stops the server or needs settings starts its own: `served_tmux`.
    """
    with served_tmux() as served:
        yield served
        served.stop()
