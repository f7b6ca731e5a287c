"""Agents on the socket: lists, filters, events."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from agents import registry, ws
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.schemas import AgentOut
from agents.selectors import AgentFilter
from core.callers import CallerKind, Principal, Scope
from core.errors import Invalid, NotFound, Refused
from terminals.socket.connection import Connection
from terminals.socket.requests import MissingField
from tests.agents.detection.programs import sleeper
from tests.terminals.served import Client, Served, client, served_tmux

WEB = Agent(
    "web", "claude", "/home/u/web", True, "%1", "@1", "web", 1, AgentState.IDLE, state_since=1
)
API = Agent("api", "codex", "/home/u/api", False, "%2", "@2", "api", 2, state_since=1)


# --- filters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "[",
        "*",
        "(?=a)",
        "(?<!a)b",
        "(a)\\1",
        "a{99999}",
        "(a{100}){100}",
        "x" * 501,
        "(" * 200 + ")" * 200 + "*" * 2,
        "(?>a)b",
        "a++",
        "(){30000000}",
        "\ud800",
    ],
)
def test_an_invalid_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(Invalid, match=r"^invalid session include filter: ."):
        AgentFilter.of({"includeSessionFilter": pattern})


@pytest.mark.parametrize("value", [7, ["a"], {"a": 1}, True])
def test_a_filter_that_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(Invalid, match="invalid path exclude filter"):
        AgentFilter.of({"excludePathFilter": value})


@pytest.mark.parametrize(
    ("pattern", "session", "is_admitted"),
    [
        ("^[[:alpha:]]+$", "api", True),
        ("^[[:alpha:]]+$", "api2", False),
        (r"^\pL+\z", "straße", True),
        (r"^\pL+\z", "a1", False),
        (r"(?i)API\z", "my-api", True),
        (r"[[:digit:]]\z", "api2", True),
    ],
)
def test_filters_have_the_syntax_of_the_original(
    pattern: str, session: str, is_admitted: bool
) -> None:
    """Go's regexp, which is RE2: character classes, Unicode classes, `\\z`."""
    agent = replace(API, session=session)
    assert AgentFilter.of({"includeSessionFilter": pattern}).admits(agent) is is_admitted
    assert AgentFilter.of({"excludeSessionFilter": pattern}).admits(agent) is not is_admitted


def test_filters_match_the_session_and_not_the_name() -> None:
    second = replace(API, name="api:3.0", session="api")
    assert AgentFilter.of({"includeSessionFilter": "^api$"}).admits(second)
    assert not AgentFilter.of({"includeSessionFilter": "3"}).admits(second)
    assert AgentFilter.of({"includeSessionFilter": "", "excludePathFilter": None}).admits(second)


# --- handlers ---------------------------------------------------------------------------------


class FakeConnection:
    """A connection that keeps the messages it is sent."""

    def __init__(self, scope: Scope = Scope.WRITE) -> None:
        self.principal = Principal(CallerKind.TOKEN, "t", scope)
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

    async def changed(self) -> list[dict[str, Any]]:
        """The messages that a change of the registry causes."""
        self.sent.clear()
        await self.following["agents"][1]({"type": "agents-changed"})
        return list(self.sent)


def of(connection: FakeConnection) -> Connection:
    return cast(Connection, connection)


@pytest.fixture
def agents() -> Iterator[registry.Registry]:
    registry.current().replace([API, WEB])
    yield registry.current()
    registry.current().replace(())


async def test_filters_of_a_list_apply_to_one_request(agents: registry.Registry) -> None:
    connection = FakeConnection()
    only = await ws.list_agents(of(connection), {"includeSessionFilter": "we"})
    assert only == {"agents": [AgentOut.of(WEB).model_dump(mode="json")]}
    assert await ws.list_agents(of(connection), {}) == {
        "agents": [
            AgentOut.of(API).model_dump(mode="json"),
            AgentOut.of(WEB).model_dump(mode="json"),
        ]
    }
    agents.replace(())
    assert await ws.list_agents(of(connection), {}) == {"agents": []}


async def test_a_subscriber_receives_every_difference_once(agents: registry.Registry) -> None:
    connection = FakeConnection()
    begun = await ws.subscribe_agents(of(connection), {})
    assert begun == {
        "ok": True,
        "agents": [
            AgentOut.of(API).model_dump(mode="json"),
            AgentOut.of(WEB).model_dump(mode="json"),
        ],
        "totalAgents": 2,
    }
    assert await connection.changed() == []

    busy = replace(WEB, state=AgentState.WORKING)
    agents.replace([API, busy])
    assert await connection.changed() == [
        {"type": "agent-updated", "agent": AgentOut.of(busy).model_dump(mode="json")}
    ]

    agents.replace([busy])
    assert await connection.changed() == [
        {"type": "agent-removed", "name": "api"},
        {"type": "agents-count", "totalAgents": 1},
    ]
    agents.replace([busy, API])
    assert await connection.changed() == [
        {"type": "agent-added", "agent": AgentOut.of(API).model_dump(mode="json")},
        {"type": "agents-count", "totalAgents": 2},
    ]
    await ws.unsubscribe_agents(of(connection), {})
    assert connection.following == {}


