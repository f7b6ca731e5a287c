"""Resolving targets: which row a target names, and which targets are errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Ambiguous, Invalid, NotFound, WebtmuxError
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow
from terminals.windows.targets import (
    WindowAddress,
    pick_address,
    pick_pane,
    pick_scope,
    pick_session,
    pick_window,
)
from tests.factories import pane_row, session_row, window_row

SESSIONS = [session_row("$0", "work"), session_row("$1", "workshop"), session_row("$2", "3")]
EDITOR = window_row("@1", "editor", session="work", session_id="$0", index=0, active=True)
BUILD = window_row("@2", "build", session="work", session_id="$0", index=3)
SHOP_BUILD = window_row("@3", "build", session="workshop", session_id="$1", index=0, active=True)
NAMED_LIKE_INDEX = window_row("@4", "0", session="3", session_id="$2", index=7, active=True)
ZERO = window_row("@5", "logs v1.2", session="3", session_id="$2", index=0)
WINDOWS = [EDITOR, BUILD, SHOP_BUILD, NAMED_LIKE_INDEX, ZERO]
PANES = [
    pane_row("%1", window=EDITOR, index=0, active=False),
    pane_row("%2", window=EDITOR, index=1),
    pane_row("%3", window=BUILD),
    pane_row("%4", window=SHOP_BUILD),
    pane_row("%5", window=NAMED_LIKE_INDEX),
    pane_row("%6", window=ZERO),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("work", "$0"), ("=work", "$0"), ("work:", "$0"), ("$1", "$1"), ("3", "$2"), ("=3:", "$2")],
)
def test_a_session_is_found_by_its_whole_name_or_id(text: str, expected: str) -> None:
    assert pick_session(text, SESSIONS).id == expected


@pytest.mark.parametrize("text", ["wor", "WORK", "work*", "0", "$9", "", ":", "=", "work:0", "$"])
def test_a_session_is_not_found_by_part_of_its_name(text: str) -> None:
    with pytest.raises(NotFound, match="can't find session"):
        pick_session(text, SESSIONS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@3", "@3"),
        ("work:@2", "@2"),
        (":@2", "@2"),
        ("$0:3", "@2"),
        ("work:build", "@2"),
        ("work:=build", "@2"),
        ("=work:0", "@1"),
        ("work", "@1"),
        ("work:", "@1"),
        ("3:0", "@4"),  # a window is named 0: names take precedence over indexes
        ("3:7", "@4"),
        ("3:logs v1.2", "@5"),
        ("editor", "@1"),
    ],
)
def test_a_window_is_found_in_tmux_syntax(text: str, expected: str) -> None:
    assert pick_window(text, WINDOWS).id == expected


@pytest.mark.parametrize(
    "text", ["work:@3", "work:edit", "work:9", "workshop:3", ":0", "@9", "%1", "", "work:-1"]
)
def test_an_unknown_window_or_one_of_another_session_is_not_found(text: str) -> None:
    with pytest.raises(NotFound, match="can't find window"):
        pick_window(text, WINDOWS)


def test_an_ambiguous_window_name_lists_the_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        pick_window("build", WINDOWS)
    assert "@2 work:3 build" in caught.value.message
    assert "@3 workshop:0 build" in caught.value.message


def test_only_the_first_of_many_candidates_are_listed() -> None:
    many = [window_row(f"@{number}", "sh", index=number) for number in range(50)]
    with pytest.raises(Ambiguous, match=r"matches 50 windows: .* and 40 more"):
        pick_window("work:sh", many)


def test_a_window_linked_into_two_sessions_is_not_ambiguous() -> None:
    linked = window_row("@1", "editor", session="ops", session_id="$7", index=4)
    assert pick_window("editor", [EDITOR, linked]).id == "@1"
    assert pick_window("ops:@1", [EDITOR, linked]).session_name == "ops"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%1", "%1"),
        ("work", "%2"),
        ("work:0", "%2"),
        ("work:0.0", "%1"),
        ("work:editor.1", "%2"),
        ("work:@1.%1", "%1"),
        ("@1.0", "%1"),
        ("3:logs v1.2", "%6"),
        ("3:logs v1.2.0", "%6"),
    ],
)
def test_a_pane_is_found_in_tmux_syntax(text: str, expected: str) -> None:
    assert pick_pane(text, WINDOWS, PANES).id == expected


@pytest.mark.parametrize(
    "text", ["%9", "work:0.7", "work:0.%3", "work:0.", ".", "", "1", "work:0.x"]
)
def test_an_unknown_pane_is_not_found(text: str) -> None:
    with pytest.raises(NotFound, match="can't find pane"):
        pick_pane(text, WINDOWS, PANES)


def test_a_dot_with_two_possible_meanings_is_ambiguous() -> None:
    plain, dotted = window_row("@1", "v1", index=0), window_row("@2", "v1.2", index=1)
    panes = [pane_row("%1", window=plain, index=2), pane_row("%2", window=dotted)]
    with pytest.raises(Ambiguous, match=r"%2 .*%1 |%1 .*%2 "):
        pick_pane("work:v1.2", [plain, dotted], panes)


def test_a_scope_is_a_session_or_a_window() -> None:
    assert pick_scope("work", WINDOWS) == "$0"
    assert pick_scope("$1", WINDOWS) == "$1"
    assert pick_scope("work:0", WINDOWS) == "@1"
    assert pick_scope("editor", WINDOWS) == "@1"
    with pytest.raises(NotFound):
        pick_scope("nothing", WINDOWS)


# --- the address of webtmux-mcp ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (WindowAddress(window_id="@3"), "@3"),
        (WindowAddress(window_id="@3", session="work", window_index=0), "@3"),
        (WindowAddress(session="work", window_index=3), "@2"),
        (WindowAddress(session="work", window_index="3"), "@2"),
        (WindowAddress(session="3", window_index=0), "@5"),
        (WindowAddress(session="work", window_index=3, window_name="editor"), "@2"),
        (WindowAddress(session="workshop", window_name="build"), "@3"),
        (WindowAddress(window_name="editor"), "@1"),
        (WindowAddress(window_name="editor", current=True), "@1"),
        (WindowAddress(current=True), "@4"),
        (WindowAddress(session="work", current=True), "@4"),
    ],
)
def test_the_most_specific_identifier_decides(address: WindowAddress, expected: str) -> None:
    assert pick_address(address, WINDOWS, current=NAMED_LIKE_INDEX).id == expected


@pytest.mark.parametrize(
    "address",
    [
        WindowAddress(window_id="@9", session="work", window_index=0),
        WindowAddress(session="work", window_index=9, window_name="editor", current=True),
        WindowAddress(session="wor", window_index=0),
        WindowAddress(session="workshop", window_name="editor", current=True),
    ],
)
def test_there_is_no_fallback_to_a_weaker_identifier(
    address: WindowAddress,
) -> None:
    with pytest.raises(NotFound):
        pick_address(address, WINDOWS, current=EDITOR)


@pytest.mark.parametrize(
    "address", [WindowAddress(), WindowAddress(session="work"), WindowAddress(window_index=0)]
)
def test_the_error_of_an_incomplete_address_lists_the_accepted_identifiers(
    address: WindowAddress,
) -> None:
    with pytest.raises(Invalid, match=r"windowId.*windowIndex.*windowName.*current"):
        pick_address(address, WINDOWS, current=EDITOR)


def test_a_name_that_several_windows_have_is_ambiguous() -> None:
    with pytest.raises(Ambiguous, match="@2 work:3 build, @3 workshop:0 build"):
        pick_address(WindowAddress(window_name="build"), WINDOWS)


def test_an_index_that_is_not_a_number_is_invalid() -> None:
    with pytest.raises(Invalid, match="windowName"):
        pick_address(WindowAddress(session="work", window_index="editor"), WINDOWS)


def test_without_a_current_window_current_is_not_found() -> None:
    with pytest.raises(NotFound, match="create a session"):
        pick_address(WindowAddress(current=True), WINDOWS)


def test_the_session_chooses_between_the_links_of_a_window() -> None:
    linked = window_row("@1", "editor", session="ops", session_id="$7", index=4)
    address = WindowAddress(window_id="@1", session="ops")
    assert pick_address(address, [EDITOR, linked]).index == 4


# --- for any tree of names --------------------------------------------------------------------

session_names = st.text(
    st.characters(codec="utf-8", exclude_characters=":."), min_size=1, max_size=6
)
window_names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6) | st.sampled_from(
    ["0", "1", "a", "a.0", "a:0", "=a", "@1", "%1", "$1"]
)
Tree = tuple[list[SessionRow], list[WindowRow], list[PaneRow]]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    names = draw(
        st.lists(session_names | st.sampled_from("a0="), unique=True, min_size=1, max_size=4)
    )
    sessions = [session_row(f"${number}", name) for number, name in enumerate(names)]
    windows: list[WindowRow] = []
    panes: list[PaneRow] = []
    for session in sessions:
        for index in draw(st.lists(st.integers(0, 5), unique=True, min_size=1, max_size=3)):
            window = window_row(
                f"@{len(windows)}", draw(window_names), session=session.name,
                session_id=session.id, index=index,
                active=not any(row.session_id == session.id for row in windows),
            )  # fmt: skip
            windows.append(window)
            for number in range(draw(st.integers(1, 2))):
                panes.append(
                    pane_row(f"%{len(panes)}", window=window, index=number, active=number == 0)
                )
    return sessions, windows, panes


@given(trees())
def test_every_id_finds_itself(tree: Tree) -> None:
    sessions, windows, panes = tree
    assert all(pick_session(row.id, sessions) == row for row in sessions)
    assert all(pick_window(row.id, windows) == row for row in windows)
    assert all(pick_pane(row.id, windows, panes) == row for row in panes)


@given(trees())
def test_a_full_address_by_ids_and_indexes_finds_its_pane(tree: Tree) -> None:
    _, windows, panes = tree
    for pane in panes:
        assert pick_pane(f"{pane.session_id}:{pane.window_id}.{pane.index}", windows, panes) == pane


@given(trees())
def test_an_index_finds_its_window_unless_a_name_is_that_number(tree: Tree) -> None:
    _, windows, _ = tree
    for row in windows:
        own = [other for other in windows if other.session_id == row.session_id]
        if not any(other.name.removeprefix("=") == str(row.index) for other in own):
            assert pick_window(f"{row.session_id}:{row.index}", windows) == row


@given(trees(), window_names | st.text(max_size=8))
def test_any_text_gives_an_existing_row_or_one_of_our_errors(tree: Tree, text: str) -> None:
    sessions, windows, panes = tree
    for pick, rows in (
        (lambda: pick_session(text, sessions), sessions),
        (lambda: pick_window(text, windows), windows),
        (lambda: pick_pane(text, windows, panes), panes),
    ):
        try:
            row = pick()
        except WebtmuxError:
            continue
        assert row in rows


@given(trees(), st.integers(1, 5))
def test_a_prefix_of_a_name_finds_nothing(tree: Tree, length: int) -> None:
    sessions, _, _ = tree
    names = {row.name for row in sessions}
    for row in sessions:
        part = row.name[:length]
        if part.removeprefix("=") in names or part in names or part.startswith("$"):
            continue
        with pytest.raises(NotFound):
            pick_session(part, sessions)
