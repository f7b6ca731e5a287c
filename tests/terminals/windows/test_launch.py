"""Programs in new sessions and windows, on a real tmux."""

from pathlib import Path

import pytest

from core.errors import Invalid, Refused
from terminals.tmux.driver import Tmux
from terminals.windows import launch, panes
from terminals.windows.launch import Launch, early_end, start_session, start_window
from tests.conftest import RunTmux
from tests.waiting import LONGEST_SECONDS, eventually

HOSTILE = [
    "#(touch canary)",
    "#{pane_pid}",
    "'; touch canary; '",
    '" ; touch canary ; "',
    "$(touch canary)",
    "`touch canary`",
    "{last}",
    "-t",
    "a;",
    "ünï 日本 🎉",
    "x" * 4000,
]


def structure(run_tmux: RunTmux) -> str:
    return run_tmux("list-panes", "-a", "-F", "#{session_name} #{window_name} #{pane_id}")


@pytest.mark.parametrize("text", HOSTILE)
async def test_arguments_arrive_byte_for_byte(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "argument"
    script = 'printf %s "$1" > "$2"; touch "$2.done"; exec cat'
    argv = ("sh", "-c", script, "sh", text, str(path))
    await start_window(tmux, "$0", Launch(directory=str(tmp_path), argv=argv))
    await eventually(Path(f"{path}.done").exists)
    assert path.read_text() == text
    run_tmux("run-shell", "true")
    assert not (tmp_path / "canary").exists()


async def test_a_command_line_is_parsed_by_the_shell_only(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    command = "printf '%s|' '#(touch canary)' \"#{pane_pid}\" 'a;' > out; touch done; exec cat"
    await start_session(tmux, "new", Launch(directory=str(tmp_path), command=command))
    await eventually((tmp_path / "done").exists)
    assert (tmp_path / "out").read_text() == "#(touch canary)|#{pane_pid}|a;|"
    run_tmux("run-shell", "true")
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize("name", ["#(touch canary)", "a b", "ünï;", "'quoted'"])
async def test_a_directory_with_a_hostile_name_is_entered(
    tmux: Tmux, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).mkdir()
    created = await start_window(
        tmux, "$0", Launch(directory=str(tmp_path / name), command="touch here; exec cat")
    )
    await eventually((tmp_path / name / "here").exists)
    assert (await tmux.pane(created.pane_id)).path == str(tmp_path / name)
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize(
    "refused",
    [
        Launch(directory="/nowhere/at/all"),
        Launch(directory="/etc/passwd", command="true"),
        Launch(command="true\ntouch canary"),
        Launch(command="true\0"),
        Launch(command="x" * 40_000),
        Launch(argv=("true", "a\nb")),
        Launch(command="true", argv=("true",)),
        Launch(env={"A B": "x"}),
        Launch(env={"A": "x\ny"}),
        Launch(name="x" * 200),
        Launch(name="a\nb", command="true"),
    ],
)
async def test_what_is_refused_creates_nothing(
    tmux: Tmux, run_tmux: RunTmux, refused: Launch
) -> None:
    before = structure(run_tmux)
    with pytest.raises(Invalid):
        await start_window(tmux, "$0", refused)
    with pytest.raises(Invalid):
        await start_session(tmux, "new", refused)
    assert structure(run_tmux) == before


async def test_variables_are_those_of_the_program_and_not_of_its_session(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    command = 'printf %s "$COLOUR" > colour; touch done; exec cat'
    started = Launch(directory=str(tmp_path), command=command, env={"COLOUR": "re'd #(x);"})
    created = await start_session(tmux, "new", started)
    await eventually((tmp_path / "done").exists)
    assert (tmp_path / "colour").read_text() == "re'd #(x);"
    assert "COLOUR" not in run_tmux("show-environment", "-t", created.session_id)


@pytest.mark.parametrize(
    ("command", "status", "text"),
    [
        ("no-such-command-here", 127, "no-such-command-here"),
        ("echo done", 0, "done"),
        ("seq 1 200; exit 3", 3, "200"),
    ],
)
async def test_a_command_that_ends_at_once_keeps_its_pane_and_output(
    tmux: Tmux, command: str, status: int, text: str
) -> None:
    created = await start_window(tmux, "$0", Launch(command=command))
    ended = await early_end(tmux, created.pane_id, seconds=LONGEST_SECONDS)
    assert ended is not None
    assert (ended.status, ended.signal) == (status, 0)
    assert text in ended.output
    assert "Pane is dead" not in ended.output
    assert len(ended.output.splitlines()) <= launch.OUTPUT_LINES
    assert str(ended) == f"The command ended with status {status}."


async def test_a_signal_is_reported(tmux: Tmux) -> None:
    created = await start_window(tmux, "$0", Launch(command="kill -9 $$"))
    ended = await early_end(tmux, created.pane_id, seconds=LONGEST_SECONDS)
    assert ended is not None
    assert str(ended) == "The command ended by signal 9."


async def test_a_command_that_runs_has_not_ended(tmux: Tmux) -> None:
    created = await start_window(tmux, "$0", Launch(command="exec cat"))
    assert await early_end(tmux, created.pane_id, seconds=0.1) is None


async def test_without_keep_the_pane_ends_with_its_command(tmux: Tmux) -> None:
    created = await start_window(tmux, "$0", Launch(command="true", keep=False))

    async def is_gone() -> bool:
        return created.pane_id not in {row.id for row in await tmux.panes()}

    await eventually(is_gone)


async def test_an_ended_program_is_started_again_and_a_running_one_is_not(
    tmux: Tmux, tmp_path: Path
) -> None:
    command = "echo run >> runs; test -e stay && exec cat"
    created = await start_window(tmux, "$0", Launch(directory=str(tmp_path), command=command))
    ended = await early_end(tmux, created.pane_id, seconds=LONGEST_SECONDS)
    assert ended is not None
    (tmp_path / "stay").touch()
    row = await panes.restart_pane(tmux=tmux, pane=created.pane_id)
    assert not row.dead
    await eventually(lambda: (tmp_path / "runs").read_text() == "run\nrun\n")
    with pytest.raises(Refused, match="still running"):
        await panes.restart_pane(tmux=tmux, pane=created.pane_id)


async def test_a_launch_that_fails_halfway_leaves_no_pane(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise Invalid("no")

    before = structure(run_tmux)
    monkeypatch.setattr(tmux, "respawn_pane", fails)
    with pytest.raises(Invalid):
        await start_window(tmux, "$0", Launch(command="true"))
    assert structure(run_tmux) == before
