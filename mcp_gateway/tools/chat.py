"""The chat tools of webtmux-mcp, and the one that waits instead of asking again.

No rule lives here: what was said is agents/chat.py, a summary agents/summary.py, waiting
agents/waiting.py.
"""

from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from pydantic import Field

from agents import chat, summary, waiting
from agents.chat_schemas import (
    LARGEST_PAGE,
    PAGE,
    ChatHistoryOut,
    ChatMessagesOut,
    SummaryOut,
    WaitedOut,
)
from agents.rules import State
from agents.waiting import Wanted
from mcp_gateway import address
from mcp_gateway.address import Current, Session, WindowId, WindowIndex, WindowName
from mcp_gateway.registry import Tool, ToolSet
from terminals import runtime, selectors
from terminals.db import in_db
from terminals.models import Window

Limit = Annotated[int, Field(ge=1, le=LARGEST_PAGE)]
Before = Annotated[int | None, Field(description="only older than this ts")]
Since = Annotated[int | None, Field(description="only from this ts on")]
WAIT_SECONDS = 60.0


async def read_chat_history(
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    limit: Limit = PAGE,
    before: Before = None,
    since: Since = None,
) -> ChatHistoryOut:
    """Every line that was submitted to a window and every picture of what it showed, oldest first.

    For the page before, pass the smallest `ts` as `before` while `hasMore`.
    """
    window = await _fact(session, windowIndex, windowName, windowId, current)
    told = await in_db(chat.read_chat_history)(
        window=window, limit=limit, before=before, since=since
    )
    return ChatHistoryOut.of(window, told.records, has_more=told.has_more)


async def read_chat_messages(
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    limit: Limit = PAGE,
    before: Before = None,
    since: Since = None,
) -> ChatMessagesOut:
    """The conversation in a window: whole messages, without echoes, spinners and footers."""
    window = await _fact(session, windowIndex, windowName, windowId, current)
    told = await chat.read_chat_messages(window=window, limit=limit, before=before, since=since)
    return ChatMessagesOut.of(window, told.messages, has_more=told.has_more)


async def summarize_window(
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
) -> SummaryOut:
    """What has been going on in a window, in bullets. Lossy; `by` says who wrote them."""
    window = await _fact(session, windowIndex, windowName, windowId, current)
    return SummaryOut.of(window, await summary.summarize_window(window=window))


async def wait_for(
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    windowIds: Annotated[  # noqa: N803
        tuple[str, ...], Field(description="several windows instead of one, as @7")
    ] = (),
    every: Annotated[bool, Field(description="in each of them, not in any")] = False,
    text: Annotated[str, Field(description="that is printed from now on")] = "",
    pattern: Annotated[str, Field(description="RE2 pattern on a line")] = "",
    quietMs: Annotated[  # noqa: N803
        int | None, Field(description="nothing printed for so long")
    ] = None,
    commandEnds: Annotated[  # noqa: N803
        bool, Field(description="the shell is back at its prompt")
    ] = False,
    states: Annotated[
        tuple[Literal["working", "waiting", "idle"], ...], Field(description="of the agent")
    ] = (),
    seconds: Annotated[float, Field(gt=0, le=waiting.LONGEST_SECONDS)] = WAIT_SECONDS,
    ctx: Context | None = None,
) -> WaitedOut:
    """Wait until something happens in a window, instead of reading it again and again.

    Of several conditions the first counts: {"windowId": "@7", "text": "Listening", "seconds": 120}
    """
    if windowIds:
        rows = [await address.find_window("", None, "", each, False) for each in windowIds]
    else:
        rows = [await address.find_window(session, windowIndex, windowName, windowId, current)]
    wanted = Wanted(
        text=text, pattern=pattern, quiet_ms=quietMs, command_ends=commandEnds,
        states=frozenset(map(State, states)),
    )  # fmt: skip
    told = await waiting.wait_for_window(
        tmux=runtime.current().main, windows=rows, wanted=wanted, every=every, seconds=seconds,
        progress=ctx.report_progress if ctx is not None else None,
    )  # fmt: skip
    return WaitedOut.of(told)


async def _fact(
    session: str, index: int | str | None, name: str, window_id: str, current: bool
) -> Window:
    """By a key also a window that is gone: what was said in it is still there."""
    tmux = runtime.current().main
    if window_id and not window_id.startswith("@"):
        return await selectors.get_window(tmux=tmux, window=window_id)
    row = await address.find_window(session, index, name, window_id, current)
    return await selectors.fact_of(tmux, row.id)


TOOLS = (
    Tool(run=summarize_window, toolset=ToolSet.WORKSPACE),
    Tool(run=read_chat_history, toolset=ToolSet.WORKSPACE),
    Tool(run=read_chat_messages, toolset=ToolSet.WORKSPACE),
    Tool(run=wait_for, toolset=ToolSet.AGENTS),
)
