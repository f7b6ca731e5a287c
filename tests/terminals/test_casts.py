"""asciicast by value: merged in order, labels that fit, and a search that no cut can hide from."""

import json

import pytest

from terminals import casts
from terminals.casts import Hit

TEXT = "one \x1b[31mred\x1b[0m word\r\nand a \x1b]0;title\x07second line\r\nRED again\r\n"


def output(*pieces: str) -> list[bytes]:
    return [casts.event(number, "o", piece) for number, piece in enumerate(pieces)]


def found(wanted: str, *pieces: str) -> list[tuple[float, str]]:
    return [(hit.time, hit.match) for hit in casts.search(output(*pieces), wanted)]


def test_ours_and_the_recorders_are_merged_in_the_order_of_their_times() -> None:
    ours = [casts.event(2.0, "m", "late"), casts.event(0.0, "o", "picture")]
    theirs = [casts.event(0.0, "o", "a"), casts.event(1.5, "o", "b"), casts.event(3.0, "o", "c")]
    told = [json.loads(line)[2] for line in casts.merged(ours, theirs)]
    assert told == ["picture", "a", "b", "late", "c"]


def test_a_label_is_one_short_line() -> None:
    assert casts.label("  fix\n\tthe \x1b[31mbug ") == "fix the [31mbug"
    long = casts.label("word " * 40)
    assert len(long) == casts.LABEL_LIMIT
    assert long.endswith("…")


def test_markers_are_read_back_in_order() -> None:
    lines = [casts.event(5, "m", "b"), casts.event(1, "o", '"m"'), casts.event(2, "m", "a")]
    assert [(m.time, m.label) for m in casts.markers(lines)] == [(2, "a"), (5, "b")]


def test_text_is_found_without_its_colours_and_whatever_its_case() -> None:
    assert found("red word", TEXT) == [(0, "red word")]
    assert [match for _, match in found("red", TEXT)] == ["red", "RED"]
    assert found("title", TEXT) == []


@pytest.mark.parametrize("cut", range(1, len(TEXT)))
def test_the_cut_between_two_events_does_not_matter(cut: int) -> None:
    pieces = TEXT[:cut], TEXT[cut:]
    assert [match for _, match in found("red", *pieces)] == ["red", "RED"]
    assert len(found("second line", *pieces)) == 1
    assert found("title", *pieces) == []


def test_a_hit_comes_with_its_line_and_the_time_it_was_complete() -> None:
    [hit] = casts.search(output("abc\r\nbefore nee", "dle after\r\nnext"), "NEEDLE")
    assert hit == Hit(1, "before ", "needle", " after")


def test_a_line_without_end_is_not_remembered_for_ever() -> None:
    pieces = ["x" * casts.LINE_LIMIT] * 5
    assert found("y", *pieces, "y") == [(5, "y")]


def test_the_header_is_a_line_of_version_2() -> None:
    told = json.loads(casts.header(columns=80, rows=24, timestamp=1, title="größe"))
    assert (told["version"], told["width"], told["height"], told["title"]) == (2, 80, 24, "größe")
