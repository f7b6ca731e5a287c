"""Answers the dialog of an agent, and reports whether the dialog was seen to close.

answer_keys.py decides which key is pressed, screen/menus.py reads the dialog.
"""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from agents import registry
from agents.delivery.answer_keys import UNCONFIRMED, AnswerStep, DialogAnswer, DialogObservation
from agents.delivery.receipts import DeliveryOutcome
from agents.delivery.runner import CAPTURE_SECONDS, PaneReading, ScreenReader, check_in_front
from agents.questions import digest, is_id
from agents.registry import Agent, AnsweredQuestion
from agents.runtimes.loader import AgentState, Rules
from agents.screen.menus import Menu, Option
from core.errors import Ambiguous, Invalid, Refused, WebtmuxError
from terminals.tmux.driver import Tmux

PENDING_SECONDS = 30.0  # after an unconfirmed answer, the same dialog accepts no other answer
SHORTEST_SECONDS = 0.01  # between two captures, however much is printed
ANSWER_LIMIT_SECONDS = 60.0  # a last resort: every wait of an answer has its own, shorter limit

# Answers that were sent and not confirmed, by pane: the dialog's body, and when.
_pending: WeakKeyDictionary[Tmux, dict[str, tuple[tuple[str, ...], float]]] = WeakKeyDictionary()


async def give(
    *,
    tmux: Tmux,
    agent: Agent,
    rules: Rules,
    answer: str,
    question: str = "",
    words: bool = False,
) -> DeliveryOutcome:
    """`question`: the id of the question, or its title. `words`: the caller has words to send after
    the answer."""
    began = time.monotonic()
    async with contextlib.AsyncExitStack() as stack:
        lock = await stack.enter_async_context(_ReleasableLock(tmux.lock(agent.pane_id)))
        dialog = _Dialog(tmux, agent, rules)
        shown = await dialog.screen.read()
        menu = _check(shown, agent, question)
        option = choose(menu.options, answer)
        if words and not option.takes_words:
            raise Refused(_no_words(menu, option))
        _check_pending(tmux, agent, menu)
        # The answer also works without the stream; only the captures are then not sped up by it.
        with contextlib.suppress(Refused):
            await stack.enter_async_context(tmux.tapping(agent.pane_id, dialog.on_output))
        machine = DialogAnswer(rules.menu, menu, option, shown.bottom)
        done = await dialog.run(machine, lock)
    _note_pending(tmux, agent, menu, pending=machine.is_pending and not done)
    if done or machine.may_be_answered:
        _note_answered(agent, menu)
    return DeliveryOutcome(
        submitted=done,
        turn_started=done and dialog.last.reading.state is AgentState.WORKING,
        attempts=dialog.pressed,
        ms=int((time.monotonic() - began) * 1000),
        error="" if done else machine.error,
        detail="" if done else dialog.last.reading.question,
        became="answer",
    )


def _check(shown: PaneReading, agent: Agent, question: str) -> Menu:
    reading = shown.reading
    if reading.state is not AgentState.WAITING:
        raise Refused("the agent asks nothing now")
    if reading.menu is None:
        if question and not is_id(question) and question != reading.question:
            raise Refused(f"it asks something else by now: {reading.question}")
        raise Refused("the agent waits, but its options cannot be read: answer in the terminal")
    if question:
        _check_question(reading.menu, agent, question)
    return reading.menu


def _check_question(menu: Menu, agent: Agent, question: str) -> None:
    """Raises unless the dialog on the screen is the one that the caller means."""
    if not is_id(question):
        if question not in {menu.question, _title(agent)}:
            raise Refused(f"it asks something else by now: {menu.question}")
        return
    answered = registry.current().answered.get(agent.pane_id)
    if answered and answered.id == question:
        raise Refused("this question has been answered: check what the agent asks now")
    current = registry.current().agents.get(agent.name)
    current_question = current.question if current else None
    is_current = current_question is not None and current_question.id == question
    if not is_current or current_question is None or current_question.dialog != digest(menu):
        raise Refused(f"it asks something else by now: {menu.question}")


def _title(agent: Agent) -> str:
    return agent.question.title if agent.question else ""


def _note_answered(agent: Agent, menu: Menu) -> None:
    """No other key may refer to this id: the dialog that is visible now may be the next one."""
    current = registry.current().agents.get(agent.name)
    if current and current.question and current.question.dialog == digest(menu):
        registry.current().answered[agent.pane_id] = AnsweredQuestion(
            current.question.id, time.monotonic()
        )


