"""Recordings on a real tmux: exact, found again after anything, bounded, and polite to the pane."""

import asyncio
import shlex
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from pytest_django.fixtures import Settings

from agents.models import Role
from agents.records import New, add_record
from config.pruning import prune
from notes.services import TaskChange, update_task, write_notes
from notes.tasklist import Status
from terminals import facts, recordings
from terminals.db import in_db
from terminals.errors import Conflict, Invalid, NotFound, Refused
from terminals.models import Recording
from terminals.recording_care import Seen, Step, decide, look
from terminals.recording_files import Files
from terminals.recording_pipes import GAP, files_of
from terminals.tmux.driver import Tmux
from terminals.tmux.logs import Logs
from tests.conftest import RunTmux
from tests.terminals.recorded import SECONDS, events, labels, printed, shows
from tests.terminals.tmux.waiting import eventually, start_again

pytestmark = pytest.mark.django_db(transaction=True)
FLOOD = "stty -echo; printf ready; read x; cat {path}; printf 'the e%s' nd; exec cat"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A data directory of the test's own, with a name that no shell or strftime may read."""
    directory = tmp_path / "it's %H #(touch canary) $(touch canary)"
    settings.WEBTMUX = replace(settings.WEBTMUX, data_dir=directory, recordings_free_mb=0)
    yield directory
    assert not [path for path in tmp_path.rglob("canary") if path.is_file()]


def limit(settings: Settings, **changes: int) -> None:
    settings.WEBTMUX = replace(settings.WEBTMUX, **changes)


async def first_pane(tmux: Tmux) -> str:
    return (await tmux.panes())[0].id


async def started(tmux: Tmux, **fields: Any) -> Recording:
    return await recordings.start_recording(tmux=tmux, pane=await first_pane(tmux), **fields)


async def state_of(row: Recording) -> Recording:
    return await in_db(recordings.get_recording)(key=row.key)


def recorder_of(row: Recording) -> psutil.Process:
    [found] = [
        process
        for process in psutil.process_iter(["cmdline"])
        if "recorder.py" in " ".join(process.info["cmdline"] or ())
        and any(row.key in word for word in process.info["cmdline"])
    ]
    return found


def mixed(lines: int) -> bytes:
    return b"".join(b"\x1b[3%dm%d gr\xc3\xb6\xc3\x9fe\x1b[0m\n" % (n % 8, n) for n in range(lines))


# --- exactness --------------------------------------------------------------------------------


async def test_every_byte_is_in_the_recording_and_no_other(tmux: Tmux, tmp_path: Path) -> None:
    text = mixed(200_000)  # 5 MB; `make soak-recording` has fifty
    (tmp_path / "flood").write_bytes(text)
    made = await tmux.new_session("flood", command=FLOOD.format(path=tmp_path / "flood"))

    async def ready() -> bool:
        return b"ready" in await tmux.capture(made.pane_id)

    await eventually(ready)
    row = await recordings.start_recording(tmux=tmux, pane=made.pane_id)
    await tmux.press(made.pane_id, "Enter")
    await shows(files_of(row), b"the end")
    row = await recordings.stop_recording(tmux=tmux, key=row.key)
    assert printed(files_of(row)) == text.replace(b"\n", b"\r\n") + b"the end"
    assert row.size == files_of(row).cast.stat().st_size
    assert (row.state, row.problem) == ("done", "")


async def test_a_recording_begins_with_the_picture_of_the_screen(tmux: Tmux) -> None:
    pane = await first_pane(tmux)
    await tmux.type(pane, b"echo befo''re\r")

    async def seen() -> bool:
        return b"\nbefore\n" in await tmux.capture(pane)

    await eventually(seen)
    row = await started(tmux)
    first = events(files_of(row).lines())[0]
    assert (first[1], "\nbefore" in first[2].replace("\r", "")) == ("o", True)
    assert (row.columns, row.rows) == (80, 24)


async def test_the_last_words_of_a_pane_that_exits_are_recorded(tmux: Tmux) -> None:
    made = await tmux.new_session("brief", command="read x; seq 1 50000; echo the e''nd")
    row = await recordings.start_recording(tmux=tmux, pane=made.pane_id)
    await tmux.press(made.pane_id, "Enter")

    async def done() -> bool:
        await look(tmux)
        return (await state_of(row)).state == "done"

    await eventually(done, SECONDS)
    told = printed(files_of(row))
    assert told.endswith(b"the end\r\n")
    assert told.count(b"\n") == 50_002


