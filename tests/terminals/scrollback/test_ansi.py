"""Stripping terminal control sequences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.scrollback.ansi import CUT_LIMIT, finished, strip


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[38;2;1;2;3mx\x1b[38:5:1my\x1b[?25l", "xy"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r0m\x1b\\after", "after"),
        ("\x1b(0lqk\x1b(B", "lqk"),
        ("\x1b=\x1b>\x1b7\x1b8\x1bMx", "x"),
        ("\x9b31mred\x9d0;t\x9cok", "redok"),
        ("a\r\nb\rc", "a\nb\rc"),
        ("wrong\x08\x08ong\x07", "wroong"),
        ("\x08\x08x", "x"),
        ("héllo 漢字 🙂", "héllo 漢字 🙂"),
        ("cut \x1b[3", "cut "),
        ("cut \x1b]0;never ends", "cut "),
        ("\x1b]7717;S;abc\x07out\x1b]7717;E;abc;0\x07", "out"),
        ("\x0e\x0f\x00x", "x"),
    ],
)
def test_only_readable_text_is_left(raw: str, text: str) -> None:
    assert strip(raw) == text


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_no_control_character_survives(raw: str) -> None:
    left = strip(raw)
    assert not any(ord(char) < 0x20 and char not in "\n\t\r\x0b\x0c" for char in left)
    assert "\x1b" not in left


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_stripping_twice_changes_nothing(raw: str) -> None:
    assert strip(strip(raw)) == strip(raw)


@pytest.mark.parametrize(
    ("data", "rest"),
    [
        (b"plain", b""),
        ("é".encode()[:1], "é".encode()[:1]),
        ("a漢".encode()[:-1], "漢".encode()[:-1]),
        ("a😀".encode()[:-2], "😀".encode()[:-2]),
        ("a😀".encode(), b""),
        (b"a\xff", b""),  # never a character: nothing to wait for
        (b"a\x1b", b"\x1b"),
        (b"a\x1b[3", b"\x1b[3"),
        (b"a\x1b[31m", b""),
        (b"a\x1b]0;title", b"\x1b]0;title"),
        (b"a\x1b]0;title\x1b", b"\x1b]0;title\x1b"),
        (b"a\x1b]0;title\x07", b""),
        (b"a\r", b"\r"),
        (b"a\x1b]" + b"x" * CUT_LIMIT, b""),
    ],
)
def test_a_sequence_cut_at_the_end_waits_for_the_rest(data: bytes, rest: bytes) -> None:
    assert data[finished(data, escapes=True) :] == rest


@given(
    st.lists(
        st.sampled_from(["é", "漢", "😀", "a", "\x1b[1;31m", "\x1b(B", "\r\n", "\x1b]0;t\x07"])
    )
)
def test_stripping_in_pieces_equals_stripping_the_whole(parts: list[str]) -> None:
    data = "".join(parts).encode()
    for size in range(12, 20):
        text, start = "", 0
        while start < len(data):
            piece = data[start : start + size]
            end = finished(piece, escapes=True) if start + size < len(data) else len(piece)
            text, start = text + strip(piece[:end].decode()), start + end
        assert text == strip(data.decode())
