"""The tools for any window: reading new lines, searching, and running a command."""

import pytest

from core.callers import Scope
from core.errors import Ambiguous, Invalid, NotFound, Refused
from mcp_gateway.registry import ToolSet
from mcp_gateway.tools import screens as door
from mcp_gateway.tools.screens import read_screen, run_and_wait, search_history
from terminals.runtime import Runtime
from tests.conftest import RunTmux
from tests.mcp_gateway.tools.calling import from_pane
from tests.terminals.scrollback.printing import Printer, start_printer

pytestmark = pytest.mark.usefixtures("runtime")


@pytest.fixture
async def printer(runtime: Runtime, run_tmux: RunTmux) -> Printer:
    """A session `print` that prints given lines; its window is named `prints`."""
    printer = await start_printer(runtime.main, run_tmux)
    run_tmux("rename-window", "-t", "=print:0", "prints")
    return printer


def test_the_tools_are_those_for_screens() -> None:
    assert {tool.name: (tool.toolset, tool.scope) for tool in door.TOOLS} == {
        "read_screen": (ToolSet.AGENTS, Scope.READ),
        "search_history": (ToolSet.AGENTS, Scope.READ),
        "run_and_wait": (ToolSet.AGENTS, Scope.WRITE),
    }
    assert "mode" in next(tool for tool in door.TOOLS if not tool.is_read_only).arguments


# --- which window -----------------------------------------------------------------------------


async def test_a_window_is_named_by_any_of_its_identifiers(
    printer: Printer, runtime: Runtime
) -> None:
    runtime.page_focus = printer.window
    for response in (
        await read_screen(session="print", windowIndex=0),
        await read_screen(session="print", windowIndex="0"),
        await read_screen(session="print", windowName="prints"),
        await read_screen(windowName="prints"),
        await read_screen(windowId=printer.window),
        await read_screen(current=True),
        await read_screen(pane=printer.pane),
        await read_screen(pane="print:0.0"),
    ):
        assert response.text == "ready"
        assert response.window == door.WhereOut(
            session="print", window_id=printer.window, window_index=0, window_name="prints",
            pane_id=printer.pane,
        )  # fmt: skip


async def test_a_missing_or_unknown_window_is_reported(printer: Printer, run_tmux: RunTmux) -> None:
    with pytest.raises(Invalid, match="which window"):
        await read_screen()
    with pytest.raises(NotFound, match="can't find window: print:7"):
        await read_screen(session="print", windowIndex=7)
    run_tmux("new-window", "-d", "-t", "work:", "-n", "prints", "exec sh")
    with pytest.raises(Ambiguous, match="matches 2 windows"):
        await read_screen(windowName="prints")
    with pytest.raises(NotFound, match="can't find pane: %99"):
        await read_screen(pane="%99")


# --- read_screen ------------------------------------------------------------------------------


async def test_with_a_cursor_only_new_lines_are_returned(printer: Printer) -> None:
    first = await read_screen(pane=printer.pane)
    await printer.say("one", "two")
    second = await read_screen(pane=printer.pane, cursor=first.cursor)
    assert (second.text, second.reset, second.more) == ("one\ntwo", False, False)
    assert (await read_screen(pane=printer.pane, cursor=second.cursor)).text == ""


async def test_truncated_text_says_how_to_continue(printer: Printer) -> None:
    first = await read_screen(pane=printer.pane)
    await printer.say("one", "two", "three")
    second = await read_screen(pane=printer.pane, cursor=first.cursor, lines=2)
    assert second.text == f"one\ntwo\n{door.MORE}"
    assert second.more
    assert (await read_screen(pane=printer.pane, cursor=second.cursor)).text == "three"


async def test_a_cursor_that_is_no_longer_valid_is_reported(
    printer: Printer, run_tmux: RunTmux
) -> None:
    await printer.say("one", "two")
    first = await read_screen(pane=printer.pane)
    run_tmux("send-keys", "-R", "-t", printer.pane)
    run_tmux("clear-history", "-t", printer.pane)
    await printer.say("three")
    second = await read_screen(pane=printer.pane, cursor=first.cursor)
    assert (second.text, second.reset) == (f"three\n{door.RESET}", True)
    with pytest.raises(Invalid, match="not a cursor of read_screen"):
        await read_screen(pane=printer.pane, cursor="nonsense")


