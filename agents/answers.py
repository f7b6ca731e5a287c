"""Answers the dialog of an agent, and reports whether it was seen to close.

choices.py decides which key is pressed, menus.py reads the dialog.
"""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from agents.choices import UNCONFIRMED, Choice, Do, Glance
from agents.menus import Menu, Option
from agents.prompts import LOOK_SECONDS, Eyes, Sight, need_in_front
from agents.receipts import Outcome
from agents.registry import Agent
from agents.rules import Rules, State
from terminals.errors import Ambiguous, Invalid, Refused, WebtmuxError
from terminals.tmux.driver import Tmux

DOUBT_SECONDS = 30.0  # after an answer that was not confirmed, the same dialog gets no other one
SHORTEST_SECONDS = 0.01  # between two looks, however much is printed
LONGEST_SECONDS = 60.0  # every wait of a choice has its own limit; this one is never reached

# Answers that were sent and not seen to work, by pane: the dialog, and when.
_doubtful: WeakKeyDictionary[Tmux, dict[str, tuple[tuple[str, ...], float]]] = WeakKeyDictionary()


async def give(
    *, tmux: Tmux, agent: Agent, rules: Rules, answer: str, question: str = ""
) -> Outcome:
    began = time.monotonic()
    async with contextlib.AsyncExitStack() as stack:
        lock = await stack.enter_async_context(_Held(tmux.lock(agent.pane_id)))
        asked = _Asked(tmux, agent, rules)
        sight = await asked.eyes.look()
        menu = _check(sight, question)
        option = choose(menu.options, answer)
        _check_doubt(tmux, agent, menu)
        # Without the stream the answer works too; only the looks are then not hurried.
        with contextlib.suppress(Refused):
            await stack.enter_async_context(tmux.tapping(agent.pane_id, asked.hear))
        choice = Choice(rules.menu, menu, option, sight.bottom)
        done = await asked.run(choice, lock)
    _note_doubt(tmux, agent, menu, doubtful=choice.is_pending and not done)
    return Outcome(
        submitted=done,
        turn_started=done and asked.last.reading.state is State.WORKING,
        attempts=asked.pressed,
        ms=int((time.monotonic() - began) * 1000),
        error="" if done else choice.error,
        detail="" if done else asked.last.reading.question,
        became="answer",
    )


def _check(sight: Sight, question: str) -> Menu:
    reading = sight.reading
    if reading.state is not State.WAITING:
        raise Refused("the agent asks nothing now")
    if question and question != reading.question:
        raise Refused(f"it asks something else by now: {reading.question}")
    if reading.menu is None:
        raise Refused("the agent waits, but its options cannot be read: answer in the terminal")
    return reading.menu


def choose(options: Sequence[Option], answer: str) -> Option:
    """By number, by its words, by its key, or by the beginning of its words if only one has it."""
    wanted = answer.strip().casefold()
    for exact in (
        [one for one in options if str(one.number) == wanted],
        [one for one in options if one.label.casefold() == wanted],
        [one for one in options if one.key and one.key == wanted],
    ):
        if exact:
            return exact[0]
    begins = [one for one in options if wanted and one.label.casefold().startswith(wanted)]
    if len(begins) == 1:
        return begins[0]
    there = ", ".join(f"{one.number} {one.label!r}" for one in options)
    if begins:
        raise Ambiguous(f"{answer!r} fits several options: {there}")
    raise Invalid(f"{answer!r} is none of the options: {there}")


class _Held:
    """A lock that may be released before the end of its block."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock, self._held = lock, False

    async def __aenter__(self) -> "_Held":
        await self._lock.acquire()
        self._held = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        if self._held:
            self._held = False
            self._lock.release()


class _Asked:
    """One dialog under way in one pane."""

    def __init__(self, tmux: Tmux, agent: Agent, rules: Rules) -> None:
        self._tmux, self._agent = tmux, agent
        self.eyes = Eyes(tmux, agent.pane_id, rules)
        self.last: Sight
        self._printed, self._heard = 0, asyncio.Event()
        self.pressed = 0  # keys that were sent, or may have been

    def hear(self, data: bytes) -> None:
        self._printed += len(data)
        self._heard.set()

    async def run(self, choice: Choice, lock: _Held) -> bool:
        """Whether the dialog was seen to close. Who types waits only while keys are still due."""
        deadline = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < deadline:
            try:
                glance = await self._look()
                do = choice.next(glance)
                if do is Do.PRESS:
                    await self._press(choice.key)
            except WebtmuxError as failure:
                if not self.pressed:
                    raise
                choice.error = f"{UNCONFIRMED} ({failure.message})"
                return False
            if do in {Do.DONE, Do.STOP}:
                return do is Do.DONE
            if choice.watches:
                lock.release()
            await self._pause()
        return False

    async def _look(self) -> Glance:
        self._heard.clear()
        sight = self.last = await self.eyes.look()
        return Glance(
            at=time.monotonic() * 1000,
            menu=sight.reading.menu,
            waiting=sight.reading.state is State.WAITING,
            composer=sight.reading.composer is not None,
            bottom=sight.bottom,
            printed=self._printed,
            unread=sight.look.unread,
        )

    async def _press(self, key: str) -> None:
        need_in_front(self._agent)
        self.pressed += 1
        if len(key) == 1 or key.islower():
            await self._tmux.type(self._agent.pane_id, key.encode(), locked=True)
        else:
            await self._tmux.press(self._agent.pane_id, key, locked=True)

    async def _pause(self) -> None:
        """Until something is printed, so that a dialog which closes for a moment is seen to."""
        await asyncio.sleep(SHORTEST_SECONDS)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS - SHORTEST_SECONDS):
                await self._heard.wait()


# --- answers that were not confirmed ------------------------------------------------------------


def _check_doubt(tmux: Tmux, agent: Agent, menu: Menu) -> None:
    """A key that the agent may still read must not be followed by another one."""
    body, at = _doubtful.get(tmux, {}).get(agent.pane_id, ((), 0.0))
    if body == menu.body and time.monotonic() - at < DOUBT_SECONDS:
        raise Refused(
            "an answer to this dialog was sent a moment ago and not confirmed:"
            f" look at the terminal, or wait {DOUBT_SECONDS:.0f} s before you answer again"
        )


def _note_doubt(tmux: Tmux, agent: Agent, menu: Menu, *, doubtful: bool) -> None:
    panes = _doubtful.setdefault(tmux, {})
    panes.pop(agent.pane_id, None)
    if doubtful:
        now = time.monotonic()
        for pane in [pane for pane, (_, at) in panes.items() if now - at > DOUBT_SECONDS]:
            del panes[pane]
        panes[agent.pane_id] = menu.body, now
