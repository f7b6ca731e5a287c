"""Agents over the socket: lists, filters, events."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from agents import registry, ws
from agents.registry import Agent
from agents.schemas import wire
from agents.selectors import Filters
from agents.states import State
from terminals.access import Kind, Principal, Scope
from terminals.errors import Invalid, NotFound, Refused
from terminals.requests import MissingField
from terminals.socket import Connection
from tests.agents.programs import sleeper
from tests.terminals.served import Client, Served, client, served_tmux

WEB = Agent("web", "claude", "/home/u/web", True, "%1", "@1", "web", 1, State.IDLE)
API = Agent("api", "codex", "/home/u/api", False, "%2", "@2", "api", 2)


# --- filters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    ["(", "[", "*", "(?=a)", "(?<!a)b", "(a)\\1", "a{99999}", "(a{100}){100}", "x" * 501,
     "(" * 200 + ")" * 200 + "*" * 2, "(?>a)b", "a++", "(){30000000}", "\ud800"],
)  # fmt: skip
def test_what_cannot_be_searched_is_refused(pattern: str) -> None:
    with pytest.raises(Invalid, match=r"^invalid session include filter: ."):
        Filters.of({"includeSessionFilter": pattern})


@pytest.mark.parametrize("value", [7, ["a"], {"a": 1}, True])
def test_a_filter_that_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(Invalid, match="invalid path exclude filter"):
        Filters.of({"excludePathFilter": value})


def test_filters_look_at_the_session_and_not_at_the_name() -> None:
    second = replace(API, name="api:3.0", session="api")
    assert Filters.of({"includeSessionFilter": "^api$"}).admits(second)
    assert not Filters.of({"includeSessionFilter": "3"}).admits(second)
    assert Filters.of({"includeSessionFilter": "", "excludePathFilter": None}).admits(second)


# --- handlers ---------------------------------------------------------------------------------


class Told:
    """A connection that keeps what it is told."""

    def __init__(self, scope: Scope = Scope.WRITE) -> None:
        self.principal = Principal(Kind.TOKEN, "t", scope)
        self.sent: list[dict[str, Any]] = []
        self.following: dict[str, Any] = {}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    async def follow(self, key: str, group: str, on_event: Any) -> None:
        self.following[key] = (group, on_event)

    async def unfollow(self, key: str) -> None:
        self.following.pop(key, None)

    def require(self, scope: Scope) -> None:
        if not self.principal.scope.includes(scope):
            raise Refused(f"this needs the scope {scope}")

    async def hear(self) -> list[dict[str, Any]]:
        self.sent.clear()
        await self.following["agents"][1]({"type": "agents-changed"})
        return list(self.sent)


def ask(told: Told) -> Connection:
    return cast(Connection, told)


@pytest.fixture
def held() -> Iterator[registry.Registry]:
    registry.current().replace([API, WEB])
    yield registry.current()
    registry.current().replace(())


async def test_a_list_holds_its_filters_for_one_request(held: registry.Registry) -> None:
    told = Told()
    only = await ws.list_agents(ask(told), {"includeSessionFilter": "we"})
    assert only == {"agents": [wire(WEB)]}
    assert await ws.list_agents(ask(told), {}) == {"agents": [wire(API), wire(WEB)]}
    held.replace(())
    assert await ws.list_agents(ask(told), {}) == {"agents": []}


async def test_a_subscriber_hears_of_every_difference_once(held: registry.Registry) -> None:
    told = Told()
    begun = await ws.subscribe_agents(ask(told), {})
    assert begun == {"ok": True, "agents": [wire(API), wire(WEB)], "totalAgents": 2}
    assert await told.hear() == []

    busy = replace(WEB, state=State.WORKING)
    held.replace([API, busy])
    assert await told.hear() == [{"type": "agent-updated", "agent": wire(busy)}]

    held.replace([busy])
    assert await told.hear() == [
        {"type": "agent-removed", "name": "api"},
        {"type": "agents-count", "totalAgents": 1},
    ]
    held.replace([busy, API])
    assert await told.hear() == [
        {"type": "agent-added", "agent": wire(API)},
        {"type": "agents-count", "totalAgents": 2},
    ]
    await ws.unsubscribe_agents(ask(told), {})
    assert told.following == {}


async def test_a_filtered_subscriber_hears_of_hidden_agents_only_their_number(
    held: registry.Registry,
) -> None:
    told = Told()
    begun = await ws.subscribe_agents(ask(told), {"excludeSessionFilter": "api"})
    assert (begun["agents"], begun["totalAgents"]) == ([wire(WEB)], 2)
    held.replace([replace(API, state=State.WORKING), WEB])
    assert await told.hear() == []
    held.replace([WEB])
    assert await told.hear() == [{"type": "agents-count", "totalAgents": 1}]


async def test_an_agent_that_leaves_the_filter_is_removed_for_that_client(
    held: registry.Registry,
) -> None:
    told = Told()
    await ws.subscribe_agents(ask(told), {"includePathFilter": "web"})
    held.replace([API, replace(WEB, work_dir="/tmp")])
    assert await told.hear() == [
        {"type": "agent-removed", "name": "web"},
        {"type": "agents-count", "totalAgents": 2},
    ]


async def test_prompts_and_answers_need_their_fields_a_right_and_an_agent(
    held: registry.Registry,
) -> None:
    with pytest.raises(MissingField, match="agent field required"):
        await ws.send_prompt(ask(Told()), {"prompt": "x"})
    with pytest.raises(MissingField, match="prompt field required"):
        await ws.send_prompt(ask(Told()), {"agent": "web"})
    with pytest.raises(MissingField, match="answer field required"):
        await ws.answer_agent(ask(Told()), {"agent": "web"})
    with pytest.raises(Refused, match="write"):
        await ws.send_prompt(ask(Told(Scope.READ)), {"agent": "web", "prompt": "x"})
    with pytest.raises(Refused, match="write"):
        await ws.answer_agent(ask(Told(Scope.READ)), {"agent": "web", "answer": "1"})


async def test_an_unknown_agent_is_said_in_the_documents_words(held: registry.Registry) -> None:
    with pytest.raises(NotFound, match=r"^agent not found$"):
        await ws.send_prompt(ask(Told()), {"agent": "nobody", "prompt": "x"})
    with pytest.raises(NotFound, match=r"^agent not found$"):
        await ws.answer_agent(ask(Told()), {"agent": "%1", "answer": "1"})


# --- a real server ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as running:
        yield running


@pytest.fixture
async def ours(served: Served) -> AsyncIterator[Client]:
    async with client(served) as connected:
        yield connected


async def test_agents_come_and_go_over_a_real_socket(served: Served, ours: Client) -> None:
    program = sleeper(served.directory / "bin", "codex")
    begun = await ours.ask("subscribe-agents", includeSessionFilter="^job")
    assert begun == {"type": "subscribe-agents", "ok": True, "agents": [], "totalAgents": 0}
    served.tmux("new-session", "-d", "-s", "hidden", f"exec {program} 60")
    assert await ours.event("agents-count") == {"type": "agents-count", "totalAgents": 1}
    served.tmux("new-session", "-d", "-s", "job", "-c", "/", f"exec {program} 60")
    added = await ours.event("agent-added")
    assert added["agent"]["name"] == "job"
    assert (added["agent"]["runtime"], added["agent"]["workDir"]) == ("codex", "/")
    assert (await ours.event("agents-count"))["totalAgents"] == 2
    served.tmux("kill-session", "-t", "job")
    assert await ours.event("agent-removed") == {"type": "agent-removed", "name": "job"}
    assert (await ours.event("agents-count"))["totalAgents"] == 1
    assert (await ours.ask("unsubscribe-agents"))["ok"]
    served.tmux("kill-session", "-t", "hidden")


async def test_a_bad_filter_is_refused_and_nothing_is_subscribed(ours: Client) -> None:
    answer = await ours.ask("subscribe-agents", includeSessionFilter="(a")
    assert answer["ok"] is False
    assert answer["error"].startswith("invalid session include filter: ")


async def test_the_work_dir_of_the_command_line_holds_for_all(tmp_path: Path) -> None:
    program = sleeper(tmp_path / "bin", "claude")
    for name in ("gt", "gt-other"):
        (tmp_path / name).mkdir()
    with served_tmux("--work-dir", str(tmp_path / "gt")) as served:
        for name in ("gt-other", "gt"):
            where = str(tmp_path / name)
            served.tmux("new-session", "-d", "-s", name, "-c", where, f"exec {program} 60")
        async with client(served) as ours:
            begun = await ours.ask("subscribe-agents")
            if not begun["agents"]:
                await ours.event("agent-added")
            [agent] = (await ours.ask("list-agents"))["agents"]
            assert (agent["name"], agent["workDir"]) == ("gt", str(tmp_path / "gt"))
