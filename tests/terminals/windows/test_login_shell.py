"""Commands through login shells: what the real shells do with the argument lists."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from terminals.windows.login_shell import OTHERWISE, run_argv, run_line
from tests.waiting import LONGEST_SECONDS

SHELLS = ["bash", "zsh", "fish", "ksh", "dash", "sh"]
# Where each shell reads the line that a tool such as nvm adds.
STARTUP = {
    "bash": ".bashrc",
    "zsh": ".zshrc",
    "fish": ".config/fish/config.fish",
    "ksh": ".profile",
    "dash": ".profile",
    "sh": ".profile",
}
HOSTILE = ["#(touch x)", "; touch x", "'\"'", "$(touch x)", "a\\b", "ünï 日本", "", "*", "x" * 4000]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With a program that prints its arguments, in a directory that is not in PATH."""
    program = tmp_path / "tools" / "show-arguments"
    program.parent.mkdir()
    program.write_text(
        "#!/usr/bin/env python3\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n"
    )
    program.chmod(0o755)
    return tmp_path


def shell_path(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"no {name}")
    return path


def run(home: Path, argv: list[str]) -> str:
    """In a session of its own, as in a pane, but without a terminal."""
    done = subprocess.run(
        argv, cwd=home, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        timeout=LONGEST_SECONDS, start_new_session=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )  # fmt: skip
    return done.stdout


def write_startup(home: Path, shell: str) -> None:
    path = home / STARTUP[shell]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'export PATH="{home}/tools:$PATH"\n')
    if shell == "bash":  # as Debian's: what comes later is for interactive shells only
        path.write_text(f"case $- in *i*) ;; *) return;; esac\n{path.read_text()}")
        (home / ".profile").write_text(". ~/.bashrc\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_programs_on_the_path_of_the_startup_files_are_found(home: Path, shell: str) -> None:
    write_startup(home, shell)
    output = run(home, run_line(shell_path(shell), "show-arguments a 'b c'"))
    assert json.loads(output) == ["a", "b c"]


@pytest.mark.parametrize("shell", SHELLS)
def test_no_argument_of_a_program_is_parsed_again(home: Path, shell: str) -> None:
    write_startup(home, shell)
    output = run(home, run_argv(shell_path(shell), ["show-arguments", *HOSTILE]))
    assert json.loads(output) == HOSTILE
    assert not (home / "x").exists()


@pytest.mark.parametrize("shell", ["/bin/tcsh", "/usr/bin/nu", ""])
def test_other_shells_are_replaced_by_sh(shell: str) -> None:
    assert run_line(shell, "true")[0] == OTHERWISE
    assert os.access(OTHERWISE, os.X_OK)
