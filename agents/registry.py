"""The agents that run now and what they are doing: in memory, one registry per process.

workers.py fills it. Nothing is stored in the database: an agent exists as long as its process does.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum

from agents.questions import Question
from agents.runtimes.loader import AgentState
from agents.screen.menus import Option
from agents.witnesses.belief import Witness
from core import events
from core.errors import NotFound
from terminals.runtime import Runtime

TOPIC = events.topic("agents")  # where changes of the registry are published


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    runtime: str
    work_dir: str
    attached: bool
    pane_id: str
    window_id: str
    session: str
    pid: int
    state: AgentState = AgentState.UNKNOWN
    question: Question | None = None
    options: tuple[Option, ...] = ()
    decided_by: Witness = Witness.SCREEN  # who decided the state
    disputed: bool = False  # the witnesses have contradicted each other for several seconds
    # When it was first seen in its state, in ms since 1970. Not compared: no change of its own.
    state_since: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    id: str
    timestamp: float  # when the answer was seen to have an effect or not, by the monotonic clock


class ChangeKind(StrEnum):
    ADDED = "agent-added"
    REMOVED = "agent-removed"
    UPDATED = "agent-updated"


@dataclass(frozen=True, slots=True)
class AgentChange:
    kind: ChangeKind
    agent: Agent


class Registry:
    def __init__(self) -> None:
        self.agents: dict[str, Agent] = {}
        self.answered: dict[str, AnsweredQuestion] = {}  # the last one of each pane
        self.version = 0  # of what the list of agents says
        self._watching: list[asyncio.Event] = []

    @contextmanager
    def watching(self, changed: asyncio.Event) -> Iterator[None]:
        """Sets the event whenever something about an agent has changed."""
        self._watching.append(changed)
        try:
            yield
        finally:
            self._watching.remove(changed)

    def find(self, name: str) -> Agent:
        agent = self.agents.get(name)
        if agent is None:
            raise NotFound("agent not found")
        return agent

    def replace(self, new: Iterable[Agent]) -> list[AgentChange]:
        """Replaces the list of agents, and returns the differences."""
        before, now = self.agents, round(time.time() * 1000)
        self.agents = {agent.name: _timed(agent, before.get(agent.name), now) for agent in new}
        if changes := diff(before, self.agents):
            self.version += 1
            for changed in self._watching:
                changed.set()
        return changes


def diff(before: dict[str, Agent], after: dict[str, Agent]) -> list[AgentChange]:
    """Removed agents first, because a name may have passed to another process."""
    removed = [agent for name, agent in before.items() if not _same(agent, after.get(name))]
    added = [agent for name, agent in after.items() if not _same(agent, before.get(name))]
    updated = [
        agent
        for name, agent in after.items()
        if _same(agent, before.get(name)) and agent != before[name]
    ]
    return [
        *(AgentChange(ChangeKind.REMOVED, agent) for agent in removed),
        *(AgentChange(ChangeKind.ADDED, agent) for agent in added),
        *(AgentChange(ChangeKind.UPDATED, agent) for agent in updated),
    ]


def _timed(agent: Agent, before: Agent | None, now: int) -> Agent:
    """With the time of `before`, if that is the same run in the same state, or its own."""
    if agent.state_since:
        return agent
    kept = before is not None and _same(agent, before) and agent.state is before.state
    return replace(agent, state_since=before.state_since if before and kept else now)


def _same(agent: Agent, other: Agent | None) -> bool:
    """Whether both are the same run of the same program, whatever it is doing."""
    return other is not None and (agent.pane_id, agent.pid) == (other.pane_id, other.pid)


_current = Registry()


def current() -> Registry:
    """The registry of this process; empty until the first scan, and while tmux is not running."""
    return _current


def pane_of(runtime: Runtime, name: str) -> str | None:
    agent = _current.agents.get(name)
    return agent.pane_id if agent else None
