"""The `tmux_*` tools that type into a pane and read from it, as tmux-mcp has them.

The text that is sent is never logged. Sessions, windows and panes themselves are tmux.py.
"""

from mcp_gateway import budgets, callers, guard
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.tools.tmux import ERROR, server
from terminals import panes, selectors
from terminals.access import Scope
from terminals.errors import Invalid
from terminals.schemas import KEYS_LIMIT, TEXT_LIMIT
from terminals.tmux import words

LINES_LIMIT = 100_000  # what REST reads at once too
EMPTY = "(empty pane)"


async def tmux_send_keys(target: str, keys: str, literal: bool = False, force: bool = False) -> str:
    """Type into a pane: words that name a key are pressed, the rest is typed, e.g. "ls -l Enter".
    `literal`: type all of it. `force`: even your own pane."""
    if len(keys) > TEXT_LIMIT:
        raise Invalid(f"at most {TEXT_LIMIT} characters at once")
    parts = [keys.encode()] if literal else words.split(keys)
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
    shot = await panes.capture(tmux=server(), pane=target, lines=line_count, start=start_line)
    if not shot.text.strip():
        return EMPTY
    if start_line is not None:
        return _from(max(start_line, -shot.pane.history), shot.text.removesuffix("\n").split("\n"))
    text, _ = budgets.keep_end(
        shot.text.rstrip(), budgets.ANSWER, "a negative start_line with line_count reads the rest"
    )
    return text


def _from(start: int, lines: list[str]) -> str:
    """A page that goes forward, and where the next one begins."""
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
