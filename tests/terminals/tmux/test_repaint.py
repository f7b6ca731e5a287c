"""The bytes that repaint a terminal: rows that do not depend on each other, wraps, cursor, pen."""

import re

import pytest

from terminals.tmux.repaint import PaneContents, StreamState, TerminalState, repaint
from tests.terminals.tmux.cells import encode
from tests.terminals.tmux.screens import Rebuilt

WIDTH, HEIGHT = 10, 3
_SGR = re.compile(rb"\x1b\[([0-9;:]*)m|(\r\n)|(\r)")


def state_with(**changes: object) -> TerminalState:
    values: dict[str, object] = {
        "pane_id": "%1", "width": WIDTH, "height": HEIGHT, "cursor_visible": True, "wrap": True,
        "region_lower": HEIGHT - 1,
    }  # fmt: skip
    fields = dict.fromkeys(TerminalState.__dataclass_fields__, 0)
    return TerminalState(**{**fields, **values, **changes})  # type: ignore[arg-type]  # by name


def painted(rows: bytes, joined: bytes | None = None, **changes: object) -> bytes:
    """`joined` is given where rows are wrapped."""
    text = re.sub(rb"\x1b\[[0-9;:]*m|[\x0e\x0f]", b"", rows) if joined is None else joined
    return repaint(state_with(**changes), PaneContents(rows, text), StreamState())


def text_of(data: bytes) -> list[str]:
    terminal = Rebuilt(WIDTH, HEIGHT)
    terminal.feed(data)
    return terminal.screen.rows()


def looks_at_breaks(data: bytes) -> set[str]:
    """The colours and attributes in force each time the terminal moves to another row."""
    looks, written = set(), ""
    for sequence, line_break, start in _SGR.findall(data):
        if line_break or start:
            looks.add(encode(f"{written}x", WIDTH))
        else:
            written += f"\x1b[{sequence.decode()}m"
    return looks


PLAIN = encode("x", WIDTH)


def test_no_row_begins_while_a_background_is_set() -> None:
    rows = b"\x1b[41mred\n  red too\n\x1b[1m\x1b[44mblue\n\x1b[0m\x1b[39m\x1b[49mplain\n\n"
    data = painted(rows)
    assert looks_at_breaks(data) == {PLAIN}
    assert b"\x1b[41m  red too\x1b[0m\r\n\x1b[41m\x1b[1m\x1b[44mblue\x1b[0m\r\n" in data
    assert text_of(data) == ["blue", "plain", ""]


def test_the_pen_of_a_row_is_repeated_in_the_rows_that_inherit_it() -> None:
    data = painted(b"\x1b[3;4:3m\x1b[38;5;9m\x1b[48;2;1;2;3mone\ntwo\n\nfour\n\x1b[0mfive\n")
    pen = b"\x1b[3;4:3;38;5;9;48;2;1;2;3m"
    for row in (b"two", b"four"):
        assert b"\r\n%b%b\x1b[0m\r\n" % (pen, row) in data
    assert b"\r\n\r\n" in data  # a row without cells needs no pen


def test_line_drawing_does_not_reach_into_the_next_row() -> None:
    data = painted(b"\x0elqk\nmqj\n\x0fplain\n")
    assert b"\x0elqk\x0f\x1b[0m\r\n\x0emqj\x0f\x1b[0m\r\n\x0e\x0fplain" in data


def test_an_overline_is_not_written_as_blinking() -> None:
    data = painted(b"15:30 \x1b[4;5:3mover\x1b[0m\x1b[39m\n\n\n")
    assert b"15:30 \x1b[4;53mover" in data


def test_wrapped_rows_wrap_again_and_begin_with_the_default_pen() -> None:
    data = painted(b"\x1b[41m0123456789\nabc\n\n", b"0123456789abc\n\n")
    assert b"\x1b[?7h\x1b[41m0123456789\x1b[0m \r\x1b[?7l\x1b[41mabc\x1b[0m\r\n" in data
    assert looks_at_breaks(data) == {PLAIN}
    assert text_of(data) == ["0123456789", "abc", ""]


def test_a_wide_character_that_did_not_fit_wraps() -> None:
    rows = "012345678\n漢字\n\n".encode()
    data = painted(rows, rows.replace(b"\n", b"", 1))
    assert "012345678漢\r\x1b[?7l漢字".encode() in data


@pytest.mark.parametrize(
    ("rows", "joined"),
    [
        pytest.param("01234\nabc\n\n", "01234abc\n\n", id="a row that is not full"),
        pytest.param("0123456789\nabc\n\n", "0123456789\nabc\n\n", id="a full row that ended"),
        pytest.param("012345678🫠\nabc\n\n", "012345678🫠abc\n\n", id="an uncertain width"),
        pytest.param("0123456789\n\nabc\n", "0123456789\nabc\n", id="an erased rest"),
        pytest.param("0123456789\nabc\n\n", "something else\n", id="another capture"),
    ],
)
def test_other_rows_end_with_a_line_break(rows: str, joined: str) -> None:
    data = painted(rows.encode(), joined.encode())
    lines = [line.rstrip() for line in rows.split("\n")[:HEIGHT]]
    assert b"\r\n".join(line.encode() for line in lines).rstrip() in data


def test_blanks_that_only_one_capture_has_do_not_hide_a_wrap() -> None:
    """tmux 3.4 and later give erased cells at the end of a row only where rows are not joined."""
    data = painted(b"abc   \n0123456789\nde    \n", b"abc\n0123456789de\n")
    assert b"abc   \r\n\x1b[?7h0123456789 \r\x1b[?7lde    " in data


def test_a_row_that_is_too_wide_does_not_move_the_next_one() -> None:
    data = painted("0123456789漢\nnext\n\n".encode())
    assert text_of(data)[1] == "next"


def test_the_last_column_is_printed_again_with_the_pen_of_its_row() -> None:
    rows = b"\x1b[7m\x0elqk\n012345678q\n\n"
    data = painted(rows, cursor_x=WIDTH, cursor_y=1)
    assert data.endswith(b"\x1b[2;10H\x1b[7m\x0eq\x0f\x1b[0m")


def test_rows_above_the_screen_are_history_and_an_alternate_screen_is_placed() -> None:
    contents = PaneContents(
        b"\x1b[41mold\ntop\nmiddle\n\x1b[0mbottom\n",
        b"old\ntop\nmiddle\nbottom\n",
        saved=b"\x1b[42mshell\nprompt\n\n",
    )
    data = repaint(state_with(alternate=True, saved_x=2, saved_y=1), contents, StreamState())
    primary, alternate = data.split(b"\x1b[?1049h\x1b[2J")
    assert b"\x1b[41mold\x1b[0m\r\n\x1b[42mshell\x1b[0m\r\n\x1b[42mprompt\x1b[0m\r\n" in primary
    assert primary.endswith(b"\x1b[2;3H")
    assert b"\x1b[1;1H\x1b[41mtop\x1b[0m\x1b[2;1H\x1b[41mmiddle\x1b[0m\x1b[3;1H" in alternate


def test_the_pen_of_the_program_comes_after_the_cursor_and_before_pending_bytes() -> None:
    contents = PaneContents(b"one\n\n\n", b"one\n\n\n", pending=b"\\033[3")
    data = repaint(state_with(), contents, StreamState(tail=b"\xc3", pen=b"\x1b[44m"))
    assert data.endswith(b"\x1b[1;1H\x1b[44m\x1b[3\xc3")
