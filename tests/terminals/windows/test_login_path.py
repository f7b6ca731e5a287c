"""The PATH of real login shells, and the programs on it."""

import asyncio
import shutil
from pathlib import Path

import pytest

from terminals.windows import login_path
from terminals.windows.login_path import find_programs
from tests.waiting import LONGEST_SECONDS, eventually

# Where each shell reads the line that a tool such as nvm adds.
STARTUP = {"bash": ".bashrc", "zsh": ".zshrc", "sh": ".profile", "fish": ".config/fish/config.fish"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(login_path, "SHELL_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(login_path, "_paths", {})
    install(tmp_path, "claude")
    return tmp_path


def install(home: Path, name: str) -> Path:
    program = home / "to ols" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def write_startup(home: Path, shell: str, *, before: str = "") -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"no {shell}")
    startup = home / STARTUP[shell]
    startup.parent.mkdir(parents=True, exist_ok=True)
    startup.write_text(f'{before}\nexport PATH="{home}/to ols:$PATH"\n')
    if shell == "bash":
        (home / ".bash_profile").write_text(". ~/.bashrc\n")
    return path


@pytest.mark.parametrize("name", STARTUP)
async def test_programs_are_found_where_the_login_shell_finds_them(home: Path, name: str) -> None:
    shell = write_startup(home, name, before='echo "Welcome! $PATH"')
    programs = await find_programs(["claude", "no-such-program"], shell=shell)
    assert programs == {"claude": str(home / "to ols" / "claude")}


async def test_the_path_is_read_once_a_minute_unless_it_is_requested_again(home: Path) -> None:
    shell = write_startup(home, "sh", before='echo run >> "$HOME/runs"')
    await find_programs(["claude"], shell=shell)
    await find_programs(["claude"], shell=shell)
    assert (home / "runs").read_text() == "run\n"
    await find_programs(["claude"], shell=shell, again=True)
    assert (home / "runs").read_text() == "run\nrun\n"


async def test_a_program_that_a_startup_file_leaves_running_delays_nothing(home: Path) -> None:
    shell = write_startup(home, "sh", before='sleep 1000 & echo $! > "$HOME/pid"')
    assert "claude" in await find_programs(["claude"], shell=shell)
    pid = (home / "pid").read_text().strip()
    await eventually(lambda: not Path(f"/proc/{pid}/cwd").exists() or is_zombie(pid))


def is_zombie(pid: str) -> bool:
    return ") Z " in Path(f"/proc/{pid}/stat").read_text()


@pytest.mark.parametrize("startup", ["while :; do :; done", "sleep 1000", "exit 3"])
async def test_a_shell_that_does_not_answer_is_ended_and_our_path_is_used(
    home: Path, startup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_path, "SHELL_SECONDS", 0.5)
    monkeypatch.setenv("PATH", f"{home}/to ols:/usr/bin:/bin")
    shell = write_startup(home, "sh", before=startup)
    async with asyncio.timeout(LONGEST_SECONDS):
        assert "claude" in await find_programs(["claude"], shell=shell)


async def test_endless_output_is_bounded(home: Path) -> None:
    shell = write_startup(home, "sh", before="yes")
    async with asyncio.timeout(LONGEST_SECONDS):
        assert await find_programs(["no-such-program"], shell=shell) == {}


async def test_relative_parts_of_the_path_are_ignored(home: Path) -> None:
    shell = write_startup(home, "sh")
    (home / ".profile").write_text('cd "$HOME"; PATH="to ols:.:/usr/bin:/bin"; export PATH\n')
    assert await find_programs(["claude"], shell=shell) == {}
