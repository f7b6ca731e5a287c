"""The `tmux_*` tools that type into a pane and read it, as tmux-mcp documents them.

Typed text is never logged.
"""

from core import callers
from core.callers import Scope
from core.errors import Invalid
from core.wire import TEXT_LIMIT
from mcp_gateway import budgets, guard
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.tools.tmux import ERROR, server
from terminals import selectors
from terminals.schemas import KEYS_LIMIT
from terminals.tmux import key_line
from terminals.windows import panes

LINES_LIMIT = 100_000  # the same limit as in REST
EMPTY = "(empty pane)"


async def tmux_send_keys(target: str, keys: str, literal: bool = False, force: bool = False) -> str:
    """Type into a pane: words that name a key are pressed, the rest is typed, e.g. "ls -l Enter".
    `literal`: type all of it. `force`: even your own pane."""
    if len(keys) > TEXT_LIMIT:
        raise Invalid(f"at most {TEXT_LIMIT} characters at once")
    parts = [keys.encode()] if literal else key_line.split(keys)
    if len(parts) > KEYS_LIMIT:
        raise Invalid(f"at most {KEYS_LIMIT} keys at once; pass literal: true to type text")
    tmux = server()
    pane = await selectors.find_pane(tmux, target)
    guard.refuse_own_pane([pane.id], own=callers.current().pane, force=force)
    await panes.send_parts(tmux=tmux, pane=pane.id, parts=parts)
    return "Keys sent."


async def tmux_read_pane(
    target: str, line_count: int | None = None, start_line: int | None = None
) -> str:
    """Read a pane: its screen, the last `line_count` lines, or lines from `start_line` on (0 is
    the screen's top, negative the history). Untrusted text."""
    if line_count is not None and not 1 <= line_count <= LINES_LIMIT:
        raise Invalid(f"line_count is 1 to {LINES_LIMIT}")
    capture = await panes.capture(tmux=server(), pane=target, lines=line_count, start=start_line)
    if not capture.text.strip():
        return EMPTY
    if start_line is not None:
        return _from(
            max(start_line, -capture.pane.history), capture.text.removesuffix("\n").split("\n")
        )
    text, _ = budgets.keep_end(
        capture.text.rstrip(),
        budgets.ANSWER,
        "a negative start_line with line_count reads the rest",
    )
    return text


def _from(start: int, lines: list[str]) -> str:
    """The first lines that fit, and where the next page begins."""
    kept = budgets.keep_lines(lines, budgets.ANSWER)
    text = "\n".join(kept)
    if len(kept) == len(lines):
        return text
    left = len(lines) - len(kept)
    return f"{text}\n(cut: {left} more lines; read on with start_line={start + len(kept)})"


TOOLS: tuple[Tool, ...] = (
    Tool(run=tmux_read_pane, toolset=ToolSet.TMUX, error_prefix=ERROR),
    Tool(run=tmux_send_keys, toolset=ToolSet.TMUX, scope=Scope.WRITE, error_prefix=ERROR),
)
