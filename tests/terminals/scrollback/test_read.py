"""Reading a real pane with a cursor: exactly the new lines, and redraws are reported."""

import pytest

from core.errors import Invalid, NotFound
from terminals.scrollback.read import ScreenUpdate, read_screen
from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.scrollback.printing import Printer, start_printer
from tests.waiting import eventually


async def read(
    printer: Printer, last: ScreenUpdate | None = None, *, lines: int = 200
) -> tuple[ScreenUpdate, list[str]]:
    cursor = str(last.page.cursor) if last else ""
    update = await read_screen(tmux=printer.tmux, pane=printer.pane, cursor=cursor, lines=lines)
    return update, list(update.page.lines)


async def test_the_first_read_returns_the_screen_and_the_next_only_new_lines(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    printer = await start_printer(tmux, run_tmux)
    first, lines = await read(printer)
    assert (lines, first.reset, first.page.more) == (["ready"], False, False)
    await printer.say("one", "two")
    second, lines = await read(printer, first)
    assert (lines, second.reset) == (["one", "two"], False)
    third, lines = await read(printer, second)
    assert (lines, third.reset) == ([], False)
    await printer.say("three")
    assert (await read(printer, third))[1] == ["three"]


async def test_lines_that_scrolled_off_between_two_reads_are_returned(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    printer = await start_printer(tmux, run_tmux)
    last, _ = await read(printer)
    numbers = [f"n{n}" for n in range(300)]
    await printer.say(*numbers)
    received: list[str] = []
    for _ in range(10):
        last, lines = await read(printer, last, lines=100)
        assert not last.reset
        received += lines
        if not last.page.more:
            break
    assert received == numbers


async def test_dropping_lines_that_were_read_does_not_matter(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux, history=300)
    await printer.say(*(f"old {n}" for n in range(200)))
    last, _ = await read(printer)
    received: list[str] = []
    for turn in range(8):
        await printer.say(*(f"{turn}-{n}" for n in range(60)))
        last, lines = await read(printer, last)
        assert not last.reset
        received += lines
    assert received == [f"{turn}-{n}" for turn in range(8) for n in range(60)]


async def test_dropping_unread_lines_is_reported_as_a_reset(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux, history=100)
    last, _ = await read(printer)
    await printer.say(*(f"n{n}" for n in range(500)))
    update, lines = await read(printer, last)
    assert update.reset
    assert lines == [f"n{n}" for n in range(477, 500)]


async def redrawn(
    tmux: Tmux, run_tmux: RunTmux, sequence: str, shows: str
) -> tuple[ScreenUpdate, list[str], list[str]]:
    """The update after five numbers were drawn over, its lines, and the current screen."""
    printer = await start_printer(
        tmux, run_tmux, program=f"seq 5; read x; printf '{sequence}'; exec cat"
    )
    await printer.shows("5")
    last, _ = await read(printer)
    await tmux.type(printer.pane, b"\r")
    await printer.shows(shows)
    update, lines = await read(printer, last)
    return update, lines, run_tmux("capture-pane", "-p", "-t", printer.pane).rstrip().split("\n")


async def test_a_redraw_returns_the_whole_screen(tmux: Tmux, run_tmux: RunTmux) -> None:
    update, lines, screen = await redrawn(tmux, run_tmux, r"\033[2;1Hchanged\033[8;1H", "changed")
    assert update.reset
    assert lines == screen == ["1", "changed", "3", "4", "5"]


async def test_clearing_the_screen_returns_all_new_lines(tmux: Tmux, run_tmux: RunTmux) -> None:
    _, lines, screen = await redrawn(tmux, run_tmux, r"\033[2J\033[Hanew", "anew")
    assert lines[-1:] == screen == ["anew"]


async def test_starting_and_leaving_a_full_screen_program_are_reported(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    enter, leave = r"\033[?1049h\033[2J\033[Hmenu\n", r"\033[?1049l"
    program = f"seq 40; read x; printf '{enter}'; read x; printf '{leave}'; echo back; exec cat"
    printer = await start_printer(tmux, run_tmux, program=program)
    await printer.shows("40")
    before, _ = await read(printer)
    await tmux.type(printer.pane, b"\r")
    await printer.shows("menu")
    inside, lines = await read(printer, before)
    assert (inside.reset, lines) == (True, ["menu"])
    await tmux.type(printer.pane, b"\r")
    await printer.shows("back")
    _, lines = await read(printer, inside)
    assert [line for line in lines if line] == [*map(str, range(19, 41)), "back"]


async def test_a_prompt_line_is_returned_again_after_input(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(
        tmux, run_tmux, program="printf 'name? '; read x; echo hello $x; exec cat"
    )
    await printer.shows("name?")
    last, lines = await read(printer)
    assert lines == ["name?"]
    await tmux.type(printer.pane, b"you\r")
    await printer.shows("hello you")
    assert (await read(printer, last))[1] == ["name? you", "hello you"]


async def test_a_blank_screen_is_empty_and_its_cursor_works(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux, program="stty -echo; exec cat")
    last, lines = await read(printer)
    assert lines == []
    await printer.say("first")
    assert (await read(printer, last))[1] == ["first"]


async def test_the_number_of_lines_is_limited(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux)
    await printer.say(*(f"n{n}" for n in range(50)))
    _, lines = await read(printer, lines=3)
    assert lines == ["n47", "n48", "n49"]
    for count in (0, 5001):
        with pytest.raises(Invalid, match="lines is 1 to 5000"):
            await read(printer, lines=count)


async def test_a_cursor_belongs_to_its_pane(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux)
    other = await start_printer(tmux, run_tmux, "other")
    last, _ = await read(printer)
    with pytest.raises(Invalid, match="of another pane than"):
        await read(other, last)
    with pytest.raises(NotFound):
        await read_screen(tmux=tmux, pane="%99")


async def test_reading_during_a_flood_misses_no_line(tmux: Tmux, run_tmux: RunTmux) -> None:
    program = "read x; seq 20000; echo end; exec cat"
    printer = await start_printer(tmux, run_tmux, history=50_000, program=program)
    last, _ = await read(printer)
    await tmux.type(printer.pane, b"\r")
    received: list[str] = []

    async def is_at_end() -> bool:
        nonlocal last
        last, lines = await read(printer, last, lines=5000)
        assert not last.reset
        received.extend(lines)
        return "end" in lines

    await eventually(is_at_end)
    numbers = [line for line in received if line.isdigit()]
    assert sorted(set(map(int, numbers))) == list(range(1, 20_001))
    assert len(numbers) < 20_000 + 200  # a line that was incomplete is returned again
