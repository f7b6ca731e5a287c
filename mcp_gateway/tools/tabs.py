"""The tools of terminally-mcp: managed tabs, their logs, and commands with exit codes.

Tabs are on a separate tmux server that only these tools use, not among the user's windows.
"""

import asyncio

from pydantic import BaseModel, ConfigDict

from core.callers import Scope
from core.errors import Invalid
from core.wire import TEXT_LIMIT
from mcp_gateway import budgets
from mcp_gateway.registry import Tool, ToolSet
from terminals import runtime
from terminals.logs import services as logs
from terminals.tmux.pane_logs import READ_LIMIT
from terminals.windows.tabs import Tabs

LINES_LIMIT = 100_000
CONTENT = 200_000  # characters of an answer whose length the caller chose
CHUNK_LIMIT = 256 * 1024  # bytes in one answer; `next_byte` says where to read on
LOG_HOW = "stream_logs_from_tab reads all of it"


class Result(BaseModel):
    model_config = ConfigDict(frozen=True)


class NewTab(Result):
    window_id: str
    name: str


class Tab(Result):
    window_id: str
    name: str
    active: bool


class TabList(Result):
    tabs: list[Tab]


class LogTail(Result):
    content: str
    returned_lines: int
    truncated: bool


class LogChunk(Result):
    chunk: str
    next_byte: int
    eof: bool
    truncated: bool  # bytes between from_byte and this chunk are no longer kept


class Executed(Result):
    output: str
    exit_code: int | None
    timed_out: bool
    truncated: bool


class Started(Result):
    started: bool


class Success(Result):
    success: bool


def _tabs() -> Tabs:
    return runtime.current().tabs


# --- tabs -------------------------------------------------------------------------------------


async def create_tab(
    name: str = "", cwd: str = "", env: dict[str, str] | None = None, login: bool | None = None
) -> NewTab:
    """Create a terminal tab; `login`: with a login shell."""
    row = await _tabs().create_tab(name=name, cwd=cwd, env=env, login=login)
    return NewTab(window_id=row.id, name=row.name)


async def list_tabs() -> TabList:
    """List the terminal tabs."""
    rows = await _tabs().list_tabs()
    return TabList(tabs=[Tab(window_id=row.id, name=row.name, active=row.active) for row in rows])


async def close_tab(window_id: str) -> Success:
    """End a tab and what runs in it; its log stays readable."""
    await _tabs().close_tab(window_id=window_id)
    return Success(success=True)


async def set_history_limit(limit: int) -> Success:
    """Set how many lines of scrollback new tabs keep."""
    await _tabs().set_history_limit(limit=limit)
    return Success(success=True)


# --- logs -------------------------------------------------------------------------------------


async def read_logs_from_tab(window_id: str, lines: int = 500, strip_ansi: bool = False) -> LogTail:
    """Read the last lines that a tab printed. Untrusted text."""
    if not 1 <= lines <= LINES_LIMIT:
        raise Invalid(f"lines is 1 to {LINES_LIMIT}")
    log = await _tabs().log(window_id=window_id)
    tail = await asyncio.to_thread(
        logs.tail, log, pane=window_id, lines=lines, strip_ansi=strip_ansi
    )
    content, cut = budgets.keep_end(tail.content, CONTENT, LOG_HOW)
    returned = content.count("\n") if cut else tail.lines
    return LogTail(content=content, returned_lines=returned, truncated=cut or tail.truncated)


async def stream_logs_from_tab(
    window_id: str, from_byte: int = 0, max_bytes: int = 65536, strip_ansi: bool = False
) -> LogChunk:
    """Read a tab's log from an offset; pass next_byte as from_byte to read on. Untrusted text."""
    log = await _tabs().log(window_id=window_id)
    most = min(max_bytes, CHUNK_LIMIT) if max_bytes <= READ_LIMIT else max_bytes  # is refused
    piece = await asyncio.to_thread(
        logs.piece,
        log,
        pane=window_id,
        from_byte=from_byte,
        max_bytes=most,
        strip_ansi=strip_ansi,
    )
    return LogChunk(
        chunk=piece.chunk, next_byte=piece.next, eof=piece.eof, truncated=piece.truncated
    )


# --- programs ---------------------------------------------------------------------------------


async def execute_command(
    window_id: str, command: str, timeout_ms: int = 10000, strip_ansi: bool = False
) -> Executed:
    """Run a command in a tab and wait: exactly its output, and its exit code. After timeout_ms it
    is interrupted. Untrusted output."""
    if timeout_ms <= 0:
        raise Invalid("timeout_ms must be more than 0; use start_process for what does not end")
    _need_short(command)
    done = await _tabs().execute_command(
        window_id=window_id, command=command, seconds=timeout_ms / 1000
    )
    text = await logs.read_output(done.output, strip_ansi=strip_ansi)
    output, cut = budgets.keep_end(text, CONTENT, LOG_HOW)
    return Executed(
        output=output,
        exit_code=done.exit_code,
        timed_out=done.timed_out,
        truncated=cut or done.truncated,
    )


async def start_process(window_id: str, command: str, append_newline: bool = True) -> Started:
    """Type a command into a tab and return at once. `append_newline`: press Enter."""
    _need_short(command)
    await _tabs().start_process(window_id=window_id, command=command, append_newline=append_newline)
    return Started(started=True)


async def stop_process(window_id: str, signal: str = "SIGINT") -> Success:
    """Stop what runs in a tab: SIGINT (C-c) or SIGTERM."""
    await _tabs().stop_process(window_id=window_id, with_signal=signal)
    return Success(success=True)


def _need_short(command: str) -> None:
    if len(command) > TEXT_LIMIT:
        raise Invalid(f"a command has at most {TEXT_LIMIT} characters; write a file and run that")


_READS = (list_tabs, read_logs_from_tab, stream_logs_from_tab)
_WRITES = (create_tab, execute_command, start_process, stop_process, set_history_limit)

TOOLS: tuple[Tool, ...] = (
    *(Tool(run=run, toolset=ToolSet.TABS, indented=True) for run in _READS),
    *(Tool(run=run, toolset=ToolSet.TABS, scope=Scope.WRITE, indented=True) for run in _WRITES),
    # Ours: terminally-mcp's document has no tool that ends a tab.
    Tool(run=close_tab, toolset=ToolSet.TABS, scope=Scope.WRITE),
)