async def test_a_filtered_subscriber_receives_only_the_number_of_hidden_agents(
    agents: registry.Registry,
) -> None:
    connection = FakeConnection()
    begun = await ws.subscribe_agents(of(connection), {"excludeSessionFilter": "api"})
    assert (begun["agents"], begun["totalAgents"]) == (
        [AgentOut.of(WEB).model_dump(mode="json")],
        2,
    )
    agents.replace([replace(API, state=AgentState.WORKING), WEB])
    assert await connection.changed() == []
    agents.replace([WEB])
    assert await connection.changed() == [{"type": "agents-count", "totalAgents": 1}]


async def test_an_agent_that_no_longer_matches_the_filter_is_removed(
    agents: registry.Registry,
) -> None:
    connection = FakeConnection()
    await ws.subscribe_agents(of(connection), {"includePathFilter": "web"})
    agents.replace([API, replace(WEB, work_dir="/tmp")])
    assert await connection.changed() == [
        {"type": "agent-removed", "name": "web"},
        {"type": "agents-count", "totalAgents": 2},
    ]


async def test_prompts_and_answers_need_their_fields_and_the_write_scope(
    agents: registry.Registry,
) -> None:
    with pytest.raises(MissingField, match="agent field required"):
        await ws.send_prompt(of(FakeConnection()), {"prompt": "x"})
    with pytest.raises(MissingField, match="prompt field required"):
        await ws.send_prompt(of(FakeConnection()), {"agent": "web"})
    with pytest.raises(MissingField, match="answer field required"):
        await ws.answer_agent(of(FakeConnection()), {"agent": "web"})
    with pytest.raises(Refused, match="write"):
        await ws.send_prompt(of(FakeConnection(Scope.READ)), {"agent": "web", "prompt": "x"})
    with pytest.raises(Refused, match="write"):
        await ws.answer_agent(of(FakeConnection(Scope.READ)), {"agent": "web", "answer": "1"})


async def test_an_unknown_agent_has_the_documented_error(agents: registry.Registry) -> None:
    with pytest.raises(NotFound, match=r"^agent not found$"):
        await ws.send_prompt(of(FakeConnection()), {"agent": "nobody", "prompt": "x"})
    with pytest.raises(NotFound, match=r"^agent not found$"):
        await ws.answer_agent(of(FakeConnection()), {"agent": "%1", "answer": "1"})


# --- a real server ----------------------------------------------------------------------------


@pytest.fixture
async def ours(served: Served) -> AsyncIterator[Client]:
    async with client(served) as connected:
        yield connected


async def test_agents_are_added_and_removed_on_a_real_socket(served: Served, ours: Client) -> None:
    program = sleeper(served.directory / "bin", "codex")
    begun = await ours.ask("subscribe-agents", includeSessionFilter="^job")
    total = begun["totalAgents"]  # the agents of other tests
    assert begun == {"type": "subscribe-agents", "ok": True, "agents": [], "totalAgents": total}
    served.tmux("new-session", "-d", "-s", "hidden", f"exec {program} 3600")
    assert await ours.event("agents-count") == {
        "type": "agents-count",
        "totalAgents": total + 1,
    }
    served.tmux("new-session", "-d", "-s", "job", "-c", "/", f"exec {program} 3600")
    added = await ours.event("agent-added")
    assert added["agent"]["name"] == "job"
    assert (added["agent"]["runtime"], added["agent"]["workDir"]) == ("codex", "/")
    assert (await ours.event("agents-count"))["totalAgents"] == total + 2
    served.tmux("kill-session", "-t", "job")
    assert await ours.event("agent-removed") == {"type": "agent-removed", "name": "job"}
    assert (await ours.event("agents-count"))["totalAgents"] == total + 1
    assert (await ours.ask("unsubscribe-agents"))["ok"]
    served.tmux("kill-session", "-t", "hidden")


async def test_an_invalid_filter_is_refused_and_nothing_is_subscribed(ours: Client) -> None:
    answer = await ours.ask("subscribe-agents", includeSessionFilter="(a")
    assert answer["ok"] is False
    assert answer["error"].startswith("invalid session include filter: ")


async def test_the_work_dir_of_the_command_line_applies_to_every_client(tmp_path: Path) -> None:
    program = sleeper(tmp_path / "bin", "claude")
    for name in ("gt", "gt-other"):
        (tmp_path / name).mkdir()
    with served_tmux("--work-dir", str(tmp_path / "gt")) as served:
        for name in ("gt-other", "gt"):
            where = str(tmp_path / name)
            served.tmux("new-session", "-d", "-s", name, "-c", where, f"exec {program} 3600")
        async with client(served) as ours:
            begun = await ours.ask("subscribe-agents")
            if not begun["agents"]:
                await ours.event("agent-added")
            [agent] = (await ours.ask("list-agents"))["agents"]
            assert (agent["name"], agent["workDir"]) == ("gt", str(tmp_path / "gt"))
