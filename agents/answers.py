"""Answers the question that an agent asks, and makes sure that it is gone.

Not the reading of the question: that is menus.py. The keys are those that a person would press.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from agents.menus import Option
from agents.prompts import LOOK_SECONDS, Eyes, need_in_front
from agents.receipts import Outcome
from agents.registry import Agent
from agents.rules import Rules
from agents.states import Reading, State
from terminals.errors import Ambiguous, Invalid, Refused
from terminals.tmux.driver import Tmux

KEY_SECONDS = 0.6  # for a key to be seen: twice a slow paint
GONE_LOOKS = 2  # a dialog that is drawn anew is not to be seen for a moment


async def give(
    *, tmux: Tmux, agent: Agent, rules: Rules, answer: str, question: str = ""
) -> Outcome:
    began = time.monotonic()
    async with tmux.lock(agent.pane_id):
        asked = _Asked(tmux, agent, rules)
        before = await asked.look()
        if before.state is not State.WAITING:
            raise Refused("the agent asks nothing now")
        if question and question != before.question:
            raise Refused(f"it asks something else by now: {before.question}")
        keys = await asked.answer(before, choose(before.options, answer))
        left = await asked.look() if not asked.gone else None
    return Outcome(
        submitted=asked.gone,
        turn_started=asked.gone and asked.last.state is State.WORKING,
        attempts=keys,
        ms=int((time.monotonic() - began) * 1000),
        error="" if asked.gone else "the question is still there",
        detail=left.question if left else "",
    )


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


class _Asked:
    """One question under way in one pane."""

    def __init__(self, tmux: Tmux, agent: Agent, rules: Rules) -> None:
        self._tmux, self._agent, self._rules = tmux, agent, rules
        self._eyes = Eyes(tmux, agent.pane_id, rules)
        self.gone = False
        self.last = Reading(State.UNKNOWN)
        self._bottom = ""  # the last line of the screen

    async def look(self) -> Reading:
        sight = await self._eyes.look()
        self.last, self._bottom = sight.reading, sight.look.above.rstrip().rpartition("\n")[2]
        return self.last

    async def answer(self, before: Reading, option: Option) -> int:
        """How many keys it took. One that chooses at once, else the pointer and Enter."""
        pointed = any(one.selected for one in before.options)
        if not pointed:
            return await self._type(before, option.key or str(option.number), then_enter=True)
        if self._rules.menu.numbered:
            keys = await self._type(before, str(option.number), then_enter=False)
            if self.gone:
                return keys
        return await self._point(before, option)

    async def _type(self, before: Reading, text: str, *, then_enter: bool) -> int:
        need_in_front(self._agent)
        await self._tmux.type(self._agent.pane_id, text.encode(), locked=True)
        if await self._is_gone(before) or not then_enter:
            return 1
        await self._press("Enter")
        await self._is_gone(before)
        return 2

    async def _point(self, before: Reading, option: Option) -> int:
        """Only when the pointer is seen on the option is Enter pressed."""
        now = await self.look()
        at = next((one.number for one in now.options if one.selected), option.number)
        steps = option.number - at
        if steps:
            await self._press(*["Down" if steps > 0 else "Up"] * abs(steps))
        if not await self._until(lambda now: _selected(now) == option.number):
            return abs(steps)
        await self._press("Enter")
        await self._is_gone(before)
        return abs(steps) + 1

    async def _press(self, *keys: str) -> None:
        need_in_front(self._agent)
        await self._tmux.press(self._agent.pane_id, *keys, locked=True)

    async def _is_gone(self, before: Reading) -> bool:
        plain = not any(option.selected for option in before.options)

        def other(now: Reading) -> bool:
            if plain and before.question in self._bottom:
                return False  # with the letter behind it, it only looks answered
            return now.state is not State.WAITING or _asks(now) != _asks(before)

        self.gone = await self._until(other, looks=GONE_LOOKS)
        return self.gone

    async def _until(self, true: Callable[[Reading], bool], *, looks: int = 1) -> bool:
        """Whether it was true in so many looks after each other, in time."""
        deadline, seen = time.monotonic() + KEY_SECONDS, 0
        while seen < looks and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_SECONDS)
            seen = seen + 1 if true(await self.look()) else 0
        return seen >= looks


def _asks(reading: Reading) -> tuple[str, tuple[str, ...]]:
    return reading.question, tuple(option.label for option in reading.options)


def _selected(reading: Reading) -> int:
    return next((option.number for option in reading.options if option.selected), 0)
