"""Carries out a delivery on tmux: captures the agent's pane and does what state_machine.py decides.

Retries with the same key are handled in services.py and idempotency.py. The prompt is never logged.
"""

import asyncio
import contextlib
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path

from agents.delivery.changes import describe_change
from agents.delivery.receipts import DeliveryOutcome
from agents.delivery.settings import CheckedPrompt, DeliverySettings
from agents.delivery.state_machine import DeliveryStep, Observation, PromptDelivery
from agents.registry import Agent
from agents.runtimes.loader import AgentState, Rules
from agents.screen import layout
from agents.screen.layout import ScreenLayout
from agents.screen.states import Reading, read_layout
from agents.witnesses import store
from agents.witnesses.evidence import EventSource
from agents.witnesses.prompts import confirmation
from core.errors import NotFound, Refused, WebtmuxError
from core.offload import by_size
from terminals.tmux.driver import Capture, Tmux, Typed
from terminals.tmux.foreground import process, unread
from terminals.tmux.rows import CaptureRow

CAPTURE_SECONDS = 0.04  # between two captures: a TUI paints at most 30 times a second
HOOK_SECONDS = 0.25  # after the screen has confirmed: a hook reports within about 0.1 s
DELIVERY_LIMIT_SECONDS = 60.0  # of a delivery; every wait within it has its own limit
TYPED_LIMIT = 200  # bytes: longer text, or text with a line break or tab, is always pasted
RESOLVED = "files may have taken the place of @ and their names"
_COMMAND = re.compile(r"\s*/[\w:.-]+(?:\s|$)")
PROC = Path("/proc/self/stat")
CURSOR_ELSEWHERE = "the cursor is not in its composer"


async def deliver(
    *, tmux: Tmux, agent: Agent, rules: Rules, prompt: CheckedPrompt
) -> DeliveryOutcome:
    """Until the prompt is seen to be submitted, or cannot be. One delivery at a time per pane."""
    began = time.monotonic()
    delivery = PromptDelivery(rules.delivery, prompt)
    screen = ScreenReader(tmux, agent.pane_id, rules)
    keys = KeySender(tmux, agent, rules.delivery, prompt)
    async with tmux.lock(agent.pane_id):
        hook = HookWitness(agent.pane_id, prompt)
        deadline = time.monotonic() + DELIVERY_LIMIT_SECONDS
        try:
            while time.monotonic() < deadline:
                observation = (await screen.read()).observation
                step = delivery.next(observation)
                if step in {DeliveryStep.DONE, DeliveryStep.FAILED}:
                    break
                await keys.send(step, observation)
                if await hook.confirms(CAPTURE_SECONDS) and delivery.attempts:
                    delivery.submitted = delivery.turn_started = True
                    break
            else:
                delivery.error = f"the delivery took longer than {DELIVERY_LIMIT_SECONDS:.0f} s"
        except WebtmuxError as failure:
            # An error of tmux half-way is a failed delivery: Enter may have been pressed.
            delivery.error = failure.message
    if delivery.submitted and not hook.is_silent:
        await hook.confirms(HOOK_SECONDS)
    received = hook.received or rules.delivery.received(prompt)
    altered = describe_change(prompt, received) if delivery.submitted else ""
    exact = not altered if hook.received or altered else None
    if exact is None and delivery.submitted and rules.delivery.may_resolve(prompt):
        altered = RESOLVED
    return DeliveryOutcome(
        pasted=keys.pasted,
        submitted=delivery.submitted,
        turn_started=delivery.turn_started,
        attempts=delivery.attempts,
        ms=int((time.monotonic() - began) * 1000),
        error="" if delivery.submitted else delivery.error,
        detail="" if delivery.submitted else delivery.detail,
        became=_became(rules.delivery, prompt, delivery),
        confirmed_by=hook.confirmed_by or ("screen" if delivery.submitted else ""),
        exact=exact,
        altered=altered,
    )


def _became(settings: DeliverySettings, prompt: CheckedPrompt, delivery: PromptDelivery) -> str:
    """A path begins with a slash, too: agents take it for a prompt."""
    kind = settings.kind_of(prompt)
    is_prompt = kind == "command" and delivery.turn_started and not _COMMAND.match(prompt)
    return "prompt" if is_prompt else kind