def _no_words(menu: Menu, option: Option) -> str:
    options = [f"{each.number} {each.label!r}" for each in menu.options if each.takes_words]
    if not options:
        return "none of the options takes words: answer first, then send them as a prompt"
    return (
        f"{option.label!r} takes no words: leave out the reason, or choose {' or '.join(options)}"
    )


def choose(options: Sequence[Option], answer: str) -> Option:
    """By number, by words, by key, or by the beginning of the words if that is unambiguous."""
    wanted = answer.strip().casefold()
    for exact in (
        [option for option in options if str(option.number) == wanted],
        [option for option in options if option.label.casefold() == wanted],
        [option for option in options if option.key and option.key == wanted],
    ):
        if exact:
            return exact[0]
    matches = [
        option for option in options if wanted and option.label.casefold().startswith(wanted)
    ]
    if len(matches) == 1:
        return matches[0]
    listed = ", ".join(f"{option.number} {option.label!r}" for option in options)
    if matches:
        raise Ambiguous(f"{answer!r} matches several options: {listed}")
    raise Invalid(f"{answer!r} is none of the options: {listed}")


class _ReleasableLock:
    """A lock that may be released before the end of its block."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock, self._is_held = lock, False

    async def __aenter__(self) -> "_ReleasableLock":
        await self._lock.acquire()
        self._is_held = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        if self._is_held:
            self._is_held = False
            self._lock.release()


class _Dialog:
    """One dialog of one pane, while it is being answered."""

    def __init__(self, tmux: Tmux, agent: Agent, rules: Rules) -> None:
        self._tmux, self._agent = tmux, agent
        self.screen = ScreenReader(tmux, agent.pane_id, rules)
        self.last: PaneReading
        self._printed, self._has_printed = 0, asyncio.Event()
        self.pressed = 0  # keys that were sent, or may have been

    def on_output(self, data: bytes) -> None:
        self._printed += len(data)
        self._has_printed.set()

    async def run(self, machine: DialogAnswer, lock: _ReleasableLock) -> bool:
        """Whether the dialog was seen to close. Other writers wait only while keys are due."""
        deadline = time.monotonic() + ANSWER_LIMIT_SECONDS
        while time.monotonic() < deadline:
            try:
                step = machine.next(await self._observe())
                if step is AnswerStep.PRESS:
                    await self._press(machine.key)
            except WebtmuxError as failure:
                if not self.pressed:
                    raise
                machine.error = f"{UNCONFIRMED} ({failure.message})"
                return False
            if step in {AnswerStep.DONE, AnswerStep.STOP}:
                return step is AnswerStep.DONE
            if machine.only_watches:
                lock.release()
            await self._pause()
        return False

    async def _observe(self) -> DialogObservation:
        self._has_printed.clear()
        shown = self.last = await self.screen.read()
        return DialogObservation(
            timestamp=shown.observation.timestamp,
            menu=shown.reading.menu,
            waiting=shown.reading.state is AgentState.WAITING,
            composer=shown.reading.composer is not None,
            bottom=shown.bottom,
            printed=self._printed,
            unread=shown.observation.unread,
        )

    async def _press(self, key: str) -> None:
        check_in_front(self._agent)
        self.pressed += 1
        if len(key) == 1 or key.islower():
            await self._tmux.type(self._agent.pane_id, key.encode(), locked=True)
        else:
            await self._tmux.press(self._agent.pane_id, key, locked=True)

    async def _pause(self) -> None:
        """Until something is printed, so that a dialog which closes only briefly is noticed."""
        await asyncio.sleep(SHORTEST_SECONDS)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CAPTURE_SECONDS - SHORTEST_SECONDS):
                await self._has_printed.wait()


# --- unconfirmed answers ----------------------------------------------------------------------


def _check_pending(tmux: Tmux, agent: Agent, menu: Menu) -> None:
    """A key that the agent may still read must not be followed by another one."""
    body, timestamp = _pending.get(tmux, {}).get(agent.pane_id, ((), 0.0))
    if body == menu.body and time.monotonic() - timestamp < PENDING_SECONDS:
        raise Refused(
            "an answer to this dialog was sent a moment ago and not confirmed:"
            f" check the terminal, or wait {PENDING_SECONDS:.0f} s before you answer again"
        )


def _note_pending(tmux: Tmux, agent: Agent, menu: Menu, *, pending: bool) -> None:
    panes = _pending.setdefault(tmux, {})
    panes.pop(agent.pane_id, None)
    if pending:
        now = time.monotonic()
        expired = [
            pane for pane, (_, timestamp) in panes.items() if now - timestamp > PENDING_SECONDS
        ]
        for pane in expired:
            del panes[pane]
        panes[agent.pane_id] = menu.body, now
