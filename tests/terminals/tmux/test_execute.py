"""Bounded execution against subprocess, in every shell that is installed."""

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from terminals.errors import Invalid, NotFound, Refused
from terminals.tmux.driver import Tmux
from terminals.tmux.execute import Executor
from tests.terminals.tmux.random_commands import SHELLS, Case, expected, random_cases
from tests.terminals.tmux.waiting import eventually

CASES = 40  # for each shell; `make soak-execute` runs 300
RC_FILES = {
    ".bashrc": "PS1='\\[\\e[1m\\]\\u \\w \\n> '\nPROMPT_COMMAND='printf \"\\e]0;t\\a\"'\n"
    "trap 'true' DEBUG\nalias ls='ls -l'\nset -o vi\n",
    ".zshrc": "PROMPT=$'%n %~\\n> '\nRPROMPT='%T'\nprecmd() { print -n '\\e]0;p\\a' }\n"
    'preexec() { print "running: $1" }\nbindkey -v\nsetopt PROMPT_SP\n',
    ".config/fish/config.fish": "function fish_prompt; echo 'two'; echo -n 'lines> '; end\n"
    "function fish_right_prompt; date; end\nfish_vi_key_bindings\n",
    ".shrc": "PS1='$(pwd)> '\n",
    ".kshrc": "PS1='ksh> '\nset -o emacs\n",
}


@pytest.fixture(params=[*SHELLS, *(f"{name} with rc files" for name in SHELLS)])
def shell(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if shutil.which(name.split()[0]) is None:
        pytest.skip(f"{name} is not installed")
    return name


@pytest.fixture
async def pane(tmux: Tmux, shell: str, tmp_path: Path) -> str:
    name = shell.split()[0]
    command = SHELLS[name]
    env = {"HOME": str(tmp_path), "ENV": str(tmp_path / f".{name}rc"), "LANG": "C.UTF-8"}
    if shell != name:
        command = name
        env["ENV"] = str(tmp_path / (".kshrc" if name == "ksh" else ".shrc"))
        for file, text in RC_FILES.items():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text)
    made = await tmux.new_session("shell", command=f"exec {command}", env=env, cwd=str(tmp_path))
    return made.pane_id


async def test_output_and_exit_code_equal_those_of_subprocess(
    tmux: Tmux, pane: str, shell: str, tmp_path: Path
) -> None:
    executor = Executor(tmux)
    for number, case in enumerate(random_cases(shell, CASES, seed=11)):
        told = await executor.execute(pane, case.command, seconds=20)
        output, code = expected(shell, case, tmp_path)
        assert (number, case, told.output, told.exit_code) == (number, case, output, code)
        assert not told.timed_out


async def test_a_home_that_cannot_be_written_adds_nothing_to_the_output(tmux: Tmux) -> None:
    """fish prints warnings then, and no user at all can create a directory below /proc."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    made = await tmux.new_session("fish", command="exec fish", env={"HOME": "/proc/home"})
    told = await Executor(tmux).execute(made.pane_id, "echo hi")
    assert (told.output, told.exit_code) == (b"hi\n", 0)


async def test_what_a_command_changes_stays_changed(tmux: Tmux, pane: str, shell: str) -> None:
    executor = Executor(tmux)
    export = "set -gx COLOUR blue" if shell.startswith("fish") else "export COLOUR=blue"
    await executor.execute(pane, f"cd /usr\n{export}")
    told = await executor.execute(pane, "pwd; echo $COLOUR")
    assert told.output == b"/usr\nblue\n"


async def test_a_time_out_ends_the_command_and_leaves_the_shell_usable(
    tmux: Tmux, pane: str
) -> None:
    executor = Executor(tmux)
    told = await executor.execute(pane, "echo before; sleep 60; echo never", seconds=0.5)
    assert (told.timed_out, told.output) == (True, b"before\n")
    told = await executor.execute(pane, "echo after")
    assert (told.timed_out, told.output, told.exit_code) == (False, b"after\n", 0)


async def test_a_program_that_ignores_c_c_is_ended_too(tmux: Tmux, tmp_path: Path) -> None:
    [pane] = await tmux.panes()
    executor = Executor(tmux)
    stubborn = "bash -c 'trap \"\" INT TERM; echo on; while :; do sleep 1; done'"
    told = await executor.execute(pane.id, stubborn, seconds=0.5)
    assert (told.timed_out, told.output) == (True, b"on\n")
    assert (await executor.execute(pane.id, "echo after")).output == b"after\n"


async def test_commands_on_one_pane_never_mix(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    executor = Executor(tmux)
    told = await asyncio.gather(
        *(executor.execute(pane.id, f"echo start {n}; sleep 0.02; echo end {n}") for n in range(10))
    )
    assert [one.output for one in told] == [b"start %d\nend %d\n" % (n, n) for n in range(10)]


async def test_what_stood_on_the_line_is_not_part_of_the_command(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    await tmux.type(pane.id, b"rm -rf half typed")
    assert (await Executor(tmux).execute(pane.id, "echo clean")).output == b"clean\n"


async def test_a_busy_pane_is_refused_by_name(tmux: Tmux, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminals.tmux.execute.BUSY_SECONDS", 0.2)
    [pane] = await tmux.panes()
    await tmux.type(pane.id, b"sleep 100\r")

    async def sleeping() -> bool:
        return (await tmux.pane(pane.id)).command == "sleep"

    await eventually(sleeping)
    with pytest.raises(Refused, match=r"sleep .* is running"):
        await Executor(tmux).execute(pane.id, "echo hi")


async def test_a_command_that_reads_is_not_fed_by_us(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    running = asyncio.create_task(Executor(tmux).execute(pane.id, "read x; echo got $x", seconds=5))
    await asyncio.sleep(0.5)  # longer than the silence after which the end is asked for
    await tmux.type(pane.id, b"an answer\r")
    assert (await running).output.endswith(b"got an answer\n")


async def test_a_shell_that_exits_is_told(tmux: Tmux) -> None:
    made = await tmux.new_session("brief", command="exec sh")
    told = await Executor(tmux).execute(made.pane_id, "echo bye; exit 3")
    assert told.pane_exited
    assert told.exit_code is None
    with pytest.raises(NotFound):
        await Executor(tmux).execute(made.pane_id, "echo again")


@pytest.mark.parametrize("seconds", [0, -1, 601])
async def test_a_time_limit_is_bounded(tmux: Tmux, seconds: float) -> None:
    [pane] = await tmux.panes()
    with pytest.raises(Invalid):
        await Executor(tmux).execute(pane.id, "true", seconds=seconds)


async def test_no_file_of_ours_is_left(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    await Executor(tmux).execute(pane.id, "true")
    assert list(tmux.directory.iterdir()) == []


def test_the_oracle_is_not_the_executor() -> None:
    case = Case("echo hi; exit 3", whole=True)
    assert expected("bash", case, Path("/")) == (b"hi\n", 3)
    assert subprocess.run(["bash", "-c", case.command], check=False).returncode == 3
