"""MCP tools for AI agents: list them, start one, send a prompt, answer a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from agents import registry, selectors, services, starting
from agents.registry import Agent
from agents.schemas import AgentOut, DeliveredOut, PromptRunOut, StartedAgentOut
from agents.screen.subjects import CUT
from agents.selectors import AgentFilter
from agents.starting import StartedAgent
from agents.waiting.wait import WAIT_LIMIT_SECONDS
from core import callers
from core.actors import ActorDoor, actor_id
from core.callers import Scope
from core.database import in_db
from core.errors import Invalid, NotFound
from core.wire import TEXT_LIMIT, Wire
from mcp_gateway import guard
from mcp_gateway.registry import Tool, ToolSet
from notes.handoff import hand_task
from notes.schemas import HandedReceipt
from notes.selectors import read_notes
from terminals import runtime as active
from terminals.models import Project
from terminals.services import get_project_of_session

LIST_LIMIT = 200
RUN_SECONDS = 300.0
DIFF_LIMIT = 2000  # characters of a change in a list


class AgentsOut(Wire):
    agents: list[AgentOut]
    total: int
    cursor: str  # for the next page; empty on the last


async def list_agents(session: str = "", limit: int = 50, cursor: str = "") -> AgentsOut:
    """List AI agents in tmux: name, runtime, directory, state, what they ask (untrusted text).
    `session`: an RE2 pattern on the session's name."""
    if not 1 <= limit <= LIST_LIMIT:
        raise Invalid(f"limit is 1 to {LIST_LIMIT}")
    agents = await selectors.list_agents(AgentFilter.of({"includeSessionFilter": session}))
    # Paged by name: an agent that comes or goes between two pages shifts nothing.
    left = [agent for name, agent in sorted(agents.items()) if name > cursor]
    return AgentsOut(
        agents=[_listed(agent) for agent in left[:limit]],
        total=len(agents),
        cursor=left[limit - 1].name if len(left) > limit else "",
    )


def _listed(agent: Agent) -> AgentOut:
    """Without the end of a long change: a list has to fit into the context of a model."""
    out = AgentOut.of(agent)
    if out.question and len(out.question.diff) > DIFF_LIMIT:
        out.question.diff, out.question.cut = out.question.diff[:DIFF_LIMIT] + CUT, True
    return out


async def send_prompt(
    mode: str, agent: str, prompt: str, key: str = "", force: bool = False
) -> DeliveredOut:
    """Submit a prompt to an agent; `ok` only if that was seen. A retry with
    the same `key` sends nothing twice. wait_for the `turn` of the receipt."""
    receipt = await services.send_prompt(
        tmux=active.current().main,
        prompt=_checked(prompt),
        agent=_agent(agent, force=force),
        key=key,
    )
    return DeliveredOut.of(receipt)


async def run_prompt(
    mode: str,
    agent: str,
    prompt: str,
    key: str = "",
    seconds: Annotated[float, Field(gt=0, le=WAIT_LIMIT_SECONDS)] = RUN_SECONDS,
    force: bool = False,
    ctx: Context | None = None,
) -> PromptRunOut:
    """send_prompt, wait for the end of its turn, and return the reply: one call instead of three.
    `end`: ended, waiting (see list_agents), failed, agent_ended, time_out (wait_for the `turn`)."""
    result = await services.run_prompt(
        tmux=active.current().main,
        prompt=_checked(prompt),
        agent=_agent(agent, force=force),
        key=key,
        seconds=seconds,
        progress=ctx.report_progress if ctx is not None else None,
    )
    return PromptRunOut.of_run(result)


async def start_agent(
    mode: str,
    runtime: str,
    cwd: str = "",
    session: str = "",
    args: Sequence[str] = (),
    prompt: str = "",
    taskIndex: int | None = None,
) -> StartedAgentOut:
    """Start an agent (claude, codex…) in a new window of `session`, which is created if missing
    (default: named after the directory `cwd`), and send `prompt` when it is ready. If it asks
    something first, nothing is sent: see `agent`. `taskIndex`: the prompt is this task of the
    session's project, which is set to WIP."""
    task = await _task(session, taskIndex) if taskIndex is not None else None
    prompt = prompt or (task.prompt if task else "")
    started = await starting.start_agent(
        tmux=active.current().main,
        data_dir=active.current().data_dir,
        runtime=runtime,
        cwd=cwd,
        session=session,
        args=args,
        prompt=_checked(prompt) if prompt else "",
    )
    if task is not None and started.ok:
        await in_db(_hand)(task, started)
    return StartedAgentOut.of(started)


@dataclass(frozen=True, slots=True)
class _Task:
    project: Project
    key: str
    text: str
    prompt: str


async def _task(session: str, index: int) -> _Task:
    """A task of the project of a session, which may have ended."""
    if not session:
        raise Invalid("session is required with taskIndex: the name of the project's tmux session")
    project = await get_project_of_session(tmux=active.current().main, session=session)
    notes = await in_db(read_notes)(owner=project)
    if not 0 <= index < len(notes.tasks):
        raise NotFound(f"there is no task {index}: list_tasks again")
    task = notes.tasks[index]
    prompt = f"{task.text}\n\n{task.description}" if task.description else task.text
    return _Task(project, notes.keys[index], task.text, prompt)


def _hand(task: _Task, started: StartedAgent) -> None:
    """As the page hands a task to an agent: it is linked to the window that works on it."""
    caller, receipt = callers.current(), started.receipt
    hand_task(
        owner=task.project,
        key=task.key,
        window=started.window,
        actor=actor_id(caller.principal.name, ActorDoor.MCP, caller.client),
        agent=started.agent.name if started.agent else "",
        receipt=HandedReceipt(
            id=receipt.id,
            turn_started=receipt.outcome.turn_started,
            attempts=receipt.outcome.attempts,
            ms=receipt.outcome.ms,
        )
        if receipt
        else None,
    )


async def answer_agent(
    mode: str,
    agent: str,
    answer: str,
    question: str = "",
    reason: str = "",
    force: bool = False,
) -> DeliveredOut:
    """Answer what a waiting agent asks, by the number or words of an option. `question`: the id
    from list_agents; refused if it asks another one by now. `reason`: words for an option that
    takes them."""
    if len(reason) > TEXT_LIMIT:
        raise Invalid(f"a reason has at most {TEXT_LIMIT} characters")
    receipt = await services.answer_agent(
        tmux=active.current().main,
        agent=_agent(agent, force=force),
        answer=answer,
        question=question,
        reason=reason,
    )
    return DeliveredOut.of(receipt)


def _checked(prompt: str) -> str:
    if not prompt or len(prompt) > TEXT_LIMIT:
        raise Invalid(f"a prompt has 1 to {TEXT_LIMIT} characters")
    return prompt


def _agent(name: str, *, force: bool) -> Agent:
    try:
        agent = registry.current().find(name)
    except NotFound:
        raise NotFound(f"agent not found: {name}. Call list_agents for the names") from None
    guard.refuse_own_pane([agent.pane_id], own=callers.current().pane, force=force)
    return agent


TOOLS: tuple[Tool, ...] = (
    Tool(run=list_agents, toolset=ToolSet.AGENTS),
    Tool(run=send_prompt, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
    Tool(run=run_prompt, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
    Tool(run=start_agent, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
    Tool(run=answer_agent, toolset=ToolSet.AGENTS, scope=Scope.WRITE),
)
