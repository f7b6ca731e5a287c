"""Searching the scrollback of real panes."""

import pytest

from terminals import reading, searching
from terminals.errors import Invalid
from terminals.searching import Hits, Matcher, search_history
from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.printing import Printer, printer

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
    matcher = Matcher(query, regex=regex)
    assert await matcher.match(lines) == numbers
    assert await matcher.match([]) == []


async def test_a_pattern_that_would_keep_a_backtracking_engine_busy_is_quick() -> None:
    assert await Matcher(EVIL, regex=True).match([LINE] * 10_000) == []


async def test_all_lines_of_a_search_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MATCH_SECONDS", 0.2)
    matcher = Matcher("(?:(?:a?){10}){99}b", regex=True)  # 8 ms for a line of 1,000

    async def many() -> None:
        for _ in range(1000):
            await matcher.match(["a" * 1000])

    with pytest.raises(Invalid, match="takes too long: make it simpler"):
        await many()


@pytest.mark.parametrize("pattern", ["(", "*", "[z-a]", "(?=a)", "(a)\\1", "a{1001}"])
async def test_an_invalid_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(Invalid, match="invalid pattern: "):
        Matcher(pattern, regex=True)


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"", []),
        (b"\n\n  \n", []),
        (b"a\n\nb  \n\n", ["a", "", "b"]),
        (b"\xc3\xa9\xff\n", ["\u00e9\ufffd"]),
        (b"x" * 3000, ["x" * 2000]),
    ],
)
@pytest.mark.parametrize("piece", [1, 1024])
def test_history_is_split_into_lines(
    raw: bytes, lines: list[str], piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", piece)
    assert searching._split(raw) == lines


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
