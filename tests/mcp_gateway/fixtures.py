"""Sample tools for the tests, and clients in the same process."""

import json
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent

from core.callers import Caller, CallerKind, Principal, Scope
from core.errors import NotFound
from core.wire import Wire
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.server import Gateway


class Doubled(Wire):
    twice_as_much: int
    nothing: str | None = None


async def double(number: int, factor: float | None = None) -> Doubled:
    """Twice a number."""
    return Doubled(twice_as_much=round(number * (factor or 2)))


async def halve(number: int) -> Doubled:
    """Half of a number."""
    return Doubled(twice_as_much=number // 2)


async def change(mode: str, text: str = "") -> Doubled:
    """Change something."""
    changed.append(text)
    return Doubled(twice_as_much=len(changed))


async def miss() -> Doubled:
    """Find nothing."""
    raise NotFound("can't find it: look elsewhere")


async def say() -> str:
    """Say something."""
    return "plain words"


async def crash() -> Doubled:
    """Fail with an unexpected exception."""
    raise RuntimeError("the internal secret")


changed: list[str] = []
TOOLS = (
    Tool(run=double, toolset=ToolSet.WORKSPACE),
    Tool(run=change, toolset=ToolSet.NOTES, scope=Scope.WRITE, destructive=False),
    Tool(run=miss, toolset=ToolSet.TMUX, error_prefix="Error: "),
    Tool(run=say, toolset=ToolSet.TMUX, scope=Scope.WRITE),
    Tool(run=crash, toolset=ToolSet.WORKSPACE),
    Tool(run=halve, toolset=ToolSet.TABS, indented=True),
)


def someone(scope: Scope = Scope.ADMIN, *sets: ToolSet, pane: str = "") -> Caller:
    principal = Principal(CallerKind.TOKEN, "somebody", scope)
    return Caller(principal, pane, frozenset(sets or ToolSet))


async def call(server: Gateway, name: str, **arguments: Any) -> CallToolResult:
    async with Client(server) as client:
        result = await client.call_tool(name, arguments)
        assert isinstance(result, CallToolResult)
        return result


async def answer(server: Gateway, name: str, **arguments: Any) -> Any:
    """The structured answer, which the text repeats as JSON on one line."""
    result = await call(server, name, **arguments)
    assert not result.is_error, text_of(result)
    assert text_of(result) == json.dumps(
        result.structured_content, separators=(",", ":"), ensure_ascii=False
    )
    return result.structured_content


async def failure(server: Gateway, name: str, **arguments: Any) -> str:
    result = await call(server, name, **arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


async def protocol_error(server: Gateway, name: str, **arguments: Any) -> MCPError:
    """The JSON-RPC error that answers a call instead of a result."""
    async with Client(server) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool(name, arguments)
    return refused.value


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text
