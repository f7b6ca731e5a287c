"""Starts and ends server processes for tests, on a free port, and reads their output."""

import fcntl
import os
import re
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.waiting import LONGEST_SECONDS
from tests.watchdog import plugin as watchdog

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 150.0
EXIT_SECONDS = LONGEST_SECONDS
# Created once for all servers of this checkout, because it takes seconds: collected static files,
# and a database with all tables and a first account.
CACHE = ROOT / ".pytest_cache" / "served"
STATIC = CACHE / "static"
DATABASE = "webtmux.sqlite3"
ADMIN_PASSWORD = "known to the tests"
CREATE_DATABASE = f"""
import django
django.setup()
from config import bootstrap
from django.contrib.auth.models import User
bootstrap.prepare_database()
User.objects.create_superuser(bootstrap.ADMIN_NAME, password={ADMIN_PASSWORD!r})
"""
PRODUCT = ("agents", "config", "core", "mcp_gateway", "notes", "terminals")
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
        """The first match in the output of the process; fails if it ends or takes too long."""
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
        """Sends a signal, waits for the exit, and keeps the output until then."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        rest, _ = self.process.communicate(timeout=EXIT_SECONDS)
        self.output += rest.decode()
        return self.process.returncode


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """Without the settings and the tmux of the user who runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WEBTMUX_")}
    kept.pop("TMUX", None)
    # Without it every server would compile all modules again.
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    # Shells in tabs read no start-up files of the user: these may wait for a lock, for example.
    home = data_dir.parent / "home-of-server"
    home.mkdir(parents=True, exist_ok=True)
    return {
        **kept,
        "HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONUNBUFFERED": "1",
        **watchdog.server_environment(),
        "WEBTMUX_DATA_DIR": str(data_dir),
        "WEBTMUX_STATIC_DIR": str(STATIC),
        "WEBTMUX_TMUX_SOCKET": str(data_dir.parent / "tmux.sock"),
        **more,
    }


def prepare(env: dict[str, str]) -> None:
    """A data directory as a second start finds it: with tables and an account."""
    data = Path(env["WEBTMUX_DATA_DIR"])
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "database.stamp").open("a+") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)  # other workers use the same file
        stamp.seek(0)
        if stamp.read() != (current := _sources()):
            stamp.truncate(0)
            _create_database(CACHE / DATABASE)
            stamp.write(current)
        shutil.copy(CACHE / DATABASE, data / DATABASE)


def _create_database(target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="wtd") as directory:
        subprocess.run(
            [sys.executable, "-c", CREATE_DATABASE],
            cwd=ROOT,
            env=environment(Path(directory) / "data"),
            timeout=START_SECONDS,
            check=True,
        )
        shutil.copy(Path(directory) / "data" / DATABASE, target)


def _sources() -> str:
    """Changes with every edit of the product, so that no older database is used."""
    files = (
        path for name in PRODUCT for path in (ROOT / name).rglob("*.*") if path.suffix != ".pyc"
    )
    stats = sorted((path.as_posix(), path.stat()) for path in files)
    return repr([(path, status.st_mtime_ns, status.st_size) for path, status in stats])


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
    """The same, once it has printed its address."""
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
