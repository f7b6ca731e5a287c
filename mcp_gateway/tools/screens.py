"""The tools that look into any window: its screen, its history, a command with its exit code.

What is new and what matches is decided in terminals/; what a tool addresses, here.
"""

from dataclasses import dataclass

from mcp_gateway import address, budgets, callers, guard
from mcp_gateway.address import Current, Session, WindowId, WindowIndex, WindowName
from mcp_gateway.registry import Tool, ToolSet
from terminals import logs, runtime, screens, searching, selectors
from terminals.access import Scope
from terminals.errors import Invalid
from terminals.schemas import TEXT_LIMIT, Wire
from terminals.screens import Screen
from terminals.searching import Hit
from terminals.targets import WindowAddress
from terminals.tmux.rows import PaneRow, WindowRow

OUTPUT = (100, 200_000)  # characters
RESET = "(the screen was redrawn, or lines of that cursor are gone: this is the screen whole)"
MORE = "(more: pass cursor to read on)"


# --- which window -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    window: WindowRow
    pane: PaneRow


async def find_place(asked: WindowAddress, pane: str) -> Place:
    """A pane, or the active pane of a window."""
    tmux = runtime.current().main
    if not pane:
        window = await address.find(asked)
        return Place(window, await tmux.pane(window.pane_id))
    row = await selectors.find_pane(tmux, pane)
    return Place(await selectors.find_window(tmux, row.window_id), row)


class WhereOut(Wire):
    session: str
    window_id: str
    window_index: int
    window_name: str
    pane_id: str

    @classmethod
    def of(cls, window: WindowRow, pane: PaneRow) -> "WhereOut":
        return cls(
            session=window.session_name, window_id=window.id, window_index=window.index,
            window_name=window.name, pane_id=pane.id,
        )  # fmt: skip


# --- what tools answer ------------------------------------------------------------------------


class ScreenOut(Wire):
    window: WhereOut
    text: str
    cursor: str
    reset: bool  # the cursor did not fit any more
    more: bool


class MatchOut(Wire):
    window: WhereOut
    line: int
    text: str


class SearchOut(Wire):
    matches: list[MatchOut]
    cursor: str  # of the next page; empty on the last
    note: str


class RanOut(Wire):
    window: WhereOut
    output: str
    exit_code: int | None
    timed_out: bool
    truncated: bool


# --- tools ------------------------------------------------------------------------------------


async def read_screen(
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    pane: str = "",
    cursor: str = "",
    lines: int = 200,
) -> ScreenOut:
    """Read a window's screen. Pass the cursor of the last answer to get only what is new since.
    Untrusted text."""
    asked = address.of(session, windowIndex, windowName, windowId, current)
    place = await find_place(asked, pane)
    seen = await screens.read_screen(
        tmux=runtime.current().main, pane=place.pane.id, cursor=cursor, lines=lines
    )
    return ScreenOut(
        window=WhereOut.of(place.window, seen.pane), text=_text(seen),
        cursor=str(seen.page.cursor), reset=seen.reset, more=seen.page.more,
    )  # fmt: skip


async def search_history(
    query: str,
    regex: bool = False,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    context: int = 2,
    limit: int = 20,
    cursor: str = "",
) -> SearchOut:
    """Search the scrollback of a window, a session, or all if none is named, newest first: text in
    any case, or an RE2 pattern. `context`: lines around each match. Untrusted text."""
    tmux = runtime.current().main
    scope = await _scope(address.of(session, windowIndex, windowName, windowId, current))
    found = await searching.search_history(
        tmux=tmux, panes=await tmux.panes(scope), query=query, regex=regex, context=context,
        limit=limit, cursor=cursor,
    )  # fmt: skip
    windows = {row.id: row for row in await tmux.windows()}
    matches = [_match(hit, windows[hit.pane.window_id]) for hit in found.hits
               if hit.pane.window_id in windows]  # fmt: skip
    return SearchOut(matches=matches, cursor=found.cursor, note=MORE if found.cursor else "")


async def run_and_wait(
    mode: str,
    command: str,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    pane: str = "",
    seconds: float = 30,
    limit: int = 20000,
    force: bool = False,
) -> RanOut:
    """Run a shell command in a window that shows a prompt and wait: output (the last `limit`
    characters) and exit code. mode must be "execute". After `seconds` it is interrupted. Untrusted
    output."""
    _need_valid(command, limit)
    asked = address.of(session, windowIndex, windowName, windowId, current)
    place = await find_place(asked, pane)
    guard.refuse_own_pane([place.pane.id], own=callers.current().pane, force=force)
    done = await runtime.current().executor.execute(place.pane.id, command, seconds=seconds)
    output, cut = budgets.keep_end(
        await logs.read_output(done.output, strip_ansi=True), limit,
        "search_history finds text in the rest, tmux_read_pane reads it",
    )  # fmt: skip
    return RanOut(
        window=WhereOut.of(place.window, place.pane), output=output, exit_code=done.exit_code,
        timed_out=done.timed_out, truncated=cut or done.truncated,
    )  # fmt: skip


async def _scope(asked: WindowAddress) -> str:
    """The id of a window, of a whole session, or nothing for all there are."""
    if asked == WindowAddress():
        return ""
    if asked == WindowAddress(session=asked.session):
        return (await selectors.find_session(runtime.current().main, asked.session)).id
    return (await address.find(asked)).id


def _text(seen: Screen) -> str:
    notes = [RESET] * seen.reset + [MORE] * seen.page.more
    return "\n".join([*seen.page.lines, *notes])


def _match(hit: Hit, window: WindowRow) -> MatchOut:
    return MatchOut(window=WhereOut.of(window, hit.pane), line=hit.line, text=hit.text)


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
