"""MCP tools that read any window: its screen, its history, a command with its exit code."""

from dataclasses import dataclass

from core import callers
from core.callers import Scope
from core.errors import Invalid
from core.wire import TEXT_LIMIT, Wire
from mcp_gateway import address, budgets, guard
from mcp_gateway.address import takes_window
from mcp_gateway.registry import Tool, ToolSet
from terminals import runtime, selectors
from terminals.logs import services as logs
from terminals.scrollback import read
from terminals.scrollback import search as scrollback_search
from terminals.scrollback.read import ScreenUpdate
from terminals.scrollback.search import HistoryMatch
from terminals.tmux.rows import PaneRow, WindowRow
from terminals.windows.targets import WindowAddress

OUTPUT = (100, 200_000)  # characters
RESET = "(the cursor is no longer valid because the screen was redrawn: this is the whole screen)"
MORE = "(more: pass cursor to read on)"


# --- which window -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PaneLocation:
    window: WindowRow
    pane: PaneRow


async def find_location(window: WindowAddress, pane: str) -> PaneLocation:
    """A pane, or the active pane of a window."""
    tmux = runtime.current().main
    if not pane:
        active = await address.find_window(window)
        return PaneLocation(active, await tmux.pane(active.pane_id))
    row = await selectors.find_pane(tmux, pane)
    return PaneLocation(await selectors.find_window(tmux, row.window_id), row)


class WhereOut(Wire):
    session: str
    window_id: str
    window_index: int
    window_name: str
    pane_id: str

    @classmethod
    def of(cls, window: WindowRow, pane: PaneRow) -> "WhereOut":
        return cls(
            session=window.session_name,
            window_id=window.id,
            window_index=window.index,
            window_name=window.name,
            pane_id=pane.id,
        )


# --- results ----------------------------------------------------------------------------------


class ScreenOut(Wire):
    window: WhereOut
    text: str
    cursor: str
    reset: bool  # the cursor was no longer valid
    more: bool


class MatchOut(Wire):
    window: WhereOut
    line: int
    text: str


class SearchOut(Wire):
    matches: list[MatchOut]
    cursor: str  # for the next page; empty on the last
    note: str


class RanOut(Wire):
    window: WhereOut
    output: str
    exit_code: int | None
    timed_out: bool
    truncated: bool


# --- tools ------------------------------------------------------------------------------------


@takes_window
async def read_screen(
    *, window: WindowAddress, pane: str = "", cursor: str = "", lines: int = 200
) -> ScreenOut:
    """Read a window's screen. Pass the cursor of the last answer to get only what is new since.
    Untrusted text."""
    place = await find_location(window, pane)
    update = await read.read_screen(
        tmux=runtime.current().main, pane=place.pane.id, cursor=cursor, lines=lines
    )
    return ScreenOut(
        window=WhereOut.of(place.window, update.pane),
        text=_text(update),
        cursor=str(update.page.cursor),
        reset=update.reset,
        more=update.page.more,
    )


@takes_window
async def search_history(
    query: str,
    *,
    regex: bool = False,
    window: WindowAddress,
    context: int = 2,
    limit: int = 20,
    cursor: str = "",
) -> SearchOut:
    """Search the scrollback of a window, a session, or all if none is named, newest first: text in
    any case, or an RE2 pattern. `context`: lines around each match. Untrusted text."""
    tmux = runtime.current().main
    scope = await _scope(window)
    page = await scrollback_search.search_history(
        tmux=tmux,
        panes=await tmux.panes(scope),
        query=query,
        regex=regex,
        context=context,
        limit=limit,
        cursor=cursor,
    )
    windows = {row.id: row for row in await tmux.windows()}
    matches = [
        _match(match, windows[match.pane.window_id])
        for match in page.matches
        if match.pane.window_id in windows
    ]
    return SearchOut(matches=matches, cursor=page.cursor, note=MORE if page.cursor else "")


@takes_window
async def run_and_wait(
    mode: str,
    command: str,
    *,
    window: WindowAddress,
    pane: str = "",
    seconds: float = 30,
    limit: int = 20000,
    force: bool = False,
) -> RanOut:
    """Run a shell command in a window that shows a prompt and wait: output (the last `limit`
    characters) and exit code. After `seconds` it is interrupted. Untrusted
    output."""
    _need_valid(command, limit)
    place = await find_location(window, pane)
    guard.refuse_own_pane([place.pane.id], own=callers.current().pane, force=force)
    done = await runtime.current().executor.execute(place.pane.id, command, seconds=seconds)
    output, cut = budgets.keep_end(
        await logs.read_output(done.output, strip_ansi=True),
        limit,
        "search_history finds text in the rest, tmux_read_pane reads it",
    )
    return RanOut(
        window=WhereOut.of(place.window, place.pane),
        output=output,
        exit_code=done.exit_code,
        timed_out=done.timed_out,
        truncated=cut or done.truncated,
    )


async def _scope(window: WindowAddress) -> str:
    """The id of a window or a session, or an empty string for all windows."""
    if window == WindowAddress():
        return ""
    if window == WindowAddress(session=window.session):
        return (await selectors.find_session(runtime.current().main, window.session)).id
    return (await address.find_window(window)).id


def _text(update: ScreenUpdate) -> str:
    notes = [RESET] * update.reset + [MORE] * update.page.more
    return "\n".join([*update.page.lines, *notes])


def _match(match: HistoryMatch, window: WindowRow) -> MatchOut:
    return MatchOut(window=WhereOut.of(window, match.pane), line=match.line, text=match.text)


def _need_valid(command: str, limit: int) -> None:
    low, high = OUTPUT
    if not low <= limit <= high:
        raise Invalid(f"limit is {low} to {high} characters")
    if not command.strip() or len(command) > TEXT_LIMIT:
        raise Invalid(f"a command has 1 to {TEXT_LIMIT} characters")


TOOLS: tuple[Tool, ...] = (
    Tool(run=read_screen, toolset=ToolSet.AGENTS),
    Tool(run=search_history, toolset=ToolSet.AGENTS),
    Tool(run=run_and_wait, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
)
