"""wait_for_window on a real tmux: only new output and changes of state end a wait."""

import asyncio
import time
from itertools import pairwise

import pytest

from agents import registry
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.waiting.output_finder import BACKLOG_LIMIT, OutputFinder
from agents.waiting.wait import WaitCondition, WaitResult, WindowResult, wait_for_window
from core.errors import Invalid
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow
from tests.waiting import LONGEST_SECONDS, eventually


async def windows(tmux: Tmux, *commands: str) -> list[WindowRow]:
    created = [await tmux.new_window("$0", command=command) for command in commands]
    rows = {row.id: row for row in await tmux.windows()}
    return [rows[window.window_id] for window in created]


async def listening(tmux: Tmux) -> None:
    """Until the output of a pane is listened to."""
    await eventually(lambda: any(stream.busy for stream in tmux.streams._streams.values()))


def start(
    tmux: Tmux,
    rows: list[WindowRow],
    condition: WaitCondition,
    *,
    every: bool = False,
    seconds: float = LONGEST_SECONDS,
) -> "asyncio.Task[WaitResult]":
    return asyncio.create_task(
        wait_for_window(tmux=tmux, windows=rows, condition=condition, every=every, seconds=seconds)
    )


async def test_only_new_text_counts(tmux: Tmux) -> None:
    [row] = await windows(tmux, "echo ready; exec cat")
    await eventually(lambda: shows(tmux, row, b"ready"))
    waiting = start(tmux, [row], WaitCondition(text="ready"))
    await listening(tmux)
    await tmux.type(row.pane_id, b"now it is ready\n")
    result = await waiting
    assert (result.met, result.windows) == (True, [WindowResult(row, "text", "now it is ready")])

    # First comes the echo of the terminal, then the output of cat.
    await eventually(lambda: shows(tmux, row, b"now it is ready\nnow it is ready"))
    result = await start(tmux, [row], WaitCondition(text="ready"), seconds=0.2)
    assert (result.met, result.windows[0].reason) == (False, "time_out")


async def shows(tmux: Tmux, row: WindowRow, text: bytes) -> bool:
    return text in await tmux.capture(row.pane_id)


