"""Searching the scrollback of real panes."""

import pytest

from core.errors import Invalid
from terminals.scrollback import cursor as cursors
from terminals.scrollback import search as scrollback_search
from terminals.scrollback.search import HistoryMatches, Matcher, search_history
from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.scrollback.printing import Printer, start_printer

EVIL = r"(a+)+$"
LINE = "a" * 60 + "b"


async def search(printer: Printer, query: str, **options: object) -> HistoryMatches:
    panes = [row for row in await printer.tmux.panes() if row.session_name != "work"]
    return await search_history(tmux=printer.tmux, panes=panes, query=query, **options)  # type: ignore[arg-type]


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


async def test_a_pattern_that_stalls_backtracking_engines_is_fast() -> None:
    assert await Matcher(EVIL, regex=True).match([LINE] * 10_000) == []


async def test_the_time_limit_is_for_all_lines_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrollback_search, "MATCH_SECONDS", 0.2)
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
    monkeypatch.setattr(cursors, "PIECE", piece)
    assert scrollback_search._split(raw) == lines


# --- in panes ---------------------------------------------------------------------------------


async def test_matches_come_newest_first_with_the_lines_around_them(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    printer = await start_printer(tmux, run_tmux)
    await printer.say(*(f"n{n}" for n in range(100)), "error one", "after", "error two")
    page = await search(printer, "ERROR", context=1)
    assert [match.text for match in page.matches] == [
        "  after\n> error two",
        "  n99\n> error one\n  after",
    ]
    assert [match.line for match in page.matches] == [104, 102]
    assert {match.pane.id for match in page.matches} == {printer.pane}
    assert page.cursor == ""
    assert (await search(printer, "n50", context=0)).matches[0].text == "> n50"


async def test_pages_contain_every_match_once(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux)
    other = await start_printer(tmux, run_tmux, "other")
    await printer.say(*(f"hit {n}" for n in range(25)))
    await other.say(*(f"hit {n}" for n in range(100, 110)))
    texts, cursor = list[str](), ""
    for number in range(12):
        page = await search(printer, r"hit \d+", regex=True, context=0, limit=5, cursor=cursor)
        texts += [match.text for match in page.matches]
        cursor = page.cursor
        if not cursor:
            break
        assert len(page.matches) == 5
        await printer.say(f"printed during page {number}")
    wanted = [*range(24, -1, -1), *range(109, 99, -1)]
    assert texts == [f"> hit {n}" for n in wanted]


async def test_a_match_across_the_edge_of_the_screen_is_found(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    printer = await start_printer(tmux, run_tmux)
    await tmux.type(printer.pane, b"x" * 75 + b"needle\r")
    await printer.shows("e")
    assert len((await search(printer, "needle")).matches) == 1


async def test_a_page_is_limited_and_its_cursor_continues(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrollback_search, "CHARACTERS", 100)
    monkeypatch.setattr(scrollback_search, "SHOWN", 20)
    printer = await start_printer(tmux, run_tmux)
    await printer.say(*("hit " + "x" * 40 for _ in range(12)), "hit 12")
    count, cursor, pages = 0, "", 0
    while pages < 10:
        page = await search(printer, "hit", context=0, limit=100, cursor=cursor)
        count, pages, cursor = count + len(page.matches), pages + 1, page.cursor
        assert all(len(match.text) <= 23 for match in page.matches)
        if not cursor:
            break
    assert (count, pages) == (13, 3)


async def test_a_slow_search_ends_its_page_early(
    tmux: Tmux, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    printer = await start_printer(tmux, run_tmux)
    monkeypatch.setattr(scrollback_search, "SEARCH_SECONDS", -1)
    page = await search(printer, "ready")
    assert (page.matches, page.cursor != "") == ([], True)
    monkeypatch.undo()
    assert len((await search(printer, "ready", cursor=page.cursor)).matches) == 1


async def test_a_cursor_whose_line_is_gone_is_refused(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux)
    await printer.say(*(f"hit {n}" for n in range(50)))
    cursor = (await search(printer, "hit", limit=1)).cursor
    run_tmux("clear-history", "-t", printer.pane)
    await printer.say(*(f"hit {n}" for n in range(100, 200)))
    with pytest.raises(Invalid, match="changed since that cursor"):
        await search(printer, "hit", limit=1, cursor=cursor)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"query": ""}, "query has 1 to 500 characters"),
        ({"query": "x" * 501}, "query has 1 to 500 characters"),
        ({"query": "a\nb"}, "on one line"),
        ({"query": "x", "context": 21}, "context is 0 to 20"),
        ({"query": "x", "limit": 0}, "limit is 1 to 100"),
        ({"query": "x", "cursor": "nonsense"}, "not a cursor of search_history"),
    ],
)
async def test_invalid_parameters_are_refused(
    tmux: Tmux, options: dict[str, object], problem: str
) -> None:
    with pytest.raises(Invalid, match=problem):
        await search_history(tmux=tmux, panes=[], **options)  # type: ignore[arg-type]


async def test_a_pane_that_has_ended_is_skipped(tmux: Tmux, run_tmux: RunTmux) -> None:
    printer = await start_printer(tmux, run_tmux)
    other = await start_printer(tmux, run_tmux, "other")
    panes = await tmux.panes()
    run_tmux("kill-session", "-t", "=print")
    page = await search_history(tmux=tmux, panes=panes, query="ready")
    assert [match.pane.id for match in page.matches] == [other.pane]
    assert printer.pane != other.pane
