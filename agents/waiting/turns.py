"""The turns that prompts began, followed until they end, so that callers can wait for one.

services.py begins a turn when a prompt was submitted; its id is that of the receipt. Turns are kept
in memory only: after a restart of the server a turn is unknown, and its agent's state remains.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from agents import registry
from agents.delivery.receipts import Receipt
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.waiting import turn_status
from agents.waiting.turn_status import StateHistory, SubmittedPrompt, TurnEnd, TurnResult
from agents.witnesses import store
from agents.witnesses.evidence import EventKind, EventSource
from agents.witnesses.prompts import confirmation
from core.errors import NotFound

Progress = Callable[[float, float, str], Awaitable[None]]  # elapsed seconds, limit, message

TURNS = 500  # the oldest is forgotten when another one begins
TURN_LIMIT_SECONDS = 24 * 3600.0
PROGRESS_SECONDS = 5.0  # between two progress notifications
JOURNAL_SECONDS = 3.0  # from the end of a turn until its journal has been read
CHECK_SECONDS = 60.0  # without any event; so that the deadline is noticed
FORGOTTEN = TurnResult(TurnEnd.FAILED, "the turn took too long, or there are too many turns")


@dataclass(slots=True, eq=False)
class Turn:
    id: str
    agent: Agent  # as it was when the prompt was sent
    prompt: SubmittedPrompt
    history: StateHistory = field(default_factory=StateHistory)
    # None while it goes on. A question is no end: the turn goes on after the answer.
    result: TurnResult | None = None
    stopped: asyncio.Event = field(default_factory=asyncio.Event)  # set while there is a result
    task: "asyncio.Task[None] | None" = None

    @property
    def is_over(self) -> bool:
        """Whether it has ended. A turn that is no longer followed, because the server stops, is
        over too."""
        if self.task is not None and self.task.done():
            return True
        return self.result is not None and self.result.end is not TurnEnd.WAITING

    async def wait(self) -> TurnResult:
        """Until it has ended, asks something or has failed."""
        while self.result is None:
            await self.stopped.wait()
        return self.result

    def update(self, result: TurnResult | None) -> None:
        self.result = result
        if result is None:
            self.stopped.clear()
        else:
            self.stopped.set()


@dataclass(frozen=True, slots=True)
class TurnReply:
    """The text that ended a turn, and who reported it: hook, journal or screen."""

    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class PromptRunResult:
    receipt: Receipt
    result: TurnResult | None = None  # None: time-out, or the prompt was not submitted
    reply: TurnReply = field(default_factory=TurnReply)
    seconds: float = 0.0

    @property
    def end(self) -> str:
        if not self.receipt.turn:
            return ""
        return self.result.end.value if self.result else "time_out"


class TurnLog:
    def __init__(self) -> None:
        self._turns: dict[str, Turn] = {}
        self._watching: list[asyncio.Event] = []

    @contextlib.contextmanager
    def watching(self, changed: asyncio.Event) -> Iterator[None]:
        """Sets the event whenever the result of a turn has changed."""
        self._watching.append(changed)
        try:
            yield
        finally:
            self._watching.remove(changed)

    def begin(self, turn_id: str, agent: Agent, prompt: SubmittedPrompt) -> Turn:
        turn = self._turns[turn_id] = Turn(turn_id, agent, prompt)
        turn.task = asyncio.create_task(self._follow(turn), name="turn")
        while len(self._turns) > TURNS:
            self._forget(next(iter(self._turns)))
        return turn

    def find(self, turn_id: str) -> Turn:
        turn = self._turns.get(turn_id)
        if turn is None:
            raise NotFound(
                "turn not found: it is the `turn` of a receipt, and is forgotten when the server"
                " restarts"
            )
        return turn

    def is_open(self, pane_id: str) -> bool:
        """Whether a turn of the pane has not ended yet."""
        return any(
            turn.agent.pane_id == pane_id and not turn.is_over for turn in self._turns.values()
        )

    def _forget(self, turn_id: str) -> None:
        turn = self._turns.pop(turn_id)
        if turn.task is not None:
            turn.task.cancel()
        if not turn.is_over:
            self._update(turn, FORGOTTEN)

    async def _follow(self, turn: Turn) -> None:
        deadline = time.monotonic() + TURN_LIMIT_SECONDS
        with _changes() as changed:
            while time.monotonic() < deadline:
                changed.clear()
                now = time.time()
                turn.history.update(_state(turn.agent), now)
                events = store.events(turn.agent.pane_id)
                self._update(turn, turn_status.result(turn.prompt, turn.history, events, now))
                if turn.is_over:
                    return
                pause = turn_status.next_check(turn.prompt, turn.history, now)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause or CHECK_SECONDS):
                        await changed.wait()
        self._update(turn, FORGOTTEN)

    def _update(self, turn: Turn, result: TurnResult | None) -> None:
        if result != turn.result:
            turn.update(result)
            for changed in self._watching:
                changed.set()


async def wait(
    turn: Turn, *, seconds: float, progress: Progress | None = None
) -> TurnResult | None:
    """Until the turn has ended, asks something or has failed; None: `seconds` were over first."""
    began = time.monotonic()
    task = asyncio.ensure_future(turn.wait())
    try:
        while (left := seconds - (time.monotonic() - began)) > 0:
            done, _ = await asyncio.wait([task], timeout=min(PROGRESS_SECONDS, left))
            if done:
                return task.result()
            if progress is not None:
                message = f"the agent is {turn.history.state or 'gone'}"
                await progress(time.monotonic() - began, seconds, message)
        return None
    finally:
        task.cancel()


async def journal_text(turn: Turn) -> str:
    """The reply that the agent's journal notes for the turn. Some hooks (Copilot, opencode) report
    the end without the reply, and the journal is read a moment later."""
    pane = turn.agent.pane_id
    if not any(event.source is EventSource.JOURNAL for event in store.events(pane)):
        return ""
    changed = asyncio.Event()
    with store.watching(changed), contextlib.suppress(TimeoutError):
        async with asyncio.timeout(JOURNAL_SECONDS):
            while not (text := _noted_text(turn)):
                changed.clear()
                await changed.wait()
            return text
    return ""


def _noted_text(turn: Turn) -> str:
    events = store.events(turn.agent.pane_id)
    noted = [event for event in events if event.source is EventSource.JOURNAL]
    prompt = confirmation(turn.prompt.text, turn.prompt.began, noted)
    if prompt is None:
        return ""
    ends = (
        event.text
        for event in noted
        if event.kind is EventKind.TURN_ENDED and event.timestamp >= prompt.timestamp
    )
    return next(filter(None, ends), "")


def _state(agent: Agent) -> AgentState | None:
    """The state that is reported now; None if this run of the agent has ended."""
    for current in registry.current().agents.values():
        if (current.pane_id, current.pid) == (agent.pane_id, agent.pid):
            return current.state
    return None


@contextlib.contextmanager
def _changes() -> Iterator[asyncio.Event]:
    changed = asyncio.Event()
    with registry.current().watching(changed), store.watching(changed):
        yield changed


_current = TurnLog()


def current() -> TurnLog:
    """The turns of this process."""
    return _current
