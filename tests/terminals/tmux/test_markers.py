"""Finding a command's output in raw bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.tmux import markers
from terminals.tmux.markers import Execution, Markers

RAW = (
    b"$ . /x/n\r\n\x1b[?2004l\r\x1b]7717;S;abc\x07one\r\ntwo \x1b]7717;E;other;9\x07\r\n"
    b"\x1b]7717;E;abc;42\x07$ "
)
RESULT = Execution(b"one\ntwo \x1b]7717;E;other;9\x07\n", 42)


@given(st.lists(st.integers(0, len(RAW)), max_size=20))
def test_the_cut_does_not_matter(cuts: list[int]) -> None:
    found = Markers("abc")
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(RAW)], strict=True):
        found.feed(RAW[start:end])
    assert found.done
    assert found.result() == RESULT


def test_output_beyond_the_limit_keeps_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markers, "OUTPUT_LIMIT", 100)
    found = Markers("abc")
    found.feed(b"\x1b]7717;S;abc\x07")
    for number in range(1000):
        found.feed(b"%04d\r\n" % number)
    found.feed(b"\x1b]7717;E;abc;0\x07")
    result = found.result()
    assert result.truncated
    assert result.output == b"".join(b"%04d\n" % number for number in range(980, 1000))


def test_a_death_by_signal_in_ksh_reads_as_in_other_shells() -> None:
    found = Markers("abc")
    found.feed(b"\x1b]7717;S;abc\x07\x1b]7717;E;abc;258\x07")
    assert found.result().exit_code == 130
