"""The log writer: exact bytes and offsets, and limits under full load."""

import asyncio
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from config.env import Env
from config.retention import LOGS, PruneProgress, prune
from terminals.logs import worker as logs_worker
from terminals.logs import writer as log_writer
from terminals.logs.writer import (
    BLOCK,
    LogLimits,
    Segment,
    StoredLog,
    Writer,
    plan_removal,
    segments,
)
from terminals.tmux import pane_logs as tmux_logs
from terminals.tmux.driver import Tmux
from tests.waiting import LONGEST_SECONDS, eventually, wait_until

SEGMENT = 64 * 1024
NO_FLOOR = LogLimits(pane=SEGMENT * 8, total=0, floor=0)
PLENTY = 1 << 50


def used(directory: Path) -> int:
    return sum(segment.size for segment in segments(directory))


def writer(root: Path, limits: LogLimits = NO_FLOOR, name: str = "pane-%1") -> Writer:
    return Writer(root / name, root, limits, limits.segment)


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


# --- one log ----------------------------------------------------------------------------------


def test_every_byte_is_at_its_offset(tmp_path: Path) -> None:
    data = noise(SEGMENT * 5 + 123)
    log = writer(tmp_path)
    for start in range(0, len(data), 10_007):
        log.write(data[start : start + 10_007])
    stored = segments(tmp_path / "pane-%1")
    assert [segment.start for segment in stored] == [number * SEGMENT for number in range(6)]
    assert b"".join(segment.path.read_bytes() for segment in stored) == data
    assert log.offset == len(data)


def test_the_limit_of_a_pane_holds_after_every_write(tmp_path: Path) -> None:
    log, data = writer(tmp_path), noise(SEGMENT * 40)
    for start in range(0, len(data), 5000):
        log.write(data[start : start + 5000])
        assert used(tmp_path / "pane-%1") <= NO_FLOOR.pane
    stored = segments(tmp_path / "pane-%1")
    first = stored[0].start
    assert b"".join(segment.path.read_bytes() for segment in stored) == data[first:]
    assert len(data) - first >= NO_FLOOR.pane - 2 * SEGMENT  # and little less is kept
    piece = tmux_logs.PaneLog(tmp_path / "pane-%1").read(5, 10)
    assert (piece.start, piece.chunk, piece.truncated) == (first, data[first : first + 10], True)


def test_a_new_writer_continues_after_the_last_byte(tmp_path: Path) -> None:
    for part in (b"first ", b"second"):
        with closing(writer(tmp_path)) as log:
            log.write(part)
    piece = tmux_logs.PaneLog(tmp_path / "pane-%1").read(0, 100)
    assert (piece.chunk, piece.start, piece.next) == (b"first second", 0, 12)


def test_too_little_free_space_drops_output_but_counts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = LogLimits(pane=0, total=0, floor=1000)
    available = [PLENTY]
    monkeypatch.setattr(log_writer, "free", lambda directory: available[0])
    monkeypatch.setattr(log_writer, "RETRY_SECONDS", 0.0)
    log = writer(tmp_path, limits)
    log.write(b"kept")
    available[0] = 900
    log.write(b"dropped")
    assert used(tmp_path / "pane-%1") == 0  # the oldest was removed, and it was not enough
    available[0] = PLENTY
    log.write(b"again")
    read = tmux_logs.PaneLog(tmp_path / "pane-%1").read(0, 100)
    assert (read.start, read.chunk, read.truncated) == (11, b"again", True)


def test_a_full_disk_drops_output_but_counts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_writer, "RETRY_SECONDS", 0.0)
    log, write, full = writer(tmp_path), os.write, [True]

    def refuse(file: int, data: bytes) -> int:
        if full[0]:
            raise OSError(28, "No space left on device")
        return write(file, data)

    log.write(b"before")
    with monkeypatch.context() as broken:
        broken.setattr(log_writer, "RETRY_SECONDS", 100.0)
        broken.setattr(os, "write", refuse)
        log.write(b"lost")
    log._retry_at = 0.0
    log.write(b"after")
    read = tmux_logs.PaneLog(tmp_path / "pane-%1")
    assert read.read(0, 100).chunk == b"before"
    assert read.read(6, 100).start == 10
    assert read.read(10, 100).chunk == b"after"


# --- all logs ---------------------------------------------------------------------------------