async def test_a_change_of_size_is_recorded(tmux: Tmux, run_tmux: RunTmux) -> None:
    row = await started(tmux)
    run_tmux("resize-window", "-t", "work", "-x", "91", "-y", "17")
    await tmux.type(row.pane, b"echo wi''de\r")
    await shows(files_of(row), b"\nwide")
    sizes = [event[2] for event in events(files_of(row).lines()) if event[1] == "r"]
    assert sizes[-1] == "91x17"


async def test_debians_asciinema_prints_it_all(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    command = shutil.which("asciinema")
    if command is None:
        pytest.skip("no asciinema: apt-get install asciinema")
    row = await started(tmux)
    await tmux.type(row.pane, "echo größ''e 漢字\r".encode())
    await shows(files_of(row), "\ngröße 漢字".encode())
    assert row.window is not None
    await in_db(recordings.mark)(window=row.window, label="a marker")
    row = await recordings.stop_recording(tmux=tmux, key=row.key)
    files = files_of(row)
    told, code = tmp_path / "told", tmp_path / "code"
    # It wants a terminal, though it prints elsewhere.
    line = f"{shlex.join([command, 'cat', str(files.cast)])} >{told}; echo $? >{code}"
    run_tmux("new-window", "-d", line)

    async def ended() -> bool:
        return code.exists() and code.read_text() != ""

    await eventually(ended, SECONDS)
    assert code.read_text() == "0\n"
    assert told.read_bytes().endswith(printed(files))


# --- beginning and end ------------------------------------------------------------------------


async def test_starting_twice_is_one_recording(tmux: Tmux) -> None:
    pane = await first_pane(tmux)
    rows = await asyncio.gather(
        *(recordings.start_recording(tmux=tmux, pane=pane) for _ in range(4))
    )
    assert len({row.key for row in rows}) == 1


async def test_stopping_twice_changes_nothing_and_leaves_the_pane_alone(tmux: Tmux) -> None:
    row = await started(tmux)
    one = await recordings.stop_recording(tmux=tmux, key=row.key)
    other = await recordings.stop_recording(tmux=tmux, key=row.key)
    assert (one.version, one.ended_at) == (other.version, other.ended_at)
    pane = await tmux.pane(row.pane)
    assert (pane.piped, pane.dead) == (False, False)
    again = await started(tmux)
    assert again.key != row.key


async def test_a_window_is_recorded_pane_by_pane(tmux: Tmux, run_tmux: RunTmux) -> None:
    run_tmux("split-window", "-t", "work")
    [window] = await tmux.windows()
    rows = await recordings.record_window(tmux=tmux, window=window.id, title="both")
    assert len({row.pane for row in rows}) == 2
    done = await recordings.stop_window(tmux=tmux, window=window.id)
    assert {row.key for row in done} == {row.key for row in rows}
    assert {row.state for row in done} == {"done"}


async def test_of_a_window_all_panes_are_recorded_or_none(tmux: Tmux, run_tmux: RunTmux) -> None:
    run_tmux("split-window", "-t", "work")
    panes = await tmux.panes()
    run_tmux("pipe-pane", "-t", panes[1].id, "cat >/dev/null")
    with pytest.raises(Refused, match="somebody else"):
        await recordings.record_window(tmux=tmux, window=panes[0].window_id)
    assert await in_db(Recording.objects.count)() == 0
    assert not (await tmux.pane(panes[0].id)).piped


async def test_a_logged_pane_is_not_recorded_and_a_recorded_one_not_logged(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    logs = Logs(tmux, tmp_path / "logs")
    row = await started(tmux)
    with pytest.raises(Refused, match="being recorded"):
        await logs.attach(row.pane)
    await recordings.stop_recording(tmux=tmux, key=row.key)
    await logs.attach(row.pane)
    with pytest.raises(Refused, match="is logged"):
        await started(tmux)


async def test_a_recording_that_could_not_begin_leaves_nothing_behind(
    tmux: Tmux, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*given: object) -> None:
        raise Refused("no")

    monkeypatch.setattr(tmux, "pipe_from_picture", fail)
    with pytest.raises(Refused):
        await started(tmux)
    assert await in_db(Recording.objects.count)() == 0
    assert list((place / "recordings").iterdir()) == []


# --- what happens by itself -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "step"),
    [
        (Seen(running=True, end="", here=True), Step.LEAVE),
        (Seen(running=True, end="", here=False), Step.LEAVE),  # it writes what it still holds
        (Seen(running=False, end="size", here=True), Step.STOP),
        (Seen(running=False, end="disk", here=None), Step.STOP),
        (Seen(running=False, end="closed", here=False), Step.FINISH),
        (Seen(running=False, end="closed", here=None), Step.FINISH),
        (Seen(running=False, end="", here=False), Step.FINISH),
        (Seen(running=False, end="", here=None), Step.LEAVE),
        (Seen(running=False, end="", here=True), Step.RESUME),
        (Seen(running=False, end="closed", here=True), Step.RESUME),
    ],
)
def test_what_becomes_of_a_recording_is_decided_by_what_is_seen(seen: Seen, step: Step) -> None:
    assert decide(seen) is step


async def test_it_goes_on_without_a_gap_while_we_are_away(
    tmux: Tmux, socket: str, run_tmux: RunTmux
) -> None:
    row = await started(tmux)
    await tmux.stop()
    run_tmux("send-keys", "-t", row.pane, "echo meanwhi''le", "Enter")
    driver = Tmux(socket=socket)
    await driver.start()
    try:
        await look(driver)
        await shows(files_of(row), b"\nmeanwhile")
        assert (await state_of(row)).state == "recording"
        assert labels(row) == []
        row = await recordings.stop_recording(tmux=driver, key=row.key)
        assert row.state == "done"
    finally:
        await driver.stop()


async def test_a_killed_recorder_is_replaced_and_the_gap_is_marked(tmux: Tmux) -> None:
    row = await started(tmux)
    await tmux.type(row.pane, b"echo fir''st\r")
    await shows(files_of(row), b"\nfirst")
    recorder = recorder_of(row)
    recorder.send_signal(signal.SIGKILL)
    # tmux finds the pipe closed only when it writes, so nothing may be printed before that.
    await asyncio.to_thread(recorder.wait, 30)

    async def closed() -> bool:
        return not (await tmux.pane(row.pane)).piped and not files_of(row).running

    await tmux.type(row.pane, b"echo lo''st\r")
    await eventually(closed)
    await look(tmux)
    await tmux.type(row.pane, b"echo seco''nd\r")
    await shows(files_of(row), b"\nsecond")
    row = await recordings.stop_recording(tmux=tmux, key=row.key)
    assert (row.state, labels(row)) == ("done", [GAP])
    told = printed(files_of(row))
    # What was printed meanwhile is on the picture with which it goes on.
    assert told.index(b"\nfirst") < told.index(b"\nlost") < told.index(b"\nsecond")


async def test_somebody_elses_pipe_ends_it_and_is_left_alone(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    row = await started(tmux)
    run_tmux("pipe-pane", "-t", row.pane, f"cat >{tmp_path}/theirs")

    async def broken() -> bool:
        await look(tmux)
        return (await state_of(row)).state == "broken"

    await eventually(broken)
    assert "somebody else" in (await state_of(row)).problem
    assert (await tmux.pane(row.pane)).piped


async def test_with_tmux_its_recordings_end_and_a_new_tmux_is_not_taken_for_the_old(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    row = await started(tmux)
    run_tmux("kill-server")

    async def done() -> bool:
        await look(tmux)
        return (await state_of(row)).state == "done"

    await eventually(done)
    await eventually(lambda: start_again(run_tmux))

    async def back() -> bool:
        return tmux.problem == "" and tmux.life != row.life

    await eventually(back)
    assert (await started(tmux)).key != row.key


# --- limits -----------------------------------------------------------------------------------


async def test_a_recording_stops_at_its_limit_and_says_so(tmux: Tmux, settings: Settings) -> None:
    limit(settings, recording_max_mb=1)
    row = await started(tmux)
    await tmux.type(row.pane, b"seq 1 400000\r")

    async def broken() -> bool:
        await look(tmux)
        return (await state_of(row)).state == "broken"

    await eventually(broken, SECONDS)
    row = await state_of(row)
    assert "WEBTMUX_RECORDING_MAX_MB (1 MB)" in row.problem
    assert 1_000_000 <= row.size < 3_000_000
    assert labels(row)[-1].startswith("it has reached")
    assert not (await tmux.pane(row.pane)).dead


async def test_all_recordings_together_have_a_limit(tmux: Tmux, settings: Settings) -> None:
    limit(settings, recordings_max_mb=1)
    row = await started(tmux)
    await tmux.type(row.pane, b"seq 1 400000\r")

    async def broken() -> bool:
        await look(tmux)
        return (await state_of(row)).state == "broken"

    await eventually(broken, SECONDS)
    assert "WEBTMUX_RECORDINGS_MAX_MB" in (await state_of(row)).problem
    with pytest.raises(Refused, match="delete some"):
        await started(tmux)


async def test_a_disk_that_is_nearly_full_takes_no_recording(
    tmux: Tmux, settings: Settings
) -> None:
    limit(settings, recordings_free_mb=999_999_999)
    with pytest.raises(Refused, match="make room"):
        await started(tmux)
    assert await in_db(Recording.objects.count)() == 0


async def test_old_and_too_many_recordings_are_pruned_with_their_files(
    tmux: Tmux, settings: Settings
) -> None:
    rows = []
    for _ in range(3):
        row = await started(tmux)
        rows.append(await recordings.stop_recording(tmux=tmux, key=row.key))
    runs = await started(tmux)
    old = {"ended_at": "2020-01-01T00:00:00Z"}
    await in_db(Recording.objects.filter(pk=rows[0].pk).update)(**old)
    await in_db(Recording.objects.filter(pk__in=[rows[1].pk]).update)(size=5_000_000_000)
    await in_db(list)(prune(settings.WEBTMUX))
    kept = await in_db(list)(Recording.objects.all())
    assert {row.key for row in kept} == {rows[2].key, runs.key}
    assert [files_of(row).directory.exists() for row in rows] == [False, False, True]


# --- markers, names, deletion -----------------------------------------------------------------


async def test_prompts_and_moved_tasks_are_markers(tmux: Tmux) -> None:
    row = await started(tmux)
    assert row.window is not None
    window, ts = row.window, int(row.started_at.timestamp() * 1000) + 1500
    said = New(role=Role.USER, text="fix the\nbug", ts=ts, pane=row.pane)
    await in_db(add_record)(window=window, new=said)
    elsewhere = New(role=Role.USER, text="not here", ts=ts, pane="%99")
    await in_db(add_record)(window=window, new=elsewhere)
    answer = New(role=Role.ASSISTANT, text="an answer", ts=ts, pane=row.pane)
    await in_db(add_record)(window=window, new=answer)
    project = await in_db(lambda: window.project)()
    await in_db(write_notes)(owner=project, notes="[NS] ship it\n[NS] stay", by="test")
    change = TaskChange(action="set_status", index=0, status=Status.WIP)
    await in_db(update_task)(owner=project, change=change, by="test")
    found = {marker.label: marker.time for marker in files_of(row).markers()}
    assert set(found) == {"fix the bug", "NS → WIP: ship it"}
    assert found["fix the bug"] == pytest.approx(1.5, abs=0.01)


async def test_a_recording_is_renamed_and_deleted_with_its_files(tmux: Tmux) -> None:
    row = await started(tmux, title="first")
    row = await in_db(recordings.rename_recording)(key=row.key, title=" second ")
    assert row.title == "second"
    for bad in ("", " ", "x" * 256, "a\nb"):
        with pytest.raises(Invalid):
            await in_db(recordings.rename_recording)(key=row.key, title=bad)
    with pytest.raises(Conflict, match="still running"):
        await in_db(recordings.remove)(key=row.key)
    directory = files_of(row).directory
    await recordings.delete_recording(tmux=tmux, key=row.key)
    assert not directory.exists()
    assert not (await tmux.pane(row.pane)).piped
    with pytest.raises(NotFound):
        await in_db(recordings.get_recording)(key=row.key)


async def test_a_recording_outlives_the_row_of_its_window(tmux: Tmux) -> None:
    row = await started(tmux)
    await recordings.stop_recording(tmux=tmux, key=row.key)
    assert row.window is not None
    await in_db(row.window.delete)()
    assert (await state_of(row)).window is None
    await facts.look(tmux)


async def test_recordings_are_private(tmux: Tmux) -> None:
    row = await started(tmux)
    files = files_of(row)
    assert all(path.stat().st_mode & 0o077 == 0 for path in files.directory.iterdir())
    await recordings.stop_recording(tmux=tmux, key=row.key)
    assert all(path.stat().st_mode & 0o077 == 0 for path in files.directory.iterdir())
    assert files.directory.stat().st_mode & 0o077 == 0


def test_a_finish_that_was_cut_short_is_done_again(tmp_path: Path) -> None:
    files = Files(tmp_path / "one")
    files.create()
    files.write_head(b'{"version": 2}\n')
    files.add(b'[0.0, "o", "a"]\n')
    (files.directory / "recording.cast.draft").write_bytes(b"half")
    files.finish()
    files.finish()
    assert list(files.lines()) == [b'{"version": 2}\n', b'[0.0, "o", "a"]\n']
