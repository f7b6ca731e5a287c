"""Finding a command's output in raw bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.tmux.execution import markers
from terminals.tmux.execution.markers import Execution, Markers

RAW = (
    b"$ . /x/n\r\n\x1b[?2004l\r\x1b]7717;S;abc\x07one\r\ntwo \x1b]7717;E;other;9\x07\r\n"
    b"\x1b]7717;E;abc;42\x07$ "
)
RESULT = Execution(b"one\ntwo \x1b]7717;E;other;9\x07\n", 42)


@given(st.lists(st.integers(0, len(RAW)), max_size=20))
def test_the_position_of_cuts_does_not_matter(cuts: list[int]) -> None:
    parser = Markers("abc")
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(RAW)], strict=True):
        parser.feed(RAW[start:end])
    assert parser.done
    assert parser.result() == RESULT


def test_of_output_beyond_the_limit_the_end_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markers, "OUTPUT_LIMIT", 100)
    parser = Markers("abc")
    parser.feed(b"\x1b]7717;S;abc\x07")
    for number in range(1000):
        parser.feed(b"%04d\r\n" % number)
    parser.feed(b"\x1b]7717;E;abc;0\x07")
    result = parser.result()
    assert result.truncated
    assert result.output == b"".join(b"%04d\n" % number for number in range(980, 1000))


@given(st.binary(max_size=200))
def test_a_start_marker_that_tmux_dropped_is_not_needed(rest: bytes) -> None:
    parser = Markers("abc")
    parser.feed(b"$ . /x/n\r\n")
    parser.note_gap()
    parser.feed(rest)
    assert not parser.done
    parser.feed(b"x" * 100 + b"\x1b]7717;E;abc;3\x07" + b"y" * 100)
    result = parser.result()
    assert (parser.done, result.exit_code, result.truncated) == (True, 3, True)


def test_output_with_a_gap_is_truncated() -> None:
    parser = Markers("abc")
    parser.feed(b"\x1b]7717;S;abc\x07one\r\n")
    parser.note_gap()
    parser.feed(b"nine\r\n\x1b]7717;E;abc;0\x07")
    assert parser.result() == Execution(b"one\nnine\n", 0, truncated=True)


@pytest.mark.parametrize(("end", "output"), [(b"E", b"one\ntwo\n"), (b"R", b"one\n")])
def test_a_cut_at_the_prompt_is_undone_by_the_marker_of_our_file(end: bytes, output: bytes) -> None:
    """The marker was requested because it seemed to be skipped; it was only late."""
    parser = Markers("abc")
    parser.feed(b"\x1b]7717;S;abc\x07one\r\n$ ")
    parser.cut(prompt=True)
    parser.feed(b"\r\x1b[Ktwo\r\n\x1b]7717;%b;abc;0\x07" % end)
    assert parser.result().output.replace(b"$ \r\x1b[K", b"") == output


def test_exit_codes_after_a_signal_are_the_same_in_ksh() -> None:
    parser = Markers("abc")
    parser.feed(b"\x1b]7717;S;abc\x07\x1b]7717;E;abc;258\x07")
    assert parser.result().exit_code == 130
