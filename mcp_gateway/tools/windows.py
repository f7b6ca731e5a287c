"""The terminal tools of webtmux-mcp: list, select, type, press Enter; and what this server is.

Not panes: those have the tmux_* tools. The text that is typed is never logged.
"""

import asyncio
from typing import Annotated, Literal

from pydantic import Field

from mcp_gateway import address, callers, dedupe
from mcp_gateway.address import Current, Session, WindowId, WindowIndex, WindowName
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
from mcp_gateway.toolsets import told
from terminals import panes, runtime, selectors, services
from terminals.access import Scope
from terminals.db import in_db
from terminals.schemas import TEXT_LIMIT, Text
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow
from terminals.version import VERSION

Mode = Literal["plan", "execute"]
Force = Annotated[bool, Field(description="even your own pane")]
Typed = Annotated[Text, Field(max_length=TEXT_LIMIT)]


async def list_windows() -> WindowsOut:
    """All tmux windows of all sessions, with their projects."""
    tmux = runtime.current().main
    rows = await tmux.windows()
    projects = await in_db(selectors.project_names)(life=tmux.life)
    return WindowsOut(windows=[address.describe(row, projects) for row in rows])


async def select_window(
    mode: Mode,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
) -> SelectedOut:
    """Show a window to the user: {"mode": "execute", "session": "main", "windowIndex": 2}"""
    row = await address.find_window(session, windowIndex, windowName, windowId, current)
    window = await services.select_window(tmux=runtime.current().main, window=row.id)
    return SelectedOut(selected=WindowRef.of_fact(window))


async def send_to_window(
    mode: Mode,
    text: Typed,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    submit: Annotated[bool, Field(description="press Enter, only if the user said so")] = False,
    force: Force = False,
) -> TypedOut:
    """Type text into a window: {"mode": "execute", "windowId": "@7", "text": "git status"}

    The same text again within 3 s is ignored.
    """
    row = await address.find_window(session, windowIndex, windowName, windowId, current)
    refuse_own_pane([row.pane_id], own=callers.current().pane, force=force)
    tmux = runtime.current().main
    window = await address.echo(tmux, row)
    # A caller who leaves half-way may come again: what was claimed must then have been typed.
    sent = await asyncio.shield(_type_once(tmux, row, text=text, submit=submit))
    return TypedOut(window=window, submitted=submit and sent != dedupe.IGNORED, status=sent)


async def submit_current_window(
    mode: Mode,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    force: Force = False,
) -> EnteredOut:
    """Press Enter in a window, for text that already stands there."""
    row = await address.find_window(session, windowIndex, windowName, windowId, current)
    refuse_own_pane([row.pane_id], own=callers.current().pane, force=force)
    tmux = runtime.current().main
    await panes.submit(tmux=tmux, pane=row.pane_id)
    return EnteredOut(window=await address.echo(tmux, row), submitted=True, status="entered")


async def server_info() -> ServerInfo:
    """Version, state of tmux, and what you may do here."""
    tmux, caller = runtime.current().main, callers.current()
    server = tmux.link.server
    return ServerInfo(
        version=VERSION,
        tmux=tmux.problem or (server.version if server else ""),
        windows=0 if tmux.problem else len(await tmux.windows()),
        tool_sets=told(caller.sets).split(","),
        scope=caller.principal.scope,
        own_pane=caller.pane,
    )


async def _type_once(
    tmux: Tmux, row: WindowRow, *, text: str, submit: bool
) -> Literal["typed", "sent", "duplicate_ignored"]:
    digest = dedupe.digest(life=tmux.life, window=row.id, text=text, submit=submit)
    if not await in_db(dedupe.claim)(digest=digest):
        return dedupe.IGNORED
    try:
        await panes.send_text(tmux=tmux, pane=row.pane_id, text=text, submit=submit)
    except Exception:
        # The caller is told that it failed, and its next try is not a repetition.
        await in_db(dedupe.release)(digest=digest)
        raise
    return "sent" if submit else "typed"


TOOLS = (
    Tool(run=list_windows, toolset=ToolSet.WORKSPACE),
    Tool(run=select_window, toolset=ToolSet.WORKSPACE, scope=Scope.WRITE, destructive=False),
    Tool(run=send_to_window, toolset=ToolSet.WORKSPACE, scope=Scope.WRITE),
    Tool(run=submit_current_window, toolset=ToolSet.WORKSPACE, scope=Scope.WRITE),
    Tool(run=server_info, toolset=ToolSet.WORKSPACE),
)
