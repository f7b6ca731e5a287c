"""The `tmux_*` tools for sessions, windows and panes, as tmux-mcp documents them.

tmux_text.py has those that type and read. A caller's target is resolved to an id, and never reaches
tmux itself.
"""

from typing import Literal, cast

from core import callers
from core.callers import Scope
from core.errors import Invalid, TmuxAway
from mcp_gateway import budgets, guard
from mcp_gateway.registry import Tool, ToolSet
from terminals import runtime, selectors, services
from terminals.selectors import SessionState
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow, WindowRow
from terminals.windows import launch, panes

NO_SERVER = "no tmux server"  # the beginning of the driver's message
ERROR = "Error: "
KILLED = {"session": "Session", "window": "Window", "pane": "Pane"}
Direction = Literal["up", "down", "left", "right"]


def server() -> Tmux:
    """The user's tmux server; without one, the error that the document prescribes."""
    tmux = runtime.current().main
    if tmux.problem.startswith(NO_SERVER):
        raise TmuxAway("no tmux server running")
    return tmux


# --- sessions ---------------------------------------------------------------------------------


async def tmux_list_sessions() -> str:
    """List tmux sessions: id, name, windows, attached, created."""
    rows = await selectors.list_sessions(tmux=server())
    return budgets.table(
        [_session(row) for row in rows], empty="No sessions found.", hint="end some"
    )


async def tmux_create_session(name: str, command: str = "", window_name: str = "") -> str:
    """Create a tmux session. `command` runs in its first window."""
    created = await services.create_session(
        tmux=runtime.current().main, name=name, command=command, window_name=window_name
    )
    return (
        f"Session '{name}' created. session_id={created.session.row.id}"
        f" window_id={created.window.tmux_id} pane_id={created.pane_id}"
        + await _early_end(created.pane_id, command)
    )


async def tmux_rename_session(old_name: str, new_name: str) -> str:
    """Rename a tmux session; `old_name` may be an id."""
    await services.rename_session(tmux=server(), session=old_name, name=new_name)
    return f"Session renamed to '{new_name}'."


# --- windows ----------------------------------------------------------------------------------


async def tmux_list_windows(session: str = "") -> str:
    """List windows of one session (name or id) or of all: session, index, id, name, active,
    panes, active pane."""
    tmux = server()
    only = (await selectors.find_session(tmux, session)).id if session else ""
    lines = [_window(row) for row in await tmux.windows(only)]
    return budgets.table(lines, empty="No windows found.", hint="name a session")


async def tmux_create_window(session: str, name: str = "", command: str = "") -> str:
    """Create a window in a tmux session (name or id)."""
    created = await services.create_window(
        tmux=server(), session=session, name=name, command=command
    )
    return (
        f"Window created in session '{session}'. window_id={created.window.tmux_id}"
        f" window_index={created.window.index} pane_id={created.pane_id}"
        + await _early_end(created.pane_id, command)
    )


async def tmux_select_window(target: str) -> str:
    """Switch to a tmux window, e.g. "work:1" or "@2"."""
    await services.select_window(tmux=server(), window=target)
    return f"Switched to '{target}'."


async def tmux_rename_window(target: str, new_name: str) -> str:
    """Rename a tmux window."""
    await services.rename_window(tmux=server(), window=target, name=new_name)
    return f"Window renamed to '{new_name}'."


async def _early_end(pane_id: str, command: str) -> str:
    """A second line if the command has ended at once, with what it printed."""
    ended = await launch.early_end(server(), pane_id) if command else None
    return f"\n{ended} Its pane stays. Output:\n{ended.output}" if ended else ""


# --- panes ------------------------------------------------------------------------------------


async def tmux_list_panes(target: str = "") -> str:
    """List panes of a session ("work"), of a window ("work:0") or all: session, window index,
    id, index, size, active, command."""
    lines = [_pane(row) for row in await selectors.list_panes(tmux=server(), target=target)]
    return budgets.table(lines, empty="No panes found.", hint="name a session or window")


