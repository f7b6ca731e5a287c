"""Cursors over a pane's text: nothing is lost, nothing is told twice, and a redraw is noticed."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals import reading
from terminals.errors import Invalid
from terminals.reading import ANCHOR, Cursor, Sight

PLACE = "3_1f2e"
HEIGHT = 6


@dataclass
class Pane:
    """As tmux keeps its text: a history with a limit, and a screen of six rows below it."""

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

    def sight(self, first: int = 0) -> Sight:
        return Sight(PLACE, first, self.history, tuple(self.lines[first:]), self.dropped)


def whole(*lines: str, top: int = 0, place: str = PLACE) -> Sight:
    return Sight(place, 0, top, lines)


def cursor(*lines: str) -> Cursor:
    return Cursor.at(whole(*lines), len(lines))


def at_first(told: list[str], at: Cursor) -> int:
    """The number of the first line that a cursor checks."""
    return int(told[-1].removeprefix("line ")) - at.anchor


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
def test_every_line_is_told_once_unless_a_reset_is(steps: list[tuple[str, int]]) -> None:
    pane, told = Pane(), list[str]()
    pane.print(3)
    at = Cursor.at(pane.sight(), 0)
    for verb, number in [*steps, ("read", 10_000)]:
        if verb == "print":
            pane.print(number)
        elif verb == "drop":
            pane.drop(number)
        else:
            start = reading.find(pane.sight(), at)
            if start is None:  # only if not all of what is checked is still there
                assert at.anchor == 0 or f"line {at_first(told, at)}" not in pane.lines
                return
            page = reading.page(pane.sight(), start, lines=number, characters=10_000)
            told += page.lines
            at = Cursor.parse(str(page.cursor))
            assert page.more is (told[-1:] != pane.lines[-1:])
    assert told == [f"line {n}" for n in range(pane.printed)]


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 5))
def test_a_stretch_is_enough_to_read_on(before: int, after: int, slack: int) -> None:
    pane = Pane()
    pane.print(before)
    at = Cursor.at(pane.sight(), before)
    pane.print(after)
    first = max(0, before - 1 - at.anchor - slack)
    assert reading.resume(pane.sight(first), at) == before


def test_a_line_that_went_on_is_told_again() -> None:
    at = cursor("one", "$ ")
    assert reading.resume(whole("one", "$ "), at) == 2
    assert reading.resume(whole("one", "$ ls", "file"), at) == 1
    assert reading.resume(whole("one", "$ ", "", "later"), at) == 2
    assert reading.resume(whole("one"), at) == 1


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
def test_a_screen_that_was_redrawn_does_not_fit(now: tuple[str, ...]) -> None:
    assert reading.resume(whole(*now), cursor("one", "two", "three")) is None


def test_lines_that_moved_up_are_found() -> None:
    pane = Pane()
    pane.print(500)
    at = Cursor.at(pane.sight(), 400)
    pane.drop(200)
    assert reading.resume(pane.sight(), at) is None
    assert reading.find(pane.sight(), at) == 200


def test_a_cursor_without_a_check_is_not_trusted_where_lines_may_be_gone() -> None:
    first = cursor("$")
    assert reading.resume(whole("$ seq 9", "1"), first) == 0
    gone = Sight(PLACE, 0, 0, ("7", "8", "9"), full=True)
    assert reading.resume(gone, first) is None
    assert reading.find(gone, first) is None


def test_lines_that_stand_at_two_places_are_not_guessed() -> None:
    at = Cursor.at(whole("x", "a", "b", "c"), 4)
    assert reading.find(whole("y", "x", "a", "b", "c", "x", "a", "b", "d"), at) is None
    many = Cursor.at(whole(*["y"] * 2000), 1500)
    assert reading.find(whole(*["z", *["y"] * 1000]), many) is None


def test_another_pane_or_another_life_never_fits() -> None:
    at = cursor("one", "two")
    elsewhere = whole("one", "two", "three", place="4_1f2e")
    assert reading.resume(elsewhere, at) is None
    assert reading.find(elsewhere, at) is None


def test_who_reads_first_gets_the_screen() -> None:
    pane = Pane()
    pane.print(50)
    assert reading.screen(pane.sight(), 200) == 44
    assert reading.screen(pane.sight(), 2) == 48
    assert reading.screen(whole("old", "older", top=9), 200) == 2
    assert reading.screen(whole(), 200) == 0


def test_an_answer_fits_its_limits_and_tells_at_least_a_line() -> None:
    pane = Pane()
    pane.print(10)
    page = reading.page(pane.sight(), 2, lines=3, characters=10_000)
    assert (page.lines, page.more) == (("line 2", "line 3", "line 4"), True)
    assert reading.page(pane.sight(), 0, lines=9, characters=15).lines == ("line 0", "line 1")
    assert reading.page(pane.sight(), 9, lines=9, characters=1) == reading.Page(
        ("line 9",), Cursor.at(pane.sight(), 10), False
    )


def test_the_check_covers_a_screen() -> None:
    pane = Pane()
    pane.print(1000)
    assert Cursor.at(pane.sight(), 1000).anchor == ANCHOR
    assert len(str(Cursor.at(pane.sight(), 1000))) < 70


@pytest.mark.parametrize("text", ["x", "3_1.1.1.1.a.b", "3_1.-1.0.0." + "a" * 16 + "." + "b" * 16])
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="no cursor of read_screen"):
        Cursor.parse(text)