# --- search_history ---------------------------------------------------------------------------


async def test_one_window_a_session_or_all_are_searched(
    printer: Printer, runtime: Runtime, run_tmux: RunTmux
) -> None:
    other = await start_printer(runtime.main, run_tmux, "other")
    both = await search_history("READY")
    assert [match.window.pane_id for match in both.matches] == [printer.pane, other.pane]
    for only in (
        await search_history("ready", session="other"),
        await search_history("ready", session="other", windowIndex=0),
        await search_history("ready", windowId=other.window),
        await search_history("^re.*y$", regex=True, session="other", windowIndex="0"),
    ):
        assert [match.window.session for match in only.matches] == ["other"]
        assert (only.matches[0].text, only.matches[0].line, only.cursor) == ("> ready", 1, "")
    named = await search_history("ready", windowName="prints")
    assert [match.window.window_name for match in named.matches] == ["prints"]


async def test_a_page_of_matches_says_how_to_continue(printer: Printer) -> None:
    await printer.say("hit 1", "between", "hit 2")
    first = await search_history("hit", context=1, limit=1)
    assert [match.text for match in first.matches] == ["  between\n> hit 2"]
    assert first.note == door.MORE
    rest = await search_history("hit", context=0, limit=1, cursor=first.cursor)
    assert ([match.text for match in rest.matches], rest.cursor, rest.note) == (["> hit 1"], "", "")


async def test_an_invalid_search_is_reported() -> None:
    with pytest.raises(Invalid, match="invalid pattern"):
        await search_history("(", regex=True)
    with pytest.raises(NotFound, match="can't find session: nowhere"):
        await search_history("x", session="nowhere")


# --- run_and_wait -----------------------------------------------------------------------------


async def test_a_command_is_run_where_a_prompt_is_shown(run_tmux: RunTmux) -> None:
    response = await run_and_wait("execute", "echo out; echo error >&2; (exit 3)", session="work",
                              windowIndex=0)  # fmt: skip
    assert (response.output, response.exit_code) == ("out\nerror\n", 3)
    assert (response.timed_out, response.truncated) == (False, False)
    assert (response.window.session, response.window.window_index) == ("work", 0)
    red = await run_and_wait("execute", "printf '\\033[31mred\\033[0m'", pane="work:0.0")
    assert red.output == "red"


async def test_a_busy_window_is_refused(printer: Printer) -> None:
    with pytest.raises(Refused, match="the pane is busy: cat"):
        await run_and_wait("execute", "echo x", windowId=printer.window)


async def test_a_command_that_takes_too_long_is_interrupted() -> None:
    response = await run_and_wait("execute", "echo before; sleep 60", pane="work:0.0", seconds=0.5)
    assert (response.output, response.timed_out) == ("before\n", True)
    assert (await run_and_wait("execute", "echo usable", pane="work:0.0")).output == "usable\n"


async def test_long_output_is_truncated_to_its_end() -> None:
    response = await run_and_wait("execute", "seq 1000", pane="work:0.0", limit=100)
    assert response.truncated
    text, note = response.output.split("\n(cut: ")
    assert text.endswith("\n999\n1000")
    assert note.startswith("the last 100 of 3893 characters; search_history")


async def test_a_caller_does_not_run_in_its_own_pane(run_tmux: RunTmux) -> None:
    own = run_tmux("display-message", "-p", "-t", "work", "#D")
    with from_pane(own):
        with pytest.raises(Refused, match="is the pane you run in"):
            await run_and_wait("execute", "echo x", pane=own)
        response = await run_and_wait("execute", "echo x", pane=own, force=True)
    assert response.output == "x\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"command": " "}, "a command has 1 to"),
        ({"command": "true", "limit": 0}, "limit is 100 to 200000 characters"),
        ({"command": "true", "seconds": 0}, "seconds must be more than 0"),
        ({"command": "true", "seconds": 601}, "at most 600"),
    ],
)
async def test_invalid_commands_are_refused(arguments: dict[str, object], problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        await run_and_wait("execute", pane="work:0.0", **arguments)