async def tmux_split_window(
    target: str, horizontal: bool = False, size: str = "", command: str = ""
) -> str:
    """Split a window or pane. `horizontal`: one above the other, else side by side. `size`: "50%"
    or cells."""
    created = await panes.split_pane(
        tmux=server(), pane=target, horizontal=horizontal, size=size, command=command
    )
    return f"Pane created. pane_id={created.id}"


async def tmux_select_pane(target: str) -> str:
    """Focus a tmux pane, e.g. "work:0.1" or "%3"."""
    await panes.select_pane(tmux=server(), pane=target)
    return f"Selected pane '{target}'."


async def tmux_resize_pane(
    target: str,
    direction: str = "",
    amount: int = 5,
    width: int | None = None,
    height: int | None = None,
) -> str:
    """Resize a pane: by `amount` cells "up", "down", "left" or "right", or to width/height."""
    await panes.resize_pane(
        tmux=server(),
        pane=target,
        amount=amount,
        width=width,
        height=height,
        direction=cast("Direction | None", direction or None),
    )
    return f"Pane '{target}' resized."


# --- kill -------------------------------------------------------------------------------------


async def tmux_kill(target: str, type: str = "pane", force: bool = False) -> str:
    """Kill a tmux "session", "window" or "pane". `force`: even your own."""
    if type not in KILLED:
        raise Invalid("type must be 'session', 'window', or 'pane'.")
    tmux = server()
    identifier, inside = await _kill_target(tmux, target, type)
    guard.refuse_own_pane(inside, own=callers.current().pane, force=force)
    if type == "session":
        await services.kill_session(tmux=tmux, session=identifier)
    elif type == "window":
        await services.kill_window(tmux=tmux, window=identifier)
    else:
        await panes.kill_pane(tmux=tmux, pane=identifier)
    return f"{KILLED[type]} '{target}' killed."


async def _kill_target(tmux: Tmux, target: str, type: str) -> tuple[str, list[str]]:
    """The id of a target, and the panes that are closed with it."""
    if type == "pane":
        identifier = (await selectors.find_pane(tmux, target)).id
        return identifier, [identifier]
    if type == "window":
        identifier = (await selectors.find_window(tmux, target)).id
    else:
        identifier = (await selectors.find_session(tmux, target)).id
    return identifier, [row.id for row in await tmux.panes(identifier)]


# --- rows -------------------------------------------------------------------------------------


def _session(state: SessionState) -> str:
    row = state.row
    return f"{row.id}\t{row.name}\t{row.windows} windows\t{state.attached} attached\t{row.created}"


def _window(row: WindowRow) -> str:
    return (
        f"{row.session_name}\t{row.index}\t{row.id}\t{row.name}\t{row.active:d}"
        f"\t{row.panes} panes\t{row.pane_id}"
    )


def _pane(row: PaneRow) -> str:
    return (
        f"{row.session_name}\t{row.window_index}\t{row.id}\t{row.index}"
        f"\t{row.width}x{row.height}\t{row.active:d}\t{row.command}"
    )


_READS = (tmux_list_sessions, tmux_list_windows, tmux_list_panes)
_RUNS = (tmux_create_session, tmux_create_window, tmux_split_window, tmux_kill)
_ARRANGES = (
    tmux_rename_session,
    tmux_rename_window,
    tmux_select_window,
    tmux_select_pane,
    tmux_resize_pane,
)

TOOLS: tuple[Tool, ...] = (
    *(Tool(run=run, toolset=ToolSet.TMUX, error_prefix=ERROR) for run in _READS),
    *(
        Tool(
            run=run,
            toolset=ToolSet.TMUX,
            scope=Scope.WRITE,
            error_prefix=ERROR,
            destructive=run in _RUNS,
        )
        for run in (*_RUNS, *_ARRANGES)
    ),
)
