"""The size of `tools/list`, and what is left out of it."""

import json
from typing import Literal

import pytest
from mcp import Client

from core.callers import Scope
from core.errors import Invalid
from core.wire import Wire
from mcp_gateway import toolsets
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.server import TOOLS, Gateway
from mcp_gateway.tool_schemas import MODE_RULE, publish, short, short_input, short_output
from tests.mcp_gateway import fixtures
from tests.mcp_gateway.fixtures import someone

WHOLE_BYTES = 28 * 1024
WORKSPACE_BYTES = 6 * 1024


async def listed(*sets: ToolSet) -> str:
    async with Client(Gateway(TOOLS, local=someone(Scope.ADMIN, *sets))) as client:
        response = await client.list_tools()
        plain = response.model_dump(by_alias=True, exclude_none=True, mode="json")
        return json.dumps(plain, separators=(",", ":"))  # as it goes over the wire


async def test_the_whole_list_fits_its_budget() -> None:
    assert len(await listed()) < WHOLE_BYTES


async def test_the_workspace_alone_fits_its_budget() -> None:
    assert len(await listed(ToolSet.WORKSPACE)) < WORKSPACE_BYTES


def test_every_name_is_unique() -> None:
    names = [tool.name for tool in TOOLS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_is_described_and_typed(tool: Tool) -> None:
    shown = publish(tool)
    assert len(shown.description) > 15
    assert set(shown.parameters["properties"]) == set(tool.arguments)
    text = json.dumps(shown.parameters)
    assert '"title"' not in text
    assert '"null"' not in text


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_rule_of_the_mode_is_in_the_description_of_every_tool_that_has_one(tool: Tool) -> None:
    """Copilot does not pass the instructions of a server on to the model."""
    description = publish(tool).description
    assert description.endswith(MODE_RULE) == ("mode" in tool.arguments)
    assert description.count('"execute"; ') == ("mode" in tool.arguments)


def test_a_model_may_have_no_fields() -> None:
    """An optional field of an answer keeps its null: clients check answers by the schema."""
    schema = publish(fixtures.TOOLS[0]).output_schema
    assert schema is not None
    assert schema["properties"]["nothing"] == {"type": ["string", "null"]}


def test_an_answer_is_described_one_level_deep() -> None:
    class Inner(Wire):
        """Not part of the published schema."""

        name: str

    class Outer(Wire):
        item: Inner
        maybe: Inner | None
        many: list[Inner]
        by_name: dict[str, Inner]
        word: Literal["a", "b"]
        mixed: int | str

    assert short_output(Outer.model_json_schema()) == {
        "type": "object",
        "properties": {
            "item": {"type": "object"},
            "maybe": {"type": ["object", "null"]},
            "many": {"type": "array"},
            "byName": {"type": "object"},
            "word": {"type": "string", "enum": ["a", "b"]},
            "mixed": {"type": ["integer", "string"]},
        },
    }


def test_an_argument_named_title_or_description_stays() -> None:
    schema = {"properties": {"title": {"type": "string", "title": "Title", "default": ""}}}
    assert short(schema) == {"properties": {"title": {"type": "string"}}}


def test_meaningful_defaults_are_kept() -> None:
    shown = short_input({"properties": {"limit": {"type": "integer", "default": 50}}})
    assert shown["properties"]["limit"]["default"] == 50


def test_without_names_all_sets_are_offered() -> None:
    assert toolsets.parse("") == frozenset(ToolSet)
    assert toolsets.parse(" , ") == frozenset(ToolSet)


def test_named_sets_are_offered() -> None:
    assert toolsets.parse("notes, workspace") == {ToolSet.NOTES, ToolSet.WORKSPACE}


@pytest.mark.parametrize("text", ["nope", "workspace,nope", "Workspace"])
def test_an_unknown_set_is_an_error_that_names_the_known(text: str) -> None:
    with pytest.raises(Invalid, match="use workspace,notes,agents,tmux,tabs"):
        toolsets.parse(text)


def test_a_set_that_this_server_does_not_serve_is_unknown_too() -> None:
    served = frozenset({ToolSet.NOTES})
    assert toolsets.parse("", served=served) == served
    with pytest.raises(Invalid, match=r"use notes$"):
        toolsets.parse("tmux", served=served)


def test_only_tools_that_select_resize_or_rename_are_harmless() -> None:
    harmless = {tool.name for tool in TOOLS if not (tool.is_read_only or tool.destructive)}
    assert harmless == {
        "select_window", "tmux_rename_session", "tmux_rename_window", "tmux_select_window",
        "tmux_select_pane", "tmux_resize_pane",
    }  # fmt: skip
    for tool in TOOLS:
        hints = publish(tool).annotations
        assert hints is not None
        assert hints.read_only_hint is (True if tool.is_read_only else None)
        assert hints.destructive_hint is (None if tool.is_read_only else tool.destructive)
