"""Starts agents: which ones are installed, and a new window with one of them.

The program is found through the user's login shell. Its hooks are added to this launch only; no
settings of the user are changed. A first prompt is delivered like any other (services.py).
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from agents import registry, services
from agents.delivery.receipts import Receipt
from agents.registry import Agent
from agents.runtimes.loader import AgentState, Rules, load, runtimes
from agents.witnesses.hooks import files
from agents.witnesses.hooks import launch as hooks
from core import callers
from core.callers import Scope
from core.errors import Invalid, NotFound, Refused
from core.workers import wait_for
from terminals.models import Window
from terminals.services import start_program
from terminals.tmux.driver import Tmux
from terminals.windows import launch
from terminals.windows.directories import resolve_directory
from terminals.windows.launch import EndedProgram, Launch
from terminals.windows.login_path import find_programs

log = logging.getLogger(__name__)

DETECTED_SECONDS = 15.0  # from the start to the detection, which scans once a second
SETTLED_SECONDS = 2.0  # until the state of an agent that has got a prompt is known
CHECK_SECONDS = 0.25  # between two looks whether the program has ended
ARGUMENTS_LIMIT = 50
SESSION_LIMIT = 40  # characters of a name that is made from a directory

_tasks: set["asyncio.Task[StartedAgent]"] = set()  # bounded by the waits in start_agent


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """A runtime that webtmux knows. `path` is empty if it is not installed."""

    rules: Rules
    path: str = ""


@dataclass(frozen=True, slots=True)
class StartedAgent:
    window: Window
    pane_id: str
    rules: Rules
    agent: Agent | None = None  # None: it has ended, or was not detected
    ended: EndedProgram | None = None
    has_prompt: bool = False
    receipt: Receipt | None = None  # of the first prompt

    @property
    def ok(self) -> bool:
        if self.agent is None or self.ended is not None:
            return False
        return self.receipt is not None and self.receipt.ok if self.has_prompt else True

    @property
    def error(self) -> str:
        title = self.rules.title
        if self.ended is not None:
            outcome = str(self.ended).removeprefix("The command ").removesuffix(".")
            return f"{title} {outcome}: its output is in its window"
        if self.agent is None:
            unsent = " The prompt was not sent." if self.has_prompt else ""
            return (
                f"{title} was started, but not detected within {DETECTED_SECONDS:.0f} s: check"
                f" its terminal.{unsent}"
            )
        return "" if self.receipt is None or self.receipt.ok else self.receipt.error


async def list_runtimes(*, tmux: Tmux) -> list[AgentProgram]:
    """Every runtime, installed ones first.

    Only for callers that could start one: it runs the login shell, and names its programs.
    """
    if not callers.current().principal.scope.includes(Scope.WRITE):
        raise Refused("this needs the scope `write`, as starting an agent does")
    return await _programs(tmux)


async def _programs(tmux: Tmux, *, again: bool = False) -> list[AgentProgram]:
    shell = await launch.login_shell(tmux)
    paths = await find_programs((rules.program for rules in runtimes()), shell=shell, again=again)
    programs = [AgentProgram(rules, paths.get(rules.program, "")) for rules in runtimes()]
    return sorted(programs, key=lambda program: not program.path)


async def start_agent(
    *,
    tmux: Tmux,
    data_dir: Path,
    runtime: str,
    cwd: str = "",
    session: str = "",
    name: str = "",
    args: Sequence[str] = (),
    prompt: str = "",
    key: str = "",
) -> StartedAgent:
    """In a new window of `session`, which is created if there is none. Without `session`, it is
    named after the directory. `key` makes a retry of the prompt harmless, not one of the start.

    Continues when its caller disconnects, so that no agent waits for a prompt that never comes.
    """
    if len(args) > ARGUMENTS_LIMIT:
        raise Invalid(f"an agent takes at most {ARGUMENTS_LIMIT} arguments", field="args")
    program = await _installed(tmux, runtime)
    if prompt:
        program.rules.delivery.check(prompt)
    directory = await resolve_directory(cwd, base=launch.base_directory()) if cwd else ""
    argv, env = hooks.launch(
        runtime, [program.path, *args], {}, directory=files.data_directory(data_dir)
    )
    planned = Launch(
        directory=directory, argv=tuple(argv), env=env, name=name or program.rules.program
    )
    session = session or session_name(directory or launch.base_directory())
    task = asyncio.create_task(_start(tmux, program, session, planned, prompt, key), name="start")
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return await asyncio.shield(task)


def session_name(directory: str) -> str:
    """The name of a directory, without the characters that tmux changes in names of sessions."""
    name = re.sub(r"[^\w-]+", "-", PurePath(directory).name).strip("-")
    return name[:SESSION_LIMIT] or "agents"


async def _installed(tmux: Tmux, runtime: str) -> AgentProgram:
    for again in (False, True):  # it may have been installed a moment ago
        programs = await _programs(tmux, again=again)
        known = {program.rules.runtime: program for program in programs}
        if runtime not in known:
            raise Invalid(f"there is no agent {runtime!r}: use {', '.join(known)}", field="runtime")
        if known[runtime].path:
            return known[runtime]
    rules = load(runtime)
    installed = ", ".join(program.rules.runtime for program in programs if program.path)
    raise Invalid(
        f"{rules.title} is not installed: there is no `{rules.program}` on the PATH of your login"
        f" shell. Install it with `{rules.install}`. Installed: {installed or 'no agent'}",
        field="runtime",
    )


async def _start(
    tmux: Tmux, program: AgentProgram, session: str, planned: Launch, prompt: str, key: str
) -> StartedAgent:
    created = await start_program(tmux=tmux, session=session, launch=planned)
    started = StartedAgent(created.window, created.pane_id, program.rules, has_prompt=bool(prompt))
    started = await _detected(tmux, started)
    if started.agent is not None and prompt:
        started = await _send_first(tmux, started, started.agent, prompt, key)
    elif started.agent is not None:
        started = await _shown(tmux, started, started.agent)
    log.info("started %s in %s: %s", program.rules.runtime, created.pane_id, started.ok)
    return started


async def _detected(tmux: Tmux, started: StartedAgent) -> StartedAgent:
    """With the agent of its pane, or with how its program ended."""
    if ended := await launch.early_end(tmux, started.pane_id):
        return replace(started, ended=ended)
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    deadline = loop.time() + DETECTED_SECONDS
    with registry.current().watching(changed):
        while loop.time() < deadline:
            if agent := _agent_in(started.pane_id):
                return replace(started, agent=agent)
            if ended := await _end_of(tmux, started.pane_id):
                return replace(started, ended=ended)
            await wait_for(changed, seconds=CHECK_SECONDS)
            changed.clear()
    return started


async def _send_first(
    tmux: Tmux, started: StartedAgent, agent: Agent, prompt: str, key: str
) -> StartedAgent:
    receipt = await services.send_prompt(tmux=tmux, agent=agent, prompt=prompt, key=key)
    if not receipt.ok and (ended := await _end_of(tmux, started.pane_id)):
        return replace(started, ended=ended)
    return replace(started, agent=await _settled(agent, refused=not receipt.ok), receipt=receipt)


async def _shown(tmux: Tmux, started: StartedAgent, agent: Agent) -> StartedAgent:
    """With its first state: a program that prints something and ends may be detected before."""
    agent = await _settled(agent)
    if ended := await _end_of(tmux, started.pane_id):
        return replace(started, agent=None, ended=ended)
    return replace(started, agent=agent)


async def _settled(agent: Agent, *, refused: bool = False) -> Agent:
    """Once its state is known: a dialog is reported a moment after a delivery has seen it, and
    until then an agent that `refused` a prompt may still be reported as idle."""
    passing = {AgentState.UNKNOWN, AgentState.IDLE} if refused else {AgentState.UNKNOWN}
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    deadline = loop.time() + SETTLED_SECONDS
    with registry.current().watching(changed):
        while (left := deadline - loop.time()) > 0:
            current = _agent_in(agent.pane_id) or agent
            if current.state not in passing:
                return current
            await wait_for(changed, seconds=left)
            changed.clear()
    return _agent_in(agent.pane_id) or agent


def _agent_in(pane_id: str) -> Agent | None:
    agents = registry.current().agents.values()
    return next((agent for agent in agents if agent.pane_id == pane_id), None)


async def _end_of(tmux: Tmux, pane_id: str) -> EndedProgram | None:
    try:
        return await launch.early_end(tmux, pane_id, seconds=0)
    except NotFound:  # the pane has gone with its program, or was closed
        return EndedProgram(0, 0, "")
