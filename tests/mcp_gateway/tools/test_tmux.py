"""tmux-mcp's tools for sessions, windows and panes: the document's answers, word for word."""

import pytest

from core.errors import Invalid, NotFound, Refused, TmuxAway, WebtmuxError
from mcp_gateway.registry import ToolSet
from mcp_gateway.tools import tmux as door
from mcp_gateway.tools import tmux_text
from mcp_gateway.tools.tmux import (
    tmux_create_session,
    tmux_create_window,
    tmux_kill,
    tmux_list_panes,
    tmux_list_sessions,
    tmux_list_windows,
    tmux_rename_session,
    tmux_rename_window,
    tmux_resize_pane,
    tmux_select_pane,
    tmux_select_window,
    tmux_split_window,
)
from terminals.runtime import Runtime
from terminals.tmux.driver import HIDDEN_SESSION
from tests.conftest import RunTmux
from tests.mcp_gateway.tools.calling import from_pane
from tests.terminals.tmux.restarting import end_server
from tests.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("runtime")]

WINDOW = "#{session_name}\t#{window_index}\t#{window_id}\t#{window_name}\t#{window_active}\t#{window_panes} panes\t#{pane_id}"  # noqa: E501
PANE = "#{session_name}\t#{window_index}\t#{pane_id}\t#{pane_index}\t#{pane_width}x#{pane_height}\t#{pane_active}\t#{pane_current_command}"  # noqa: E501
SESSION = (
    "#{session_id}\t#{session_name}\t#{session_windows} windows\t0 attached\t#{session_created}"
)


def test_the_tools_are_the_documents() -> None:
    tools = (*door.TOOLS, *tmux_text.TOOLS)
    assert {tool.name for tool in tools} == {
        "tmux_list_sessions", "tmux_create_session", "tmux_rename_session", "tmux_kill",
        "tmux_list_windows", "tmux_create_window", "tmux_select_window", "tmux_rename_window",
        "tmux_list_panes", "tmux_split_window", "tmux_select_pane", "tmux_resize_pane",
        "tmux_send_keys", "tmux_read_pane",
    }  # fmt: skip
    assert {tool.toolset for tool in tools} == {ToolSet.TMUX}
    assert {tool.error_prefix for tool in tools} == {"Error: "}
    assert {tool.name for tool in tools if tool.is_read_only} == {
        "tmux_list_sessions", "tmux_list_windows", "tmux_list_panes", "tmux_read_pane",
    }  # fmt: skip
    assert {tool.name for tool in tools if not (tool.is_read_only or tool.destructive)} == {
        "tmux_rename_session", "tmux_rename_window", "tmux_select_window", "tmux_select_pane",
        "tmux_resize_pane",
    }  # fmt: skip


# --- lists ------------------------------------------------------------------------------------


async def test_sessions_are_listed_as_tmux_would(run_tmux: RunTmux) -> None:
    run_tmux("new-session", "-d", "-s", "two words", "exec sh")
    expected = run_tmux("list-sessions", "-F", SESSION)
    own = [line for line in expected.split("\n") if f"\t{HIDDEN_SESSION}\t" not in line]
    assert (await tmux_list_sessions()).split("\n") == own
    assert len(own) == 2


async def test_windows_are_listed_as_tmux_would(run_tmux: RunTmux) -> None:
    run_tmux("new-window", "-d", "-t", "work:", "-n", "two words", "exec sh")
    run_tmux("split-window", "-d", "-t", "work:1", "exec sh")
    run_tmux("new-session", "-d", "-s", "ops", "exec sh")
    everything = (await tmux_list_windows()).split("\n")
    assert {line.split("\t")[0] for line in everything} == {"work", "ops"}
    assert (await tmux_list_windows(session="work")) == run_tmux(
        "list-windows", "-t", "work", "-F", WINDOW
    )
    identifier = run_tmux("display-message", "-p", "-t", "ops", "#{session_id}")
    assert (await tmux_list_windows(session=identifier)) == run_tmux(
        "list-windows", "-t", "ops", "-F", WINDOW
    )


async def test_panes_of_a_session_are_those_of_all_its_windows(run_tmux: RunTmux) -> None:
    run_tmux("new-window", "-d", "-t", "work:", "exec sh")
    run_tmux("split-window", "-d", "-t", "work:1", "exec sh")
    run_tmux("new-session", "-d", "-s", "ops", "exec sh")
    whole = await tmux_list_panes(target="work")
    assert whole == run_tmux("list-panes", "-s", "-t", "work", "-F", PANE)
    assert len(whole.split("\n")) == 3
    assert await tmux_list_panes(target="work:1") == run_tmux(
        "list-panes", "-t", "work:1", "-F", PANE
    )
    assert len((await tmux_list_panes()).split("\n")) == 4


