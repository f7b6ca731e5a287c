"""The tools for agents: the list and its pages, a prompt with its receipt, an answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents import registry
from agents.registry import Agent
from agents.schemas import AgentOut
from agents.states import State
from mcp_gateway.registry import ToolSet
from mcp_gateway.tools import agents as door
from mcp_gateway.tools.agents import answer_agent, list_agents, send_prompt
from terminals.access import Scope
from terminals.errors import Invalid, NotFound, Refused
from terminals.runtime import Runtime
from terminals.schemas import TEXT_LIMIT
from tests.agents.deliveries import agent_of
from tests.agents.fakes.launch import Fake, launch
from tests.mcp_gateway.tools.calling import from_pane
from tests.terminals.tmux.waiting import eventually

database = pytest.mark.django_db(transaction=True)
WEB = Agent("web", "claude", "/home/u/web", True, "%1", "@1", "web", 1, State.IDLE)
API = Agent("api", "codex", "/home/u/api", False, "%2", "@2", "api", 2, State.WORKING)
SECOND = Agent("api:1.0", "amp", "/srv/x", False, "%3", "@3", "api", 3)


@pytest.fixture(autouse=True)
def nobody_left() -> Iterator[None]:
    yield
    registry.current().replace(())


async def fake(runtime: Runtime, directory: Path, *faults: str) -> Fake:
    """A fake claude that the registry knows as `job`."""
    made = await launch(runtime.main, directory, "claude", name="job", faults=faults)
    registry.current().replace([agent_of(made)])
    return made


def test_the_tools_are_those_of_agents() -> None:
    assert {tool.name: (tool.toolset, tool.scope) for tool in door.TOOLS} == {
        "list_agents": (ToolSet.AGENTS, Scope.READ),
        "send_prompt": (ToolSet.AGENTS, Scope.WRITE),
        "answer_agent": (ToolSet.AGENTS, Scope.WRITE),
    }
    assert all("mode" in tool.arguments for tool in door.TOOLS if not tool.is_read_only)


# --- list_agents ------------------------------------------------------------------------------


async def test_agents_are_listed_by_name_with_their_state() -> None:
    assert await list_agents() == door.AgentsOut(agents=[], total=0, cursor="")
    registry.current().replace([WEB, API, SECOND])
    told = await list_agents()
    assert told.agents == [AgentOut.of(API), AgentOut.of(SECOND), AgentOut.of(WEB)]
    assert (told.total, told.cursor) == (3, "")
    assert told.agents[0].state is State.WORKING


async def test_agents_are_filtered_by_their_session() -> None:
    registry.current().replace([WEB, API, SECOND])
    assert [one.name for one in (await list_agents(session="^a")).agents] == ["api", "api:1.0"]
    with pytest.raises(Invalid, match="invalid session include filter"):
        await list_agents(session="[")


async def test_pages_lose_nobody_when_agents_come_and_go() -> None:
    registry.current().replace([WEB, API, SECOND])
    first = await list_agents(limit=1)
    assert [one.name for one in first.agents] == ["api"]
    registry.current().replace([WEB, SECOND])
    second = await list_agents(limit=1, cursor=first.cursor)
    assert [one.name for one in second.agents] == ["api:1.0"]
    third = await list_agents(limit=1, cursor=second.cursor)
    assert ([one.name for one in third.agents], third.cursor) == (["web"], "")


@pytest.mark.parametrize("limit", [0, 201])
async def test_a_page_is_bounded(limit: int) -> None:
    with pytest.raises(Invalid, match="limit is 1 to 200"):
        await list_agents(limit=limit)


# --- send_prompt ------------------------------------------------------------------------------


@database
async def test_a_prompt_is_submitted_with_a_receipt(runtime: Runtime, tmp_path: Path) -> None:
    made = await fake(runtime, tmp_path)
    told = await send_prompt("execute", "job", "hello", key="k")
    assert (told.ok, told.error) == (True, "")
    assert (told.receipt.submitted, told.receipt.attempts) == (True, 1)
    again = await send_prompt("execute", "job", "hello", key="k")
    assert again == told
    assert made.prompts == [b"hello"]


@database
async def test_a_prompt_that_was_not_seen_to_go_is_not_ok(runtime: Runtime, tmp_path: Path) -> None:
    await fake(runtime, tmp_path, "enter-never")
    told = await send_prompt("execute", "job", "hello")
    assert (told.ok, told.receipt.submitted) == (False, False)
    assert "the prompt was not seen to leave its composer" in told.error


@database
async def test_an_agent_does_not_prompt_itself_by_mistake(runtime: Runtime, tmp_path: Path) -> None:
    made = await fake(runtime, tmp_path)
    with from_pane(made.pane_id):
        with pytest.raises(Refused, match="is the pane you run in"):
            await send_prompt("execute", "job", "hello")
        with pytest.raises(Refused, match="is the pane you run in"):
            await answer_agent("execute", "job", "1")
        assert (await send_prompt("execute", "job", "really", force=True)).ok
    assert made.prompts == [b"really"]


@pytest.mark.usefixtures("runtime")
async def test_what_cannot_be_sent_is_refused() -> None:
    with pytest.raises(NotFound, match=r"agent not found: nobody\. list_agents tells"):
        await send_prompt("execute", "nobody", "hello")
    for prompt in ("", "x" * (TEXT_LIMIT + 1)):
        with pytest.raises(Invalid, match="1 to 1000000 characters"):
            await send_prompt("execute", "nobody", prompt)


# --- answer_agent -----------------------------------------------------------------------------


async def asking(runtime: Runtime, directory: Path) -> Fake:
    made = await fake(runtime, directory, "dialog")

    async def asks() -> bool:
        return b"1. Yes" in await runtime.main.capture(made.pane_id)

    await eventually(asks)
    return made


async def test_a_question_is_answered(runtime: Runtime, tmp_path: Path) -> None:
    made = await asking(runtime, tmp_path)
    told = await answer_agent("execute", "job", "1")
    assert (told.ok, told.receipt.submitted) == (True, True)
    assert len(made.answers) == 1


async def test_another_question_gets_no_answer(runtime: Runtime, tmp_path: Path) -> None:
    made = await asking(runtime, tmp_path)
    with pytest.raises(Refused, match="it asks something else by now"):
        await answer_agent("execute", "job", "1", question="Delete everything?")
    with pytest.raises(Invalid, match="none of the options"):
        await answer_agent("execute", "job", "perhaps")
    assert made.answers == []


async def test_whoever_asks_nothing_gets_no_answer(runtime: Runtime, tmp_path: Path) -> None:
    await fake(runtime, tmp_path)
    with pytest.raises(Refused, match="asks nothing"):
        await answer_agent("execute", "job", "1")
    with pytest.raises(NotFound, match="agent not found: nobody"):
        await answer_agent("execute", "nobody", "1")
