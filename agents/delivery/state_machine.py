"""Decides how a prompt gets into an agent: one decision after each observation of its screen.

Pure: no key is pressed and no screen is read here. runner.py captures the screen, asks
`PromptDelivery.next` what to do, and does it.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from agents.delivery import composer
from agents.delivery.settings import CheckedPrompt, DeliverySettings

CLEAR_LIMIT = 4  # attempts to clear a draft
UNBOXED_MS = 1000  # without a visible composer, the prompt must have moved for this long

OTHER_MS = 600  # that the composer shows another text, before the prompt is given up
LINES_ABOVE = 5  # with text, in which an agent says that it has no such command

UNKNOWN_COMMAND = "nothing was sent, because the agent has no such command"
_UNREAD = (
    "Enter was sent, but the agent has not read it yet: check the terminal before you send again"
)
_UNCONFIRMED = (
    "Enter was sent once, but the command was not seen to start: check the terminal before you"
    " send again"
)


class DeliveryStep(StrEnum):
    WAIT = "wait"  # observe again, a little later
    CLEAR = "clear"  # remove a draft from the composer
    PASTE = "paste"
    ESCAPE = "escape"
    ENTER = "enter"
    DISCARD = "discard"  # every character of the prompt; clearing keys leave suggestions open
    ERASE = "erase"  # one character: the line break that Enter inserted
    WAKE = "wake"  # make the program redraw itself
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Observation:
    """What the screen of an agent showed at one moment."""

    timestamp: float  # milliseconds of any clock
    composer: str | None  # the text in the input box; None: no box is visible
    working: bool = False
    waiting: bool = False
    question: str = ""
    above: str = ""  # the text above the box; the whole screen if there is no box
    depth: int = 0  # rows from the top of the composer to the end of the screen
    width: int = 0
    unread: bool = False  # the terminal holds keys that the agent has not read yet
    # What looks like a placeholder, and its colour: a user may have typed the same words.
    hint: tuple[str, str] = ("", "")
    suggestion: str = ""  # the command that Enter would complete, without its slash
    # The text in an input box that may not have the keyboard: its suggestions are open, or its
    # cursor is hidden.
    typed: str = ""
    hidden: bool = (
        False  # the only sign against the composer: some hide their cursor while painting
    )
    blocked: str = ""  # why the composer does not have the keyboard: a menu is open, shell mode…


class DeliveryPhase(StrEnum):
    READY = "ready"
    CLEARING = "clearing"
    PASTED = "pasted"
    ESCAPED = "escaped"
    ENTERED = "entered"
    SUBMITTED = "submitted"
    DISCARDING = "discarding"


class PromptDelivery:
    """The state machine of one delivery.

    Call `next` with each observation, carry out the step that it returns, then observe again.
    """

    def __init__(self, settings: DeliverySettings, prompt: CheckedPrompt) -> None:
        self.settings, self.prompt = settings, prompt
        self.phase = DeliveryPhase.READY
        self.attempts = 0  # at Enter
        self.submitted = self.turn_started = False
        self.error = self.detail = ""  # why it failed, and the text on the screen that shows it
        self._folds = composer.fold_pattern(settings.folds)
        self._tail = composer.tail(prompt)
        self._phase_began = -1.0
        self._shown, self._shown_since = "", 0.0
        self._draft, self._clears = "", 0
        self._hint = ""  # what an empty composer shows, if no key removes it
        self._placeholder = ("", "")  # what it showed before the prompt was typed
        # A command may open a menu, which would take a second Enter.
        self._enter_once = settings.kind_of(prompt) != "prompt"
        self._woken, self._escape_due = False, settings.escape == "idle"
        self._before_enter = Observation(0, None)
        self._was_working, self._count_before = False, 0
        self._evidence_since: float | None = None
        self._absent_since: float | None = None  # since when no composer is visible
        self._command = settings.suggested_command(prompt)
        self._unknown = _unknown_pattern(settings, prompt)
        self._unread_at = 0.0  # when the agent was last seen not to have read all keys

    def next(self, observation: Observation) -> DeliveryStep:
        if self._phase_began < 0:
            self._phase_began = observation.timestamp
        observation = self._with_hint(observation)
        if observation.composer is not None and observation.composer != self._shown:
            self._shown, self._shown_since = observation.composer, observation.timestamp
        if observation.unread:
            self._unread_at = observation.timestamp
        if observation.composer is not None:
            self._absent_since = None
        elif self._absent_since is None:
            self._absent_since = observation.timestamp
        return {
            DeliveryPhase.READY: self._ready,
            DeliveryPhase.CLEARING: self._clearing,
            DeliveryPhase.PASTED: self._pasted,
            DeliveryPhase.ESCAPED: self._escaped,
            DeliveryPhase.ENTERED: self._entered,
            DeliveryPhase.SUBMITTED: self._submitted,
            DeliveryPhase.DISCARDING: self._discarding,
        }[self.phase](observation)

    # --- before the text ---

    def _ready(self, observation: Observation) -> DeliveryStep:
        if observation.waiting:
            return self._fail(
                "nothing was typed, because the agent waits for an answer: answer it first",
                observation.question,
            )
        if observation.working and self.settings.working != "queue":
            return self._busy(observation)
        if observation.composer is None:
            return self._no_composer(observation)
        if self._is_empty(observation.composer):
            return self._paste(observation)
        if self.settings.draft == "refuse":
            return self._fail(
                "nothing was typed, because the composer holds a draft: send or clear it first",
                observation.composer,
            )
        return self._clear(observation)

    def _busy(self, observation: Observation) -> DeliveryStep:
        if self.settings.working == "refuse" or self._elapsed(observation) > self.settings.busy_ms:
            return self._fail(
                "the agent is working: wait until its turn has ended", observation.composer
            )
        return DeliveryStep.WAIT

    def _no_composer(self, observation: Observation) -> DeliveryStep:
        # Not since the delivery began: it may have waited for the end of a turn.
        absent = observation.timestamp - (self._absent_since or observation.timestamp)
        limit = self.settings.ready_ms
        if observation.blocked:
            limit = self.settings.hidden_ms if observation.hidden else self.settings.blocked_ms
        if absent > limit:
            return self._fail(_no_composer_error(observation))
        if observation.blocked:
            return DeliveryStep.WAIT  # press no key: whatever is open would receive it
        half = self.settings.ready_ms / 2
        if self.settings.scrolls and not self._clears and absent > half:
            return self._clear(observation)  # the beginning of a long draft has scrolled away
        if self._woken or absent < half:
            return DeliveryStep.WAIT
        self._woken = True
        return DeliveryStep.WAKE

    def _clear(self, observation: Observation) -> DeliveryStep:
        if self._clears >= CLEAR_LIMIT:
            return self._fail(
                "the draft on the composer could not be cleared: clear it in the terminal",
                observation.composer,
            )
        self._draft, self._clears = observation.composer or "", self._clears + 1
        return self._enter_phase(DeliveryPhase.CLEARING, observation, DeliveryStep.CLEAR)

    def _clearing(self, observation: Observation) -> DeliveryStep:
        if observation.waiting or observation.composer is None:
            return self._enter_phase(DeliveryPhase.READY, observation, DeliveryStep.WAIT)
        if self._is_empty(observation.composer):
            return self._paste(observation)
        if self._elapsed(observation) < self.settings.clear_ms:
            return DeliveryStep.WAIT
        if observation.composer == self._draft and self._clears > 1:
            self._hint = observation.composer  # it cannot be edited, so it is not text
            return self._paste(observation)
        return self._clear(observation)

    # --- the text ---

    def _paste(self, observation: Observation) -> DeliveryStep:
        self._placeholder = observation.hint
        return self._enter_phase(DeliveryPhase.PASTED, observation, DeliveryStep.PASTE)

    def _pasted(self, observation: Observation) -> DeliveryStep:
        if observation.waiting:
            return self._fail(
                "a question appeared before Enter: answer it, and send again",
                observation.question,
            )
        if self._command:
            return self._completed(observation)
        if self._holds_prompt(observation) or self._received(observation):
            return self._continue(observation)
        if self._elapsed(observation) < self.settings.paste_ms and not self._is_other(observation):
            return self._wake(observation, after=self.settings.paste_ms / 2)
        if composer.nearly_holds(observation.composer or "", self.prompt):
            return self._continue(observation)
        return self._fail(
            "Enter was not pressed, because the composer shows something else: check the terminal",
            observation.composer,
        )

    def _completed(self, observation: Observation) -> DeliveryStep:
        """Enter takes the first suggestion, so it must be the command itself."""
        if observation.suggestion == self._command:
            shown = replace(observation, composer=observation.typed, blocked="")
            if self._holds_prompt(shown):
                return self._continue(shown)
        if self._elapsed(observation) < OTHER_MS or observation.unread:
            return DeliveryStep.WAIT
        self.error = UNKNOWN_COMMAND
        if observation.suggestion:
            self.error += f": the first of its suggestions is '/{observation.suggestion}'"
        return self._enter_phase(DeliveryPhase.DISCARDING, observation, DeliveryStep.DISCARD)

    def _continue(self, observation: Observation) -> DeliveryStep:
        """The composer holds the text: press Enter, unless there is a reason not to."""
        folded = composer.is_folded(observation.composer or "", self._folds)
        elapsed = self._elapsed(observation)
        unchanged = observation.timestamp - self._shown_since if folded else elapsed
        if min(unchanged, elapsed) < self.settings.paste_settle_ms:
            return DeliveryStep.WAIT
        if observation.working and self.settings.working != "queue":
            return self._busy(observation)
        if self._escape_due and not observation.working:
            self._escape_due = False
            return self._enter_phase(DeliveryPhase.ESCAPED, observation, DeliveryStep.ESCAPE)
        return self._press_enter(observation)

    def _escaped(self, observation: Observation) -> DeliveryStep:
        if self._elapsed(observation) < self.settings.escape_ms:
            return DeliveryStep.WAIT
        if observation.composer is not None and self._is_empty(observation.composer):
            return self._paste(observation)  # Escape clears here: paste again, without Escape
        return self._enter_phase(DeliveryPhase.PASTED, observation, DeliveryStep.WAIT)

    # --- Enter ---

    def _press_enter(self, observation: Observation) -> DeliveryStep:
        if self.attempts == 0:
            self._was_working = observation.working
            self._count_before = self._count(observation) - (observation.composer is None)
        self.attempts += 1
        self._before_enter, self._evidence_since = observation, None
        return self._enter_phase(DeliveryPhase.ENTERED, observation, DeliveryStep.ENTER)

    def _entered(self, observation: Observation) -> DeliveryStep:
        evidence = observation
        if observation.hidden:  # what the box shows counts, though no key may be pressed there
            evidence = replace(observation, composer=observation.typed)
        if (needed_ms := self._evidence(evidence)) is None:
            self._evidence_since = None
            return self._retry(observation)
        if self._evidence_since is None:
            self._evidence_since = observation.timestamp
        if observation.timestamp - self._evidence_since < needed_ms:
            return DeliveryStep.WAIT
        self.submitted = True
        self._enter_phase(DeliveryPhase.SUBMITTED, observation, DeliveryStep.WAIT)
        return self._submitted(observation)

    def _retry(self, observation: Observation) -> DeliveryStep:
        """The prompt has not left the composer: press Enter again in time, or finally give up."""
        if self._is_unknown(observation):
            return self._enter_phase(DeliveryPhase.DISCARDING, observation, DeliveryStep.DISCARD)
        if observation.working and self.settings.working != "queue":
            return self._busy(observation)
        patience = self.settings.enter_settle_ms * self.attempts
        limit = patience if self._holds_prompt(observation) else self.settings.paste_ms
        if self._elapsed(observation) < limit:
            return DeliveryStep.WAIT
        # An agent that has only just read the Enter has not painted its effect yet.
        is_late_reader = self._unread_at > self._phase_began and not observation.unread
        if is_late_reader and observation.timestamp - self._unread_at < patience:
            return DeliveryStep.WAIT
        if observation.waiting:
            return self._fail(
                "a question appeared after Enter: check the terminal before you send again",
                observation.question,
            )
        if observation.unread and self._elapsed(observation) < self.settings.paste_ms:
            # The agent has not read the Enter: another one would answer whatever comes next.
            return DeliveryStep.WAIT
        if observation.unread or self._enter_once:
            return self._fail(_UNREAD if observation.unread else _UNCONFIRMED, observation.composer)
        if self.attempts >= self.settings.attempts or not self._holds_prompt(observation):
            return self._fail("the prompt was not seen to leave the composer", observation.composer)
        if self._added_a_line(observation):
            return self._enter_phase(DeliveryPhase.PASTED, observation, DeliveryStep.ERASE)
        if self.attempts == self.settings.attempts - 1 and not self._woken:
            self._woken = True
            return DeliveryStep.WAKE
        return self._press_enter(observation)

    def _discarding(self, observation: Observation) -> DeliveryStep:
        """The agent has no such command, and left it on the composer."""
        is_empty = observation.composer is not None and self._is_empty(observation.composer)
        if is_empty or self._elapsed(observation) > self.settings.clear_ms:
            return self._fail(self.error or UNKNOWN_COMMAND)
        return DeliveryStep.WAIT

    def _submitted(self, observation: Observation) -> DeliveryStep:
        if self._is_unknown(observation):
            self.submitted = False
            return self._fail(UNKNOWN_COMMAND)
        self.turn_started = self._has_started(observation)
        limit = self.settings.command_ms if self._enter_once else self.settings.start_ms
        is_late = self._elapsed(observation) >= limit
        if self.turn_started or self._was_working or is_late:
            return DeliveryStep.DONE
        return DeliveryStep.WAIT

    # --- what an observation shows ---

    def _with_hint(self, observation: Observation) -> Observation:
        """With the prompt as the text of the composer, if it begins like a placeholder."""
        typed = self.phase not in {DeliveryPhase.READY, DeliveryPhase.CLEARING}
        is_placeholder = observation.hint in {("", ""), self._placeholder}
        if not typed or is_placeholder or observation.composer is None:
            return observation
        if not composer.holds(observation.hint[0], self.prompt, self._folds):
            return observation
        return replace(observation, composer=observation.hint[0])

    def _is_empty(self, text: str) -> bool:
        return not composer.letters(text) or text == self._hint

    def _holds_prompt(self, observation: Observation) -> bool:
        if observation.composer is None:
            # A plain prompt whose text wraps has no visible box. Other agents have one; where it is
            # not visible, a menu or dialog may be open that Enter would answer.
            plain = self.settings.scrolls and not (observation.waiting or observation.blocked)
            return plain and composer.ends_with(observation.above, self.prompt)
        # What could not be cleared may be a draft after all: it must not hide above the edge.
        whole = self._hint != ""
        return composer.holds(observation.composer, self.prompt, self._folds, whole=whole)

    def _received(self, observation: Observation) -> bool:
        """Whether a composer without a visible cursor shows the prompt: it got it, so it has the
        keyboard. No dialog is visible, else the rules of the runtime would have matched it."""
        is_late = self._elapsed(observation) >= self.settings.hidden_ms
        shown = replace(observation, composer=observation.typed, blocked="")
        return observation.hidden and is_late and self._holds_prompt(shown)

    def _is_other(self, observation: Observation) -> bool:
        """Whether the composer has shown something else for a while: no part of the prompt, which
        may still be painted."""
        if observation.unread or observation.composer is None or self._shown_since == 0:
            return False
        still = observation.timestamp - max(self._shown_since, self._phase_began)
        shown = composer.letters(observation.composer)
        is_part = not shown or shown in composer.letters(self.prompt)
        return still >= OTHER_MS and self._shown_since > self._phase_began and not is_part

    def _is_unknown(self, observation: Observation) -> bool:
        """Whether the agent says directly above the composer that it has no such command."""
        if self._unknown is None:
            return False
        lines = [line for line in observation.above.split("\n")[-60:] if line.strip()]
        return self._unknown.search(" ".join(map(str.strip, lines[-LINES_ABOVE:]))) is not None

    def _evidence(self, observation: Observation) -> float | None:
        """For how many ms this must last to prove that Enter worked; None: it is no proof."""
        empty = observation.composer is not None and self._is_empty(observation.composer)
        if self._holds_prompt(observation) and not empty:
            return None
        moved = self._count(observation) > self._count_before
        started = self._has_started(observation)
        if observation.composer is None:
            return self._evidence_without_box(observation, moved, started)
        if empty and (moved or started):
            return 0
        return self.settings.confirm_ms if empty or moved or started else None

    def _evidence_without_box(
        self, observation: Observation, moved: bool, started: bool
    ) -> float | None:
        """No composer is visible: it is hidden, or half drawn with the prompt still in it."""
        if moved and (observation.waiting or (started and self.settings.scrolls)):
            return 0
        if self._enter_once and (observation.waiting or observation.blocked):
            return self.settings.confirm_ms  # the command opened a menu in place of the composer
        return UNBOXED_MS if moved and (started or self.settings.scrolls) else None

    def _has_started(self, observation: Observation) -> bool:
        return (observation.working or observation.waiting) and not self._was_working

    def _count(self, observation: Observation) -> int:
        """How often the conversation shows the prompt."""
        return composer.letters(observation.above).count(self._tail)

    def _added_a_line(self, observation: Observation) -> bool:
        """Enter was read as a line break: the composer is one row higher."""
        before = self._before_enter
        return (observation.depth, observation.width) == (before.depth + 1, before.width)

    # --- transitions ---

    def _elapsed(self, observation: Observation) -> float:
        return observation.timestamp - self._phase_began

    def _enter_phase(
        self, phase: DeliveryPhase, observation: Observation, step: DeliveryStep
    ) -> DeliveryStep:
        self.phase, self._phase_began = phase, observation.timestamp
        return step

    def _wake(self, observation: Observation, *, after: float) -> DeliveryStep:
        if self._woken or self._elapsed(observation) < after:
            return DeliveryStep.WAIT
        self._woken = True
        return DeliveryStep.WAKE

    def _fail(self, error: str, detail: str | None = "") -> DeliveryStep:
        self.error, self.detail = error, composer.excerpt(detail or "")
        return DeliveryStep.FAILED


def _unknown_pattern(settings: DeliverySettings, prompt: str) -> re.Pattern[str] | None:
    if not settings.unknown or settings.kind_of(prompt) != "command":
        return None
    return re.compile(settings.unknown.replace("{word}", re.escape(prompt.split()[0])))


def _no_composer_error(observation: Observation) -> str:
    if observation.blocked:
        return (
            f"nothing was typed, because {observation.blocked}: close it in the terminal, and send"
            " again"
        )
    return "nothing was typed, because the input box is not visible: check the terminal"
