"""Bounded execution against subprocess, in every shell that is installed."""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import Invalid, NotFound, Refused
from terminals.tmux.driver import Tmux
from terminals.tmux.execution import execute
from terminals.tmux.execution.execute import Executor
from terminals.tmux.execution.markers import Execution
from tests.terminals.tmux.execution.random_commands import SHELLS, Case, expected, random_cases
from tests.waiting import eventually

CASES = 20  # for each shell; `make soak-execute` runs 300
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
    session = await tmux.new_session("shell", command=f"exec {command}", env=env, cwd=str(tmp_path))
    return session.pane_id


async def test_output_is_complete_if_the_shell_reads_the_line_late(
    tmux: Tmux, pane: str, shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loaded shell may still wait at its prompt when the end marker is requested."""
    monkeypatch.setattr(execute, "QUIET_SECONDS", 0.0)
    executor = Executor(tmux)
    for number in range(5):
        result = await executor.execute(pane, f"echo {number}", seconds=20)
        assert (result.output, result.exit_code) == (f"{number}\n".encode(), 0)


async def test_output_and_exit_code_equal_those_of_subprocess(
    tmux: Tmux, pane: str, shell: str, tmp_path: Path
) -> None:
    executor = Executor(tmux)
    for number, case in enumerate(random_cases(shell, CASES, seed=11)):
        result = await executor.execute(pane, case.command, seconds=20)
        output, code = expected(shell, case, tmp_path)
        assert (number, case, result.output, result.exit_code) == (number, case, output, code)
        assert not result.timed_out


async def test_a_home_that_cannot_be_written_adds_nothing_to_the_output(tmux: Tmux) -> None:
    """fish prints warnings then, and no user at all can create a directory below /proc."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    session = await tmux.new_session("fish", command="exec fish", env={"HOME": "/proc/home"})
    result = await Executor(tmux).execute(session.pane_id, "echo hi")
    assert (result.output, result.exit_code) == (b"hi\n", 0)


async def test_changes_of_a_command_to_its_shell_persist(tmux: Tmux, pane: str, shell: str) -> None:
    executor = Executor(tmux)
    export = "set -gx COLOUR blue" if shell.startswith("fish") else "export COLOUR=blue"
    await executor.execute(pane, f"cd /usr\n{export}")
    result = await executor.execute(pane, "pwd; echo $COLOUR")
    assert result.output == b"/usr\nblue\n"


@contextmanager
def timing_out_after_a_line() -> Iterator[None]:
    """The time limit of a command ends when it has printed a line. How long a shell needs for that
    depends on the machine.
    """
    finish = execute._Run.finish

    async def finish_after_a_line(run: execute._Run, deadline: float) -> Execution:
        await eventually(lambda: run.markers.started and b"\n" in run.markers._bytes)
        return await finish(run, asyncio.get_running_loop().time())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execute._Run, "finish", finish_after_a_line)
        yield


async def test_a_time_out_ends_the_command_and_leaves_the_shell_usable(
    tmux: Tmux, pane: str
) -> None:
    executor = Executor(tmux)
    with timing_out_after_a_line():
        result = await executor.execute(pane, "echo before; sleep 60; echo never")
    assert (result.timed_out, result.output) == (True, b"before\n")
    result = await executor.execute(pane, "echo after")
    assert (result.timed_out, result.output, result.exit_code) == (False, b"after\n", 0)


async def test_a_program_that_ignores_c_c_is_killed(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "GRACE_SECONDS", 0.2)
    [pane] = await tmux.panes()
    executor = Executor(tmux)
    stubborn = "bash -c 'trap \"\" INT TERM; echo on; while :; do sleep 1; done'"
    with timing_out_after_a_line():
        result = await executor.execute(pane.id, stubborn)
    assert (result.timed_out, result.output) == (True, b"on\n")
    assert (await executor.execute(pane.id, "echo after")).output == b"after\n"


async def test_a_command_that_does_not_end_is_stopped_at_its_time_limit(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    result = await Executor(tmux).execute(pane.id, "sleep 3600", seconds=0.3)
    assert (result.timed_out, result.output) == (True, b"")


async def test_commands_in_one_pane_never_interleave(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    executor = Executor(tmux)
    results = await asyncio.gather(
        *(executor.execute(pane.id, f"echo start {n}; sleep 0.02; echo end {n}") for n in range(10))
    )
    assert [each.output for each in results] == [b"start %d\nend %d\n" % (n, n) for n in range(10)]


async def test_text_on_the_command_line_is_not_part_of_the_command(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    await tmux.type(pane.id, b"rm -rf half typed")
    assert (await Executor(tmux).execute(pane.id, "echo clean")).output == b"clean\n"


async def test_a_busy_pane_is_refused_with_the_name_of_its_program(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("terminals.tmux.execution.execute.BUSY_SECONDS", 0.2)
    [pane] = await tmux.panes()
    await tmux.type(pane.id, b"sleep 100\r")

    async def sleeping() -> bool:
        return (await tmux.pane(pane.id)).command == "sleep"

    await eventually(sleeping)
    with pytest.raises(Refused, match=r"sleep .* is running"):
        await Executor(tmux).execute(pane.id, "echo hi")


async def test_a_command_that_reads_gets_no_input_from_webtmux(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    [pane] = await tmux.panes()
    silences = 0

    def at_prompt(run: execute._Run, interrupted: bool) -> bool:
        nonlocal silences
        silences += 1
        return is_at_prompt(run, interrupted)

    is_at_prompt = execute._Run._at_prompt
    monkeypatch.setattr(execute._Run, "_at_prompt", at_prompt)
    command = "read x; echo got $x"
    running = asyncio.create_task(Executor(tmux).execute(pane.id, command, seconds=60))
    # Twice no output came for so long that the end marker would have been requested at a prompt.
    await eventually(lambda: silences >= 2)
    await tmux.type(pane.id, b"an answer\r")
    assert (await running).output.endswith(b"got an answer\n")


async def test_a_shell_that_exits_is_reported(tmux: Tmux) -> None:
    session = await tmux.new_session("brief", command="exec sh")
    result = await Executor(tmux).execute(session.pane_id, "echo bye; exit 3")
    assert result.pane_exited
    assert result.exit_code is None
    with pytest.raises(NotFound):
        await Executor(tmux).execute(session.pane_id, "echo again")


@pytest.mark.parametrize("seconds", [0, -1, 601])
async def test_a_time_limit_is_bounded(tmux: Tmux, seconds: float) -> None:
    [pane] = await tmux.panes()
    with pytest.raises(Invalid):
        await Executor(tmux).execute(pane.id, "true", seconds=seconds)


async def test_no_temporary_file_is_left(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    await Executor(tmux).execute(pane.id, "true")
    assert list(tmux.directory.iterdir()) == []


def test_the_oracle_is_not_the_executor() -> None:
    case = Case("echo hi; exit 3", whole=True)
    assert expected("bash", case, Path("/")) == (b"hi\n", 3)
    assert subprocess.run(["bash", "-c", case.command], check=False).returncode == 3
