"""Waiting on a real tmux: it wakes for what is new, and for nothing else."""

import asyncio
import time

import pytest

from agents import registry
from agents.conditions import BACKLOG_LIMIT, Finder
from agents.registry import Agent
from agents.rules import State
from agents.waiting import Happened, Waited, Wanted, wait_for_window
from terminals.errors import Invalid
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow
from tests.terminals.tmux.waiting import eventually


async def windows(tmux: Tmux, *commands: str) -> list[WindowRow]:
    made = [await tmux.new_window("$0", command=command) for command in commands]
    rows = {row.id: row for row in await tmux.windows()}
    return [rows[one.window_id] for one in made]


async def listening(tmux: Tmux) -> None:
    """Until somebody taps a pane."""

    async def look() -> bool:
        return any(stream.busy for stream in tmux.streams._streams.values())

    await eventually(look)


def start(
    tmux: Tmux, rows: list[WindowRow], wanted: Wanted, *, every: bool = False, seconds: float = 10
) -> "asyncio.Task[Waited]":
    return asyncio.create_task(
        wait_for_window(tmux=tmux, windows=rows, wanted=wanted, every=every, seconds=seconds)
    )


async def test_only_new_text_counts(tmux: Tmux) -> None:
    [row] = await windows(tmux, "echo ready; exec cat")
    await eventually(lambda: shows(tmux, row, b"ready"))
    waiting = start(tmux, [row], Wanted(text="ready"), seconds=10)
    await listening(tmux)
    await tmux.type(row.pane_id, b"now it is ready\n")
    told = await waiting
    assert (told.met, told.windows) == (True, [Happened(row, "text", "now it is ready")])

    # The terminal's echo came first; cat says it once more.
    await eventually(lambda: shows(tmux, row, b"now it is ready\nnow it is ready"))
    told = await start(tmux, [row], Wanted(text="ready"), seconds=0.2)
    assert (told.met, told.windows[0].why) == (False, "time_out")


async def shows(tmux: Tmux, row: WindowRow, text: bytes) -> bool:
    return text in await tmux.capture(row.pane_id)


async def test_a_pattern_is_found_across_colours_and_pieces(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    waiting = start(tmux, [row], Wanted(pattern=r"^built \d+ of \d+$"))
    await listening(tmux)
    await tmux.type(row.pane_id, b"built \x1b[1m7")
    await tmux.type(row.pane_id, b"\x1b[0m of 12\n")
    [happened] = (await waiting).windows
    assert happened.why == "pattern"


async def test_quiet_is_counted_from_the_last_output(tmux: Tmux) -> None:
    [row] = await windows(tmux, "for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; exec cat")
    began = time.monotonic()
    told = await start(tmux, [row], Wanted(quiet_ms=300))
    assert told.windows[0].why == "quiet"
    assert time.monotonic() - began > 0.6


@pytest.mark.parametrize("shell", ["sh", "bash --norc"])
async def test_the_end_of_a_command_is_seen_by_the_prompt(tmux: Tmux, shell: str) -> None:
    [row] = await windows(tmux, f"exec {shell}")
    await start(tmux, [row], Wanted(command_ends=True))  # its first prompt
    await tmux.type(row.pane_id, b"sleep 0.5; echo over\r")
    began = time.monotonic()
    told = await start(tmux, [row], Wanted(command_ends=True))
    assert told.windows[0].why == "command_ended"
    assert time.monotonic() - began > 0.4
    assert await shows(tmux, row, b"\nover\n")


async def test_the_state_of_an_agent_wakes_it(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    agent = Agent("a", "claude", "/", False, row.pane_id, row.id, "work", 1, State.WORKING)
    registry.current().replace([agent])
    try:
        waiting = start(tmux, [row], Wanted(states=frozenset({State.IDLE, State.WAITING})))
        await listening(tmux)
        idle = Agent("a", "claude", "/", False, row.pane_id, row.id, "work", 1, State.IDLE)
        registry.current().replace([idle])
        assert (await waiting).windows == [Happened(row, "state", "idle")]
    finally:
        registry.current().replace(())


async def test_any_or_every_one_of_several_windows(tmux: Tmux) -> None:
    rows = await windows(tmux, "exec cat", "exec cat")
    any_of = start(tmux, rows, Wanted(text="go"))
    all_of = start(tmux, rows, Wanted(text="go"), every=True)
    await listening(tmux)

    async def tapped() -> bool:
        stream = next(iter(tmux.streams._streams.values()))
        return sum(len(pane.taps) for pane in stream._panes.values()) == 4

    await eventually(tapped)
    await tmux.type(rows[1].pane_id, b"go\n")
    told = await any_of
    assert [one.why for one in told.windows] == ["time_out", "text"]
    assert told.met
    assert not all_of.done()
    await tmux.type(rows[0].pane_id, b"go\n")
    assert [one.why for one in (await all_of).windows] == ["text", "text"]


async def test_a_window_that_ends_ends_the_wait(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    waiting = start(tmux, [row], Wanted(text="never"))
    await listening(tmux)
    await tmux.kill(row.id)
    told = await waiting
    assert (told.met, told.windows[0].why) == (False, "window_ended")


async def test_progress_is_told_while_it_waits(tmux: Tmux, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.waiting.NOTE_SECONDS", 0.05)
    [row] = await windows(tmux, "exec cat")
    notes: list[tuple[float, float, str]] = []

    async def note(gone: float, of: float, what: str) -> None:
        notes.append((gone, of, what))

    wanted = Wanted(text="never")
    await wait_for_window(tmux=tmux, windows=[row], wanted=wanted, seconds=0.3, progress=note)
    assert len(notes) >= 3
    assert notes[0][0] < notes[-1][0] <= notes[0][1] + 0.1
    assert notes[0][2] == "0 of 1 windows done"


async def test_what_cannot_be_waited_for_is_refused(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    for wanted, seconds in (
        (Wanted(), 1.0), (Wanted(text="a\nb"), 1.0), (Wanted(pattern="("), 1.0),
        (Wanted(pattern=r"(a)\1"), 1.0), (Wanted(quiet_ms=1), 1.0), (Wanted(text="a"), 601.0),
    ):  # fmt: skip
        with pytest.raises(Invalid):
            await wait_for_window(tmux=tmux, windows=[row], wanted=wanted, seconds=seconds)
    with pytest.raises(Invalid, match="1 to 50 windows"):
        await wait_for_window(tmux=tmux, windows=[], wanted=Wanted(text="a"))


def look(finder: Finder) -> None:
    while data := finder.take():
        finder.look(data)


def test_a_pattern_that_a_backtracking_engine_never_finishes_is_quick() -> None:
    finder = Finder(pattern="(a+)+$")
    finder.feed(b"a" * 4000 + b"!")
    look(finder)
    assert finder.found is None


def test_small_pieces_of_output_are_looked_at_together() -> None:
    """A line that comes byte by byte is not searched again for each of them."""
    finder = Finder(pattern="needle")
    for byte in b"x" * 3000 + b"needle":
        finder.feed(bytes((byte,)))
    assert finder.take() == b"x" * 3000 + b"needle"
    assert finder.take() == b""


def test_a_flood_is_skipped_and_that_is_told() -> None:
    finder = Finder(text="needle")
    for _ in range(40):
        finder.feed(b"x" * (BACKLOG_LIMIT // 20))
    finder.feed(b"\nneedle\n")
    look(finder)
    assert (finder.found, finder.skipped) == ("needle", True)
