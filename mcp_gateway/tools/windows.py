"""MCP tools for windows, as webtmux-mcp documents them, and `server_info`.

Typed text is never logged.
"""

import asyncio
from typing import Annotated, Literal

from pydantic import Field

from core import callers
from core.callers import Scope
from core.version import VERSION
from core.wire import TEXT_LIMIT, Text
from mcp_gateway import address, dedupe, recent_sends
from mcp_gateway.address import takes_window
from mcp_gateway.guard import refuse_own_pane
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.schemas import (
    EnteredOut,
    SelectedOut,
    ServerInfo,
    TypedOut,
    WindowRef,
    WindowsOut,
)
from mcp_gateway.toolsets import join
from terminals import runtime, selectors, services
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow
from terminals.windows import panes
from terminals.windows.targets import WindowAddress

Mode = Literal["plan", "execute"]
Force = Annotated[bool, Field(description="even your own pane")]
Typed = Annotated[Text, Field(max_length=TEXT_LIMIT)]


async def list_windows() -> WindowsOut:
    """All tmux windows of all sessions, with their projects."""
    tmux = runtime.current().main
    return _described(await tmux.windows(), await selectors.project_names(tmux))


@takes_window
async def select_window(mode: Mode, *, window: WindowAddress) -> SelectedOut:
    """Show a window to the user: {"mode": "execute", "session": "main", "windowIndex": 2}"""
    row = await address.find_window(window)
    selected = await services.select_window(tmux=runtime.current().main, window=row.id)
    return SelectedOut(selected=WindowRef.of_stored(selected))


@takes_window
async def send_to_window(
    mode: Mode,
    text: Typed,
    *,
    window: WindowAddress,
    submit: Annotated[bool, Field(description="press Enter, only if the user said so")] = False,
    force: Force = False,
) -> TypedOut:
    """Type text into a window: {"mode": "execute", "windowId": "@7", "text": "git status"}

    The same text again within 3 s is ignored.
    """
    row = await address.find_window(window)
    refuse_own_pane([row.pane_id], own=callers.current().pane, force=force)
    tmux = runtime.current().main
    echo = await address.echo(tmux, row)
    # A caller that disconnects may retry: what was claimed must have been typed then.
    sent = await asyncio.shield(_type_once(tmux, row, text=text, submit=submit))
    return TypedOut(window=echo, submitted=submit and sent != dedupe.IGNORED, status=sent)


@takes_window
async def submit_current_window(
    mode: Mode, *, window: WindowAddress, force: Force = False
) -> EnteredOut:
    """Press Enter in a window, for text that is already there."""
    row = await address.find_window(window)
    refuse_own_pane([row.pane_id], own=callers.current().pane, force=force)
    tmux = runtime.current().main
    await panes.submit(tmux=tmux, pane=row.pane_id)
    return EnteredOut(window=await address.echo(tmux, row), submitted=True, status="entered")


async def server_info() -> ServerInfo:
    """Version, state of tmux, and what you may do here."""
    tmux, caller = runtime.current().main, callers.current()
    server = tmux.monitor.server
    return ServerInfo(
        version=VERSION,
        tmux=tmux.problem or (server.version if server else ""),
        windows=0 if tmux.problem else len(await tmux.windows()),
        tool_sets=join(caller.tool_sets).split(","),
        scope=caller.principal.scope,
        own_pane=caller.pane,
    )


_last_described: tuple[object, object, WindowsOut] = (None, None, WindowsOut(windows=[]))


def _described(rows: list[WindowRow], projects: dict[str, str]) -> WindowsOut:
    """Both are the same objects as the last time if nothing has changed."""
    global _last_described
    if _last_described[0] is not rows or _last_described[1] is not projects:
        windows = WindowsOut(windows=[address.describe(row, projects) for row in rows])
        _last_described = rows, projects, windows
    return _last_described[2]


async def _type_once(
    tmux: Tmux, row: WindowRow, *, text: str, submit: bool
) -> Literal["typed", "sent", "duplicate_ignored"]:
    digest = dedupe.digest(server_run=tmux.server_run, window=row.id, text=text, submit=submit)
    if not await recent_sends.claim(digest):
        return dedupe.IGNORED
    try:
        await panes.send_text(tmux=tmux, pane=row.pane_id, text=text, submit=submit)
    except Exception:
        # The caller gets an error, so its next attempt is not a duplicate.
        await recent_sends.release(digest)
        raise
    return "sent" if submit else "typed"


TOOLS = (
    Tool(run=list_windows, toolset=ToolSet.WORKSPACE),
    Tool(run=select_window, toolset=ToolSet.WORKSPACE, scope=Scope.WRITE, destructive=False),
    Tool(run=send_to_window, toolset=ToolSet.WORKSPACE, scope=Scope.WRITE),
    Tool(run=submit_current_window, toolset=ToolSet.WORKSPACE, scope=Scope.WRITE),
    Tool(run=server_info, toolset=ToolSet.WORKSPACE),
)
