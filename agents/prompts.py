"""Carries out a delivery on tmux: looks at the agent's pane, and does what delivery.py decides.

Not what makes a retry harmless: that is services.py. The prompt is never logged.
"""

import asyncio
import contextlib
import time
from dataclasses import dataclass, replace
from pathlib import Path

from agents import screen
from agents.delivery import Course
from agents.plans import Plan
from agents.receipts import Outcome
from agents.registry import Agent
from agents.rules import Rules, State
from agents.screen import Screen
from agents.states import Reading, read_screen
from agents.steps import Look, Step
from terminals.errors import Invalid, NotFound, Refused, WebtmuxError
from terminals.tmux.driver import Tmux
from terminals.tmux.foreground import process, unread
from terminals.tmux.rows import ShownRow

LOOK_SECONDS = 0.04  # between two looks: a TUI paints at most 30 times a second
LONGEST_SECONDS = 60.0  # of a delivery; every wait in it has a limit of its own
TYPED_LIMIT = 200  # bytes: more, or with a line break or tab, always goes as a paste
PROC = Path("/proc/self/stat")
AWAY = "the cursor is not in its composer"
PROMPT_LIMIT = 256 * 1024  # as for the text of an upload: more belongs in a file


@dataclass(frozen=True, slots=True)
class Sight:
    """One look, as the rules read it."""

    reading: Reading
    look: Look
    bottom: str = ""  # the last line with text


class Eyes:
    """Looks at one pane with the rules of one runtime."""

    def __init__(self, tmux: Tmux, pane_id: str, rules: Rules) -> None:
        self._tmux, self._pane, self._rules = tmux, pane_id, rules

    async def look(self) -> Sight:
        sight = await self._shot(join=False)
        if sight.reading.composer is not None or sight.look.blocked:
            return sight
        # A plain prompt's text wraps: joined, it is one line of any length. Not at first, as rows
        # that once wrapped are joined also after a program has drawn its box over them.
        joined = await self._shot(join=True)
        return joined if joined.reading.composer is not None else sight

    async def _shot(self, *, join: bool) -> Sight:
        picture = await self._tmux.shoot(self._pane, escapes=True, join=join)
        reading = read_screen(picture.lines, self._rules)
        seen = screen.look(picture.lines, self._rules)
        if not join and reading.composer is not None and self._is_away(seen, picture.row):
            reading = replace(reading, state=State.UNKNOWN, composer=None, rule=AWAY)
        bottom = seen.lines[-1] if seen.lines else ""
        return Sight(reading, self._look(seen, reading, picture.row), bottom)

    def _is_away(self, seen: Screen, row: ShownRow) -> bool:
        """The composer is drawn, but the cursor is elsewhere: something else has the keyboard."""
        box = seen.composer
        if box is None or not self._rules.cursor:
            return False
        return not (row.cursor_shown and box.first <= row.cursor_y <= box.last)

    def _look(self, seen: Screen, reading: Reading, row: ShownRow) -> Look:
        box = seen.composer if reading.composer is not None else None
        return Look(
            at=time.monotonic() * 1000,
            composer=reading.composer,
            working=reading.state is State.WORKING,
            waiting=reading.state is State.WAITING,
            question=reading.question,
            above="\n".join(seen.lines[: box.first] if box else seen.lines),
            depth=len(seen.lines) - box.first if box else 0,
            width=max(map(len, seen.lines), default=0),
            unread=unread(row.tty) > 0,
            blocked=reading.rule if reading.state is State.UNKNOWN else "",
        )


async def deliver(*, tmux: Tmux, agent: Agent, rules: Rules, prompt: str) -> Outcome:
    """Until it is seen to be submitted, or cannot be. One at a time in a pane."""
    plan = Plan.of(rules.delivery)
    text = check(prompt, plan)
    began, course = time.monotonic(), Course(plan, text)
    hands = _Hands(tmux, agent, plan, text)
    async with tmux.lock(agent.pane_id):
        await _run(course, Eyes(tmux, agent.pane_id, rules), hands)
    return Outcome(
        pasted=hands.pasted,
        submitted=course.submitted,
        turn_started=course.turn_started,
        attempts=course.attempts,
        ms=int((time.monotonic() - began) * 1000),
        error="" if course.submitted else course.error,
        detail="" if course.submitted else course.detail,
        became=plan.became(text),
    )