async def test_a_pattern_matches_across_colours_and_pieces_of_output(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    waiting = start(tmux, [row], WaitCondition(pattern=r"^built \d+ of \d+$"))
    await listening(tmux)
    await tmux.type(row.pane_id, b"built \x1b[1m7")
    await tmux.type(row.pane_id, b"\x1b[0m of 12\n")
    [result] = (await waiting).windows
    assert result.reason == "pattern"


async def test_quiet_is_counted_from_the_last_output(tmux: Tmux) -> None:
    [row] = await windows(tmux, "for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; exec cat")
    times: list[float] = []
    async with tmux.tapping(row.pane_id, lambda _: times.append(time.monotonic())):
        times.append(time.monotonic())
        result = await start(tmux, [row], WaitCondition(quiet_ms=300))
        times.append(time.monotonic())
    assert result.windows[0].reason == "quiet"
    # Between two outputs, not in sum: a slow machine may print with longer pauses.
    assert max(later - earlier for earlier, later in pairwise(times)) >= 0.3


@pytest.mark.parametrize("shell", ["sh", "bash --norc"])
async def test_a_command_ends_when_the_shell_is_back_at_its_prompt(tmux: Tmux, shell: str) -> None:
    [row] = await windows(tmux, f"exec {shell}")
    await start(tmux, [row], WaitCondition(command_ends=True))  # its first prompt
    await tmux.type(row.pane_id, b"cat; echo over\r")

    async def is_running() -> bool:
        return (await tmux.pane(row.pane_id)).command == "cat"

    await eventually(is_running)
    waiting = start(tmux, [row], WaitCondition(command_ends=True))
    await listening(tmux)
    await tmux.type(row.pane_id, b"output of the command\r")
    await eventually(lambda: shows(tmux, row, b"output of the command\noutput of the command"))
    assert not waiting.done()
    await tmux.press(row.pane_id, "C-d")
    result = await waiting
    assert result.windows[0].reason == "command_ended"
    assert await shows(tmux, row, b"\nover\n")


async def test_the_state_of_an_agent_ends_a_wait(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    agent = Agent("a", "claude", "/", False, row.pane_id, row.id, "work", 1, AgentState.WORKING)
    registry.current().replace([agent])
    try:
        waiting = start(
            tmux, [row], WaitCondition(states=frozenset({AgentState.IDLE, AgentState.WAITING}))
        )
        await listening(tmux)
        idle = Agent("a", "claude", "/", False, row.pane_id, row.id, "work", 1, AgentState.IDLE)
        registry.current().replace([idle])
        assert (await waiting).windows == [WindowResult(row, "state", "idle")]
    finally:
        registry.current().replace(())


async def test_a_wait_ends_in_any_or_in_every_window(tmux: Tmux) -> None:
    rows = await windows(tmux, "exec cat", "exec cat")
    any_of = start(tmux, rows, WaitCondition(text="go"))
    all_of = start(tmux, rows, WaitCondition(text="go"), every=True)
    await listening(tmux)
    stream = next(iter(tmux.streams._streams.values()))
    await eventually(lambda: sum(len(pane.taps) for pane in stream._panes.values()) == 4)
    await tmux.type(rows[1].pane_id, b"go\n")
    first = await any_of
    assert [result.reason for result in first.windows] == ["time_out", "text"]
    assert first.met
    assert not all_of.done()
    await tmux.type(rows[0].pane_id, b"go\n")
    assert [result.reason for result in (await all_of).windows] == ["text", "text"]


async def test_the_end_of_the_window_ends_a_wait(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    waiting = start(tmux, [row], WaitCondition(text="never"))
    await listening(tmux)
    await tmux.kill(row.id)
    result = await waiting
    assert (result.met, result.windows[0].reason) == (False, "window_ended")


async def test_progress_is_reported_during_a_wait(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.waiting.wait.PROGRESS_SECONDS", 0.05)
    [row] = await windows(tmux, "exec cat")
    reports: list[tuple[float, float, str]] = []

    async def report(elapsed: float, limit: float, message: str) -> None:
        reports.append((elapsed, limit, message))

    condition = WaitCondition(text="over")
    waiting = asyncio.create_task(
        wait_for_window(
            tmux=tmux, windows=[row], condition=condition, seconds=LONGEST_SECONDS, progress=report
        )
    )
    await eventually(lambda: len(reports) >= 3)
    await tmux.type(row.pane_id, b"over\n")
    assert (await waiting).met
    assert reports[0][0] < reports[-1][0] <= LONGEST_SECONDS
    assert reports[0][1] == pytest.approx(LONGEST_SECONDS)
    assert reports[0][2] == "0 of 1 windows done"


async def test_invalid_conditions_are_refused(tmux: Tmux) -> None:
    [row] = await windows(tmux, "exec cat")
    for condition, seconds in (
        (WaitCondition(), 1.0),
        (WaitCondition(text="a\nb"), 1.0),
        (WaitCondition(pattern="("), 1.0),
        (WaitCondition(pattern=r"(a)\1"), 1.0),
        (WaitCondition(quiet_ms=1), 1.0),
        (WaitCondition(text="a"), 601.0),
    ):
        with pytest.raises(Invalid):
            await wait_for_window(tmux=tmux, windows=[row], condition=condition, seconds=seconds)
    with pytest.raises(Invalid, match="1 to 50 windows"):
        await wait_for_window(tmux=tmux, windows=[], condition=WaitCondition(text="a"))


def search_all(finder: OutputFinder) -> None:
    while data := finder.take():
        finder.search(data)


def test_a_pattern_that_makes_backtracking_engines_explode_is_quick() -> None:
    finder = OutputFinder(pattern="(a+)+$")
    finder.feed(b"a" * 4000 + b"!")
    search_all(finder)
    assert finder.match is None


def test_small_pieces_of_output_are_searched_together() -> None:
    """A line that arrives byte by byte is not searched again for each byte."""
    finder = OutputFinder(pattern="needle")
    for byte in b"x" * 3000 + b"needle":
        finder.feed(bytes((byte,)))
    assert finder.take() == b"x" * 3000 + b"needle"
    assert finder.take() == b""


def test_skipped_output_is_reported() -> None:
    finder = OutputFinder(text="needle")
    for _ in range(40):
        finder.feed(b"x" * (BACKLOG_LIMIT // 20))
    finder.feed(b"\nneedle\n")
    search_all(finder)
    assert (finder.match, finder.skipped) == ("needle", True)
