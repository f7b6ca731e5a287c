"""Fixtures of all tests: a real tmux on a private socket for each test that needs one."""

import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import hypothesis
import pytest

from terminals import runtime as runtime_module
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from tests.waiting import LONGEST_SECONDS

# Hypothesis fails examples that take over 200 ms, which on a busy machine any of them can.
hypothesis.settings.register_profile(
    "webtmux", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("webtmux")

pytest_plugins = ["tests.backends", "tests.watchdog.plugin", "tests.shared_server"]
RunTmux = Callable[..., str]

LONGEST_TEST = "test_first_minute.py"  # installs everything


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest test starts first, so that it is not the only one that runs at the end."""
    items.sort(key=lambda item: item.path.name != LONGEST_TEST)


# By default httpx gives up after 5 seconds, which a loaded machine exceeds. The default is one
# object that all functions and clients share.
for _part in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, _part, LONGEST_SECONDS)


@pytest.fixture
def socket() -> Iterator[str]:
    """The path of a tmux socket for this test only. Short, because the path of a socket must be."""
    with TemporaryDirectory(prefix="wt") as directory:
        path = f"{directory}/s"
        yield path
        subprocess.run(["tmux", "-S", path, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def run_tmux(socket: str) -> RunTmux:
    """Runs tmux as a user would, to compare with the results of the driver."""

    def run(*arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", socket, "-f", "/dev/null", *arguments],
            capture_output=True, text=True, check=check, timeout=LONGEST_SECONDS,
            env={"PATH": "/usr/bin:/bin", "HOME": "/tmp", "SHELL": "/bin/sh", "LANG": "C.UTF-8",
                 "TERM": "xterm-256color"},
        )  # fmt: skip
        return done.stdout.rstrip("\n")

    return run


@pytest.fixture
async def tmux(socket: str, run_tmux: RunTmux) -> AsyncIterator[Tmux]:
    """A started driver on a running server with one session, `work`, that shows a plain sh."""
    run_tmux("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec sh")
    driver = Tmux(socket=socket)
    await driver.start()
    assert driver.problem == ""
    yield driver
    await driver.stop()


@pytest.fixture
async def runtime(tmux: Tmux, tmp_path: Path) -> AsyncIterator[Runtime]:
    """The runtime of this process, around the same driver."""
    runtime = Runtime(socket=str(tmux.monitor.path), data_dir=tmp_path)
    await runtime.start()
    assert runtime_module.current() is runtime
    yield runtime
    await runtime.stop()
