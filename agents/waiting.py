"""Waits until something happens in windows, instead of looking again and again.

Not a door and not a timer: output comes from tmux's own stream, states from the registry. Every
wait ends.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agents import registry
from agents.conditions import Finder
from agents.rules import State
from terminals.errors import Invalid, NotFound, WebtmuxError
from terminals.off_loop import off_loop
from terminals.tmux.driver import Tmux
from terminals.tmux.foreground import edits_a_line, is_idle, shell_in_front
from terminals.tmux.rows import PaneRow, WindowRow

LONGEST_SECONDS = 600.0
WINDOWS_LIMIT = 50
NOTE_SECONDS = 5.0  # between two notes of progress
QUIET_MS = (50, 600_000)
# A shell that has just printed its prompt needs a moment to wait for a line; one that was just sent
# a command needs one to begin with it.
PROMPT_SECONDS = (0.0, 0.05, 0.25)
EDITORS = frozenset({"bash", "zsh", "fish"})

Why = Literal["text", "pattern", "quiet", "command_ended", "state", "window_ended", "time_out"]
Progress = Callable[[float, float, str], Awaitable[None]]  # seconds gone, of how many, what


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to wait for; of several the first that happens."""

    text: str = ""
    pattern: str = ""
    quiet_ms: int | None = None
    command_ends: bool = False
    states: frozenset[State] = frozenset()

    def check(self) -> None:
        if self.quiet_ms is not None and not QUIET_MS[0] <= self.quiet_ms <= QUIET_MS[1]:
            raise Invalid(f"quiet is between {QUIET_MS[0]} and {QUIET_MS[1]} ms")
        given = (self.text, self.pattern, self.quiet_ms, self.command_ends, self.states)
        if not any(given):
            raise Invalid("what to wait for? Give text, pattern, quiet, command end or states")
        Finder(text=self.text, pattern=self.pattern)


@dataclass(frozen=True, slots=True)
class Happened:
    """How the wait for one window ended."""

    window: WindowRow
    why: Why
    detail: str = ""  # the line, or the state
    skipped: bool = False  # it printed faster than it could be searched

    @property
    def met(self) -> bool:
        return self.why not in {"window_ended", "time_out"}


@dataclass(frozen=True, slots=True)
class Waited:
    met: bool
    seconds: float
    windows: list[Happened]  # in the order they were given


async def wait_for_window(
    *,
    tmux: Tmux,
    windows: Sequence[WindowRow],
    wanted: Wanted,
    every: bool = False,
    seconds: float = 60.0,
    progress: Progress | None = None,
) -> Waited:
    """Until it happens in one of the windows, or in `every` one; at most `seconds`."""
    wanted.check()
    if not 0 < seconds <= LONGEST_SECONDS:
        raise Invalid(f"a wait is more than 0 and at most {LONGEST_SECONDS:.0f} seconds")
    if not 0 < len(windows) <= WINDOWS_LIMIT:
        raise Invalid(f"name 1 to {WINDOWS_LIMIT} windows")
    began = time.monotonic()
    tasks = [asyncio.create_task(_Watch(tmux, row, wanted).wait(), name="wait") for row in windows]
    try:
        await _until(tasks, every, began + seconds, progress, began)
        told = [_result(task, row) for task, row in zip(tasks, windows, strict=True)]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    met = (all if every else any)(one.met for one in told)
    return Waited(met, time.monotonic() - began, told)


