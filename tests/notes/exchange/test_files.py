"""Every shape of a window-notes.json is read to the same entries; problems are reported."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Invalid
from notes.exchange.files import parse, render
from notes.exchange.records import NotesEntry, WindowName

PAGE = "0123456789abcdef0123456789abcdef"
DASHED = "01234567-89ab-cdef-0123-456789abcdef"
MOMENT = datetime(2026, 5, 13, 10, 14, 22, tzinfo=UTC)
Short = tuple[str, str, str]  # session, window, notes


def read(content: Any) -> list[Short]:
    parsed = parse(json.dumps(content))
    assert parsed.problems == []
    return [(entry.session, str(entry.window or ""), entry.notes) for entry in parsed.entries]


def problems(content: Any) -> list[tuple[str, str]]:
    return [(entry.place, entry.message) for entry in parse(json.dumps(content)).problems]


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ({"main": "a"}, [("main", "", "a")]),
        ({"main": {"notes": "a"}}, [("main", "", "a")]),
        ({"main": {"notes": None}}, [("main", "", "")]),
        (
            {"main": {"notes": "a", "windows": {"2": {"notes": "b"}, "editor": "c", "@7": "d"}}},
            [("main", "", "a"), ("main", "2", "b"), ("main", "editor", "c"), ("main", "@7", "d")],
        ),
        ({"main": {"windows": {"2": "b"}}}, [("main", "2", "b")]),
        ({"main": {"2": {"notes": "b"}, "editor": "c"}},
         [("main", "2", "b"), ("main", "editor", "c")]),
        ({"main": {"windows": [{"windowName": "editor", "notes": "c"}]}},
         [("main", "editor", "c")]),
        ({"main": {"notes": "a"}, "main:2": "b", "main:a:b": "c"},
         [("main", "", "a"), ("main", "2", "b"), ("main", "a:b", "c")]),
        ({"@7": {"notes": "d"}}, [("", "@7", "d")]),
        (
            {"projects": {"main": "a"}, "windows": {"main:2": "b", "main": {"3": {"notes": "c"}}}},
            [("main", "", "a"), ("main", "2", "b"), ("main", "3", "c")],
        ),
        ({"windows": {"editor": {"session": "main", "notes": "c"}}}, [("main", "editor", "c")]),
        ({"projects": {"notes": "of a session named projects"}},
         [("projects", "", "of a session named projects")]),
        ({"version": 1, "updatedAt": "2026-05-13", "main": "a"}, [("main", "", "a")]),
        (
            [{"session": "main", "notes": "a"},
             {"session": "main", "window": 2, "notes": "b"},
             {"scope": "window", "session": "main", "window_name": "editor", "notes": "c"},
             {"session": "main", "window": {"windowId": "@7"}, "notes": "d"}],
            [("main", "", "a"), ("main", "2", "b"), ("main", "editor", "c"), ("main", "@7", "d")],
        ),
    ],
)  # fmt: skip
def test_every_expected_shape_is_read(content: Any, entries: list[Short]) -> None:
    assert read(content) == entries


@pytest.mark.parametrize(
    "record",
    [
        {"source": "notion", "notionPageId": PAGE, "updatedAt": "2026-05-13T10:14:22.000Z"},
        {"source": "Notion", "notion_page_id": DASHED, "updated_at": "2026-05-13T10:14:22"},
        {"source": "notion", "notionPageId": f"https://www.notion.so/Plan-{PAGE}",
         "updatedAt": MOMENT.timestamp() * 1000},
        {"source": "notion", "notionPageId": PAGE, "updatedAt": int(MOMENT.timestamp())},
    ],
)  # fmt: skip
def test_a_record_has_a_source_and_a_time(record: dict[str, Any]) -> None:
    [entry] = parse(json.dumps({"main": {"notes": "a", **record}})).entries
    assert (entry.source, entry.page, entry.updated_at) == ("notion", DASHED, MOMENT)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (7, "neither a string nor an object"),
        ({"notes": 7}, "notes is not a string"),
        ({"notes": "\ud800"}, "surrogate"),
        ({"notes": "a", "source": "disk"}, "neither local nor notion"),
        ({"notes": "a", "source": "notion"}, "no notionPageId"),
        ({"notes": "a", "notionPageId": "nonsense"}, "not a Notion page"),
        ({"notes": "a", "updatedAt": "yesterday"}, "updatedAt"),
        ({"notes": "a", "updatedAt": 1e300}, "updatedAt"),
        ({"notes": "a", "updatedAt": True}, "updatedAt"),
        ({"notes": "a", "windowIndex": -1}, "windowIndex"),
        ({"notes": "a", "scope": "window"}, "no window"),
        ({"notes": "a", "windows": 7}, "an object or a list"),
    ],
)
def test_a_bad_record_is_reported_and_the_rest_is_read(record: Any, message: str) -> None:
    parsed = parse(json.dumps({"bad": record, "good": "a"}))
    [problem] = parsed.problems
    assert problem.place.startswith("bad")
    assert message in problem.message
    assert "good" in [entry.session for entry in parsed.entries]


def test_a_bad_record_of_a_list_is_named() -> None:
    assert problems([{"notes": "a"}, 3]) == [
        ("[0]", "no session: add `session`"),
        ("[1]", "neither a string nor an object with `notes`"),
    ]
    assert problems({"main:": "a"})[0][0] == "main:"


def test_a_duplicate_key_is_reported() -> None:
    parsed = parse('{"main": "a", "main": "b"}')
    assert [entry.notes for entry in parsed.entries] == ["a"]
    assert "twice" in parsed.problems[0].message


def test_unknown_fields_are_reported_except_those_of_our_api() -> None:
    [entry] = parse('{"main": {"notes": "a", "colour": 1, "tasks": [], "version": 3}}').entries
    assert entry.ignored == ("colour",)


@pytest.mark.parametrize("text", ["", "{", "7", '"text"', "null", "[" * 100_000, "9" * 5000])
def test_a_file_without_notes_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse(text)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)
WINDOWS = st.builds(
    WindowName, key=st.just("23456789ab"), index=st.none() | st.integers(0, 99), name=TEXTS
)
ENTRIES = st.builds(
    NotesEntry, place=st.just(""), session=NAMES, project=NAMES, window=st.none() | WINDOWS,
    notes=TEXTS | st.just("a\r\nb\r"), source=st.sampled_from(["local", "notion"]),
    page=st.just(DASHED), updated_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)  # fmt: skip


@given(st.lists(ENTRIES, max_size=4))
def test_written_entries_are_read_back_unchanged(entries: list[NotesEntry]) -> None:
    text = render(entries)
    parsed = parse(text)
    assert parsed.problems == []
    assert render(parsed.entries) == text
    assert [entry.window for entry in parsed.entries] == [entry.window for entry in entries]
    assert [entry.notes for entry in parsed.entries] == [entry.notes for entry in entries]
