"""A real tmux on a private socket for every test that wants one."""

import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from terminals import runtime as runtime_module
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux

pytest_plugins = ["tests.backends", "tests.watchdog.plugin"]
RunTmux = Callable[..., str]


@pytest.fixture
def socket() -> Iterator[str]:
    """The path of a tmux socket that nobody else uses; short, as a socket's path must be."""
    with TemporaryDirectory(prefix="wt") as directory:
        path = f"{directory}/s"
        yield path
        subprocess.run(["tmux", "-S", path, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def run_tmux(socket: str) -> RunTmux:
    """tmux as a person would run it: a second opinion beside the driver's."""

    def run(*arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", socket, "-f", "/dev/null", *arguments],
            capture_output=True, text=True, check=check, timeout=10,
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
    held = Runtime(socket=str(tmux.link.path), data_dir=tmp_path)
    await held.start()
    assert runtime_module.current() is held
    yield held
    await held.stop()
