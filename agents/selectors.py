"""Reads: which agents run, and why an agent is said to be in its state.

Nothing is written. The registry belongs to this process and is filled by workers.py.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass

from agents import registry
from agents.detection import scanner
from agents.detection.scanner import Usage
from agents.registry import Agent
from agents.runtimes.loader import load
from agents.schemas import EventOut, ExplainOut
from agents.screen import layout
from agents.screen.states import explain
from agents.witnesses import processes, store
from agents.witnesses.belief import ProcessEvidence, report_of
from agents.witnesses.evidence import EventSource
from core import patterns
from core.errors import Invalid
from core.offload import by_size, off_loop
from core.patterns import Pattern
from terminals.tmux.driver import Tmux

# The field of a request, and its name in an error message.
FILTERS = {
    "includeSessionFilter": "session include filter",
    "excludeSessionFilter": "session exclude filter",
    "includePathFilter": "path include filter",
    "excludePathFilter": "path exclude filter",
}


@dataclass(frozen=True, slots=True)
class AgentFilter:
    """Patterns that match anywhere in the name of the session and in the directory."""

    include_session: Pattern | None = None
    exclude_session: Pattern | None = None
    include_path: Pattern | None = None
    exclude_path: Pattern | None = None

    @classmethod
    def of(cls, request: Mapping[str, object]) -> "AgentFilter":
        return cls(*(_pattern(request.get(field), name) for field, name in FILTERS.items()))

    def admits(self, agent: Agent) -> bool:
        return (
            (self.include_session is None or self.include_session.search(agent.session))
            and not (self.exclude_session and self.exclude_session.search(agent.session))
            and (self.include_path is None or self.include_path.search(agent.work_dir))
            and not (self.exclude_path and self.exclude_path.search(agent.work_dir))
        )


def _pattern(text: object, name: str) -> Pattern | None:
    if text is None or text == "":
        return None
    if not isinstance(text, str):
        raise Invalid(f"invalid {name}: it must be text")
    return patterns.compile(text, subject=name)


async def list_agents(filter_: AgentFilter | None = None) -> dict[str, Agent]:
    """By name. Patterns are matched off the loop, because there may be many agents."""
    agents = dict(registry.current().agents)
    if filter_ is None or filter_ == AgentFilter():
        return agents
    return await off_loop(_admitted, agents, filter_)


def _admitted(agents: Mapping[str, Agent], filter_: AgentFilter) -> dict[str, Agent]:
    return {name: agent for name, agent in agents.items() if filter_.admits(agent)}


def total() -> int:
    return len(registry.current().agents)


async def get_agent(name: str) -> tuple[Agent, Usage | None]:
    """With the memory and CPU time of its processes, read in a thread from the process table."""
    agent = registry.current().find(name)
    return agent, await asyncio.to_thread(scanner.usage, agent.pid)


async def explain_agent(*, tmux: Tmux, name: str) -> ExplainOut:
    """What every witness says about an agent, and which rule decided what its screen shows."""
    return await explain_pane(tmux=tmux, agent=registry.current().find(name))


async def explain_pane(*, tmux: Tmux, agent: Agent) -> ExplainOut:
    raw = await tmux.capture(agent.pane_id, escapes=True)
    text = raw.decode("utf-8", "replace")
    explained = await by_size(len(raw), explain_screen, text, agent.runtime)
    process = processes.evidence(agent.pid, processes.started(agent.pid))
    hook, journal = (
        _last_event(agent.pane_id, source, process)
        for source in (EventSource.HOOK, EventSource.JOURNAL)
    )
    return explained.with_agent(agent, process, hook, journal)


def _last_event(pane_id: str, source: EventSource, process: ProcessEvidence) -> EventOut | None:
    reported = [event for event in store.events(pane_id) if event.source is source]
    if not reported:
        return None
    last = max(reported, key=lambda event: event.timestamp)
    report = report_of(reported, source, started=process.started)
    return EventOut.of(last, report, time.time())


def explain_screen(text: str, runtime: str) -> ExplainOut:
    lines, rules = text.split("\n"), load(runtime)
    reading, results = explain(layout.parse(lines, rules))
    shown = [layout.plain(line) for line in lines]
    return ExplainOut.of(rules.runtime, reading, results, shown)
