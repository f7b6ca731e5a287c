"""The size of the tool list, and how the SDK handles the parameters."""

import inspect
from typing import Any

import pytest
from mcp import Client
from mcp.server import MCPServer

from mcp_gateway.registry import Tool
from mcp_gateway.server import Gateway
from mcp_gateway.tools import agents, screens, tabs, tmux, tmux_text
from terminals.runtime import Runtime
from tests.waiting import eventually

MODULES = (tmux, tmux_text, tabs, agents, screens)
TOOLS: tuple[Tool, ...] = tuple(tool for module in MODULES for tool in module.TOOLS)


def served() -> MCPServer:
    server = MCPServer("test", log_level="WARNING")
    for tool in TOOLS:
        server.add_tool(tool.run, description=inspect.cleandoc(tool.run.__doc__ or ""))
    return server


async def listed() -> dict[str, dict[str, Any]]:
    tools = await served().list_tools()
    fields = {"name", "description", "input_schema"}
    return {tool.name: tool.model_dump(include=fields, by_alias=True) for tool in tools}


async def test_text_is_exactly_a_string() -> None:
    """Anything else is parsed as JSON by the SDK first, and `[1]` would not arrive as text."""
    for tool in (await listed()).values():
        for name, schema in tool["inputSchema"]["properties"].items():
            kinds = [kind["type"] for kind in schema.get("anyOf", [schema])]
            assert "string" not in kinds or kinds == ["string"] or name == "windowIndex"


async def test_a_reading_tool_is_marked_as_read_only() -> None:
    response = await listed()
    for name in ("tmux_read_pane", "read_logs_from_tab", "stream_logs_from_tab", "read_screen",
                 "search_history", "execute_command", "run_and_wait", "list_agents"):  # fmt: skip
        assert "ntrusted" in response[name]["description"], name


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", "null", "12", "true"])
async def test_text_that_looks_like_json_is_typed_as_it_is(runtime: Runtime, text: str) -> None:
    request = {"target": "work", "keys": f"# {text}", "literal": True}
    await served().call_tool("tmux_send_keys", request)
    await served().call_tool("tmux_send_keys", {**request, "keys": text})

    async def there() -> bool:
        return f"# {text}{text}".encode() in await runtime.main.capture("%0")

    await eventually(there)


async def test_a_result_is_json_as_text_and_as_structure(runtime: Runtime) -> None:
    async with Client(Gateway(TOOLS)) as client:
        tabs = await client.call_tool("list_tabs", {})
        assert tabs.structured_content == {"tabs": []}
        assert [part.text for part in tabs.content if part.type == "text"] == ['{\n  "tabs": []\n}']
        screen = await client.call_tool("read_screen", {"session": "work", "windowIndex": "0"})
    assert screen.structured_content is not None
    assert set(screen.structured_content) == {"window", "text", "cursor", "reset", "more"}
    assert set(screen.structured_content["window"]) == {
        "session", "windowId", "windowIndex", "windowName", "paneId",
    }  # fmt: skip
