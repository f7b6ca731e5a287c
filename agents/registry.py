"""Which agents there are now and what they do: in memory, one registry for each process.

Not a fact of the database: an agent is there as long as its process is.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from agents.menus import Option
from agents.rules import State
from terminals.errors import NotFound
from terminals.runtime import Runtime


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
    state: State = State.UNKNOWN
    question: str = ""
    options: tuple[Option, ...] = ()


class Kind(StrEnum):
    ADDED = "agent-added"
    REMOVED = "agent-removed"
    UPDATED = "agent-updated"


@dataclass(frozen=True, slots=True)
class Change:
    kind: Kind
    agent: Agent


class Registry:
    def __init__(self) -> None:
        self.agents: dict[str, Agent] = {}
        self._watching: list[asyncio.Event] = []

    @contextmanager
    def watching(self, changed: asyncio.Event) -> Iterator[None]:
        """The event is set whenever something about an agent has changed."""
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

    def replace(self, new: Iterable[Agent]) -> list[Change]:
        """Take the new list for the truth, and say what is different."""
        before, self.agents = self.agents, {agent.name: agent for agent in new}
        if changes := diff(before, self.agents):
            for changed in self._watching:
                changed.set()
        return changes


def diff(before: dict[str, Agent], after: dict[str, Agent]) -> list[Change]:
    """Gone ones first: a name may have passed to another process."""
    gone = [agent for name, agent in before.items() if not _same(agent, after.get(name))]
    came = [agent for name, agent in after.items() if not _same(agent, before.get(name))]
    other = [
        agent
        for name, agent in after.items()
        if _same(agent, before.get(name)) and agent != before[name]
    ]
    return [
        *(Change(Kind.REMOVED, agent) for agent in gone),
        *(Change(Kind.ADDED, agent) for agent in came),
        *(Change(Kind.UPDATED, agent) for agent in other),
    ]


def _same(one: Agent, other: Agent | None) -> bool:
    """The same run of the same program, whatever it does now."""
    return other is not None and (one.pane_id, one.pid) == (other.pane_id, other.pid)


_current = Registry()


def current() -> Registry:
    """The registry of this process; empty until the first scan, and while tmux is away."""
    return _current


def pane_of(runtime: Runtime, name: str) -> str | None:
    agent = _current.agents.get(name)
    return agent.pane_id if agent else None
