"""The pen that SGR sequences add up to, in captures and in output that arrives in pieces."""

import pytest

from terminals.tmux.pen import SCANNED_BYTES, OutputPen, Pen


@pytest.mark.parametrize(
    ("written", "sequence"),
    [
        ("", ""),
        ("\x1b[1m\x1b[31m", "\x1b[1;31m"),
        ("\x1b[1;31;42m", "\x1b[1;31;42m"),
        ("\x1b[31m\x1b[38;5;200m\x1b[92m", "\x1b[92m"),
        ("\x1b[48;2;1;2;3m\x1b[38;2;4;5;6m", "\x1b[48;2;1;2;3;38;2;4;5;6m"),
        ("\x1b[41m\x1b[1m\x1b[49m\x1b[39m", "\x1b[1m"),
        ("\x1b[1;2;3m\x1b[22m", "\x1b[3m"),
        ("\x1b[4:3m\x1b[58;5;9m\x1b[4m", "\x1b[4;58;5;9m"),
        ("\x1b[4:3m\x1b[4:0m", ""),
        ("\x1b[41m\x1b[0;7m", "\x1b[7m"),
        ("\x1b[41mtext\x1b[m", ""),
        ("\x1b[41mtext\x1b[0m\x1b[3m", "\x1b[3m"),
        ("\x1b[41;0m", ""),
        ("\x1b[41m\x1b[0;5H", "\x1b[41m"),
        ("\x1b[38m\x1b[>4;1m\x1b[?4m", ""),
    ],
)
def test_a_pen_keeps_one_value_of_each_kind(written: str, sequence: str) -> None:
    pen = Pen()
    pen.write(written.encode())
    assert pen.sequence.decode() == sequence


@pytest.mark.parametrize(
    ("output", "sequence"),
    [
        ("\x1b[41mred\x1b[1mbold", "\x1b[41;1m"),
        ("\x1b[41mred\x1b[0m\x1b[38;2;10;20;30mx", "\x1b[38;2;10;20;30m"),
        ("\x1b[41m\x1b7\x1b[42m\x1b8", ""),
        ("\x1b[41m\x1b[?1049l\x1b[3m", "\x1b[3m"),
        ("\x1b[41m\x1b[!p", ""),
        ("\x1b(0\x1b[41mqq", "\x1b(0\x1b[41m"),
        ("\x1b(0qq\x1b(B", ""),
        ("\x1b)0\x0eqq", "\x0e"),
        ("\x0eqq\x0f", ""),
        ("\x1b(0\x0e\x1b[41m\x1bc", ""),
    ],
)
def test_output_may_be_cut_anywhere(output: str, sequence: str) -> None:
    data = output.encode()
    for cut in range(len(data) + 1):
        pen = OutputPen()
        pen.feed(data[:cut])
        pen.feed(data[cut:])
        assert pen.sequence.decode() == sequence


def test_the_pen_is_the_default_one_after_a_gap() -> None:
    pen = OutputPen()
    pen.feed(b"\x1b(0\x0e\x1b[41mred\x1b[3")
    pen.forget()
    pen.feed(b"1m")
    assert pen.sequence == b""


def test_the_start_of_a_large_read_is_not_joined_to_the_bytes_before_it() -> None:
    pen = OutputPen()
    pen.feed(b"\x1b[3")
    pen.feed(b"x" * SCANNED_BYTES + b"1m\x1b[42m")
    assert pen.sequence == b"\x1b[42m"
