"""What a tool is: a function, the set it belongs to, and what its caller must be allowed to do.

Not how it is called: the checks in front of every tool and its errors are in server.py.
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from terminals.access import Scope

CONTEXT = "ctx"  # the parameter by which a tool gets the SDK's Context; no argument of a caller's


class ToolSet(StrEnum):
    """A client asks for the sets it wants: `/mcp?tools=workspace,notes`."""

    WORKSPACE = "workspace"
    NOTES = "notes"
    AGENTS = "agents"
    TMUX = "tmux"
    TABS = "tabs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Parameters have their names on the wire (`windowIndex`); the docstring is the description."""

    run: Callable[..., Awaitable[Any]]
    toolset: ToolSet
    scope: Scope = Scope.READ
    # What a client is told about a tool that writes. Typing into a shell can destroy anything, so
    # only tools that select, resize or rename set this to False.
    destructive: bool = True
    # Before the message of a failure: tmux-mcp documents `Error: …`.
    error_prefix: str = ""

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def is_read_only(self) -> bool:
        return self.scope is Scope.READ

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(name for name in inspect.signature(self.run).parameters if name != CONTEXT)
