"""Reads: which agents there are, and why one is said to do what it does.

Changes nothing. The registry is this process's own and is kept by workers.py.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from agents import processes, registry
from agents.processes import Usage
from agents.registry import Agent
from agents.rules import load
from agents.schemas import ExplainOut
from agents.screen import plain
from agents.states import State, explain, read_screen
from terminals import patterns
from terminals.errors import Invalid
from terminals.off_loop import by_size, off_loop
from terminals.patterns import Pattern
from terminals.tmux.driver import Tmux

# The field of a request → what it is called in an error.
FILTERS = {
    "includeSessionFilter": "session include filter",
    "excludeSessionFilter": "session exclude filter",
    "includePathFilter": "path include filter",
    "excludePathFilter": "path exclude filter",
}


@dataclass(frozen=True, slots=True)
class Filters:
    """Patterns that match anywhere in the session's name and the directory."""

    include_session: Pattern | None = None
    exclude_session: Pattern | None = None
    include_path: Pattern | None = None
    exclude_path: Pattern | None = None

    @classmethod
    def of(cls, request: Mapping[str, object]) -> "Filters":
        return cls(*(_pattern(request.get(name), what) for name, what in FILTERS.items()))

    def admits(self, agent: Agent) -> bool:
        return (
            (self.include_session is None or self.include_session.search(agent.session))
            and not (self.exclude_session and self.exclude_session.search(agent.session))
            and (self.include_path is None or self.include_path.search(agent.work_dir))
            and not (self.exclude_path and self.exclude_path.search(agent.work_dir))
        )


def _pattern(text: object, what: str) -> Pattern | None:
    if text is None or text == "":
        return None
    if not isinstance(text, str):
        raise Invalid(f"invalid {what}: it must be text")
    return patterns.compile(text, what=what)


async def list_agents(filters: Filters | None = None) -> dict[str, Agent]:
    """By name, in its order. Patterns are matched off the loop: there may be many agents."""
    found = dict(registry.current().agents)
    if filters is None or filters == Filters():
        return found
    return await off_loop(_admitted, found, filters)


def _admitted(agents: Mapping[str, Agent], filters: Filters) -> dict[str, Agent]:
    return {name: agent for name, agent in agents.items() if filters.admits(agent)}


def total() -> int:
    return len(registry.current().agents)


async def get_agent(name: str) -> tuple[Agent, Usage | None]:
    """With what its processes take: that walks the process table, so in a thread."""
    agent = registry.current().find(name)
    return agent, await asyncio.to_thread(processes.usage, agent.pid)


async def explain_agent(*, tmux: Tmux, name: str) -> ExplainOut:
    """What its screen shows now, and which rule says so."""
    return await explain_pane(tmux=tmux, agent=registry.current().find(name))


async def explain_pane(*, tmux: Tmux, agent: Agent) -> ExplainOut:
    raw = await tmux.capture(agent.pane_id, escapes=True)
    text = raw.decode("utf-8", "replace")
    return await by_size(len(raw), explain_screen, text, agent.runtime, believed=agent.state)


def explain_screen(text: str, runtime: str, *, believed: State | None = None) -> ExplainOut:
    lines, rules = text.split("\n"), load(runtime)
    reading, verdicts = read_screen(lines, rules), explain(lines, rules)
    shown = [plain(line) for line in lines]
    return ExplainOut.of(rules.runtime, reading, verdicts, shown, believed=believed)
