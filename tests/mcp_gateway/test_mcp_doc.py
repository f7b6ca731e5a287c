"""docs/mcp.md describes the real tools, sets, prompts and addresses."""

import re

from mcp_gateway.audit.recorder import KEPT
from mcp_gateway.prompts import PROMPTS
from mcp_gateway.registry import ToolSet
from mcp_gateway.resources import VIEWS
from mcp_gateway.server import TOOLS
from mcp_gateway.transport.mount import IDLE_SECONDS
from mcp_gateway.transport.requests import BODY_LIMIT
from tests.config.servers import ROOT

PAGE = (ROOT / "docs" / "mcp.md").read_text()


def rows(heading: str) -> list[tuple[str, ...]]:
    """The table under a row of headings."""
    table = PAGE.split(heading, 1)[1].split("\n\n", 1)[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [tuple(cell.strip(" `") for cell in line.strip("|").split("|")) for line in lines]


def test_every_tool_is_on_the_page_and_no_other() -> None:
    tools = rows("| tool | set | needs |")
    assert sorted(tools) == sorted((tool.name, tool.toolset, tool.scope) for tool in TOOLS)


def test_every_set_is_named() -> None:
    assert f"The sets: {', '.join(ToolSet)}." in PAGE


def test_every_prompt_is_on_the_page() -> None:
    assert [row[0] for row in rows("| prompt | what |")] == [prompt.name for prompt in PROMPTS]


def test_every_view_is_on_the_page() -> None:
    addresses = [row[0] for row in rows("| address | what |")]
    assert addresses == [view.address("@7") for view in VIEWS]


def test_the_limits_are_those_of_the_server() -> None:
    assert re.search(r"over 3 MiB \| 413", PAGE)
    assert BODY_LIMIT == 3 * 1024 * 1024
    assert "idle for ten\nminutes" in PAGE
    assert IDLE_SECONDS == 600
    assert f"for {KEPT.days} days" in PAGE
