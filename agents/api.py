"""REST for agents: parse, call, serialise.

No rule lives here. An error of ours becomes a status in config/api.py, for every operation.
"""

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from agents import registry, selectors, services
from agents.schemas import (
    AgentDetailOut,
    AgentOut,
    DeliveredOut,
    ExplainOut,
    NewAnswer,
    NewPrompt,
)
from agents.selectors import Filters
from terminals.api import page, tmux
from terminals.schemas import Page, Paging, Wire

router = Router(by_alias=True, tags=["agents"])


class AgentFilters(Wire):
    include_session_filter: str = Field("", description="regular expression on the session's name")
    exclude_session_filter: str = ""
    include_path_filter: str = Field("", description="regular expression on the directory")
    exclude_path_filter: str = ""


@router.get("/agents", response=Page[AgentOut])
async def list_agents(
    request: HttpRequest, paging: Query[Paging], asked: Query[AgentFilters]
) -> Page[AgentOut]:
    """The agents that run now, by name."""
    filters = Filters.of(asked.model_dump(by_alias=True))
    return page([AgentOut.of(agent) for agent in selectors.list_agents(filters).values()], paging)


# Before the agent itself: a name may hold a slash.
@router.get("/agents/{path:name}/explain", response=ExplainOut)
async def explain_agent(request: HttpRequest, name: str) -> ExplainOut:
    """What its screen shows now, which rule says so, and on which evidence."""
    return await selectors.explain_agent(tmux=tmux(), name=name)


@router.post("/agents/{path:name}/prompt", response=DeliveredOut)
async def send_prompt(request: HttpRequest, name: str, body: NewPrompt) -> DeliveredOut:
    """Type a prompt and submit it; the answer tells what was seen of that."""
    agent = registry.current().find(name)
    receipt = await services.send_prompt(tmux=tmux(), agent=agent, **dict(body))
    return DeliveredOut.model_validate(receipt.fields())


@router.post("/agents/{path:name}/answer", response=DeliveredOut)
async def answer_agent(request: HttpRequest, name: str, body: NewAnswer) -> DeliveredOut:
    """Answer the question that an agent waits with."""
    agent = registry.current().find(name)
    receipt = await services.answer_agent(tmux=tmux(), agent=agent, **dict(body))
    return DeliveredOut.model_validate(receipt.fields())


@router.get("/agents/{path:name}", response=AgentDetailOut)
async def get_agent(request: HttpRequest, name: str) -> AgentDetailOut:
    """One agent, with what its processes take."""
    return AgentDetailOut.detailed(*await selectors.get_agent(name))