async def test_without_a_session_there_is_nothing_to_list(
    runtime: Runtime, run_tmux: RunTmux
) -> None:
    await end_server(run_tmux)

    async def away() -> bool:
        # A dying tmux may still take the connection and close it.
        return runtime.main.problem.startswith("no tmux server running")

    await eventually(away)
    for listing in (tmux_list_sessions, tmux_list_windows, tmux_list_panes):
        with pytest.raises(TmuxAway) as problem:
            await listing()
        assert problem.value.message == "no tmux server running"
    await runtime.main.monitor.start_server()
    assert await tmux_list_sessions() == "No sessions found."
    assert await tmux_list_windows() == "No windows found."
    assert await tmux_list_panes() == "No panes found."


# --- sessions ---------------------------------------------------------------------------------


async def test_a_new_session_is_returned_with_its_ids(run_tmux: RunTmux) -> None:
    response = await tmux_create_session(name="dev", command="exec sh -i", window_name="first one")
    ids = run_tmux("list-panes", "-t", "dev", "-F", "#{session_id} #{window_id} #{pane_id}").split()
    assert response == (
        f"Session 'dev' created. session_id={ids[0]} window_id={ids[1]} pane_id={ids[2]}"
    )
    assert run_tmux("display-message", "-p", "-t", "dev", "#W #{pane_start_command}") == (
        'first one /bin/sh -l -c "exec sh -i"'
    )


async def test_a_session_can_be_created_where_no_tmux_runs(
    runtime: Runtime, run_tmux: RunTmux
) -> None:
    await end_server(run_tmux)

    async def away() -> bool:
        return bool(runtime.main.problem)

    await eventually(away)
    assert (await tmux_create_session(name="again")).startswith("Session 'again' created. session_")
    assert "\tagain\t" in await tmux_list_sessions()


async def test_a_name_that_is_taken_or_impossible_is_refused() -> None:
    with pytest.raises(Invalid, match="already a session named 'work'"):
        await tmux_create_session(name="work")
    with pytest.raises(Invalid, match="cannot contain"):
        await tmux_create_session(name="a:b")


async def test_a_session_is_renamed(run_tmux: RunTmux) -> None:
    assert await tmux_rename_session("work", "play") == "Session renamed to 'play'."
    assert run_tmux("has-session", "-t", "=play") == ""
    with pytest.raises(NotFound, match="can't find session: work"):
        await tmux_rename_session("work", "play")


# --- windows ----------------------------------------------------------------------------------


async def test_a_new_window_is_returned_with_its_ids(run_tmux: RunTmux) -> None:
    response = await tmux_create_window(session="work", name="logs", command="exec sh -i")
    form = "#{window_id} #{window_index} #{pane_id} #{window_name}"
    window, index, pane, name = run_tmux("list-panes", "-t", "work:1", "-F", form).split()
    assert response == (
        f"Window created in session 'work'. window_id={window} window_index={index} pane_id={pane}"
    )
    assert name == "logs"
    with pytest.raises(NotFound, match=r"can't find session: wor$"):
        await tmux_create_window(session="wor")


async def test_a_window_is_selected_and_renamed(run_tmux: RunTmux) -> None:
    run_tmux("new-window", "-d", "-t", "work:", "exec sh")
    assert await tmux_select_window("work:1") == "Switched to 'work:1'."
    assert run_tmux("display-message", "-p", "-t", "work", "#I") == "1"
    assert await tmux_rename_window("work:1", "new name") == "Window renamed to 'new name'."
    assert run_tmux("display-message", "-p", "-t", "work:1", "#W") == "new name"
    for call in (tmux_select_window("work:7"), tmux_rename_window("work:7", "x")):
        with pytest.raises(NotFound, match="can't find window: work:7"):
            await call


async def test_names_are_data_and_never_formats(run_tmux: RunTmux) -> None:
    await tmux_rename_window("work:0", "#(touch hacked) #S")
    assert run_tmux("display-message", "-p", "-t", "work:0", "#W") == "#(touch hacked) #S"
    with pytest.raises(NotFound):
        await tmux_select_window("work:0; kill-server")


# --- panes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("horizontal", "place"), [(False, "right"), (True, "bottom")])
async def test_a_split_has_the_requested_direction(
    run_tmux: RunTmux, horizontal: bool, place: str
) -> None:
    response = await tmux_split_window("work:0", horizontal=horizontal, command="exec sh -i")
    pane = response.removeprefix("Pane created. pane_id=")
    form = "#{pane_at_left} #{pane_at_top} #{pane_start_command}"
    new_pane = run_tmux("display-message", "-p", "-t", pane, form)
    assert new_pane == ('0 1 "exec sh -i"' if place == "right" else '1 0 "exec sh -i"')


@pytest.mark.parametrize(("size", "rows"), [("5", "5"), ("25%", "6")])
async def test_a_split_has_the_requested_size(run_tmux: RunTmux, size: str, rows: str) -> None:
    response = await tmux_split_window("work:0.0", horizontal=True, size=size)
    pane = response.rpartition("=")[2]
    assert run_tmux("display-message", "-p", "-t", pane, "#{pane_height}") == rows
    with pytest.raises(Invalid, match="neither a number of cells nor a percentage"):
        await tmux_split_window("work:0.0", size="half")


