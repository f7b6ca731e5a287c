"""The first minute: a plain user copies the checkout, runs `make run` and the README's curls.

Standard library only, so that it also runs where nothing is set up yet, for example in a chroot:
`python3 -m tests.setup.first_minute [PYTHON …]` prints how long each step took.
"""

import json
import os
import pwd
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent.parent
SYSTEM_PYTHON = "/usr/bin/python3"
SETUP_SECONDS = 900.0  # downloads on a slow line
STEP_SECONDS = 60.0
README_ADDRESS = "127.0.0.1:8080"
ANNOUNCED = "webtmux is at "
# Settings of the person, tmux, make or Python around us that a fresh login would not have.
FOREIGN = re.compile(r"WEBTMUX_|TMUX|PYTHON|PYTEST|DJANGO_|VIRTUAL_ENV|MAKE|MFLAGS|XDG_|PYENV")
IMPORT_ALL = """
import importlib, pkgutil, sys
import django
django.setup()
for name in ("config", "mcp_gateway", "agents", "notes", "terminals"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(module.name)
"""


@dataclass(frozen=True)
class Server:
    port: int
    output: str  # until the address was printed
    seconds: float


@dataclass(frozen=True)
class Measured:
    version: str
    first_start: float
    second_start: float
    curls: float

    def __str__(self) -> str:
        return (
            f"Python {self.version}: first `make run` serves after {self.first_start:.1f} s,"
            f" the second after {self.second_start:.1f} s; the curls took {self.curls:.1f} s"
        )


