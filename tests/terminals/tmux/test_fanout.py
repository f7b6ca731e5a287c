"""Viewers: exact joins, true pictures, bounded memory."""

import asyncio
import contextlib
import random
import re
import shlex
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

from terminals.tmux import fanout
from terminals.tmux.driver import Kind, Tmux, Viewer
from terminals.tmux.viewer import BACKLOG_LIMIT
from tests.terminals.tmux.screens import Rebuilt
from tests.terminals.tmux.waiting import eventually

JOINS = 60  # `make bench-tmux` does 500
PACED = """import time
for number in range(10**9):
    print(number, flush=True)
    if number % 7 == 0:
        time.sleep(0.001)
"""
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|[)(][0-9A-Z]|c)|[\x0e\x0f]")


async def joined_numbers(tmux: Tmux, pane: str, enough: int = 8000) -> list[int]:
    """What a new viewer has read of a pane that counts, picture and output in one."""
    viewer = tmux.view(pane)
    try:
        read = b""
        while len(read) < enough:
            chunk = await asyncio.wait_for(viewer.read(), 10)
            assert chunk is not None
            read += _ESCAPE.sub(b"", chunk.data) if chunk.kind is Kind.SNAPSHOT else chunk.data
        return [int(word) for word in re.findall(rb"\d+", read[: read.rindex(b"\r")])]
    finally:
        viewer.close()


@pytest.mark.parametrize("writer", ["as fast as it can", "with pauses"])
async def test_a_join_at_any_moment_has_no_gap_and_no_repeat(
    tmux: Tmux, tmp_path: Path, writer: str
) -> None:
    program = tmp_path / "count.py"
    program.write_text(PACED)
    paced = shlex.join([sys.executable, str(program)])
    command = "seq 1 999999999" if writer == "as fast as it can" else paced
    made = await tmux.new_session("count", command=f"exec {command}")
    chance = random.Random(7)
    for _ in range(JOINS):
        await asyncio.sleep(chance.random() * 0.01)
        numbers = await joined_numbers(tmux, made.pane_id)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_several_joins_to_a_pane_that_nobody_watched_are_exact(tmux: Tmux) -> None:
    made = await tmux.new_session("count", command="exec seq 1 999999999")
    for _ in range(10):
        await joined_numbers(tmux, made.pane_id)
        await asyncio.sleep(0.02)  # the pane is paused: nobody watches it
        for numbers in await asyncio.gather(
            *(joined_numbers(tmux, made.pane_id) for _ in range(4))
        ):
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_a_stream_forgets_the_panes_that_have_ended(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id)
    await asyncio.wait_for(viewer.read(), 5)
    stream = await tmux.streams.of(pane.id)
    for _ in range(5):
        await tmux.new_window(pane.session_id, command="echo hi; sleep 0.05")

    async def only_ours() -> bool:
        return list(stream._panes) == [pane.id]

    await eventually(only_ours)


async def follow(viewer: Viewer, rebuilt: Rebuilt) -> None:
    """Draw until the pane is quiet."""
    while True:
        try:
            chunk = await asyncio.wait_for(viewer.read(), 0.4)
        except TimeoutError:
            return
        assert chunk is not None
        rebuilt.feed(chunk.data)