async def test_a_pane_is_focused(run_tmux: RunTmux) -> None:
    first = run_tmux("display-message", "-p", "-t", "work", "#D")
    run_tmux("split-window", "-t", "work", "exec sh")
    assert await tmux_select_pane(first) == f"Selected pane '{first}'."
    assert run_tmux("display-message", "-p", "-t", "work", "#D") == first
    assert await tmux_select_pane("work:0.1") == "Selected pane 'work:0.1'."
    with pytest.raises(NotFound, match="can't find pane: %99"):
        await tmux_select_pane("%99")


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        ({"width": 20}, "20x24"),
        ({"direction": "right"}, "45x24"),
        ({"direction": "left", "amount": 3}, "37x24"),
        ({"direction": "left", "width": 30}, "30x24"),
    ],
)
async def test_a_pane_is_resized(
    run_tmux: RunTmux, arguments: dict[str, object], size: str
) -> None:
    run_tmux("split-window", "-h", "-t", "work", "exec sh")
    run_tmux("resize-pane", "-t", "work:0.0", "-x", "40")
    response = await tmux_resize_pane("work:0.0", **arguments)  # type: ignore[arg-type]
    assert response == "Pane 'work:0.0' resized."
    form = "#{pane_width}x#{pane_height}"
    assert run_tmux("display-message", "-p", "-t", "work:0.0", form) == size


@pytest.mark.parametrize(("arguments", "size"), [({"height": 5}, "5"), ({"direction": "up"}, "7"),
                                             ({"direction": "down"}, "17")])  # fmt: skip
async def test_the_height_of_a_pane_is_changed(
    run_tmux: RunTmux, arguments: dict[str, object], size: str
) -> None:
    run_tmux("split-window", "-v", "-t", "work", "exec sh")
    run_tmux("resize-pane", "-t", "work:0.0", "-y", "12")
    await tmux_resize_pane("work:0.0", **arguments)  # type: ignore[arg-type]
    assert run_tmux("display-message", "-p", "-t", "work:0.0", "#{pane_height}") == size


@pytest.mark.parametrize("direction", ["", "sideways"])
async def test_a_wrong_direction_has_the_documented_error(direction: str) -> None:
    with pytest.raises(Invalid) as problem:
        await tmux_resize_pane("work:0.0", direction=direction)
    assert problem.value.message == "direction must be 'up', 'down', 'left', or 'right'."


# --- kill -------------------------------------------------------------------------------------


async def test_each_kind_is_killed(run_tmux: RunTmux) -> None:
    run_tmux("new-session", "-d", "-s", "ops", "exec sh")
    run_tmux("new-window", "-d", "-t", "ops:", "exec sh")
    run_tmux("split-window", "-t", "ops:0", "exec sh")
    assert await tmux_kill("ops:0.1") == "Pane 'ops:0.1' killed."
    assert run_tmux("list-panes", "-s", "-t", "ops", "-F", "#I.#P") == "0.0\n1.0"
    assert await tmux_kill("ops:1", type="window") == "Window 'ops:1' killed."
    assert await tmux_kill("ops", type="session") == "Session 'ops' killed."
    assert "ops" not in run_tmux("list-sessions")


async def test_an_unknown_type_has_the_documented_error() -> None:
    with pytest.raises(Invalid) as problem:
        await tmux_kill("work", type="server")
    assert problem.value.message == "type must be 'session', 'window', or 'pane'."


@pytest.mark.parametrize("type", ["session", "window", "pane"])
async def test_a_caller_ends_itself_only_by_force(run_tmux: RunTmux, type: str) -> None:
    run_tmux("new-session", "-d", "-s", "ops", "exec sh")
    own = run_tmux("display-message", "-p", "-t", "ops", "#D")
    with from_pane(own):
        with pytest.raises(Refused, match="is the pane you run in"):
            await tmux_kill("ops", type=type)
        assert run_tmux("has-session", "-t", "=ops") == ""
        await tmux_kill("ops", type=type, force=True)
    assert "ops" not in run_tmux("list-sessions")


@pytest.mark.parametrize("type", ["session", "window", "pane"])
async def test_our_own_session_is_refused_even_by_force(run_tmux: RunTmux, type: str) -> None:
    ids = run_tmux("list-panes", "-t", f"={HIDDEN_SESSION}:", "-F", "#{session_id} #{window_id} #D")
    for target in (f"{HIDDEN_SESSION}:0", f"{HIDDEN_SESSION}:", *ids.split()):
        with pytest.raises(WebtmuxError):
            await tmux_kill(target, type=type, force=True)
    assert run_tmux("has-session", "-t", f"={HIDDEN_SESSION}") == ""
    with pytest.raises(Refused, match="leave it alone"):
        await tmux_kill(HIDDEN_SESSION, type="session", force=True)
    with pytest.raises(Refused, match="leave it alone"):
        await tmux_split_window(f"{HIDDEN_SESSION}:0")
