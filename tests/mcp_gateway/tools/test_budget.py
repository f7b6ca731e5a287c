"""What the tools cost a client before it uses one, and what the SDK makes of their parameters."""

import inspect
import json
from typing import Any

import pytest
from mcp.server import MCPServer

from mcp_gateway import budgets
from mcp_gateway.registry import Tool
from mcp_gateway.tools import agents, screens, tabs, tmux, tmux_text

MODULES = (tmux, tmux_text, tabs, agents, screens)
TOOLS: tuple[Tool, ...] = tuple(tool for module in MODULES for tool in module.TOOLS)
BYTES = 12 * 1024


async def listed() -> dict[str, dict[str, Any]]:
    server = MCPServer("test", log_level="WARNING")
    for tool in TOOLS:
        server.add_tool(tool.run, description=inspect.cleandoc(tool.run.__doc__ or ""))
    tools = await server.list_tools()
    fields = {"name", "description", "input_schema"}
    return {tool.name: tool.model_dump(include=fields, by_alias=True) for tool in tools}


async def test_all_schemas_together_stay_small() -> None:
    told = await listed()
    assert len(told) == len(TOOLS) == 28
    assert sum(len(json.dumps(tool, separators=(",", ":"))) for tool in told.values()) < BYTES


async def test_text_is_exactly_a_string() -> None:
    """Anything else is parsed as JSON by the SDK first, and `[1]` would not arrive as text."""
    for tool in (await listed()).values():
        for name, schema in tool["inputSchema"]["properties"].items():
            kinds = [kind["type"] for kind in schema.get("anyOf", [schema])]
            assert "string" not in kinds or kinds == ["string"] or name == "windowIndex"


async def test_a_reading_tool_marks_what_it_reads() -> None:
    told = await listed()
    for name in ("tmux_read_pane", "read_logs_from_tab", "stream_logs_from_tab", "read_screen",
                 "search_history", "execute_command", "run_and_wait", "list_agents"):  # fmt: skip
        assert "ntrusted" in told[name]["description"], name


# --- cutting ----------------------------------------------------------------------------------


def test_the_end_of_a_text_is_kept_and_said_to_be() -> None:
    assert budgets.keep_end("abc", 3, "how") == ("abc", False)
    assert budgets.keep_end("abcd\n", 3, "how") == (
        "cd\n(cut: the last 3 of 5 characters; how)",
        True,
    )


def test_lines_are_kept_whole_and_at_least_one() -> None:
    assert budgets.keep_lines(["abc", "d", "e"], 6) == ["abc", "d"]
    assert budgets.keep_lines(["abcdef", "d"], 3) == ["abcdef"]
    assert budgets.keep_lines([], 3) == []


@pytest.mark.parametrize("count", [0, 1, budgets.ROWS, budgets.ROWS + 7])
def test_a_list_is_cut_with_a_way_to_see_the_rest(count: int) -> None:
    text = budgets.table([f"row {n}" for n in range(count)], empty="None.", how="narrow it")
    lines = text.split("\n")
    if count == 0:
        assert text == "None."
    elif count <= budgets.ROWS:
        assert len(lines) == count
    else:
        assert lines[-1] == "(cut: 7 more; narrow it)"
        assert len(lines) == budgets.ROWS + 1
