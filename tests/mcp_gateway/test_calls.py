"""The checks of every call: existence, names, mode, scope, and the text of a failure."""

import logging

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult

from core.callers import Scope
from mcp_gateway.audit.recorder import Audit
from mcp_gateway.registry import ToolSet
from mcp_gateway.server import TOOLS as ALL_TOOLS
from mcp_gateway.server import Gateway
from tests.mcp_gateway import fixtures
from tests.mcp_gateway.fixtures import (
    TOOLS,
    answer,
    call,
    failure,
    protocol_error,
    someone,
    text_of,
)


@pytest.fixture
def server() -> Gateway:
    fixtures.changed.clear()
    return Gateway(TOOLS)


def server_for(scope: Scope, *sets: ToolSet) -> Gateway:
    fixtures.changed.clear()
    return Gateway(TOOLS, local=someone(scope, *sets))


async def test_a_result_is_structured_and_its_text_is_equal(server: Gateway) -> None:
    assert await answer(server, "double", number=4) == {"twiceAsMuch": 8, "nothing": None}


async def test_the_text_is_indented_only_where_a_document_requires_it(server: Gateway) -> None:
    assert text_of(await call(server, "double", number=1)) == '{"twiceAsMuch":2,"nothing":null}'
    indented = text_of(await call(server, "halve", number=2))
    assert indented == '{\n  "twiceAsMuch": 1,\n  "nothing": null\n}'


def test_the_eight_tools_of_terminally_mcp_are_indented() -> None:
    assert {tool.name for tool in ALL_TOOLS if tool.indented} == {
        "create_tab", "list_tabs", "read_logs_from_tab", "execute_command", "start_process",
        "stop_process", "stream_logs_from_tab", "set_history_limit",
    }  # fmt: skip


async def test_plain_text_is_returned_unchanged(server: Gateway) -> None:
    result = await call(server, "say")
    assert (text_of(result), result.structured_content) == ("plain words", None)


async def test_an_unknown_argument_is_an_error_that_names_the_right_ones(server: Gateway) -> None:
    response = await failure(server, "double", number=4, num_ber=5)
    assert response == (
        "unknown argument: num_ber (did you mean number?). double takes number, factor"
    )


async def test_unknown_arguments_are_reported_before_the_mode(server: Gateway) -> None:
    assert "unknown argument: txt" in await failure(server, "change", mode="plan", txt="x")


@pytest.mark.parametrize("mode", ["plan", "", "EXECUTE", "execute ", None, 1, ["execute"]])
async def test_any_mode_but_execute_changes_nothing(server: Gateway, mode: object) -> None:
    response = await failure(server, "change", mode=mode, text="x")
    assert "Nothing was changed" in response
    assert 'mode: "execute"' in response
    assert fixtures.changed == []


async def test_a_missing_mode_is_refused_like_plan(server: Gateway) -> None:
    assert "Nothing was changed" in await failure(server, "change", text="x")


async def test_execute_acts(server: Gateway) -> None:
    await answer(server, "change", mode="execute", text="x")
    assert fixtures.changed == ["x"]


async def test_null_counts_as_missing(server: Gateway) -> None:
    await answer(server, "change", mode="execute", text=None)
    assert fixtures.changed == [""]


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", "null", "1", '"x"', "true"])
async def test_text_that_looks_like_json_stays_text(server: Gateway, text: str) -> None:
    await answer(server, "change", mode="execute", text=text)
    assert fixtures.changed == [text]


async def test_a_wrong_value_names_the_argument_and_never_repeats_it(server: Gateway) -> None:
    response = await failure(server, "double", number="my secret")
    assert response.startswith("number: Input should be a valid integer")
    assert "secret" not in response


async def test_a_read_token_cannot_call_a_write_tool() -> None:
    server = server_for(Scope.READ)
    response = await failure(server, "change", mode="execute", text="x")
    assert "needs the scope write" in response
    assert "create_token" in response
    assert fixtures.changed == []
    assert (await answer(server, "double", number=1))["twiceAsMuch"] == 2


async def test_planning_is_refused_before_the_scope_is_checked() -> None:
    response = await failure(server_for(Scope.READ), "change", mode="plan")
    assert "Nothing was changed" in response


async def test_a_tool_of_another_set_does_not_exist_here() -> None:
    server = server_for(Scope.ADMIN, ToolSet.WORKSPACE)
    error = await protocol_error(server, "change", mode="execute")
    assert error.code == INVALID_PARAMS
    assert error.message == (
        "Unknown tool: change. This connection has the sets workspace: see tools/list"
    )
    assert fixtures.changed == []
    async with Client(server) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["double", "crash"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_unknown_tool_is_a_protocol_error(server: Gateway, mode: str) -> None:
    """Every revision of the specification requires one, and its example has this code and text."""
    async with Client(server, mode=mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("no_such_tool", {})
    assert refused.value.code == INVALID_PARAMS
    assert refused.value.message.startswith("Unknown tool: no_such_tool")


async def test_an_unknown_tool_is_recorded_without_an_error_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    audit = Audit()
    with caplog.at_level(logging.INFO):
        await protocol_error(Gateway(TOOLS, audit=audit), "no_such_tool")
    assert "no_such_tool '' by peer stdio: not_found" in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("arguments", [{}, {"number": None}, {"number": "x"}, {"number": [1]}])
async def test_missing_and_invalid_arguments_are_results_that_a_model_can_read(
    server: Gateway, mode: str, arguments: dict[str, object]
) -> None:
    """Revision 2025-11-25 and later demand it. Earlier ones list "invalid arguments" as protocol
    errors and "invalid input data" as results, and a model never sees a protocol error."""
    async with Client(server, mode=mode) as client:
        result = await client.call_tool("double", arguments)
    assert isinstance(result, CallToolResult)
    assert result.is_error
    assert text_of(result).startswith("number: ")


async def test_a_failure_has_its_documented_text(server: Gateway) -> None:
    assert await failure(server, "miss") == "Error: can't find it: look elsewhere"


async def test_an_unexpected_failure_is_logged_and_not_revealed(
    server: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        response = await failure(server, "crash")
    assert "secret" not in response
    assert "crash" in response
    assert sum(record.exc_info is not None for record in caplog.records) == 1
    assert "the internal secret" in caplog.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_both_versions_of_the_protocol_get_the_same(server: Gateway, mode: str) -> None:
    async with Client(server, mode=mode) as client:
        result = await client.call_tool("double", {"number": 3})
        assert isinstance(result, CallToolResult)
        assert result.structured_content == {"twiceAsMuch": 6, "nothing": None}


async def test_hints_distinguish_reading_and_writing_tools(server: Gateway) -> None:
    async with Client(server) as client:
        response = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    hints = {name: (each.read_only_hint, each.destructive_hint) for name, each in response.items()
             if each is not None}  # fmt: skip
    assert hints["double"] == (True, None)
    assert hints["change"] == (None, False)
    assert hints["say"] == (None, True)
