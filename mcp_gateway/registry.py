"""The definition of a tool: its function, its set, and the scope that a caller needs.

Pure. The checks around every call are in server.py.
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from core.callers import Scope

CONTEXT = "ctx"  # the parameter for the SDK's Context; not an argument of the caller


class ToolSet(StrEnum):
    """A client selects sets by its address: `/mcp?tools=workspace,notes`."""

    WORKSPACE = "workspace"
    NOTES = "notes"
    AGENTS = "agents"
    TMUX = "tmux"
    TABS = "tabs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Parameters are named as on the wire (`windowIndex`); the docstring is the description."""

    run: Callable[..., Awaitable[object]]
    toolset: ToolSet
    scope: Scope = Scope.READ
    # The hint for tools that write. Typing into a shell can destroy anything, so only tools that
    # select, resize or rename set this to False.
    destructive: bool = True
    # Precedes error messages: tmux-mcp documents `Error: …`.
    error_prefix: str = ""
    # Whether the text of a result is indented JSON, as terminally-mcp documents it. Elsewhere it
    # is on one line: a model pays for every space.
    indented: bool = False

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def is_read_only(self) -> bool:
        return self.scope is Scope.READ

    @property
    def arguments(self) -> tuple[str, ...]:
        return _arguments(self.run)


@cache
def _arguments(run: Callable[..., Awaitable[object]]) -> tuple[str, ...]:
    """Kept, because reading a signature takes longer than the other checks of a call."""
    return tuple(name for name in inspect.signature(run).parameters if name != CONTEXT)