def check(prompt: str, plan: Plan) -> str:
    """The prompt as it will be typed, or why it cannot be. Nothing has been typed yet."""
    text = normal(prompt)
    if why := plan.refusal(text):
        raise Invalid(why)
    return text


def normal(prompt: str) -> str:
    """Line ends as terminals paste them, and none at the end: Enter is implied."""
    if len(prompt.encode("utf-8", "surrogatepass")) > PROMPT_LIMIT:
        raise Invalid(f"a prompt has at most {PROMPT_LIMIT // 1024} KiB: put it in a file")
    try:
        prompt.encode()
    except UnicodeEncodeError:
        raise Invalid("a prompt is text: half a character cannot be typed") from None
    return prompt.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


async def _run(course: Course, eyes: Eyes, hands: "_Hands") -> None:
    """What tmux refuses half-way is a failure of the delivery, not of the caller."""
    deadline = time.monotonic() + LONGEST_SECONDS
    try:
        while time.monotonic() < deadline:
            sight = await eyes.look()
            step = course.next(sight.look)
            if step in {Step.DONE, Step.FAILED}:
                return
            await hands.do(step, sight.look)
            await asyncio.sleep(LOOK_SECONDS)
        course.error = "it took too long"
    except WebtmuxError as failure:
        course.error = failure.message


class _Hands:
    """Does one step. Whoever asks holds the lock of the pane; the driver leaves copy mode."""

    def __init__(self, tmux: Tmux, agent: Agent, plan: Plan, text: str) -> None:
        self._tmux, self._agent, self._plan, self._text = tmux, agent, plan, text
        self.pasted = False

    async def do(self, step: Step, look: Look) -> None:
        if step is not Step.LOOK:
            need_in_front(self._agent)
        if step is Step.PASTE:
            await self._put()
        elif step is Step.CLEAR:
            # One press for each line and each line break; more do no harm.
            rows = (look.composer or "").count("\n") + 1
            await self._press(*self._plan.clear * (2 * min(rows, 50)))
        elif step is Step.WAKE:
            with contextlib.suppress(WebtmuxError):  # it helps, but nothing depends on it
                await wake(self._tmux, self._agent.pane_id)
        elif step in _KEYS:
            await self._press(_KEYS[step])

    async def _put(self) -> None:
        """As a paste where the agent can tell one: dialogs ignore pastes and take typed digits.

        A command is typed, so that the agent offers it as one.
        """
        data = self._text.encode()
        short = len(data) <= TYPED_LIMIT and not {"\n", "\t"} & set(self._text)
        typed = short and (not self._plan.lines or self._plan.became(self._text) == "command")
        put = self._tmux.type if typed else self._tmux.paste
        await put(self._agent.pane_id, data, locked=True)
        self.pasted = True

    async def _press(self, *keys: str) -> None:
        await self._tmux.press(self._agent.pane_id, *keys, locked=True)


_KEYS = {Step.ESCAPE: "Escape", Step.ENTER: "Enter", Step.ERASE: "BSpace"}


def need_in_front(agent: Agent) -> None:
    """What is typed after an agent has ended or was stopped would go to a shell."""
    if not agent.pid or not PROC.exists():
        return
    found = process(agent.pid)
    if found is None or found.state in "ZX":
        raise NotFound("agent not found: it has ended")
    if found.state in "Tt":
        raise Refused(f"{agent.runtime} is stopped: continue it (fg), and try again")
    if found.group != found.front:
        raise Refused(
            f"{agent.runtime} is not in front of its terminal: bring it back (fg), and try again"
        )


async def wake(tmux: Tmux, pane_id: str) -> None:
    """One column less and back makes the program draw anew; a person's own size is not touched."""
    row = await tmux.pane(pane_id)
    window = next(one for one in await tmux.windows() if one.id == row.window_id)
    width, height = window.size
    await tmux.ask_size(row.window_id, max(2, width - 1), height)
    await asyncio.sleep(LOOK_SECONDS)  # two sizes within one turn of tmux's loop are none
    await tmux.ask_size(row.window_id, width, height)
