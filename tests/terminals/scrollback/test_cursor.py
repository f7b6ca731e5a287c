"""Cursors over a pane's text: no line is lost or sent twice, and a redraw is detected."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Invalid
from terminals.scrollback import cursor as cursors
from terminals.scrollback.cursor import ANCHOR, ScreenCursor, TextCapture

PLACE = "3_1f2e"
HEIGHT = 6


@dataclass
class Pane:
    """A pane like tmux keeps it: a history with a limit, and a screen of six rows below it."""

    lines: list[str] = field(default_factory=list)
    printed: int = 0
    dropped: bool = False

    def print(self, count: int) -> None:
        self.lines += [f"line {self.printed + n}" for n in range(count)]
        self.printed += count

    def drop(self, count: int) -> None:
        self.dropped = True
        del self.lines[: min(count, self.history)]

    @property
    def history(self) -> int:
        return max(0, len(self.lines) - HEIGHT)

    def capture(self, first: int = 0) -> TextCapture:
        return TextCapture(PLACE, first, self.history, tuple(self.lines[first:]), self.dropped)


def whole(*lines: str, top: int = 0, place: str = PLACE) -> TextCapture:
    return TextCapture(place, 0, top, lines)


def cursor(*lines: str) -> ScreenCursor:
    return ScreenCursor.after(whole(*lines), len(lines))


def first_checked(lines: list[str], cursor: ScreenCursor) -> int:
    """The number of the first line that a cursor checks."""
    return int(lines[-1].removeprefix("line ")) - cursor.anchor


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("print"), st.integers(1, 30)),
            st.tuples(st.just("drop"), st.integers(1, 20)),
            st.tuples(st.just("read"), st.integers(1, 12)),
        ),
        max_size=40,
    )
)
def test_every_line_is_returned_once_or_a_reset_is_reported(steps: list[tuple[str, int]]) -> None:
    pane, lines = Pane(), list[str]()
    pane.print(3)
    position = ScreenCursor.after(pane.capture(), 0)
    for verb, number in [*steps, ("read", 10_000)]:
        if verb == "print":
            pane.print(number)
        elif verb == "drop":
            pane.drop(number)
        else:
            start = cursors.find(pane.capture(), position)
            if start is None:  # only if some of the checked lines are gone
                assert (
                    position.anchor == 0
                    or f"line {first_checked(lines, position)}" not in pane.lines
                )
                return
            page = cursors.page(pane.capture(), start, lines=number, characters=10_000)
            lines += page.lines
            position = ScreenCursor.parse(str(page.cursor))
            assert page.more is (lines[-1:] != pane.lines[-1:])
    assert lines == [f"line {n}" for n in range(pane.printed)]


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 5))
def test_a_part_of_the_history_is_enough_to_continue(before: int, after: int, slack: int) -> None:
    pane = Pane()
    pane.print(before)
    position = ScreenCursor.after(pane.capture(), before)
    pane.print(after)
    first = max(0, before - 1 - position.anchor - slack)
    assert cursors.resume(pane.capture(first), position) == before


def test_a_line_that_was_continued_is_returned_again() -> None:
    position = cursor("one", "$ ")
    assert cursors.resume(whole("one", "$ "), position) == 2
    assert cursors.resume(whole("one", "$ ls", "file"), position) == 1
    assert cursors.resume(whole("one", "$ ", "", "later"), position) == 2
    assert cursors.resume(whole("one"), position) == 1


@pytest.mark.parametrize(
    "now",
    [
        ("ONE", "two", "three", "four"),
        ("one", "other", "three"),
        ("one",),
        (),
        ("new", "one", "two", "three"),
    ],
)
def test_a_redrawn_screen_does_not_match(now: tuple[str, ...]) -> None:
    assert cursors.resume(whole(*now), cursor("one", "two", "three")) is None


def test_lines_that_moved_up_are_found() -> None:
    pane = Pane()
    pane.print(500)
    position = ScreenCursor.after(pane.capture(), 400)
    pane.drop(200)
    assert cursors.resume(pane.capture(), position) is None
    assert cursors.find(pane.capture(), position) == 200


def test_a_cursor_without_checked_lines_is_not_trusted_when_lines_may_be_dropped() -> None:
    first = cursor("$")
    assert cursors.resume(whole("$ seq 9", "1"), first) == 0
    gone = TextCapture(PLACE, 0, 0, ("7", "8", "9"), full=True)
    assert cursors.resume(gone, first) is None
    assert cursors.find(gone, first) is None


def test_lines_that_occur_twice_are_not_guessed() -> None:
    position = ScreenCursor.after(whole("x", "a", "b", "c"), 4)
    assert cursors.find(whole("y", "x", "a", "b", "c", "x", "a", "b", "d"), position) is None
    many = ScreenCursor.after(whole(*["y"] * 2000), 1500)
    assert cursors.find(whole(*["z", *["y"] * 1000]), many) is None


def test_a_cursor_never_matches_another_pane_or_server_run() -> None:
    position = cursor("one", "two")
    elsewhere = whole("one", "two", "three", place="4_1f2e")
    assert cursors.resume(elsewhere, position) is None
    assert cursors.find(elsewhere, position) is None


def test_a_client_without_a_cursor_gets_the_screen() -> None:
    pane = Pane()
    pane.print(50)
    assert cursors.screen_start(pane.capture(), 200) == 44
    assert cursors.screen_start(pane.capture(), 2) == 48
    assert cursors.screen_start(whole("old", "older", top=9), 200) == 2
    assert cursors.screen_start(whole(), 200) == 0


def test_a_page_keeps_its_limits_and_has_at_least_one_line() -> None:
    pane = Pane()
    pane.print(10)
    page = cursors.page(pane.capture(), 2, lines=3, characters=10_000)
    assert (page.lines, page.more) == (("line 2", "line 3", "line 4"), True)
    assert cursors.page(pane.capture(), 0, lines=9, characters=15).lines == ("line 0", "line 1")
    assert cursors.page(pane.capture(), 9, lines=9, characters=1) == cursors.ScreenPage(
        ("line 9",), ScreenCursor.after(pane.capture(), 10), False
    )


def test_the_check_covers_a_screen() -> None:
    pane = Pane()
    pane.print(1000)
    assert ScreenCursor.after(pane.capture(), 1000).anchor == ANCHOR
    assert len(str(ScreenCursor.after(pane.capture(), 1000))) < 70


@pytest.mark.parametrize("text", ["x", "3_1.1.1.1.a.b", "3_1.-1.0.0." + "a" * 16 + "." + "b" * 16])
def test_an_invalid_cursor_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="not a cursor of read_screen"):
        ScreenCursor.parse(text)
