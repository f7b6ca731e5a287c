"""The tools for agents: the list and its pages, a prompt with its receipt, an answer."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agents import registry, starting, workers
from agents.delivery import readiness
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.schemas import AgentOut
from agents.witnesses import store
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from core.callers import Scope
from core.database import in_db
from core.errors import Invalid, NotFound, Refused
from core.wire import TEXT_LIMIT
from mcp_gateway.registry import ToolSet
from mcp_gateway.tools import agents as door
from mcp_gateway.tools.agents import answer_agent, list_agents, run_prompt, send_prompt, start_agent
from notes.selectors import read_notes
from notes.services import write_notes
from terminals.runtime import Runtime
from terminals.services import get_project_of_session
from terminals.windows import login_path
from tests.agents.delivery.deliveries import agent_of
from tests.agents.fakes.launch import ENDLESS, Fake, install_command, launch
from tests.agents.pacing import quick_retries
from tests.mcp_gateway.tools.calling import from_pane
from tests.waiting import LONGEST_SECONDS, eventually

__all__ = ["quick_retries"]  # a fixture

database = pytest.mark.django_db(transaction=True)
WEB = Agent(
    "web", "claude", "/home/u/web", True, "%1", "@1", "web", 1, AgentState.IDLE, state_since=1
)
API = Agent(
    "api", "codex", "/home/u/api", False, "%2", "@2", "api", 2, AgentState.WORKING, state_since=1
)
SECOND = Agent("api:1.0", "amp", "/srv/x", False, "%3", "@3", "api", 3, state_since=1)


@pytest.fixture(autouse=True)
def empty_registry() -> Iterator[None]:
    yield
    registry.current().replace(())


async def start_fake(runtime: Runtime, directory: Path, *faults: str) -> Fake:
    """A fake claude that the registry knows as `job`."""
    fake = await launch(runtime.main, directory, "claude", name="job", faults=faults)
    registry.current().replace([agent_of(fake)])
    return fake


def test_the_tools_are_those_of_agents() -> None:
    assert {tool.name: (tool.toolset, tool.scope) for tool in door.TOOLS} == {
        "list_agents": (ToolSet.AGENTS, Scope.READ),
        "send_prompt": (ToolSet.AGENTS, Scope.WRITE),
        "run_prompt": (ToolSet.AGENTS, Scope.WRITE),
        "start_agent": (ToolSet.AGENTS, Scope.WRITE),
        "answer_agent": (ToolSet.AGENTS, Scope.WRITE),
    }
    assert all("mode" in tool.arguments for tool in door.TOOLS if not tool.is_read_only)


# --- list_agents ------------------------------------------------------------------------------


async def test_agents_are_listed_by_name_with_their_state() -> None:
    assert await list_agents() == door.AgentsOut(agents=[], total=0, cursor="")
    registry.current().replace([WEB, API, SECOND])
    response = await list_agents()
    assert response.agents == [AgentOut.of(API), AgentOut.of(SECOND), AgentOut.of(WEB)]
    assert (response.total, response.cursor) == (3, "")
    assert response.agents[0].state is AgentState.WORKING


async def test_agents_are_filtered_by_their_session() -> None:
    registry.current().replace([WEB, API, SECOND])
    assert [item.name for item in (await list_agents(session="^a")).agents] == ["api", "api:1.0"]
    with pytest.raises(Invalid, match="invalid session include filter"):
        await list_agents(session="[")


async def test_pages_miss_no_agent_when_agents_start_and_end() -> None:
    registry.current().replace([WEB, API, SECOND])
    first = await list_agents(limit=1)
    assert [item.name for item in first.agents] == ["api"]
    registry.current().replace([WEB, SECOND])
    second = await list_agents(limit=1, cursor=first.cursor)
    assert [item.name for item in second.agents] == ["api:1.0"]
    third = await list_agents(limit=1, cursor=second.cursor)
    assert ([item.name for item in third.agents], third.cursor) == (["web"], "")


@pytest.mark.parametrize("limit", [0, 201])
async def test_a_page_is_bounded(limit: int) -> None:
    with pytest.raises(Invalid, match="limit is 1 to 200"):
        await list_agents(limit=limit)


# --- send_prompt ------------------------------------------------------------------------------


@database
async def test_a_prompt_is_submitted_with_a_receipt(runtime: Runtime, tmp_path: Path) -> None:
    fake = await start_fake(runtime, tmp_path)
    response = await send_prompt("execute", "job", "hello", key="k")
    assert (response.ok, response.error) == (True, "")
    assert (response.receipt.submitted, response.receipt.attempts) == (True, 1)
    again = await send_prompt("execute", "job", "hello", key="k")
    assert again == response
    assert fake.prompts == [b"hello"]


@database
@pytest.mark.usefixtures("quick_retries")
async def test_a_prompt_that_was_not_submitted_is_not_ok(runtime: Runtime, tmp_path: Path) -> None:
    await start_fake(runtime, tmp_path, "enter-never")
    response = await send_prompt("execute", "job", "hello")
    assert (response.ok, response.receipt.submitted) == (False, False)
    assert "the prompt was not seen to leave the composer" in response.error


@database
async def test_an_agent_does_not_prompt_itself_by_mistake(runtime: Runtime, tmp_path: Path) -> None:
    fake = await start_fake(runtime, tmp_path)
    with from_pane(fake.pane_id):
        with pytest.raises(Refused, match="is the pane you run in"):
            await send_prompt("execute", "job", "hello")
        with pytest.raises(Refused, match="is the pane you run in"):
            await answer_agent("execute", "job", "1")
        assert (await send_prompt("execute", "job", "really", force=True)).ok
    assert fake.prompts == [b"really"]


@database
async def test_run_prompt_returns_the_reply_that_the_agent_reports(
    runtime: Runtime, tmp_path: Path
) -> None:
    fake = await start_fake(runtime, tmp_path)
    running = asyncio.create_task(run_prompt("execute", "job", "hello"))
    await eventually(lambda: fake.prompts == [b"hello"])
    for kind, text in (
        (EventKind.PROMPT_SUBMITTED, "hello"),
        (EventKind.TURN_ENDED, "Hello to you."),
    ):
        reported = AgentEvent(
            "claude", kind, EventSource.HOOK, time.time(), session_id="s", pane_id=fake.pane_id,
            text=text,
        )  # fmt: skip
        store.record(reported)
    response = await running
    assert response.ok  # confirmed by the hook or the screen, the one that came first
    assert (response.end, response.text, response.text_from) == ("ended", "Hello to you.", "hook")
    store.forget(fake.pane_id)


@database
@pytest.mark.usefixtures("quick_retries")
async def test_run_prompt_does_not_wait_for_a_prompt_that_was_not_submitted(
    runtime: Runtime, tmp_path: Path
) -> None:
    await start_fake(runtime, tmp_path, "enter-never")
    response = await run_prompt("execute", "job", "hello")
    assert (response.ok, response.end, response.receipt.turn) == (False, "", "")


@pytest.mark.usefixtures("runtime")
async def test_an_invalid_prompt_is_refused() -> None:
    with pytest.raises(NotFound, match=r"agent not found: nobody\. Call list_agents"):
        await send_prompt("execute", "nobody", "hello")
    for prompt in ("", "x" * (TEXT_LIMIT + 1)):
        with pytest.raises(Invalid, match="1 to 1000000 characters"):
            await send_prompt("execute", "nobody", prompt)


# --- answer_agent -----------------------------------------------------------------------------


async def asking(runtime: Runtime, directory: Path) -> Fake:
    fake = await start_fake(runtime, directory, "dialog")

    async def asks() -> bool:
        return b"1. Yes" in await runtime.main.capture(fake.pane_id)

    await eventually(asks)
    return fake


@database
async def test_a_question_is_answered(runtime: Runtime, tmp_path: Path) -> None:
    fake = await asking(runtime, tmp_path)
    response = await answer_agent("execute", "job", "1")
    assert (response.ok, response.receipt.submitted) == (True, True)
    assert len(fake.answers) == 1


async def test_an_answer_to_another_question_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    fake = await asking(runtime, tmp_path)
    with pytest.raises(Refused, match="it asks something else by now"):
        await answer_agent("execute", "job", "1", question="Delete everything?")
    with pytest.raises(Invalid, match="none of the options"):
        await answer_agent("execute", "job", "perhaps")
    assert fake.answers == []


async def test_an_agent_without_a_question_gets_no_answer(runtime: Runtime, tmp_path: Path) -> None:
    await start_fake(runtime, tmp_path)
    with pytest.raises(Refused, match="asks nothing"):
        await answer_agent("execute", "job", "1")
    with pytest.raises(NotFound, match="agent not found: nobody"):
        await answer_agent("execute", "nobody", "1")


# --- start_agent ------------------------------------------------------------------------------


@pytest.fixture
async def login_home(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Path]:
    """A home whose login shell has `tools` on its PATH, while agents are detected."""
    (tmp_path / "shop").mkdir()
    (tmp_path / ".profile").write_text(f'PATH="{tmp_path}/tools:/usr/bin:/bin"\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(login_path, "_paths", {})
    monkeypatch.setattr(login_path, "SHELL_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(starting, "DETECTED_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(readiness, "STARTING_SECONDS", LONGEST_SECONDS)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.scan_agents(runtime, stop=stop))
    yield tmp_path
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)


@database
async def test_an_agent_is_started_on_a_task_which_is_linked_to_its_window(
    runtime: Runtime, login_home: Path
) -> None:
    log = login_home / "claude.log"
    install_command(login_home / "tools", "claude", log, turn=ENDLESS)
    project = await get_project_of_session(tmux=runtime.main, session="work")
    await in_db(write_notes)(owner=project, notes="one\n[NS] two", actor="me")
    with from_pane("%0"):
        started = await start_agent("execute", "claude", cwd="~/shop", session="work", taskIndex=1)
    assert (started.ok, started.error) == (True, "")
    assert started.agent is not None
    assert (started.agent.session, started.agent.work_dir) == ("work", f"{login_home}/shop")
    pid = registry.current().agents[started.agent.name].pid
    assert Fake("", "claude", "", "", "", pid, log, "").prompts == [b"two"]
    notes = await in_db(read_notes)(owner=project)
    assert [task.status for task in notes.tasks] == ["NS", "WIP"]
    link = notes.sheet.handed[notes.keys[1]]
    assert (link["window"], link["agent"]) == (started.window.key, started.agent.name)


@database
async def test_start_agent_refuses_what_is_not_there(runtime: Runtime, login_home: Path) -> None:
    with pytest.raises(Invalid, match=r"Claude Code is not installed.*Installed: no agent"):
        await start_agent("execute", "claude")
    with pytest.raises(Invalid, match="session is required with taskIndex"):
        await start_agent("execute", "claude", taskIndex=0)
    with pytest.raises(NotFound, match="there is no task 7"):
        await start_agent("execute", "claude", session="work", taskIndex=7)
    assert [row.name for row in await runtime.main.sessions()] == ["work"]