async def _until(
    tasks: Sequence["asyncio.Task[Happened]"], every: bool, deadline: float,
    progress: Progress | None, began: float,
) -> None:  # fmt: skip
    left = set(tasks)
    while left and (now := time.monotonic()) < deadline:
        pause = min(NOTE_SECONDS, deadline - now)
        done, left = await asyncio.wait(left, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
        if not every and any(_is_met(task) for task in done):
            return
        if progress is not None and left:
            note = f"{len(tasks) - len(left)} of {len(tasks)} windows done"
            await progress(time.monotonic() - began, deadline - began, note)


def _is_met(task: "asyncio.Task[Happened]") -> bool:
    return task.exception() is not None or task.result().met


def _result(task: "asyncio.Task[Happened]", window: WindowRow) -> Happened:
    return task.result() if task.done() else Happened(window, "time_out")


@dataclass(slots=True)
class _Watch:
    """One window, while it is waited for."""

    tmux: Tmux
    window: WindowRow
    wanted: Wanted
    finder: Finder = field(init=False)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    last: float = field(default_factory=time.monotonic)  # when it last printed
    looks: int = 0  # at the shell since then

    def __post_init__(self) -> None:
        self.finder = Finder(text=self.wanted.text, pattern=self.wanted.pattern)

    async def wait(self) -> Happened:
        try:
            pane = await self.tmux.pane(self.window.pane_id)
            async with self._listening(pane) as changed:
                while True:
                    if (happened := await self._look(pane)) is not None:
                        return happened
                    await self._woken(changed)
                    if changed.is_set():
                        changed.clear()
                        if not await self._exists(pane):
                            return Happened(self.window, "window_ended")
        except NotFound:
            return Happened(self.window, "window_ended")

    @contextlib.asynccontextmanager
    async def _listening(self, pane: PaneRow) -> AsyncIterator[asyncio.Event]:
        """To its output, to agents, and to windows that end."""
        with self.tmux.watching() as changed, registry.current().watching(self.heard):
            async with self.tmux.tapping(pane.id, self._hear):
                yield changed

    def _hear(self, data: bytes) -> None:
        self.finder.feed(data)
        self.last, self.looks = time.monotonic(), 0
        self.heard.set()

    async def _look(self, pane: PaneRow) -> Happened | None:
        while data := self.finder.take():
            if self.finder.is_heavy:
                await off_loop(self.finder.look, data)
            else:
                self.finder.look(data)
                await asyncio.sleep(0)  # others have their turn between two steps
        if (line := self.finder.found) is not None:
            why: Why = "text" if self.finder.by == "text" else "pattern"
            return Happened(self.window, why, line, self.finder.skipped)
        if (state := self._state()) in self.wanted.states:
            return Happened(self.window, "state", state.value)
        quiet = time.monotonic() - self.last
        if self.wanted.quiet_ms is not None and quiet * 1000 >= self.wanted.quiet_ms:
            return Happened(self.window, "quiet")
        if self.wanted.command_ends and self._has_ended(pane, quiet):
            return Happened(self.window, "command_ended")
        return None

    def _state(self) -> State:
        agents = registry.current().agents.values()
        found = (agent.state for agent in agents if agent.window_id == self.window.id)
        return next(found, State.UNKNOWN)

    def _has_ended(self, pane: PaneRow, quiet: float) -> bool:
        """Only once it has been quiet for a moment: before, a shell may be about to begin."""
        while self.looks < len(PROMPT_SECONDS) and quiet >= PROMPT_SECONDS[self.looks]:
            self.looks += 1
        return self.looks == len(PROMPT_SECONDS) and _at_prompt(pane)

    async def _woken(self, changed: asyncio.Event) -> None:
        """By output, an agent's state, a change in tmux, or the end of a quiet time."""
        self.heard.clear()
        waits = [asyncio.ensure_future(event.wait()) for event in (self.heard, changed)]
        try:
            await asyncio.wait(
                waits, timeout=self._next_look(), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for wait in waits:
                wait.cancel()

    def _next_look(self) -> float | None:
        """Seconds; None: nothing happens by itself."""
        quiet = time.monotonic() - self.last
        due = []
        if self.wanted.quiet_ms is not None:
            due.append(self.wanted.quiet_ms / 1000)
        if self.wanted.command_ends and self.looks < len(PROMPT_SECONDS):
            due.append(PROMPT_SECONDS[self.looks])
        return max(0.001, min(due) - quiet) if due else None

    async def _exists(self, pane: PaneRow) -> bool:
        try:
            return not (await self.tmux.pane(pane.id)).dead
        except WebtmuxError:
            return False


def _at_prompt(pane: PaneRow) -> bool:
    name = shell_in_front(pane.pid)
    return edits_a_line(pane.tty) if name in EDITORS else bool(name) and is_idle(pane.pid)
