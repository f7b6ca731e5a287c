"""The socket's requests about agents and chat: parse, call, answer.

No rule lives here: who is there is in the registry, how a prompt is delivered in services.py.
"""

from typing import Any

from agents import chat, records, registry, schemas, selectors, services
from agents.chat_schemas import ChatHistoryOut
from agents.registry import Agent, Kind
from agents.selectors import Filters
from agents.workers import AGENTS
from terminals import selectors as windows
from terminals.access import Scope
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.socket import Connection, Handler, Request, text_field

FOLLOWING = "agents"


async def list_agents(connection: Connection, request: Request) -> dict[str, Any]:
    return {"agents": _wire(await selectors.list_agents(Filters.of(request)))}


async def subscribe_agents(connection: Connection, request: Request) -> dict[str, Any]:
    """Joined first and read afterwards; an event only says that it is time to compare."""
    told = _Told(connection, Filters.of(request))
    await connection.follow(FOLLOWING, AGENTS, told.compare)
    return {"ok": True, **await told.begin()}


async def unsubscribe_agents(connection: Connection, request: Request) -> dict[str, Any]:
    await connection.unfollow(FOLLOWING)
    return {"ok": True}


async def send_prompt(connection: Connection, request: Request) -> dict[str, Any]:
    name, prompt = text_field(request, "agent"), text_field(request, "prompt")
    connection.require(Scope.WRITE)
    agent, key = registry.current().find(name), optional_text(request, "key")
    receipt = await services.send_prompt(
        tmux=connection.runtime.main, agent=agent, prompt=prompt, key=key
    )
    return receipt.fields()


async def answer_agent(connection: Connection, request: Request) -> dict[str, Any]:
    """By the number or the words of an option; with `question`, only if it still asks that."""
    name, answer = text_field(request, "agent"), text_field(request, "answer")
    connection.require(Scope.WRITE)
    agent, question = registry.current().find(name), optional_text(request, "question")
    receipt = await services.answer_agent(
        tmux=connection.runtime.main, agent=agent, answer=answer, question=question
    )
    return receipt.fields()


async def subscribe_chat(connection: Connection, request: Request) -> dict[str, Any]:
    """Joined first and read afterwards: a record that comes in between is told twice."""
    window = await windows.get_window(
        tmux=connection.runtime.main, window=text_field(request, "window")
    )
    await connection.follow(f"chat {window.key}", records.topic(window), connection.send)
    told = await in_db(chat.read_chat_history)(window=window)
    out = ChatHistoryOut.of(window, told.records, has_more=told.has_more)
    return {"ok": True, **out.model_dump(mode="json")}


async def unsubscribe_chat(connection: Connection, request: Request) -> dict[str, Any]:
    window = await windows.get_window(
        tmux=connection.runtime.main, window=text_field(request, "window")
    )
    await connection.unfollow(f"chat {window.key}")
    return {"ok": True}


def optional_text(request: Request, name: str) -> str:
    value = request.get(name, "")
    if not isinstance(value, str):
        raise Invalid(f"{name} must be a string")
    return value


class _Told:
    """What one client has been told, so that it hears of every difference once."""

    def __init__(self, connection: Connection, filters: Filters) -> None:
        self._connection, self._filters = connection, filters
        self._agents: dict[str, Agent] = {}
        self._total = 0

    async def begin(self) -> dict[str, Any]:
        self._agents, self._total = await selectors.list_agents(self._filters), selectors.total()
        return {"agents": _wire(self._agents), "totalAgents": self._total}

    async def compare(self, event: dict[str, Any]) -> None:
        before, self._agents = self._agents, await selectors.list_agents(self._filters)
        total, self._total = self._total, selectors.total()
        count = {"type": "agents-count", "totalAgents": self._total}
        counted = False
        for change in registry.diff(before, self._agents):
            await self._connection.send(schemas.event(change))
            if change.kind is not Kind.UPDATED:
                await self._connection.send(count)
                counted = True
        if total != self._total and not counted:  # of agents that the filters hide
            await self._connection.send(count)


def _wire(agents: dict[str, Agent]) -> list[dict[str, Any]]:
    return [schemas.wire(agent) for agent in agents.values()]


HANDLERS: dict[str, Handler] = {
    "list-agents": list_agents,
    "subscribe-agents": subscribe_agents,
    "unsubscribe-agents": unsubscribe_agents,
    "send-prompt": send_prompt,
    "answer-agent": answer_agent,
    "subscribe-chat": subscribe_chat,
    "unsubscribe-chat": unsubscribe_chat,
}