class HookWitness:
    """What the agent's own hooks say about one prompt, if it has hooks."""

    def __init__(self, pane_id: str, prompt: str) -> None:
        self._pane, self._prompt, self._began = pane_id, prompt, time.time()
        # The agent has no hooks, or a new session. Journals report too late to wait for them.
        self.is_silent = not any(
            event.source is EventSource.HOOK for event in store.events(pane_id)
        )
        self.confirmed_by = self.received = ""

    async def confirms(self, seconds: float) -> bool:
        """Waits at most so long for the report that the prompt was submitted."""
        changed = asyncio.Event()
        with store.watching(changed), contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self._look():
                    changed.clear()
                    await changed.wait()
        return bool(self.confirmed_by)

    def _look(self) -> bool:
        events = store.events(self._pane)
        if (event := confirmation(self._prompt, self._began, events)) is not None:
            self.confirmed_by, self.received = event.source.value, event.text
        return event is not None


@dataclass(frozen=True, slots=True)
class PaneReading:
    """One capture of a pane, read with the rules of the agent's runtime."""

    reading: Reading
    observation: Observation
    bottom: str = ""  # the last line with text


class ScreenReader:
    """Captures one pane and reads it with the rules of one runtime. Each capture is parsed once."""

    def __init__(self, tmux: Tmux, pane_id: str, rules: Rules) -> None:
        self._tmux, self._pane, self._rules = tmux, pane_id, rules
        suggests = rules.delivery.suggests
        self._suggests = re.compile(suggests) if suggests else None

    async def read(self) -> PaneReading:
        shown = await self._capture(join=False)
        if shown.reading.composer is not None or shown.observation.blocked:
            return shown
        # The text of a plain prompt wraps; with wrapped rows joined it is one line of any length.
        # Not joined at first, because tmux keeps joining rows that wrapped once, even after a
        # program has drawn its box over them.
        joined = await self._capture(join=True)
        return joined if joined.reading.composer is not None else shown

    async def _capture(self, *, join: bool) -> PaneReading:
        capture = await self._tmux.capture_now(self._pane, escapes=True, join=join)
        size = sum(map(len, capture.lines))
        return await by_size(size, self._parse, capture, join=join)

    def _parse(self, capture: Capture, *, join: bool) -> PaneReading:
        screen = layout.parse(capture.lines, self._rules)
        reading = read_layout(screen)
        if not join and reading.composer is not None and self._is_elsewhere(screen, capture.row):
            reading = replace(
                reading, state=AgentState.UNKNOWN, composer=None, rule=CURSOR_ELSEWHERE
            )
        bottom = screen.lines[-1] if screen.lines else ""
        return PaneReading(reading, self._observation(screen, reading, capture.row), bottom)

    def _is_elsewhere(self, screen: ScreenLayout, row: CaptureRow) -> bool:
        """The composer is drawn, but something else has the cursor and so the keyboard."""
        box = screen.composer
        if box is None or not self._rules.cursor:
            return False
        return not (row.cursor_shown and box.first <= row.cursor_y <= box.last)

    def _observation(self, screen: ScreenLayout, reading: Reading, row: CaptureRow) -> Observation:
        box = screen.composer if reading.composer is not None else None
        suggestion = self._suggestion(screen)
        hidden = reading.rule == CURSOR_ELSEWHERE and not row.cursor_shown
        return Observation(
            timestamp=time.monotonic() * 1000,
            composer=reading.composer,
            working=reading.state is AgentState.WORKING,
            waiting=reading.state is AgentState.WAITING,
            question=reading.question,
            above="\n".join(screen.lines[: box.first] if box else screen.lines),
            depth=len(screen.lines) - box.first if box else 0,
            width=max(map(len, screen.lines), default=0),
            unread=unread(row.tty) > 0,
            suggestion=suggestion,
            typed=screen.composer.text if screen.composer and (suggestion or hidden) else "",
            hidden=hidden,
            hint=(box.hint, layout.hint_style(screen)) if box else ("", ""),
            blocked=reading.rule if reading.state is AgentState.UNKNOWN else "",
        )

    def _suggestion(self, screen: ScreenLayout) -> str:
        """The first command that completes what is typed: below the composer, or above it."""
        if self._suggests is None or screen.composer is None:
            return ""
        for line in screen.lines[screen.composer.last + 1 :]:
            if match := self._suggests.match(line):
                return match[1]
        above = ""
        for line in reversed(screen.lines[: screen.composer.first]):
            if (match := self._suggests.match(line)) is None:
                break
            above = match[1]
        return above


