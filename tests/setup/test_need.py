"""`.ci/need`: root installs what is missing, other users read what to run, nothing uses sudo."""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.setup.first_minute import ROOT, copy_checkout
from tests.setup.pythons import OLDEST, TOO_NEW
from tests.waiting import LONGEST_SECONDS

VENV = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"


@dataclass(frozen=True)
class Machine:
    """A PATH of its own. Its apt-get, sudo and su write down how they are called, and no more."""

    directory: Path

    def program(self, name: str, script: str = "") -> None:
        (self.directory / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.directory / name).chmod(0o755)

    def recorded(self, name: str) -> None:
        calls = shlex.quote(str(self.directory / "calls"))
        self.program(name, f'echo "{name} $*" >>{calls}')

    def python(self, name: str = "python3", *, venv: bool = True) -> None:
        """The interpreter of the tests. Debian's has no ensurepip without its venv package."""
        refuse = "" if venv else 'case "$*" in *ensurepip*) exit 1;; esac; '
        self.program(name, f'{refuse}exec {shlex.quote(sys.executable)} "$@"')

    @property
    def calls(self) -> list[str]:
        calls = self.directory / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def run(self, cwd: Path, *command: str, **more: str) -> tuple[int, str]:
        done = subprocess.run(
            command, cwd=cwd, env={"PATH": str(self.directory), **more},
            capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def need(self, *wanted: str, **more: str) -> tuple[int, str]:
        return self.run(ROOT, ".ci/need", *wanted, **more)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Of a plain user, with apt, sudo and su, without tmux and Python."""
    created = Machine(tmp_path / "bin")
    created.directory.mkdir()
    for tool in ("sh", "ls", "make", "sed", "grep"):
        program = shutil.which(tool)
        assert program is not None
        (created.directory / tool).symlink_to(program)
    created.program("id", "echo 1000")
    for name in ("apt-get", "sudo", "su"):
        created.recorded(name)
    return created


def test_nothing_is_printed_when_nothing_is_missing(machine: Machine) -> None:
    machine.program("tmux")
    machine.python()
    assert machine.need("tmux", "python") == (0, "")


def test_a_plain_user_gets_one_command_for_everything_missing(machine: Machine) -> None:
    machine.python(venv=False)
    code, output = machine.need("tmux", "zsh", "redis:redis-server", "python")
    assert code == 1
    assert f"\n    sudo apt-get install tmux zsh redis-server {VENV}\n" in output
    assert machine.calls == []


def test_without_sudo_the_command_uses_su(machine: Machine) -> None:
    (machine.directory / "sudo").unlink()
    code, output = machine.need("tmux", "zsh")
    assert code == 1
    assert "\n    su -c 'apt-get install tmux zsh'\n" in output
    assert machine.calls == []


def test_root_installs_what_is_missing(machine: Machine) -> None:
    machine.program("id", "echo 0")
    assert machine.need("tmux", "zsh") == (0, "apt-get install tmux zsh\n")
    assert machine.calls == [
        "apt-get update -qq",
        "apt-get install -y -qq --no-install-recommends tmux zsh",
    ]


def test_root_reads_the_command_when_apt_fails(machine: Machine) -> None:
    machine.program("id", "echo 0")
    machine.program("apt-get", "exit 100")
    code, output = machine.need("tmux")
    assert code == 1
    assert "\n    apt-get install tmux\n" in output


def test_without_apt_the_package_names_are_printed(machine: Machine) -> None:
    (machine.directory / "apt-get").unlink()
    code, output = machine.need("tmux", "redis:redis-server")
    assert code == 1
    assert "Debian packages, or what your system calls them: tmux redis-server\n" in output


def test_python_itself_may_be_missing(machine: Machine) -> None:
    code, output = machine.need("python")
    assert code == 1
    assert "\n    sudo apt-get install python3 python3-venv\n" in output


def test_a_named_python_that_does_not_exist_is_named(machine: Machine) -> None:
    assert machine.need("python", PYTHON3="python3.99") == (
        1,
        "PYTHON3=python3.99: no such program\n",
    )


@pytest.mark.parametrize(
    ("minor", "supported"),
    [(OLDEST[1] - 1, False), (OLDEST[1], True), (TOO_NEW[1] - 1, True), (TOO_NEW[1], False)],
)
def test_an_unsupported_python_is_refused_with_what_to_do(
    machine: Machine, minor: int, supported: bool
) -> None:
    """The range is the one of pyproject.toml."""
    pretend = f"import sys; sys.version_info = (3, {minor}, 0); exec(sys.argv.pop(2))"
    machine.program("python3", f'exec {shlex.quote(sys.executable)} -c {shlex.quote(pretend)} "$@"')
    code, output = machine.need("python")
    assert (code == 0) is supported, output
    if not supported:
        assert (
            f"runs on Python 3.{OLDEST[1]} to 3.{TOO_NEW[1] - 1}, and python3 is 3.{minor}."
            in output
        )
        assert "make run PYTHON3=python3." in output
    assert machine.calls == []


@pytest.mark.parametrize("target", ["run", "test"])
def test_make_stops_before_it_changes_anything(
    machine: Machine, tmp_path: Path, target: str
) -> None:
    checkout = tmp_path / "web tmux"
    copy_checkout(checkout)
    before = sorted(os.listdir(checkout))
    machine.python(venv=False)
    code, output = machine.run(checkout, "make", target)
    assert code == 2
    assert f"\n    sudo apt-get install tmux {VENV}\n" in output
    assert machine.calls == []
    assert sorted(os.listdir(checkout)) == before
