"""Server processes of the tests' own: started on a free port, watched by their output, ended."""

import os
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.watchdog import plugin as watchdog

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 150.0
EXIT_SECONDS = 15.0
# Collected once for all servers of this tree: that takes seconds of a core.
STATIC = ROOT / ".pytest_cache" / "served" / "static"
ADDRESS = re.compile(r"(?:webtmux is at|running on) (http://[^/\s]+)")


@dataclass
class Running:
    process: subprocess.Popen[bytes]
    address: str = ""
    output: str = ""
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    @property
    def socket_address(self) -> str:
        return self.address.replace("http://", "ws://")

    def read_until(self, pattern: re.Pattern[str], seconds: float = START_SECONDS) -> re.Match[str]:
        """The first match in what the process wrote; fails when it ends or time is up."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        while (match := pattern.search(self.output)) is None:
            left = deadline - time.monotonic()
            assert left > 0, f"no {pattern.pattern!r} in: {self.output}"
            if self._selector.select(left):
                data = os.read(self.process.stdout.fileno(), 65536)
                assert data, f"ended without {pattern.pattern!r}: {self.output}"
                self.output += data.decode()
        return match

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: int) -> int:
        """Send a signal, wait for the exit, and keep what was written until then."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        rest, _ = self.process.communicate(timeout=EXIT_SECONDS)
        self.output += rest.decode()
        return self.process.returncode


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """Nothing of the person's own settings or tmux."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WEBTMUX_")}
    kept.pop("TMUX", None)
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
        **watchdog.server_environment(),
        "WEBTMUX_DATA_DIR": str(data_dir),
        "WEBTMUX_STATIC_DIR": str(STATIC),
        "WEBTMUX_TMUX_SOCKET": str(data_dir.parent / "tmux.sock"),
        **more,
    }


@contextmanager
def started(arguments: Sequence[str], env: dict[str, str]) -> Iterator[Running]:
    """A Python process that is killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    running = Running(process)
    assert process.stdout is not None
    running._selector.register(process.stdout, selectors.EVENT_READ)
    try:
        yield running
    finally:
        running._selector.close()
        if process.poll() is None:
            process.kill()
        process.wait(EXIT_SECONDS)
        process.stdout.close()


@contextmanager
def serving(arguments: Sequence[str], env: dict[str, str]) -> Iterator[Running]:
    """The same, once it has said its address."""
    with started(arguments, env) as running:
        running.address = running.read_until(ADDRESS)[1]
        yield running


def manage(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
