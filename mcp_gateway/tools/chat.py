"""MCP tools for chat, as webtmux-mcp documents them, and `wait_for`."""

from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from pydantic import Field

from agents.chat import selectors as chat
from agents.chat import summary
from agents.chat.schemas import (
    LARGEST_PAGE,
    PAGE,
    ChatHistoryOut,
    ChatMessagesOut,
    SummaryOut,
    WaitedOut,
)
from agents.runtimes.loader import AgentState
from agents.waiting import turns, wait
from agents.waiting.wait import WaitCondition
from core.database import in_db
from mcp_gateway import address
from mcp_gateway.address import takes_window
from mcp_gateway.registry import Tool, ToolSet
from terminals import runtime, services
from terminals.models import Window
from terminals.windows.targets import WindowAddress

Limit = Annotated[int, Field(ge=1, le=LARGEST_PAGE)]
Before = Annotated[int | None, Field(description="only older than this ts")]
Since = Annotated[int | None, Field(description="only from this ts on")]
WAIT_SECONDS = 60.0


@takes_window
async def read_chat_history(
    *, window: WindowAddress, limit: Limit = PAGE, before: Before = None, since: Since = None
) -> ChatHistoryOut:
    """Every line submitted to a window and every capture of its screen, oldest first.

    For the page before, pass the smallest `ts` as `before` while `hasMore`.
    """
    stored = await _stored_window(window)
    page = await in_db(chat.read_chat_history)(
        window=stored, limit=limit, before=before, since=since
    )
    return ChatHistoryOut.of(stored, page.records, has_more=page.has_more)


@takes_window
async def read_chat_messages(
    *, window: WindowAddress, limit: Limit = PAGE, before: Before = None, since: Since = None
) -> ChatMessagesOut:
    """The conversation in a window: whole messages, without echoes, spinners and footers.

    `source` says whether a message comes from the agent's journal, a hook, or only the screen.
    """
    stored = await _stored_window(window)
    page = await chat.read_chat_messages(window=stored, limit=limit, before=before, since=since)
    return ChatMessagesOut.of(stored, page.messages, has_more=page.has_more)


@takes_window
async def summarize_window(*, window: WindowAddress) -> SummaryOut:
    """What has been going on in a window, in bullets. Lossy; `by` says who wrote them."""
    stored = await _stored_window(window)
    return SummaryOut.of(stored, await summary.summarize_window(window=stored))


@takes_window
async def wait_for(
    *,
    window: WindowAddress,
    windowIds: Annotated[
        tuple[str, ...], Field(description="several windows instead of one, as @7")
    ] = (),
    every: Annotated[bool, Field(description="in each of them, not in any")] = False,
    text: Annotated[str, Field(description="that is printed from now on")] = "",
    pattern: Annotated[str, Field(description="RE2 pattern on a line")] = "",
    quietMs: Annotated[int | None, Field(description="nothing printed for so long")] = None,
    commandEnds: Annotated[bool, Field(description="the shell is back at its prompt")] = False,
    states: Annotated[
        tuple[Literal["working", "waiting", "idle"], ...], Field(description="of the agent")
    ] = (),
    turn: Annotated[str, Field(description="of a receipt: ends, asks or fails")] = "",
    seconds: Annotated[float, Field(gt=0, le=wait.WAIT_LIMIT_SECONDS)] = WAIT_SECONDS,
    ctx: Context | None = None,
) -> WaitedOut:
    """Wait until something happens in a window, instead of reading it again and again.

    Of several conditions the first counts: {"windowId": "@7", "text": "Listening", "seconds": 120}
    After a prompt, state idle means the end of its turn.
    """
    if turn and not windowIds and window == WindowAddress():
        window = WindowAddress(window_id=turns.current().find(turn).agent.window_id)
    addresses = [WindowAddress(window_id=each) for each in windowIds] or [window]
    rows = [await address.find_window(each) for each in addresses]
    condition = WaitCondition(
        text=text,
        pattern=pattern,
        quiet_ms=quietMs,
        command_ends=commandEnds,
        states=frozenset(map(AgentState, states)),
        turn=turn,
    )
    result = await wait.wait_for_window(
        tmux=runtime.current().main,
        windows=rows,
        condition=condition,
        every=every,
        seconds=seconds,
        progress=ctx.report_progress if ctx is not None else None,
    )
    return WaitedOut.of(result)


async def _stored_window(window: WindowAddress) -> Window:
    """By its key also a closed window, whose chat is still stored."""
    tmux = runtime.current().main
    if window.window_id and not window.window_id.startswith("@"):
        return await services.get_window(tmux=tmux, window=window.window_id)
    row = await address.find_window(window)
    return await services.get_live_window(tmux, row.id)


TOOLS = (
    Tool(run=summarize_window, toolset=ToolSet.WORKSPACE),
    Tool(run=read_chat_history, toolset=ToolSet.WORKSPACE),
    Tool(run=read_chat_messages, toolset=ToolSet.WORKSPACE),
    Tool(run=wait_for, toolset=ToolSet.AGENTS),
)
