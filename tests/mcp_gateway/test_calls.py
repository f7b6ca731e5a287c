"""What stands around every call: existence, names, mode, scope, and the words of a failure."""

import logging

import pytest
from mcp import Client
from mcp.types import CallToolResult

from mcp_gateway.registry import ToolSet
from mcp_gateway.server import Gateway
from terminals.access import Scope
from tests.mcp_gateway import fixtures
from tests.mcp_gateway.fixtures import TOOLS, answer, call, failure, said, someone


@pytest.fixture
def server() -> Gateway:
    fixtures.changed.clear()
    return Gateway(TOOLS)


def server_for(scope: Scope, *sets: ToolSet) -> Gateway:
    fixtures.changed.clear()
    return Gateway(TOOLS, local=someone(scope, *sets))


async def test_an_answer_is_structured_and_the_text_says_the_same(server: Gateway) -> None:
    assert await answer(server, "double", number=4) == {"twiceAsMuch": 8, "nothing": None}


async def test_text_is_answered_as_it_is(server: Gateway) -> None:
    result = await call(server, "say")
    assert (said(result), result.structured_content) == ("plain words", None)


async def test_an_unknown_argument_is_an_error_that_names_the_right_ones(server: Gateway) -> None:
    told = await failure(server, "double", number=4, num_ber=5)
    assert told == ("unknown argument: num_ber (did you mean number?). double takes number, factor")


async def test_unknown_arguments_are_told_before_the_mode(server: Gateway) -> None:
    assert "unknown argument: txt" in await failure(server, "change", mode="plan", txt="x")


@pytest.mark.parametrize("mode", ["plan", "", "EXECUTE", "execute ", None, 1, ["execute"]])
async def test_any_mode_but_execute_changes_nothing(server: Gateway, mode: object) -> None:
    told = await failure(server, "change", mode=mode, text="x")
    assert "Nothing was changed" in told
    assert 'mode: "execute"' in told
    assert fixtures.changed == []


async def test_a_missing_mode_is_refused_like_plan(server: Gateway) -> None:
    assert "Nothing was changed" in await failure(server, "change", text="x")


async def test_execute_acts(server: Gateway) -> None:
    await answer(server, "change", mode="execute", text="x")
    assert fixtures.changed == ["x"]


async def test_null_is_as_good_as_left_out(server: Gateway) -> None:
    await answer(server, "change", mode="execute", text=None)
    assert fixtures.changed == [""]


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", "null", "1", '"x"', "true"])
async def test_text_that_looks_like_json_stays_text(server: Gateway, text: str) -> None:
    await answer(server, "change", mode="execute", text=text)
    assert fixtures.changed == [text]


async def test_a_wrong_value_names_the_argument_and_never_repeats_it(server: Gateway) -> None:
    told = await failure(server, "double", number="my secret")
    assert told.startswith("number: Input should be a valid integer")
    assert "secret" not in told


async def test_a_read_token_cannot_call_a_write_tool() -> None:
    server = server_for(Scope.READ)
    told = await failure(server, "change", mode="execute", text="x")
    assert "needs the scope write" in told
    assert "create_token" in told
    assert fixtures.changed == []
    assert (await answer(server, "double", number=1))["twiceAsMuch"] == 2


async def test_planning_is_refused_before_the_scope_is_looked_at() -> None:
    told = await failure(server_for(Scope.READ), "change", mode="plan")
    assert "Nothing was changed" in told


async def test_a_tool_of_another_set_does_not_exist_here() -> None:
    server = server_for(Scope.ADMIN, ToolSet.WORKSPACE)
    told = await failure(server, "change", mode="execute")
    assert told == "there is no tool 'change' in the sets workspace: see tools/list"
    async with Client(server) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["double", "crash"]


async def test_a_failure_has_its_documented_words(server: Gateway) -> None:
    assert await failure(server, "miss") == "Error: can't find it: look elsewhere"


async def test_an_unexpected_failure_is_logged_and_not_told(
    server: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        told = await failure(server, "crash")
    assert "secret" not in told
    assert "crash" in told
    assert sum(record.exc_info is not None for record in caplog.records) == 1
    assert "the secret of the house" in caplog.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_both_eras_of_the_protocol_get_the_same(server: Gateway, mode: str) -> None:
    async with Client(server, mode=mode) as client:
        result = await client.call_tool("double", {"number": 3})
        assert isinstance(result, CallToolResult)
        assert result.structured_content == {"twiceAsMuch": 6, "nothing": None}


async def test_hints_tell_readers_from_writers(server: Gateway) -> None:
    async with Client(server) as client:
        told = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    hints = {name: (each.read_only_hint, each.destructive_hint) for name, each in told.items()
             if each is not None}  # fmt: skip
    assert hints["double"] == (True, None)
    assert hints["change"] == (None, False)
    assert hints["say"] == (None, True)
