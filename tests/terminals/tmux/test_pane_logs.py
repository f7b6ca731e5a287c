"""Durable logs: exact, bounded, found after a restart, and careful with other pipes."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Invalid, NotFound, Refused
from terminals.logs.writer import SEGMENT as SPLIT_SEGMENT
from terminals.tmux.driver import Tmux
from terminals.tmux.pane_logs import PaneLog, PaneLogs
from tests.conftest import RunTmux
from tests.waiting import eventually

SEGMENT = 1000


def make(directory: Path, data: bytes) -> PaneLog:
    """A log as split(1) wrote it up to version 0.1: segments have numbers."""
    for number, offset in enumerate(range(0, len(data), SEGMENT)):
        (directory / f"{number:06}").write_bytes(data[offset : offset + SEGMENT])
    return PaneLog(directory, segment=SEGMENT)


LINES = b"".join(b"line %d\r\n" % number for number in range(2000)) + b"unfinished"


def test_the_tail_is_the_last_lines(tmp_path: Path) -> None:
    log = make(tmp_path, LINES)
    parts = LINES.split(b"\n")
    for count in (1, 2, 3, 100, 1999, 2000):
        tail = log.tail(count)
        assert (tail.content, tail.lines, tail.truncated) == (
            b"\n".join(parts[-count:]),
            count,
            True,
        )
    whole = log.tail(5000)
    assert (whole.content, whole.lines, whole.truncated) == (LINES, 2001, False)
    assert log.tail(2001).truncated is False


def test_an_empty_log_has_an_empty_tail(tmp_path: Path) -> None:
    log = PaneLog(tmp_path, segment=SEGMENT)
    assert log.tail(5).content == b""
    assert log.read(0).eof


@given(start=st.integers(0, len(LINES) + 10), most=st.integers(1, 5000))
def test_a_read_by_offset_is_exact(
    tmp_path_factory: pytest.TempPathFactory, start: int, most: int
) -> None:
    log = make(tmp_path_factory.mktemp("log"), LINES)
    piece = log.read(start, most)
    assert piece.chunk == LINES[start : start + most]
    assert piece.next == max(start, min(len(LINES), start + most))
    assert piece.eof == (start + most >= len(LINES))
    assert not piece.truncated


def test_reading_from_next_returns_every_byte_once(tmp_path: Path) -> None:
    log, offset, read = make(tmp_path, LINES), 0, b""
    while not (piece := log.read(offset, 777)).eof:
        read, offset = read + piece.chunk, piece.next
    assert read + piece.chunk == LINES


def test_an_old_offset_reads_from_the_first_existing_byte(tmp_path: Path) -> None:
    log = make(tmp_path, LINES)
    for segment in log.segments()[:-3]:
        segment.path.unlink()
    first = log.segments()[0].start
    piece = log.read(10, 50)
    assert (piece.truncated, piece.start, piece.chunk) == (True, first, LINES[first : first + 50])
    assert log.size() == len(LINES)


def test_a_read_ends_at_a_gap(tmp_path: Path) -> None:
    """Bytes that were dropped have offsets too: a reader must not count past them."""
    (tmp_path / f"{0:016}").write_bytes(b"before")
    (tmp_path / f"{100:016}").write_bytes(b"after")
    log = PaneLog(tmp_path)
    piece = log.read(0, 50)
    assert (piece.chunk, piece.next, piece.eof, piece.truncated) == (b"before", 6, False, False)
    piece = log.read(6, 50)
    assert (piece.start, piece.chunk, piece.next) == (100, b"after", 105)
    assert (piece.eof, piece.truncated) == (True, True)
    assert log.tail(1).content == b"beforeafter"


def test_a_log_of_an_earlier_version_is_continued(tmp_path: Path) -> None:
    (tmp_path / "000002").write_bytes(b"old")
    start = 2 * SPLIT_SEGMENT
    (tmp_path / f"{start + 3:016}").write_bytes(b" new")
    piece = PaneLog(tmp_path).read(0, 50)
    assert (piece.start, piece.chunk, piece.next) == (start, b"old new", start + 7)


@pytest.mark.parametrize(("start", "most"), [(-1, 10), (0, 0), (0, 10**9)])
def test_reads_are_bounded(tmp_path: Path, start: int, most: int) -> None:
    with pytest.raises(Invalid):
        PaneLog(tmp_path).read(start, most)


async def complete(log: PaneLog, end: bytes) -> bytes:
    """All of a log, once it has `end` among its last lines."""

    async def ended() -> bool:
        return end in log.tail(3).content

    await eventually(ended)
    return b"".join(segment.path.read_bytes() for segment in log.segments())


async def test_every_byte_of_a_flood_is_in_the_log(tmux: Tmux, tmp_path: Path) -> None:
    session = await tmux.new_session(
        "flood", command="read x; seq 1 300000; echo the e''nd; sleep 100"
    )
    log = await PaneLogs(tmux, tmp_path, segment=100_000).attach(session.pane_id)
    await tmux.press(session.pane_id, "Enter")
    written = await complete(log, b"the end\r\n")
    wanted = b"".join(b"%d\r\n" % number for number in range(1, 300_001))
    assert written.endswith(wanted + b"the end\r\n")
    assert len(log.segments()) > 15


async def test_the_log_of_a_pane_that_exits_is_complete(tmux: Tmux, tmp_path: Path) -> None:
    session = await tmux.new_session("brief", command="read x; seq 1 50000; echo the e''nd")
    log = await PaneLogs(tmux, tmp_path).attach(session.pane_id)
    await tmux.press(session.pane_id, "Enter")
    assert (await complete(log, b"the end\r\n")).count(b"\n") == 50_001 + 1


async def test_attaching_again_changes_nothing(tmux: Tmux, tmp_path: Path) -> None:
    [pane] = await tmux.panes()
    logs = PaneLogs(tmux, tmp_path)
    await asyncio.gather(*(logs.attach(pane.id) for _ in range(5)))
    again = await PaneLogs(tmux, tmp_path / "elsewhere").attach(pane.id)
    assert again.directory == (await logs.find(pane.id)).directory
    await tmux.type(pane.id, b"echo o''nce\r")
    assert (await complete(again, b"\nonce\r\n")).count(b"\nonce\r") == 1


async def test_a_log_continues_while_webtmux_is_stopped(
    tmux: Tmux, socket: str, tmp_path: Path, run_tmux: RunTmux
) -> None:
    [pane] = await tmux.panes()
    await PaneLogs(tmux, tmp_path).attach(pane.id)
    await tmux.stop()
    run_tmux("send-keys", "-t", pane.id, "echo meanwhi''le", "Enter")
    driver = Tmux(socket=socket)
    await driver.start()
    try:
        log = await PaneLogs(driver, tmp_path).attach(pane.id)
        await complete(log, b"meanwhile\r\n")
    finally:
        await driver.stop()


async def test_a_new_pipe_continues_after_the_last_byte_of_the_log(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    [pane] = await tmux.panes()
    logs = PaneLogs(tmux, tmp_path)
    log = await logs.attach(pane.id)
    await tmux.type(pane.id, b"echo fir''st\r")
    await complete(log, b"first\r\n")
    run_tmux("pipe-pane", "-t", pane.id)
    await logs.attach(pane.id)
    await tmux.type(pane.id, b"echo seco''nd\r")
    written = await complete(log, b"second\r\n")
    assert written.index(b"first\r\n") < written.index(b"second\r\n")
    assert log.read(0, 100_000).chunk == written  # no gap and no repetition in the offsets


async def test_the_pipe_of_another_program_is_not_replaced(
    tmux: Tmux, tmp_path: Path, run_tmux: RunTmux
) -> None:
    [pane] = await tmux.panes()
    run_tmux("pipe-pane", "-t", pane.id, f"cat >{tmp_path}/theirs")
    with pytest.raises(Refused, match="another program pipes this pane"):
        await PaneLogs(tmux, tmp_path / "ours").attach(pane.id)
    await tmux.type(pane.id, b"echo sti''ll\r")

    async def theirs() -> bool:
        file = tmp_path / "theirs"  # made by a process that may not have begun yet
        return file.exists() and b"still" in file.read_bytes()

    await eventually(theirs)


async def test_a_hostile_directory_is_only_a_directory(tmux: Tmux, tmp_path: Path) -> None:
    odd = tmp_path / "it's #(touch canary) $(touch canary) ;touch canary"
    [pane] = await tmux.panes()
    log = await PaneLogs(tmux, odd).attach(pane.id)
    await tmux.type(pane.id, b"echo he''re\r")
    await complete(log, b"here\r\n")
    assert log.directory.is_relative_to(odd)
    assert not [path for path in tmp_path.rglob("canary") if path.is_file()]


async def test_a_pane_without_a_log_is_reported(tmux: Tmux, tmp_path: Path) -> None:
    [pane] = await tmux.panes()
    with pytest.raises(NotFound, match="not logged"):
        await PaneLogs(tmux, tmp_path).find(pane.id)


async def test_logs_are_private(tmux: Tmux, tmp_path: Path) -> None:
    [pane] = await tmux.panes()
    log = await PaneLogs(tmux, tmp_path / "logs").attach(pane.id)
    await tmux.type(pane.id, b"echo x\r")
    await complete(log, b"x\r\n")
    for segment in log.segments():
        assert segment.path.stat().st_mode & 0o077 == 0