_KEYS = {DeliveryStep.ESCAPE: "Escape", DeliveryStep.ENTER: "Enter", DeliveryStep.ERASE: "BSpace"}


class KeySender:
    """Sends the keys of a step. The caller holds the pane's lock; the driver leaves copy mode."""

    def __init__(
        self, tmux: Tmux, agent: Agent, settings: DeliverySettings, prompt: CheckedPrompt
    ) -> None:
        self._tmux, self._agent, self._settings, self._prompt = tmux, agent, settings, prompt
        self.pasted = False

    async def send(self, step: DeliveryStep, observation: Observation) -> None:
        pane = self._agent.pane_id
        if step is not DeliveryStep.WAIT:
            check_in_front(self._agent)
        if step is DeliveryStep.PASTE:
            text = self._settings.without_blank(self._prompt).encode()
            if self._is_typed():
                observed = Typed(pane, text)
                await self._tmux.type(pane, self._prompt.encode(), locked=True, observed=observed)
            else:
                observed = Typed(pane, text, paste=True)
                await self._tmux.paste(
                    pane, self._prompt, submit=True, locked=True, observed=observed
                )
            self.pasted = True
        elif step is DeliveryStep.CLEAR:
            # One press for each line and each line break; extra presses do no harm.
            rows = (observation.composer or "").count("\n") + 1
            await self._tmux.press(pane, *self._settings.clear * (2 * min(rows, 50)), locked=True)
        elif step is DeliveryStep.DISCARD:
            many = len(self._prompt) > TYPED_LIMIT
            keys = self._settings.clear * 2 if many else ["BSpace"] * len(self._prompt)
            await self._tmux.press(pane, *keys, locked=True)
        elif step is DeliveryStep.WAKE:
            with contextlib.suppress(WebtmuxError):  # it helps, but nothing depends on it
                await wake(self._tmux, pane)
        elif step in _KEYS:
            await self._tmux.press(pane, _KEYS[step], locked=True)

    def _is_typed(self) -> bool:
        """Whether the prompt is typed. Otherwise it is pasted, which is safer: a dialog that opens
        in that moment would take typed digits, but ignores pastes.

        A command is typed, so that the agent recognises it as one.
        """
        short = len(self._prompt.encode()) <= TYPED_LIMIT and not {"\n", "\t"} & set(self._prompt)
        is_command = self._settings.kind_of(self._prompt) == "command"
        return short and (not self._settings.lines or is_command)


def check_in_front(agent: Agent) -> None:
    """Raises unless the agent reads the terminal: otherwise keys would go to a shell."""
    if not agent.pid or not PROC.exists():
        return
    running = process(agent.pid)
    if running is None or running.state in "ZX":
        raise NotFound("agent not found: it has ended")
    if running.state in "Tt":
        raise Refused(f"{agent.runtime} is stopped: continue it (fg), and try again")
    if running.group != running.foreground_group:
        raise Refused(
            f"{agent.runtime} is not in front of its terminal: bring it back (fg), and try again"
        )


async def wake(tmux: Tmux, pane_id: str) -> None:
    """Makes the program redraw: one column less, and back. A size set by the user is kept."""
    row = await tmux.pane(pane_id)
    window = next(window for window in await tmux.windows() if window.id == row.window_id)
    width, height = window.size
    await tmux.request_size(row.window_id, max(2, width - 1), height)
    # Two sizes within one turn of tmux's event loop have no effect.
    await asyncio.sleep(CAPTURE_SECONDS)
    await tmux.request_size(row.window_id, width, height)
