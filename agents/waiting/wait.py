"""Waits until something happens in windows, so that callers need not poll.

Output comes from tmux's stream, states come from the registry. Every wait has a limit.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agents import registry
from agents.runtimes.loader import AgentState
from agents.waiting import turns
from agents.waiting.output_finder import OutputFinder
from agents.waiting.turns import PROGRESS_SECONDS, Progress
from core.errors import Invalid, NotFound, WebtmuxError
from core.offload import off_loop
from terminals.tmux.driver import Tmux
from terminals.tmux.foreground import edits_a_line, is_idle, shell_in_front
from terminals.tmux.rows import PaneRow, WindowRow

WAIT_LIMIT_SECONDS = 600.0
WINDOWS_LIMIT = 50
QUIET_MS = (50, 600_000)  # the shortest and the longest quiet time
# A shell needs a moment from printing its prompt to reading a line, and from receiving a command to
# starting it.
PROMPT_SECONDS = (0.0, 0.05, 0.25)
EDITORS = frozenset({"bash", "zsh", "fish"})

Reason = Literal[
    "text", "pattern", "quiet", "command_ended", "state", "turn", "window_ended", "time_out"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitCondition:
    """What to wait for. If several are given, the first that happens ends the wait."""

    text: str = ""
    pattern: str = ""
    quiet_ms: int | None = None
    command_ends: bool = False
    states: frozenset[AgentState] = frozenset()
    turn: str = ""  # until this turn has ended, asks something or has failed

    def check(self) -> None:
        if self.quiet_ms is not None and not QUIET_MS[0] <= self.quiet_ms <= QUIET_MS[1]:
            raise Invalid(f"quiet must be between {QUIET_MS[0]} and {QUIET_MS[1]} ms")
        conditions = (
            self.text,
            self.pattern,
            self.quiet_ms,
            self.command_ends,
            self.states,
            self.turn,
        )
        if not any(conditions):
            raise Invalid(
                "nothing to wait for: give text, pattern, quiet, command end, states or turn"
            )
        if self.turn:
            turns.current().find(self.turn)
        OutputFinder(text=self.text, pattern=self.pattern)


@dataclass(frozen=True, slots=True)
class WindowResult:
    """How the wait for one window ended."""

    window: WindowRow
    reason: Reason
    detail: str = ""  # the line, or the state
    skipped: bool = False  # it printed faster than it could be searched

    @property
    def met(self) -> bool:
        return self.reason not in {"window_ended", "time_out"}


@dataclass(frozen=True, slots=True)
class WaitResult:
    met: bool
    seconds: float
    windows: list[WindowResult]  # in the order of the request


async def wait_for_window(
    *,
    tmux: Tmux,
    windows: Sequence[WindowRow],
    condition: WaitCondition,
    every: bool = False,
    seconds: float = 60.0,
    progress: Progress | None = None,
) -> WaitResult:
    """Until it happens in any window, or in `every` window; at most `seconds`."""
    condition.check()
    if not 0 < seconds <= WAIT_LIMIT_SECONDS:
        raise Invalid(f"seconds must be more than 0 and at most {WAIT_LIMIT_SECONDS:.0f}")
    if not 0 < len(windows) <= WINDOWS_LIMIT:
        raise Invalid(f"name 1 to {WINDOWS_LIMIT} windows")
    began = time.monotonic()
    tasks = [
        asyncio.create_task(_WindowWait(tmux, row, condition).wait(), name="wait")
        for row in windows
    ]
    try:
        await _until(tasks, every, began + seconds, progress, began)
        results = [_result(task, row) for task, row in zip(tasks, windows, strict=True)]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    met = (all if every else any)(result.met for result in results)
    return WaitResult(met, time.monotonic() - began, results)


async def _until(
    tasks: Sequence["asyncio.Task[WindowResult]"],
    every: bool,
    deadline: float,
    progress: Progress | None,
    began: float,
) -> None:
    pending = set(tasks)
    while pending and (now := time.monotonic()) < deadline:
        pause = min(PROGRESS_SECONDS, deadline - now)
        done, pending = await asyncio.wait(
            pending, timeout=pause, return_when=asyncio.FIRST_COMPLETED
        )
        if not every and any(_is_met(task) for task in done):
            return
        if progress is not None and pending:
            message = f"{len(tasks) - len(pending)} of {len(tasks)} windows done"
            await progress(time.monotonic() - began, deadline - began, message)


def _is_met(task: "asyncio.Task[WindowResult]") -> bool:
    return task.exception() is not None or task.result().met


def _result(task: "asyncio.Task[WindowResult]", window: WindowRow) -> WindowResult:
    return task.result() if task.done() else WindowResult(window, "time_out")


@dataclass(slots=True)
class _WindowWait:
    """The wait for one window."""

    tmux: Tmux
    window: WindowRow
    condition: WaitCondition
    finder: OutputFinder = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    last: float = field(default_factory=time.monotonic)  # when it last printed
    checks: int = 0  # of the shell since then

    def __post_init__(self) -> None:
        self.finder = OutputFinder(text=self.condition.text, pattern=self.condition.pattern)

    async def wait(self) -> WindowResult:
        try:
            pane = await self.tmux.pane(self.window.pane_id)
            async with self._listening(pane) as changed:
                while True:
                    if (result := await self._check(pane)) is not None:
                        return result
                    await self._sleep(changed)
                    if changed.is_set():
                        changed.clear()
                        if not await self._exists(pane):
                            return WindowResult(self.window, "window_ended")
        except NotFound:
            return WindowResult(self.window, "window_ended")

    @contextlib.asynccontextmanager
    async def _listening(self, pane: PaneRow) -> AsyncIterator[asyncio.Event]:
        """Listens to its output, to agents, and to windows that end."""
        agents, ended = registry.current().watching, turns.current().watching
        with self.tmux.watching() as changed, agents(self.woken), ended(self.woken):
            async with self.tmux.tapping(pane.id, self._on_output):
                yield changed

    def _on_output(self, data: bytes) -> None:
        self.finder.feed(data)
        self.last, self.checks = time.monotonic(), 0
        self.woken.set()

    async def _check(self, pane: PaneRow) -> WindowResult | None:
        while data := self.finder.take():
            if self.finder.is_heavy:
                await off_loop(self.finder.search, data)
            else:
                self.finder.search(data)
                await asyncio.sleep(0)  # other tasks may run between two steps
        if (line := self.finder.match) is not None:
            reason: Reason = "text" if self.finder.matched_by == "text" else "pattern"
            return WindowResult(self.window, reason, line, self.finder.skipped)
        if self.condition.turn and (over := turns.current().find(self.condition.turn).result):
            return WindowResult(self.window, "turn", over.end.value)
        if (state := self._state()) in self.condition.states:
            return WindowResult(self.window, "state", state.value)
        quiet = time.monotonic() - self.last
        if self.condition.quiet_ms is not None and quiet * 1000 >= self.condition.quiet_ms:
            return WindowResult(self.window, "quiet")
        if self.condition.command_ends and self._has_ended(pane, quiet):
            return WindowResult(self.window, "command_ended")
        return None

    def _state(self) -> AgentState:
        """Idle only after the turn of the last prompt: before, it may be the state of an earlier
        moment."""
        agents = registry.current().agents.values()
        agent = next((agent for agent in agents if agent.window_id == self.window.id), None)
        if agent is None:
            return AgentState.UNKNOWN
        is_open = agent.state is AgentState.IDLE and turns.current().is_open(agent.pane_id)
        return AgentState.WORKING if is_open else agent.state

    def _has_ended(self, pane: PaneRow, quiet: float) -> bool:
        """Only after a moment of quiet: before, a shell may be about to start the command."""
        while self.checks < len(PROMPT_SECONDS) and quiet >= PROMPT_SECONDS[self.checks]:
            self.checks += 1
        return self.checks == len(PROMPT_SECONDS) and _at_prompt(pane)

    async def _sleep(self, changed: asyncio.Event) -> None:
        """Until output, an agent's state, a change in tmux, or the end of a quiet time."""
        self.woken.clear()
        waits = [asyncio.ensure_future(event.wait()) for event in (self.woken, changed)]
        try:
            await asyncio.wait(
                waits, timeout=self._next_check(), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for wait in waits:
                wait.cancel()

    def _next_check(self) -> float | None:
        """Seconds until the next check is due; None: only an event can change anything."""
        quiet = time.monotonic() - self.last
        due = []
        if self.condition.quiet_ms is not None:
            due.append(self.condition.quiet_ms / 1000)
        if self.condition.command_ends and self.checks < len(PROMPT_SECONDS):
            due.append(PROMPT_SECONDS[self.checks])
        return max(0.001, min(due) - quiet) if due else None

    async def _exists(self, pane: PaneRow) -> bool:
        try:
            return not (await self.tmux.pane(pane.id)).dead
        except WebtmuxError:
            return False


def _at_prompt(pane: PaneRow) -> bool:
    name = shell_in_front(pane.pid)
    return edits_a_line(pane.tty) if name in EDITORS else bool(name) and is_idle(pane.pid)
