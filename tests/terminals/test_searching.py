"""Searching the scrollback of real panes, and patterns that would never end."""

import asyncio
import time

import psutil
import pytest

from terminals import matchers, searching
from terminals.errors import Invalid
from terminals.matchers import matcher
from terminals.searching import Hits, search_history
from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.printing import Printer, printer
from tests.terminals.tmux.waiting import eventually

EVIL = r"(a+)+$"
LINE = "a" * 60 + "b"


async def search(made: Printer, query: str, **asked: object) -> Hits:
    panes = [row for row in await made.tmux.panes() if row.session_name != "work"]
    return await search_history(tmux=made.tmux, panes=panes, query=query, **asked)  # type: ignore[arg-type]


# --- which lines ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "regex", "numbers"),
    [
        ("ERROR", False, [0, 2]),
        ("a.c", False, [3]),
        ("a.c", True, [3, 4]),
        ("(?i)error", True, [0, 2]),
        ("^error:", True, [0]),
        ("straße", False, [5]),
        ("漢.$", True, [6]),
        ("nothing", True, []),
    ],
)
async def test_lines_are_found_by_text_or_pattern(
    query: str, regex: bool, numbers: list[int]
) -> None:
    lines = ["error: one", "fine", "an Error", "a.c", "abc", "STRASSE", "漢字"]
    async with matcher(query, regex=regex) as match:
        assert await match(lines) == numbers
        assert await match([]) == []


async def test_a_pattern_that_would_never_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchers, "PATTERN_SECONDS", 0.5)
    began = time.monotonic()
    with pytest.raises(Invalid, match="takes too long"):
        async with matcher(EVIL, regex=True) as match:
            await match([LINE])
    assert time.monotonic() - began < 5


async def test_all_lines_of_a_search_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchers, "PATTERN_SECONDS", 1.0)

    async def many() -> None:
        async with matcher(EVIL, regex=True) as match:
            for _ in range(60):  # each takes a fraction of a second, all of them several
                await match(["a" * 19 + "b"])

    with pytest.raises(Invalid, match="takes too long"):
        await many()


async def test_a_search_that_is_given_up_leaves_no_process() -> None:
    async def forever() -> None:
        async with matcher(EVIL, regex=True) as match:
            await match([LINE])

    def running() -> list[int]:
        children = psutil.Process().children()
        return [one.pid for one in children if str(matchers.PROGRAM) in one.cmdline()]

    async def started() -> bool:
        return bool(running())

    task = asyncio.create_task(forever())
    await eventually(started)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running() == []


@pytest.mark.parametrize("pattern", ["(", "a{1,", "*", "[z-a]", "(?P<n>a)(?P<n>b)"])
async def test_a_bad_pattern_is_told_or_taken_as_python_does(pattern: str) -> None:
    if pattern == "a{1,":
        async with matcher(pattern, regex=True) as match:
            assert await match(["xa{1,"]) == [0]
        return
    with pytest.raises(Invalid, match="invalid pattern: "):
        async with matcher(pattern, regex=True):
            pass


# --- in panes ---------------------------------------------------------------------------------


async def test_matches_come_newest_first_with_the_lines_around_them(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    made = await printer(tmux, run_tmux)
    await made.say(*(f"n{n}" for n in range(100)), "error one", "after", "error two")
    found = await search(made, "ERROR", context=1)
    assert [hit.text for hit in found.hits] == [
        "  after\n> error two",
        "  n99\n> error one\n  after",
    ]
    assert [hit.line for hit in found.hits] == [104, 102]
    assert {hit.pane.id for hit in found.hits} == {made.pane}
    assert found.cursor == ""
    assert (await search(made, "n50", context=0)).hits[0].text == "> n50"


async def test_pages_tell_every_match_once(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux)
    other = await printer(tmux, run_tmux, "other")
    await made.say(*(f"hit {n}" for n in range(25)))
    await other.say(*(f"hit {n}" for n in range(100, 110)))
    told, cursor = list[str](), ""
    for page in range(12):
        found = await search(made, r"hit \d+", regex=True, context=0, limit=5, cursor=cursor)
        told += [hit.text for hit in found.hits]
        cursor = found.cursor
        if not cursor:
            break
        assert len(found.hits) == 5
        await made.say(f"meanwhile {page}")
    wanted = [*range(24, -1, -1), *range(109, 99, -1)]
    assert told == [f"> hit {n}" for n in wanted]


async def test_a_match_across_the_edge_of_the_screen_is_found(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    made = await printer(tmux, run_tmux)
    await tmux.type(made.pane, b"x" * 75 + b"needle\r")
    await made.shows("e")
    assert len((await search(made, "needle")).hits) == 1


async def test_an_answer_is_bounded_and_goes_on(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "CHARACTERS", 100)
    monkeypatch.setattr(searching, "SHOWN", 20)
    made = await printer(tmux, run_tmux)
    await made.say(*("hit " + "x" * 40 for _ in range(12)), "hit 12")
    told, cursor, pages = 0, "", 0
    while pages < 10:
        found = await search(made, "hit", context=0, limit=100, cursor=cursor)
        told, pages, cursor = told + len(found.hits), pages + 1, found.cursor
        assert all(len(hit.text) <= 23 for hit in found.hits)
        if not cursor:
            break
    assert (told, pages) == (13, 3)


async def test_a_search_that_takes_long_ends_its_page(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await printer(tmux, run_tmux)
    monkeypatch.setattr(searching, "SEARCH_SECONDS", -1)
    found = await search(made, "ready")
    assert (found.hits, found.cursor != "") == ([], True)
    monkeypatch.undo()
    assert len((await search(made, "ready", cursor=found.cursor)).hits) == 1


async def test_a_cursor_whose_line_is_gone_is_refused(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux)
    await made.say(*(f"hit {n}" for n in range(50)))
    cursor = (await search(made, "hit", limit=1)).cursor
    run_tmux("clear-history", "-t", made.pane)
    await made.say(*(f"hit {n}" for n in range(100, 200)))
    with pytest.raises(Invalid, match="moved on since that cursor"):
        await search(made, "hit", limit=1, cursor=cursor)


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"query": ""}, "query has 1 to 500 characters"),
        ({"query": "x" * 501}, "query has 1 to 500 characters"),
        ({"query": "a\nb"}, "on one line"),
        ({"query": "x", "context": 21}, "context is 0 to 20"),
        ({"query": "x", "limit": 0}, "limit is 1 to 100"),
        ({"query": "x", "cursor": "nonsense"}, "no cursor of search_history"),
    ],
)
async def test_what_cannot_be_searched_is_refused(
    tmux: Tmux, asked: dict[str, object], problem: str
) -> None:
    with pytest.raises(Invalid, match=problem):
        await search_history(tmux=tmux, panes=[], **asked)  # type: ignore[arg-type]


async def test_a_pane_that_ended_meanwhile_is_passed_over(tmux: Tmux, run_tmux: RunTmux) -> None:
    made = await printer(tmux, run_tmux)
    other = await printer(tmux, run_tmux, "other")
    panes = await tmux.panes()
    run_tmux("kill-session", "-t", "=print")
    found = await search_history(tmux=tmux, panes=panes, query="ready")
    assert [hit.pane.id for hit in found.hits] == [other.pane]
    assert made.pane != other.pane
