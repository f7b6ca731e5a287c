"""Conversion of marks within a line: no byte of the line is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notes.notion.inline import Mark, Span, inline, spans, tidy

PIECES = [*"ab \\*~`[]()<", "**", "***", "~~", "<br>", "](https://a.b)", "[a](https://a.b/c)"]
LINES = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
SPANS = st.builds(
    Span,
    LINES.map(lambda line: line.replace("<br>", "\n")),
    st.integers(0, 7).map(Mark),
    st.booleans(),
    st.sampled_from(["", "", "https://a.b/c"]),
)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("a **b** c", [Span("a "), Span("b", Mark.BOLD), Span(" c")]),
        ("**a *b***", [Span("a ", Mark.BOLD), Span("b", Mark.BOLD | Mark.ITALIC)]),
        ("***a** b*", [Span("a", Mark.BOLD | Mark.ITALIC), Span(" b", Mark.ITALIC)]),
        ("~~old~~ new", [Span("old", Mark.STRUCK), Span(" new")]),
        ("`*x*`", [Span("*x*", code=True)]),
        ("**[a](https://b.c)**", [Span("a", Mark.BOLD, link="https://b.c")]),
        ("a<br>b", [Span("a\nb")]),
        (r"\*a\*", [Span("*a*")]),
    ],
)
def test_marks_are_read_and_written(line: str, parts: list[Span]) -> None:
    assert spans(line) == parts
    assert inline(parts) == line


@pytest.mark.parametrize(
    "line",
    ["2 * 3 * 4", "f(*args, **kwargs)", "__init__", "a ~ b", "[WIP] [x] (y)", "see [a](b.md)",
     "`open", r"C:\dir\*.py", r"\\server\[x\]", "*", "****", "a < b", "~~**a**~~"],
)  # fmt: skip
def test_plain_text_gets_no_backslash(line: str) -> None:
    assert spans(line) == [Span(line)]
    assert inline([Span(line)]) == line


def test_spaces_at_the_edge_of_a_mark_are_written_outside() -> None:
    assert inline([Span(" bold ", Mark.BOLD), Span("and")]) == " **bold** and"


@settings(deadline=None, max_examples=150)
@given(LINES)
def test_any_line_round_trips(line: str) -> None:
    assert inline(spans(line)) == line


@settings(deadline=None, max_examples=150)
@given(st.lists(SPANS, max_size=4))
def test_no_text_is_lost_whatever_its_marks(parts: list[Span]) -> None:
    line = inline(parts)
    assert "\n" not in line
    assert "".join(part.text for part in spans(line)) == "".join(part.text for part in parts)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(["a", "b c", "é.", "1"]), st.integers(0, 7)), max_size=5))
def test_marks_on_words_round_trip(words: list[tuple[str, int]]) -> None:
    parts = [Span(f"{word} ", Mark(marks)) for word, marks in words]
    assert spans(inline(parts)) == tidy(parts)