def test_many_writers_stay_below_the_total_limit(tmp_path: Path) -> None:
    limits = LogLimits(pane=SEGMENT * 8, total=SEGMENT * 20, floor=0)
    logs = [writer(tmp_path, limits, f"main/1-2/pane-%{number}") for number in range(4)]
    for turn in range(60):
        for log in logs:
            log.write(noise(SEGMENT // 3, seed=turn))
            assert sum(path.stat().st_size for path in tmp_path.rglob("0*")) <= limits.total


def test_concurrent_writers_stay_below_the_total_limit(tmp_path: Path) -> None:
    limits = LogLimits(pane=0, total=SEGMENT * 32, floor=0)
    threads = [
        threading.Thread(target=writer(tmp_path, limits, f"pane-%{n}").write, args=(noise(10**7),))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()

    def sizes() -> list[int]:
        return [segment.size for n in range(4) for segment in segments(tmp_path / f"pane-%{n}")]

    def all_ended() -> bool:
        before, after = sizes(), sizes()
        # A list that was read while a segment was removed may contain its successor as well.
        assert before != after or sum(after) <= limits.total
        return not any(thread.is_alive() for thread in threads)

    wait_until(all_ended)


def stored_log(name: str, *sizes: int, changed: float = 0.0, live: bool = False) -> StoredLog:
    rows, start = [], 0
    for number, size in enumerate(sizes):
        rows.append(Segment(start, size, changed + number, Path(f"/logs/{name}/{start:016}")))
        start += size
    return StoredLog(tuple(rows), live)


def names(removed: list[Segment]) -> list[str]:
    return sorted(f"{segment.path.parent.name}:{segment.start}" for segment in removed)


def test_the_oldest_segments_of_all_logs_are_removed_first() -> None:
    limits = LogLimits(pane=0, total=3 * 10**8, floor=0)
    old, young = (
        stored_log("old", 10**8, 10**8, changed=1),
        stored_log("young", 10**8, 10**8, changed=100),
    )
    removal = plan_removal([young, old], limits, available=PLENTY)
    assert (names(removal.segments), removal.sufficient) == (["old:0"], True)


def test_a_live_log_keeps_its_last_segment() -> None:
    limits = LogLimits(pane=0, total=10**6 - 1, floor=0)
    busy = stored_log("busy", 10**6, 10**6, live=True)
    removal = plan_removal([busy], limits, available=PLENTY)
    assert (names(removal.segments), removal.sufficient) == (["busy:0"], False)
    ended = stored_log("ended", 10**6, 10**6)
    assert len(plan_removal([ended], limits, available=PLENTY).segments) == 2


def test_too_little_free_space_removes_segments() -> None:
    limits = LogLimits(pane=0, total=0, floor=10**9)
    removal = plan_removal([stored_log("a", 10**8, 10**8)], limits, available=9 * 10**8 + 5)
    assert (names(removal.segments), removal.sufficient) == (["a:0"], True)
    assert not plan_removal([], limits, available=5).sufficient


def test_many_tiny_segments_count_as_blocks() -> None:
    limits = LogLimits(pane=10 * BLOCK, total=0, floor=0)
    assert len(plan_removal([stored_log("a", *[1] * 50)], limits, available=PLENTY).segments) == 40


def test_old_logs_of_ended_panes_are_removed(tmp_path: Path) -> None:
    env = Env(data_dir=tmp_path, logs_free_mb=0, keep_logs_days=7)
    root = tmp_path / "logs"
    for name in ("old", "young", "live"):
        with closing(writer(root, name=f"main/1-2/pane-%{name}")) as log:
            log.write(b"text")
    for name in ("old", "live"):
        for segment in segments(root / "main" / "1-2" / f"pane-%{name}"):
            os.utime(segment.path, (time.time() - 8 * 86_400,) * 2)
    lock = log_writer.lock(root / "main" / "1-2" / "pane-%live")
    try:
        assert logs_worker.prune_logs(env, dry_run=True) == 1
        assert logs_worker.prune_logs(env) == 1
    finally:
        os.close(lock)
    assert sorted(path.name for path in (root / "main" / "1-2").iterdir()) == [
        "pane-%live",
        "pane-%young",
    ]


@pytest.mark.django_db
def test_prune_includes_logs(tmp_path: Path) -> None:
    env = Env(data_dir=tmp_path, log_max_mb=1, logs_free_mb=0)
    directory = tmp_path / "logs" / "tabs" / "1-2" / "pane-%1"
    directory.mkdir(parents=True)
    for number in range(4):  # written by split(1), which removes nothing
        (directory / f"{number:06}").write_bytes(bytes(600_000))
    assert PruneProgress(LOGS, 0, 3) in prune(env, dry_run=True)
    assert PruneProgress(LOGS, 3, 3) in prune(env)
    assert [path.name for path in directory.iterdir()] == ["000003"]
    assert PruneProgress(LOGS, 0, 0) in prune(env)


async def test_the_worker_prunes_and_stops(tmp_path: Path) -> None:
    env = Env(data_dir=tmp_path, log_max_mb=1, logs_free_mb=0)
    directory = tmp_path / "logs" / "main" / "1-2" / "pane-%1"
    directory.mkdir(parents=True)
    for number in range(3):
        (directory / f"{number:06}").write_bytes(bytes(900_000))
    stop = asyncio.Event()
    worker = asyncio.create_task(logs_worker.keep_logs(env, stop=stop))

    async def pruned() -> bool:
        return len(list(directory.iterdir())) == 1

    await eventually(pruned)
    stop.set()
    await asyncio.wait_for(worker, LONGEST_SECONDS)


# --- the process ------------------------------------------------------------------------------


def test_the_process_needs_only_the_standard_library(tmp_path: Path) -> None:
    directory = tmp_path / "a b" / "pane-%1"
    arguments = [str(directory), str(tmp_path), str(SEGMENT), str(SEGMENT * 4), "0", "0"]
    data = noise(SEGMENT * 9)
    subprocess.run(
        [sys.executable, "-I", "-S", log_writer.__file__, *arguments],
        input=data, check=True, cwd="/", env={}, timeout=LONGEST_SECONDS,
    )  # fmt: skip
    kept = b"".join(segment.path.read_bytes() for segment in segments(directory))
    assert data.endswith(kept)
    assert SEGMENT * 2 < len(kept) <= SEGMENT * 4


async def test_a_pane_at_full_speed_stays_within_its_limit(tmux: Tmux, tmp_path: Path) -> None:
    """Only the writer runs here, as while webtmux is stopped."""
    limits = LogLimits(pane=2_000_000, total=0, floor=0)
    created = await tmux.new_session("flood", command="read x; exec yes 'a line of a flood'")
    log = await tmux_logs.PaneLogs(tmux, tmp_path, limits=limits).attach(created.pane_id)
    await tmux.press(created.pane_id, "Enter")
    largest = 0

    async def written() -> bool:
        nonlocal largest
        largest = max(largest, used(log.directory))
        return log.size() > 10 * limits.pane

    await eventually(written)
    assert largest <= limits.pane
    assert log.read(0, 10).truncated
    await tmux.kill(created.pane_id)
