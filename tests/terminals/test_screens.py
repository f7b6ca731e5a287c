"""Reading a real pane with a cursor: only what is new, all of it, and a redraw is said."""

import pytest

from terminals.errors import Invalid, NotFound
from terminals.screens import Screen, read_screen
from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.printing import Printer, printer


async def read(
    made: Printer, last: Screen | None = None, *, lines: int = 200
) -> tuple[Screen, list[str]]:
    cursor = str(last.page.cursor) if last else ""
    seen = await read_screen(tmux=made.tmux, pane=made.pane, cursor=cursor, lines=lines)
    return seen, list(seen.page.lines)


async def test_the_first_look_is_the_screen_and_the_next_only_what_is_new(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    made = await printer(tmux, run_tmux)
    first, told = await read(made)
    assert (told, first.reset, first.page.more) == (["ready"], False, False)
    await made.say("one", "two")
    second, told = await read(made, first)
    assert (told, second.reset) == (["one", "two"], False)
    third, told = await read(made, second)
    assert (told, third.reset) == ([], False)
    await made.say("three")
    assert (await read(made, third))[1] == ["three"]


async def test_what_scrolled_away_between_two_looks_is_told(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux)
    last, _ = await read(made)
    numbers = [f"n{n}" for n in range(300)]
    await made.say(*numbers)
    told: list[str] = []
    for _ in range(10):
        last, lines = await read(made, last, lines=100)
        assert not last.reset
        told += lines
        if not last.page.more:
            break
    assert told == numbers


async def test_lines_that_tmux_dropped_are_no_matter_once_they_were_told(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    made = await printer(tmux, run_tmux, history=300)
    await made.say(*(f"old {n}" for n in range(200)))
    last, _ = await read(made)
    told: list[str] = []
    for turn in range(8):
        await made.say(*(f"{turn}-{n}" for n in range(60)))
        last, lines = await read(made, last)
        assert not last.reset
        told += lines
    assert told == [f"{turn}-{n}" for turn in range(8) for n in range(60)]


async def test_lines_that_were_dropped_unread_are_said_to_be_missing(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    made = await printer(tmux, run_tmux, history=100)
    last, _ = await read(made)
    await made.say(*(f"n{n}" for n in range(500)))
    seen, told = await read(made, last)
    assert seen.reset
    assert told == [f"n{n}" for n in range(477, 500)]


async def redrawn(
    tmux: Tmux, run_tmux: RunTmux, sequence: str, shows: str
) -> tuple[Screen, list[str], list[str]]:
    """What is told after five numbers were drawn over, and the screen as it stands."""
    made = await printer(tmux, run_tmux, program=f"seq 5; read x; printf '{sequence}'; exec cat")
    await made.shows("5")
    last, _ = await read(made)
    await tmux.type(made.pane, b"\r")
    await made.shows(shows)
    seen, told = await read(made, last)
    return seen, told, run_tmux("capture-pane", "-p", "-t", made.pane).rstrip().split("\n")


async def test_a_redraw_is_told_whole(tmux: Tmux, run_tmux: RunTmux) -> None:
    seen, told, screen = await redrawn(tmux, run_tmux, r"\033[2;1Hchanged\033[8;1H", "changed")
    assert seen.reset
    assert told == screen == ["1", "changed", "3", "4", "5"]


async def test_after_clearing_the_screen_all_of_it_is_told(tmux: Tmux, run_tmux: RunTmux) -> None:
    _, told, screen = await redrawn(tmux, run_tmux, r"\033[2J\033[Hanew", "anew")
    assert told[-1:] == screen == ["anew"]


async def test_a_full_screen_program_and_its_end_are_told(tmux: Tmux, run_tmux: RunTmux) -> None:
    enter, leave = r"\033[?1049h\033[2J\033[Hmenu\n", r"\033[?1049l"
    program = f"seq 40; read x; printf '{enter}'; read x; printf '{leave}'; echo back; exec cat"
    made = await printer(tmux, run_tmux, program=program)
    await made.shows("40")
    before, _ = await read(made)
    await tmux.type(made.pane, b"\r")
    await made.shows("menu")
    inside, told = await read(made, before)
    assert (inside.reset, told) == (True, ["menu"])
    await tmux.type(made.pane, b"\r")
    await made.shows("back")
    _, told = await read(made, inside)
    assert [line for line in told if line] == [*map(str, range(19, 41)), "back"]


async def test_the_line_at_the_prompt_is_told_again_when_it_went_on(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    made = await printer(tmux, run_tmux, program="printf 'name? '; read x; echo hello $x; exec cat")
    await made.shows("name?")
    last, told = await read(made)
    assert told == ["name?"]
    await tmux.type(made.pane, b"you\r")
    await made.shows("hello you")
    assert (await read(made, last))[1] == ["name? you", "hello you"]


async def test_a_blank_screen_is_empty_and_its_cursor_works(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux, program="stty -echo; exec cat")
    last, told = await read(made)
    assert told == []
    await made.say("first")
    assert (await read(made, last))[1] == ["first"]


async def test_an_answer_is_bounded(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux)
    await made.say(*(f"n{n}" for n in range(50)))
    _, told = await read(made, lines=3)
    assert told == ["n47", "n48", "n49"]
    for lines in (0, 5001):
        with pytest.raises(Invalid, match="lines is 1 to 5000"):
            await read(made, lines=lines)


async def test_a_cursor_belongs_to_its_pane(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux)
    other = await printer(tmux, run_tmux, "other")
    last, _ = await read(made)
    with pytest.raises(Invalid, match="of another pane than"):
        await read(other, last)
    with pytest.raises(NotFound):
        await read_screen(tmux=tmux, pane="%99")


async def test_readers_under_a_flood_miss_nothing(tmux: Tmux, run_tmux: RunTmux) -> None:
    program = "read x; seq 20000; echo end; exec cat"
    made = await printer(tmux, run_tmux, history=50_000, program=program)
    last, _ = await read(made)
    await tmux.type(made.pane, b"\r")
    told: list[str] = []
    for _ in range(2000):
        last, lines = await read(made, last, lines=5000)
        assert not last.reset
        told += lines
        if "end" in lines:
            break
    numbers = [line for line in told if line.isdigit()]
    assert sorted(set(map(int, numbers))) == list(range(1, 20_001))
    assert len(numbers) < 20_000 + 200  # a line that was read half is read again