PROGRAMS = {
    "a prompt with text": ["printf 'one\\ntwo \\033[31mred\\033[0m three'", "Enter"],
    "more than a screen": ["seq 200", "Enter"],
    "a line that wraps": ["printf '%0200d' 7", "Enter"],
    "wide characters": ["printf '漢字 🙂 e\\314\\201 | 漢漢漢漢'", "Enter"],
    "less": ["seq 500 | less", "Enter", "", "Down", "Down"],
    "vim": ["vim -n -u NONE -c 'set nocp'", "Enter", "", "ihello wörld", "Enter", "2", "Escape"],
    "an alternate screen with modes": [
        "clear; printf '\\033[?1049h\\033[?1h\\033[?1000h\\033[?1006h\\033[?25l\\033[3;9r'",
        "; printf '\\033[4;5Hin the middle'; cat", "Enter",
    ],
    "the last column": ["clear; printf '%080d' 1; sleep 100", "Enter"],
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
async def test_the_rebuilt_screen_equals_the_pane(tmux: Tmux, program: str) -> None:
    [pane] = await tmux.panes()
    early, late = Rebuilt(pane.width, pane.height), Rebuilt(pane.width, pane.height)
    from_the_start, joined_later = tmux.view(pane.id), tmux.view(pane.id)
    await follow(from_the_start, early)
    for step in PROGRAMS[program]:
        if step in {"Enter", "Down", "Escape"}:
            await tmux.press(pane.id, step)
        elif step:
            await tmux.type(pane.id, step.encode())
        await follow(from_the_start, early)
    await follow(joined_later, late)
    shown = normalize("NFC", (await tmux.capture(pane.id)).decode()).rstrip("\n").split("\n")
    told = await tmux.link.run(
        ("display-message", "-p", "-t", pane.id, "#{cursor_x} #{cursor_y} #{cursor_flag} "
         "#{keypad_cursor_flag} #{mouse_standard_flag} #{mouse_sgr_flag}")
    )  # fmt: skip
    x, y, visible, app_cursor, mouse, sgr = map(int, told[0][0].split())
    for rebuilt in (early, late):
        rows = rebuilt.screen.rows()
        assert rows[: len(shown)] == [row.rstrip() for row in shown]
        assert not any(rows[len(shown) :])
        assert (rebuilt.screen.cursor.x, rebuilt.screen.cursor.y) == (x, y)
        assert rebuilt.screen.has(25) == bool(visible)
        assert rebuilt.screen.has(1) == bool(app_cursor)
        assert rebuilt.screen.has(1000) == bool(mouse)
        assert rebuilt.screen.has(1006) == bool(sgr)
    from_the_start.close()
    joined_later.close()


async def test_modes_that_only_the_stream_tells_are_restored(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    first = tmux.view(pane.id)
    await asyncio.wait_for(first.read(), 5)
    await tmux.type(pane.id, b"printf '\\033[?2004h\\033[?1004h'; cat\r")
    await follow(first, Rebuilt(80, 24))
    second = tmux.view(pane.id)
    chunk = await asyncio.wait_for(second.read(), 5)
    assert chunk is not None
    assert b"\x1b[?2004h" in chunk.data
    assert b"\x1b[?1004h" in chunk.data


async def test_a_slow_viewer_repaints_and_the_others_never_notice(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    slow, quick = tmux.view(pane.id), tmux.view(pane.id)
    slow_screen, quick_screen = Rebuilt(80, 24), Rebuilt(80, 24)
    for viewer, rebuilt in ((slow, slow_screen), (quick, quick_screen)):
        chunk = await asyncio.wait_for(viewer.read(), 5)
        assert chunk is not None
        rebuilt.feed(chunk.data)
    await tmux.type(pane.id, b"seq 1 200000; echo the e''nd\r")
    kinds, read = set(), b""
    while b"the end\r\n" not in read[-4000:]:
        chunk = await asyncio.wait_for(quick.read(), 10)
        assert chunk is not None
        kinds.add(chunk.kind)
        read += chunk.data
        assert slow._size <= BACKLOG_LIMIT
    quick_screen.feed(read)
    assert kinds == {Kind.OUTPUT}
    chunk = await asyncio.wait_for(slow.read(), 5)
    assert chunk is not None
    assert chunk.kind is Kind.SNAPSHOT
    slow_screen.feed(chunk.data)
    await follow(slow, slow_screen)
    await follow(quick, quick_screen)
    assert slow_screen.screen.rows() == quick_screen.screen.rows()


async def test_a_viewer_with_credit_gets_one_window_until_it_acknowledges(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id, window=10_000)
    picture = await asyncio.wait_for(viewer.read(), 5)
    assert picture is not None
    viewer.acknowledge(len(picture.data))
    await tmux.type(pane.id, b"seq 1 20000\r")
    got = 0
    with contextlib.suppress(TimeoutError):
        while chunk := await asyncio.wait_for(viewer.read(), 0.5):
            got += len(chunk.data)
    assert got == 10_000
    viewer.acknowledge(got)
    chunk = await asyncio.wait_for(viewer.read(), 5)
    assert chunk is not None
    assert chunk.data


async def test_a_viewer_ends_with_its_pane(tmux: Tmux) -> None:
    made = await tmux.new_session("short", command="exec sh")
    viewer = tmux.view(made.pane_id)
    await asyncio.wait_for(viewer.read(), 5)
    await tmux.kill(made.pane_id)
    while chunk := await asyncio.wait_for(viewer.read(), 5):
        assert chunk.kind is not Kind.SNAPSHOT
    assert viewer.ended


async def test_a_viewer_follows_its_pane_into_another_session(tmux: Tmux) -> None:
    made = await tmux.new_session("other", command="exec sh")
    extra = await tmux.new_window(made.session_id, command="exec sh")
    viewer = tmux.view(extra.pane_id)
    await asyncio.wait_for(viewer.read(), 5)
    [work] = [row for row in await tmux.sessions() if row.name == "work"]
    await tmux.link.run(("move-window", "-s", extra.window_id, "-t", f"{work.id}:"))
    chunk = await asyncio.wait_for(viewer.read(), 5)
    while chunk is not None and chunk.kind is not Kind.SNAPSHOT:
        chunk = await asyncio.wait_for(viewer.read(), 5)
    await tmux.type(extra.pane_id, b"echo moved\r")
    read = b""
    while b"moved\r\n" not in read:
        chunk = await asyncio.wait_for(viewer.read(), 5)
        assert chunk is not None
        read += chunk.data


async def test_a_stream_closes_after_its_last_viewer(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    from terminals.tmux import streams

    monkeypatch.setattr(streams, "LINGER_SECONDS", 0.05)
    [pane] = await tmux.panes()
    viewer = tmux.view(pane.id)
    await asyncio.wait_for(viewer.read(), 5)

    async def clients() -> int:
        [told] = await tmux.link.run(("list-clients", "-F", "#{client_name}"))
        return len(told)

    assert await clients() == 2
    viewer.close()

    async def only_the_monitor() -> bool:
        return await clients() == 1

    await eventually(only_the_monitor)


@pytest.mark.parametrize(
    ("tail", "cut"),
    [(b"a", b""), (b"\xc3", b"\xc3"), (b"\xc3\xa9", b""), (b"x\xf0\x9f\x99", b"\xf0\x9f\x99"),
     (b"\xf0\x9f\x99\x82", b""), (b"", b""), (b"\x99\x99\x99", b"")],
)  # fmt: skip
def test_only_an_unfinished_character_is_carried_over(tail: bytes, cut: bytes) -> None:
    from terminals.tmux.snapshot import cut_character

    assert cut_character(tail) == cut


def test_the_rest_of_an_unseen_character_is_dropped() -> None:
    assert fanout._whole_start(b"\x99\x82ok") == b"ok"
    assert fanout._whole_start(b"ok\x99") == b"ok\x99"
