"""Servers of this tree and of an older commit, side by side, for benchmarks that compare them."""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.config.servers import environment
from tests.terminals.served import cli

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = re.compile(r"webtmux is at (http://[^/\s]+)")
START_SECONDS = 120.0


@dataclass(frozen=True)
class RunningCheckout:
    address: str
    socket: str  # of its tmux, with one session `work`


@contextmanager
def old_checkout(commit: str) -> Iterator[Path]:
    """A temporary worktree of the commit, set up by its own `make setup`."""
    with tempfile.TemporaryDirectory(prefix="wto") as directory:
        tree = Path(directory) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            subprocess.run(["make", "-C", str(tree), "--no-print-directory", "setup"], check=True)
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


@contextmanager
def running_checkout(tree: Path) -> Iterator[RunningCheckout]:
    """The server of a tree with its own data and tmux."""
    with tempfile.TemporaryDirectory(prefix="wtc") as directory:
        socket, log = f"{directory}/s", Path(directory) / "log"
        env = environment(
            Path(directory) / "data",
            WEBTMUX_TMUX_SOCKET=socket,
            WEBTMUX_STATIC_DIR=f"{directory}/static",
        )
        cli(socket, "new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec sh")
        command = [str(tree / ".venv/bin/python"), "manage.py", "serve", "--port", "0"]
        with log.open("wb") as output:
            server = subprocess.Popen(
                command, cwd=tree, env=env, stdout=output, stderr=subprocess.STDOUT
            )
        try:
            yield RunningCheckout(_address(server, log), socket)
        finally:
            server.terminate()
            server.wait(START_SECONDS)
            cli(socket, "kill-server")


def _address(server: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while (match := ADDRESS.search(log.read_text())) is None:
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"the server did not start:\n{log.read_text()}")
        time.sleep(0.1)
    return match[1]


def load_average() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
