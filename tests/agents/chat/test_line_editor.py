"""Keys become lines: typed, corrected, pasted, and what the keys alone do not show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.chat.line_editor import LINE_LIMIT, Doubt, EnteredLine, Line, Mode

EDITOR, KERNEL, AGENT = Mode.EDITOR, Mode.KERNEL, Mode.AGENT


def typed(data: bytes, mode: Mode = EDITOR) -> list[EnteredLine]:
    return Line().type(data, mode)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (b"ls\r", "ls"),
        (b"lx\x7fs\r", "ls"),
        (b"one two\x17three\r", "one three"),
        (b"wrong\x15right\r", "right"),
        (b"ac\x1b[Db\r", "abc"),
        (b"bc\x01a\x05d\r", "abcd"),
        (b"abc\x1b[D\x1b[D\x0b\r", "a"),
        (b"given up\x03kept\r", "kept"),
        ("日本\x7f語\r".encode(), "日語"),
        (b"a\x0cb\r", "ab"),
        (b"a\nb\r", "a"),
    ],
)
def test_editing_keys_change_the_line(keys: bytes, text: str) -> None:
    assert (typed(keys)[0].text, typed(keys)[0].doubt) == (text, Doubt.NONE)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])), st.data())
def test_a_line_may_arrive_in_any_pieces(text: str, data: st.DataObject) -> None:
    raw, line, entered = text.encode() + b"\r", Line(), list[EnteredLine]()
    while raw:
        size = data.draw(st.integers(1, len(raw)))
        entered += line.type(raw[:size], EDITOR)
        raw = raw[size:]
    assert entered == [EnteredLine(text)]


def test_a_paste_is_part_of_the_line() -> None:
    line = Line()
    assert line.type(b"a \x1b[200~b\r\nc\x15\x1b[201~", EDITOR) == []
    assert line.paste(b"\nd", EDITOR) == []
    assert line.press(("Enter",), EDITOR) == [EnteredLine("a b\nc\nd")]


def test_in_canonical_mode_a_paste_submits_each_line() -> None:
    line = Line()
    assert line.paste(b"one\ntwo\nthr", KERNEL) == [EnteredLine("one"), EnteredLine("two")]
    assert line.press(("KPEnter",), KERNEL) == [EnteredLine("thr")]
    assert typed(b"a\tb\r", KERNEL) == [EnteredLine("a\tb")]


def test_in_a_composer_a_line_feed_is_text() -> None:
    assert typed(b"one\ntwo\r", AGENT) == [EnteredLine("one\ntwo")]


@pytest.mark.parametrize("keys", [b"\x1b[A", b"\t", b"\x12", b"\x1b[C", b"\x19", b"\x1bb"])
def test_a_key_that_may_insert_text_makes_the_line_doubtful(keys: bytes) -> None:
    [entered] = typed(b"x" + keys + b"\r")
    assert entered.doubt is Doubt.GREAT
    line = Line()
    line.type(b"x" + keys + b"\r", EDITOR)
    assert line.type(b"y\r", EDITOR) == [EnteredLine("y")]  # the next line is certain again


def test_a_key_that_not_every_editor_supports_is_slightly_doubtful() -> None:
    [entered] = typed(b"abc\x1b[D\x1b[3~\r")
    assert entered == EnteredLine("ab", Doubt.LITTLE)
    [entered] = typed(b"bc\x1b[Ha\r")
    assert entered == EnteredLine("abc", Doubt.LITTLE, at_end=False)


def test_a_line_has_a_limit() -> None:
    [entered] = typed(b"x" * (LINE_LIMIT + 10) + b"\r")
    assert len(entered.text) == LINE_LIMIT


def test_enter_alone_submits_nothing() -> None:
    assert [line.blank for line in typed(b"\r  \r")] == [True, True]