@dataclass(frozen=True)
class Newcomer:
    """A user without rights and without sudo, with a HOME and a copy of the checkout."""

    directory: Path
    uid: int

    @property
    def checkout(self) -> Path:
        return self.directory / "web tmux"

    @property
    def sudo_calls(self) -> Path:
        return self.directory / "home" / "sudo-calls"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
        path = [
            entry
            for entry in os.environ.get("PATH", "").split(":")
            if not Path(entry).is_relative_to(ROOT)
        ]
        copied = self.directory / "python" / "lib"  # see `usable`
        return {
            **kept,
            **({"LD_LIBRARY_PATH": str(copied)} if copied.is_dir() else {}),
            "HOME": str(self.directory / "home"),
            "USER": "newcomer",
            "LOGNAME": "newcomer",
            "SHELL": "/bin/sh",
            "TMPDIR": str(self.directory / "tmp"),
            "TMUX_TMPDIR": str(self.directory / "tmp"),  # tmux never ran here
            "PATH": ":".join([str(self.directory / "bin"), "/usr/bin", "/bin", *path]),
        }

    def command(self, arguments: Sequence[str]) -> list[str]:
        if os.geteuid() != 0:
            return list(arguments)
        return [
            "setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups",
            "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", *arguments,
        ]  # fmt: skip

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(arguments),
            cwd=self.checkout,
            env={**self.environment(), **more},
            capture_output=True,
            text=True,
            timeout=STEP_SECONDS,
            check=False,
        )

    def succeed(self, *arguments: str, **more: str) -> str:
        done = self.run(*arguments, **more)
        assert done.returncode == 0, (
            f"{shlex.join(arguments)} exited with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
        return done.stdout

    @contextmanager
    def serving(self, *variables: str) -> Iterator[Server]:
        """`make run` on a free port, once its address is printed."""
        port = free_port()
        log = self.directory / f"make-run-{port}.log"
        began = time.monotonic()
        with log.open("wb") as out:
            process = subprocess.Popen(
                self.command(["make", "run", f"ARGS=--port {port}", *variables]),
                cwd=self.checkout,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            while ANNOUNCED not in (output := log.read_text()):
                assert process.poll() is None, f"`make run` ended:\n{output}"
                assert time.monotonic() - began < SETUP_SECONDS, f"`make run` is stuck:\n{output}"
                time.sleep(0.05)
            yield Server(port, output, time.monotonic() - began)
        finally:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(STEP_SECONDS)

    def usable(self, python: str) -> str:
        """The interpreter, or a copy where this user may not run it (pyenv in root's home)."""
        # Through a shell: setpriv itself still has root's rights when it starts a program.
        if self.run("sh", "-c", '"$0" -c ""', python).returncode == 0:
            return python
        prefix = Path(ask(python, "print(sys.base_prefix)"))
        copy = self.directory / "python"
        unneeded = shutil.ignore_patterns("test", "tests", "__pycache__", "*.a", "site-packages")
        shutil.copytree(prefix, copy, symlinks=True, ignore=unneeded)
        return str(copy / "bin" / ask(python, "print('python%d.%d' % sys.version_info[:2])"))


@contextmanager
def newcomer() -> Iterator[Newcomer]:
    with TemporaryDirectory(prefix="first minute ") as name:
        user = Newcomer(Path(name), unused_uid() if os.geteuid() == 0 else os.geteuid())
        for part in ("home", "tmp", "bin", "web tmux"):
            (user.directory / part).mkdir()
        copy_checkout(user.checkout)
        # Makes curl fail where the answer is an error, without a change of the README's lines.
        (user.directory / "home" / ".curlrc").write_text("fail-with-body\n")
        sudo = user.directory / "bin" / "sudo"
        sudo.write_text(f'#!/bin/sh\necho "$*" >>{shlex.quote(str(user.sudo_calls))}\nexit 1\n')
        sudo.chmod(0o755)
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", f"{user.uid}:{user.uid}", name], check=True)
        try:
            yield user
        finally:
            user.run("tmux", "kill-server")


def unused_uid() -> int:
    """A uid without an account and without processes: nothing of it is left from before."""
    taken = {account.pw_uid for account in pwd.getpwall()}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            taken.add(process.stat().st_uid)
    return random.choice([uid for uid in range(60_100, 60_500) if uid not in taken])


def copy_checkout(target: Path) -> None:
    """Every file that git does not ignore, with the changes that are not committed yet."""
    with TemporaryDirectory() as empty:
        # A git directory of its own: it works for a release without one, and for any owner.
        git = ["git", f"--git-dir={empty}", f"--work-tree={ROOT}"]
        subprocess.run([*git, "init", "--quiet"], check=True, capture_output=True)
        listed = subprocess.run(
            [*git, "ls-files", "-z", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True,
        ).stdout.decode()  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if not (ROOT / name).is_symlink():  # of a developer: we have none
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def readme_curls(port: int) -> list[str]:
    """The commands of README.md that call curl, for a server on another port."""
    text = (ROOT / "README.md").read_text().replace("\\\n", " ")
    commands = [line.strip() for line in text.splitlines() if re.match(r" {4}curl ", line)]
    return [line.replace(README_ADDRESS, f"127.0.0.1:{port}") for line in commands]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ask(python: str, code: str) -> str:
    done = subprocess.run(
        [python, "-I", "-c", f"import sys; {code}"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def first_minute(python: str = SYSTEM_PYTHON) -> Measured:
    """All of it. An AssertionError says what failed, with the output."""
    with newcomer() as user:
        # The system's Python is found without being named.
        named = [] if python == SYSTEM_PYTHON else [f"PYTHON3={user.usable(python)}"]
        with user.serving(*named) as first:
            began = time.monotonic()
            commands = readme_curls(first.port)
            assert len(commands) >= 3, commands
            for command in commands:
                json.loads(user.succeed("sh", "-c", command))
            curls = time.monotonic() - began
            while "ls" not in user.succeed("tmux", "capture-pane", "-p", "-t", "demo"):
                assert time.monotonic() - began < STEP_SECONDS, "the sent `ls` is not in the pane"
                time.sleep(0.1)
        with user.serving(*named) as second:
            for step in ("pip install", "npm ci"):
                assert step in first.output, first.output
                assert step not in second.output, second.output
        inside = str(user.checkout / ".venv" / "bin" / "python")
        version = user.succeed(inside, "-c", "import platform; print(platform.python_version())")
        assert version.strip() == ask(python, "import platform; print(platform.python_version())")
        user.succeed(inside, "-c", IMPORT_ALL, DJANGO_SETTINGS_MODULE="config.settings")
        user.succeed(inside, "manage.py", "check")
        assert not user.sudo_calls.exists(), f"sudo was called: {user.sudo_calls.read_text()}"
        return Measured(version.strip(), first.seconds, second.seconds, curls)


if __name__ == "__main__":
    for interpreter in sys.argv[1:] or [SYSTEM_PYTHON]:
        sys.stdout.write(f"{first_minute(interpreter)}\n")
        sys.stdout.flush()
