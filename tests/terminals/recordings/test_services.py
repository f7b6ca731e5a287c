"""Recordings on a real tmux: every byte, resumed after failures, within limits."""

import asyncio
import shlex
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from pytest_django.fixtures import Settings

from agents.chat.store import NewRecord, add_record
from agents.models import Role
from config.retention import prune
from core.database import in_db
from core.errors import Conflict, Invalid, NotFound, Refused
from notes.schemas import TaskChange
from notes.services import update_task, write_notes
from notes.tasklist import Status
from terminals.models import Recording
from terminals.recordings import services as recordings
from terminals.recordings.files import RecordingFiles, files_of
from terminals.recordings.pipe import GAP
from terminals.recordings.selectors import get_recording
from terminals.recordings.worker import (
    RecordingAction,
    RecordingStatus,
    check_recordings,
    decide,
)
from terminals.tmux.driver import Tmux
from terminals.tmux.pane_logs import PaneLogs
from terminals.windows import sync
from tests.conftest import RunTmux
from tests.terminals.recordings.casts import events, labels, printed, shows
from tests.terminals.tmux.restarting import end_server, start_server
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)
FLOOD = "stty -echo; printf ready; read x; cat {path}; printf 'the e%s' nd; exec cat"


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A private data directory whose name must not be interpreted by a shell or strftime."""
    directory = tmp_path / "it's %H #(touch canary) $(touch canary)"
    settings.WEBTMUX = settings.WEBTMUX.model_copy(
        update={"data_dir": directory, "recordings_free_mb": 0}
    )
    yield directory
    assert not [path for path in tmp_path.rglob("canary") if path.is_file()]


def limit(settings: Settings, **changes: int) -> None:
    settings.WEBTMUX = settings.WEBTMUX.model_copy(update=changes)


async def first_pane(tmux: Tmux) -> str:
    return (await tmux.panes())[0].id


async def started(tmux: Tmux, **fields: Any) -> Recording:
    return await recordings.start_recording(tmux=tmux, pane=await first_pane(tmux), **fields)


async def state_of(row: Recording) -> Recording:
    return await in_db(get_recording)(key=row.key)


def recorder_of(row: Recording) -> psutil.Process:
    [recorder] = [
        process
        for process in psutil.process_iter(["cmdline"])
        if "recorder.py" in " ".join(process.info["cmdline"] or ())
        and any(row.key in word for word in process.info["cmdline"])
    ]
    return recorder


def mixed(lines: int) -> bytes:
    return b"".join(b"\x1b[3%dm%d gr\xc3\xb6\xc3\x9fe\x1b[0m\n" % (n % 8, n) for n in range(lines))


# --- exactness --------------------------------------------------------------------------------


async def test_every_byte_is_in_the_recording_and_no_other(tmux: Tmux, tmp_path: Path) -> None:
    # 5 MB; `make soak-recording` has fifty. In a step of its own: the watchdog of the event loop
    # would count the time that this takes for the product.
    text = mixed(200_000)
    (tmp_path / "flood").write_bytes(text)
    await asyncio.sleep(0)
    created = await tmux.new_session("flood", command=FLOOD.format(path=tmp_path / "flood"))

    async def ready() -> bool:
        return b"ready" in await tmux.capture(created.pane_id)

    await eventually(ready)
    row = await recordings.start_recording(tmux=tmux, pane=created.pane_id)
    await tmux.press(created.pane_id, "Enter")
    await shows(files_of(row), b"the end")
    row = await recordings.stop_recording(tmux=tmux, key=row.key)
    assert printed(files_of(row)) == text.replace(b"\n", b"\r\n") + b"the end"
    assert row.size == files_of(row).cast.stat().st_size
    assert (row.state, row.problem) == ("done", "")


async def test_a_recording_starts_with_a_capture_of_the_screen(tmux: Tmux) -> None:
    pane = await first_pane(tmux)
    await tmux.type(pane, b"echo befo''re\r")

    async def is_printed() -> bool:
        # Not at the beginning of a line: a shell that starts late prints its prompt before it.
        return b"before\n" in await tmux.capture(pane)

    await eventually(is_printed)
    row = await started(tmux)
    first = events(files_of(row).lines())[0]
    assert (first[1], "before" in first[2]) == ("o", True)
    assert (row.columns, row.rows) == (80, 24)


# Asks the terminal for the cursor's position: tmux replies once it has read all output before. A
# program that exits at once may lose output on a loaded machine: tmux 3.3a closes the terminal when
# the process has ended, before it has read everything (seen with `pipe-pane 'cat >file'`, too).
UNTIL_READ = "stty raw -echo; printf '\\033[6n'; head -c 6 >/dev/null"


async def test_the_last_output_of_a_pane_that_exits_is_recorded(tmux: Tmux) -> None:
    program = f"read x; seq 1 50000; echo the e''nd; {UNTIL_READ}"
    created = await tmux.new_session("brief", command=program)
    row = await recordings.start_recording(tmux=tmux, pane=created.pane_id)
    await tmux.press(created.pane_id, "Enter")

    async def done() -> bool:
        await check_recordings(tmux)
        return (await state_of(row)).state == "done"

    await eventually(done)
    output = printed(files_of(row))
    assert output.endswith(b"the end\r\n\x1b[6n")
    assert output.count(b"\n") == 50_002


async def test_a_change_of_size_is_recorded(tmux: Tmux, run_tmux: RunTmux) -> None:
    row = await started(tmux)
    run_tmux("resize-window", "-t", "work", "-x", "91", "-y", "17")
    await tmux.type(row.pane, b"echo wi''de\r")
    await shows(files_of(row), b"\nwide")
    sizes = [event[2] for event in events(files_of(row).lines()) if event[1] == "r"]
    assert sizes[-1] == "91x17"


async def test_debians_asciinema_replays_everything(
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
    output, code = tmp_path / "output", tmp_path / "code"
    # asciinema needs a terminal although its output is redirected.
    line = f"{shlex.join([command, 'cat', str(files.cast)])} >{output}; echo $? >{code}"
    run_tmux("new-window", "-d", line)

    async def ended() -> bool:
        return code.exists() and code.read_text() != ""

    await eventually(ended)
    assert code.read_text() == "0\n"
    assert output.read_bytes().endswith(printed(files))


# --- start and stop ---------------------------------------------------------------------------


async def test_concurrent_starts_create_one_recording(tmux: Tmux) -> None:
    pane = await first_pane(tmux)
    rows = await asyncio.gather(
        *(recordings.start_recording(tmux=tmux, pane=pane) for _ in range(4))
    )
    assert len({row.key for row in rows}) == 1


async def test_stopping_twice_changes_nothing_and_does_not_touch_the_pane(tmux: Tmux) -> None:
    row = await started(tmux)
    first = await recordings.stop_recording(tmux=tmux, key=row.key)
    second = await recordings.stop_recording(tmux=tmux, key=row.key)
    assert (first.version, first.ended_at) == (second.version, second.ended_at)
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


async def test_either_all_panes_of_a_window_are_recorded_or_none(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    run_tmux("split-window", "-t", "work")
    panes = await tmux.panes()
    run_tmux("pipe-pane", "-t", panes[1].id, "cat >/dev/null")
    with pytest.raises(Refused, match="another program"):
        await recordings.record_window(tmux=tmux, window=panes[0].window_id)
    assert await in_db(Recording.objects.count)() == 0
    assert not (await tmux.pane(panes[0].id)).piped


async def test_a_pane_cannot_be_logged_and_recorded_at_once(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    logs = PaneLogs(tmux, tmp_path / "logs")
    row = await started(tmux)
    with pytest.raises(Refused, match="being recorded"):
        await logs.attach(row.pane)
    await recordings.stop_recording(tmux=tmux, key=row.key)
    await logs.attach(row.pane)
    with pytest.raises(Refused, match="is logged"):
        await started(tmux)


async def test_a_recording_that_cannot_start_leaves_nothing_behind(
    tmux: Tmux, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*arguments: object) -> None:
        raise Refused("no")

    monkeypatch.setattr(tmux, "pipe_from_capture", fail)
    with pytest.raises(Refused):
        await started(tmux)
    assert await in_db(Recording.objects.count)() == 0
    assert list((data_dir / "recordings").iterdir()) == []


# --- the worker -------------------------------------------------------------------------------


KEEP, FINISH = RecordingAction.KEEP, RecordingAction.FINISH
STOP, RESUME = RecordingAction.STOP, RecordingAction.RESUME


@pytest.mark.parametrize(
    ("running", "end_reason", "pane_alive", "action"),
    [
        (True, "", True, KEEP),
        (True, "", False, KEEP),  # it still writes what it has read
        (False, "size", True, STOP),
        (False, "disk", None, STOP),
        (False, "closed", False, FINISH),
        (False, "closed", None, FINISH),
        (False, "", False, FINISH),
        (False, "", None, KEEP),
        (False, "", True, RESUME),
        (False, "closed", True, RESUME),
    ],
)
def test_the_worker_decides_by_the_status_of_recorder_and_pane(
    running: bool, end_reason: str, pane_alive: bool | None, action: RecordingAction
) -> None:
    assert decide(RecordingStatus(running, end_reason, pane_alive)) is action


async def test_a_recording_continues_without_a_gap_while_webtmux_is_stopped(
    tmux: Tmux, socket: str, run_tmux: RunTmux
) -> None:
    row = await started(tmux)
    await tmux.stop()
    run_tmux("send-keys", "-t", row.pane, "echo stopp''ed", "Enter")
    driver = Tmux(socket=socket)
    await driver.start()
    try:
        await check_recordings(driver)
        await shows(files_of(row), b"\nstopped")
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
    # tmux notices a closed pipe only when it writes: print nothing before the recorder has exited.
    await asyncio.to_thread(recorder.wait, LONGEST_SECONDS)

    async def closed() -> bool:
        return not (await tmux.pane(row.pane)).piped and not files_of(row).running

    await tmux.type(row.pane, b"echo lo''st\r")
    await eventually(closed)
    await check_recordings(tmux)
    await tmux.type(row.pane, b"echo seco''nd\r")
    await shows(files_of(row), b"\nsecond")
    row = await recordings.stop_recording(tmux=tmux, key=row.key)
    assert (row.state, labels(row)) == ("done", [GAP])
    output = printed(files_of(row))
    # Output during the gap is on the capture with which the recording continues.
    assert output.index(b"\nfirst") < output.index(b"\nlost") < output.index(b"\nsecond")


async def test_another_programs_pipe_ends_a_recording_and_is_not_touched(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    row = await started(tmux)
    run_tmux("pipe-pane", "-t", row.pane, f"cat >{tmp_path}/theirs")

    async def broken() -> bool:
        await check_recordings(tmux)
        return (await state_of(row)).state == "broken"

    await eventually(broken)
    assert "another program" in (await state_of(row)).problem
    assert (await tmux.pane(row.pane)).piped


async def test_recordings_end_with_tmux_and_are_not_resumed_in_a_new_one(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    row = await started(tmux)
    await end_server(run_tmux)

    async def done() -> bool:
        await check_recordings(tmux)
        return (await state_of(row)).state == "done"

    await eventually(done)
    start_server(run_tmux)

    async def back() -> bool:
        return tmux.problem == "" and tmux.server_run != row.life

    await eventually(back)
    assert (await started(tmux)).key != row.key


# --- limits -----------------------------------------------------------------------------------


async def test_a_recording_stops_at_its_limit_with_the_reason(
    tmux: Tmux, settings: Settings
) -> None:
    limit(settings, recording_max_mb=1)
    row = await started(tmux)
    await tmux.type(row.pane, b"seq 1 400000\r")

    async def broken() -> bool:
        await check_recordings(tmux)
        return (await state_of(row)).state == "broken"

    await eventually(broken)
    row = await state_of(row)
    assert "WEBTMUX_RECORDING_MAX_MB (1 MB)" in row.problem
    assert 1_000_000 <= row.size < 3_000_000
    assert labels(row)[-1].startswith("it has reached")
    assert not (await tmux.pane(row.pane)).dead


async def test_the_total_size_of_recordings_is_limited(tmux: Tmux, settings: Settings) -> None:
    limit(settings, recordings_max_mb=1)
    row = await started(tmux)
    await tmux.type(row.pane, b"seq 1 400000\r")

    async def broken() -> bool:
        await check_recordings(tmux)
        return (await state_of(row)).state == "broken"

    await eventually(broken)
    assert "WEBTMUX_RECORDINGS_MAX_MB" in (await state_of(row)).problem
    with pytest.raises(Refused, match="delete some"):
        await started(tmux)


async def test_no_recording_starts_when_the_disk_is_nearly_full(
    tmux: Tmux, settings: Settings
) -> None:
    limit(settings, recordings_free_mb=999_999_999)
    with pytest.raises(Refused, match="make room"):
        await started(tmux)
    assert await in_db(Recording.objects.count)() == 0


async def test_old_and_excess_recordings_are_pruned_with_their_files(
    tmux: Tmux, settings: Settings
) -> None:
    rows = []
    for _ in range(3):
        row = await started(tmux)
        rows.append(await recordings.stop_recording(tmux=tmux, key=row.key))
    running = await started(tmux)
    old = {"ended_at": "2020-01-01T00:00:00Z"}
    await in_db(Recording.objects.filter(pk=rows[0].pk).update)(**old)
    await in_db(Recording.objects.filter(pk__in=[rows[1].pk]).update)(size=5_000_000_000)
    await in_db(list)(prune(settings.WEBTMUX))
    kept = await in_db(list)(Recording.objects.all())
    assert {row.key for row in kept} == {rows[2].key, running.key}
    assert [files_of(row).directory.exists() for row in rows] == [False, False, True]


# --- markers, names, deletion -----------------------------------------------------------------


async def test_prompts_and_moved_tasks_become_markers(tmux: Tmux) -> None:
    row = await started(tmux)
    assert row.window is not None
    window, ts = row.window, int(row.started_at.timestamp() * 1000) + 1500
    prompt = NewRecord(role=Role.USER, text="fix the\nbug", ts=ts, pane=row.pane)
    await in_db(add_record)(window=window, new=prompt)
    elsewhere = NewRecord(role=Role.USER, text="not here", ts=ts, pane="%99")
    await in_db(add_record)(window=window, new=elsewhere)
    answer = NewRecord(role=Role.ASSISTANT, text="an answer", ts=ts, pane=row.pane)
    await in_db(add_record)(window=window, new=answer)
    project = await in_db(lambda: window.project)()
    await in_db(write_notes)(owner=project, notes="[NS] ship it\n[NS] stay", actor="test")
    change = TaskChange(action="set_status", index=0, status=Status.WIP)
    await in_db(update_task)(owner=project, change=change, actor="test")
    markers = {marker.label: marker.time for marker in files_of(row).markers()}
    assert set(markers) == {"fix the bug", "NS → WIP: ship it"}
    assert markers["fix the bug"] == pytest.approx(1.5, abs=0.01)


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
        await in_db(get_recording)(key=row.key)


async def test_a_recording_outlives_the_row_of_its_window(tmux: Tmux) -> None:
    row = await started(tmux)
    await recordings.stop_recording(tmux=tmux, key=row.key)
    assert row.window is not None
    await in_db(row.window.delete)()
    assert (await state_of(row)).window is None
    await sync.sync(tmux)


async def test_recordings_are_private(tmux: Tmux) -> None:
    row = await started(tmux)
    files = files_of(row)
    assert all(path.stat().st_mode & 0o077 == 0 for path in files.directory.iterdir())
    await recordings.stop_recording(tmux=tmux, key=row.key)
    assert all(path.stat().st_mode & 0o077 == 0 for path in files.directory.iterdir())
    assert files.directory.stat().st_mode & 0o077 == 0


def test_an_interrupted_merge_of_files_is_repeated(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path / "one")
    files.create()
    files.write_header(b'{"version": 2}\n')
    files.add(b'[0.0, "o", "a"]\n')
    (files.directory / "recording.cast.draft").write_bytes(b"half")
    files.finish()
    files.finish()
    assert list(files.lines()) == [b'{"version": 2}\n', b'[0.0, "o", "a"]\n']
