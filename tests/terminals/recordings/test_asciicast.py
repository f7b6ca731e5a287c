"""asciicast: merging in order of time, labels, and a search that works across event boundaries."""

import json

import pytest

from terminals.recordings import asciicast as cast
from terminals.recordings.asciicast import CastMatch

TEXT = "one \x1b[31mred\x1b[0m word\r\nand a \x1b]0;title\x07second line\r\nRED again\r\n"


def output(*pieces: str) -> list[bytes]:
    return [cast.event(number, "o", piece) for number, piece in enumerate(pieces)]


def matches(wanted: str, *pieces: str) -> list[tuple[float, str]]:
    return [(match.time, match.match) for match in cast.search(output(*pieces), wanted)]


def test_events_of_both_writers_are_merged_in_order_of_time() -> None:
    ours = [cast.event(2.0, "m", "late"), cast.event(0.0, "o", "capture")]
    theirs = [cast.event(0.0, "o", "a"), cast.event(1.5, "o", "b"), cast.event(3.0, "o", "c")]
    merged = [json.loads(line)[2] for line in cast.merged(ours, theirs)]
    assert merged == ["capture", "a", "b", "late", "c"]


def test_a_label_is_one_short_line() -> None:
    assert cast.label("  fix\n\tthe \x1b[31mbug ") == "fix the [31mbug"
    long = cast.label("word " * 40)
    assert len(long) == cast.LABEL_LIMIT
    assert long.endswith("…")


def test_markers_are_read_back_in_order() -> None:
    lines = [cast.event(5, "m", "b"), cast.event(1, "o", '"m"'), cast.event(2, "m", "a")]
    assert [(m.time, m.label) for m in cast.markers(lines)] == [(2, "a"), (5, "b")]


def test_search_ignores_colours_and_case() -> None:
    assert matches("red word", TEXT) == [(0, "red word")]
    assert [match for _, match in matches("red", TEXT)] == ["red", "RED"]
    assert matches("title", TEXT) == []


@pytest.mark.parametrize("cut", range(1, len(TEXT)))
def test_search_finds_text_split_between_two_events(cut: int) -> None:
    pieces = TEXT[:cut], TEXT[cut:]
    assert [match for _, match in matches("red", *pieces)] == ["red", "RED"]
    assert len(matches("second line", *pieces)) == 1
    assert matches("title", *pieces) == []


def test_a_match_has_its_line_and_the_time_at_which_it_was_complete() -> None:
    [match] = cast.search(output("abc\r\nbefore nee", "dle after\r\nnext"), "NEEDLE")
    assert match == CastMatch(1, "before ", "needle", " after")


def test_an_endless_line_is_not_kept_without_limit() -> None:
    pieces = ["x" * cast.LINE_LIMIT] * 5
    assert matches("y", *pieces, "y") == [(5, "y")]


def test_the_header_is_one_line_of_version_2() -> None:
    header = json.loads(cast.header(columns=80, rows=24, timestamp=1, title="größe"))
    assert (header["version"], header["width"], header["height"], header["title"]) == (
        2,
        80,
        24,
        "größe",
    )
