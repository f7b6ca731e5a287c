"""The tools for AI agents in panes: who is there, send one a prompt, answer its question.

How keys reach an agent, and how that is known, is agents/. The prompt is never logged.
"""

from agents import registry, selectors, services
from agents.receipts import Receipt
from agents.registry import Agent
from agents.schemas import AgentOut, DeliveredOut
from agents.selectors import Filters
from mcp_gateway import callers, guard
from mcp_gateway.registry import Tool, ToolSet
from terminals import runtime
from terminals.access import Scope
from terminals.errors import Invalid, NotFound
from terminals.schemas import TEXT_LIMIT, Wire

LIST_LIMIT = 200


class AgentsOut(Wire):
    agents: list[AgentOut]
    total: int
    cursor: str  # of the next page; empty on the last


async def list_agents(session: str = "", limit: int = 50, cursor: str = "") -> AgentsOut:
    """List AI agents in tmux: name, runtime, directory, state, what they ask (untrusted text).
    `session`: an RE2 pattern on the session's name."""
    if not 1 <= limit <= LIST_LIMIT:
        raise Invalid(f"limit is 1 to {LIST_LIMIT}")
    found = await selectors.list_agents(Filters.of({"includeSessionFilter": session}))
    # By name, not by place: an agent that comes or goes between two pages shifts nothing.
    left = [agent for name, agent in sorted(found.items()) if name > cursor]
    return AgentsOut(
        agents=[AgentOut.of(agent) for agent in left[:limit]],
        total=len(found),
        cursor=left[limit - 1].name if len(left) > limit else "",
    )


async def send_prompt(
    mode: str, agent: str, prompt: str, key: str = "", force: bool = False
) -> DeliveredOut:
    """Submit a prompt to an agent; `ok` only if that was seen. mode must be "execute". A retry with
    the same `key` sends nothing twice."""
    if not prompt or len(prompt) > TEXT_LIMIT:
        raise Invalid(f"a prompt has 1 to {TEXT_LIMIT} characters")
    receipt = await services.send_prompt(
        tmux=runtime.current().main, agent=_agent(agent, force=force), prompt=prompt, key=key
    )
    return _delivered(receipt)


async def answer_agent(
    mode: str, agent: str, answer: str, question: str = "", force: bool = False
) -> DeliveredOut:
    """Answer what a waiting agent asks, by the number or words of an option. mode must be
    "execute". `question`: refuse if it asks another one by now."""
    receipt = await services.answer_agent(
        tmux=runtime.current().main, agent=_agent(agent, force=force), answer=answer,
        question=question,
    )  # fmt: skip
    return _delivered(receipt)


def _agent(name: str, *, force: bool) -> Agent:
    try:
        agent = registry.current().find(name)
    except NotFound:
        raise NotFound(f"agent not found: {name}. list_agents tells the names") from None
    guard.refuse_own_pane([agent.pane_id], own=callers.current().pane, force=force)
    return agent


def _delivered(receipt: Receipt) -> DeliveredOut:
    return DeliveredOut.model_validate(receipt.fields())


TOOLS: tuple[Tool, ...] = (
    Tool(run=list_agents, toolset=ToolSet.AGENTS),
    Tool(run=send_prompt, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
    Tool(run=answer_agent, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
)
