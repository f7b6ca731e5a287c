"""The socket's requests about agents and chat: parse, call, answer.

Rules are in services.py and selectors.py; the list of agents is in registry.py.
"""

from agents import registry, schemas, selectors, services
from agents.chat import selectors as chat
from agents.chat import store as chat_store
from agents.chat.schemas import ChatAdded, ChatRequest, MessagesChanged, SubscribedChatOut
from agents.registry import Agent, ChangeKind
from agents.schemas import (
    AgentAdded,
    AgentOut,
    AgentQuery,
    AgentRemoved,
    AgentsCount,
    AgentUpdated,
    AnswerRequest,
    DeliveredOut,
    ListedAgentsOut,
    PromptDelivered,
    PromptRequest,
    SubscribedAgentsOut,
)
from agents.selectors import AgentFilter
from core.callers import Scope
from core.database import in_db
from core.errors import Invalid
from core.wire import Exchange, SocketMessage
from terminals.services import get_window
from terminals.socket.connection import Connection, Handler, Request, text_field

SUBSCRIPTION = "agents"


async def list_agents(connection: Connection, request: Request) -> dict[str, object]:
    return ListedAgentsOut(
        agents=_wire(await selectors.list_agents(AgentFilter.of(request)))
    ).message()


async def subscribe_agents(connection: Connection, request: Request) -> dict[str, object]:
    """Joins the group first and reads afterwards; an event only triggers a comparison."""
    subscriber = _Subscriber(connection, AgentFilter.of(request))
    await connection.follow(SUBSCRIPTION, registry.TOPIC, subscriber.compare)
    return await subscriber.begin()


async def unsubscribe_agents(connection: Connection, request: Request) -> dict[str, object]:
    await connection.unfollow(SUBSCRIPTION)
    return {"ok": True}


async def send_prompt(connection: Connection, request: Request) -> dict[str, object]:
    name, prompt = text_field(request, "agent"), text_field(request, "prompt")
    connection.require(Scope.WRITE)
    agent, key = registry.current().find(name), optional_text(request, "key")
    receipt = await services.send_prompt(
        tmux=connection.runtime.main, agent=agent, prompt=prompt, key=key
    )
    return DeliveredOut.of(receipt).message()


async def answer_agent(connection: Connection, request: Request) -> dict[str, object]:
    """By the number or words of an option; with `question`, only if the agent still asks that."""
    name, answer = text_field(request, "agent"), text_field(request, "answer")
    connection.require(Scope.WRITE)
    agent, question = registry.current().find(name), optional_text(request, "question")
    receipt = await services.answer_agent(
        tmux=connection.runtime.main,
        agent=agent,
        answer=answer,
        question=question,
        reason=optional_text(request, "reason"),
    )
    return DeliveredOut.of(receipt).message()


async def subscribe_chat(connection: Connection, request: Request) -> dict[str, object]:
    """Joins the group first and reads afterwards: a record in between is sent twice."""
    window = await get_window(tmux=connection.runtime.main, window=text_field(request, "window"))
    await connection.follow(f"chat {window.key}", chat_store.topic(window), connection.send)
    page = await in_db(chat.read_chat_history)(window=window)
    return SubscribedChatOut.of(window, page.records, has_more=page.has_more).message()


async def unsubscribe_chat(connection: Connection, request: Request) -> dict[str, object]:
    window = await get_window(tmux=connection.runtime.main, window=text_field(request, "window"))
    await connection.unfollow(f"chat {window.key}")
    return {"ok": True}


def optional_text(request: Request, name: str) -> str:
    value = request.get(name, "")
    if not isinstance(value, str):
        raise Invalid(f"{name} must be a string")
    return value


class _Subscriber:
    """What one client knows, so that it receives every difference once."""

    def __init__(self, connection: Connection, filter_: AgentFilter) -> None:
        self._connection, self._filter = connection, filter_
        self._agents: dict[str, Agent] = {}
        self._total = 0

    async def begin(self) -> dict[str, object]:
        self._agents, self._total = await selectors.list_agents(self._filter), selectors.total()
        agents = _wire(self._agents)
        return SubscribedAgentsOut(agents=agents, total_agents=self._total).message()

    async def compare(self, event: dict[str, object]) -> None:
        before, self._agents = self._agents, await selectors.list_agents(self._filter)
        total, self._total = self._total, selectors.total()
        count = AgentsCount(total_agents=self._total).message()
        is_counted = False
        for change in registry.diff(before, self._agents):
            await self._connection.send(schemas.event(change))
            if change.kind is not ChangeKind.UPDATED:
                await self._connection.send(count)
                is_counted = True
        if total != self._total and not is_counted:  # agents that the filter hides
            await self._connection.send(count)


def _wire(agents: dict[str, Agent]) -> list[AgentOut]:
    return [AgentOut.of(agent) for agent in agents.values()]


HANDLERS: dict[str, Handler] = {
    "list-agents": list_agents,
    "subscribe-agents": subscribe_agents,
    "unsubscribe-agents": unsubscribe_agents,
    "send-prompt": send_prompt,
    "answer-agent": answer_agent,
    "subscribe-chat": subscribe_chat,
    "unsubscribe-chat": unsubscribe_chat,
}
EXCHANGES: dict[str, Exchange] = {
    "list-agents": Exchange(AgentQuery, ListedAgentsOut),
    "subscribe-agents": Exchange(AgentQuery, SubscribedAgentsOut),
    "unsubscribe-agents": Exchange(),
    "send-prompt": Exchange(PromptRequest, PromptDelivered),
    "answer-agent": Exchange(AnswerRequest, PromptDelivered),
    "subscribe-chat": Exchange(ChatRequest, SubscribedChatOut),
    "unsubscribe-chat": Exchange(ChatRequest),
}
EVENTS: tuple[type[SocketMessage], ...] = (
    AgentAdded,
    AgentUpdated,
    AgentRemoved,
    AgentsCount,
    ChatAdded,
    MessagesChanged,
)
