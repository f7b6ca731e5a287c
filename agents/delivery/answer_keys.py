"""Decides which key answers an agent's dialog: one decision after each observation of the screen.

Pure: answers.py captures the screen, presses keys, and asks here what comes next. One rule governs
everything: a key that may have answered is pressed once. An agent that is busy or stopped reads it
later, and a second key would then answer the next dialog. So after such a key this only watches,
and if the dialog is not seen to close, this is reported as an error.
"""

from dataclasses import dataclass
from enum import StrEnum

from agents.delivery import composer
from agents.runtimes.loader import Choose, MenuRule
from agents.screen.menus import Menu, Option

STEADY_MS = 60.0  # an observation must last this long, in two captures: not a half-painted screen
AIM_MS = 2000.0  # until the dialog stops changing, before the first key
MOVE_MS = 3000.0  # until a step of the pointer is visible
ANSWER_MS = 6000.0  # until the dialog closes

CHANGED = "the dialog changed before it was answered, and nothing was chosen: check it again"
UNREAD = "the agent has not read earlier keys yet: wait, and check the terminal"
STUCK = "the pointer did not move to that option, and nothing was chosen: answer in the terminal"
NO_POINTER = "it is not visible which option is selected: answer in the terminal"
UNCONFIRMED = (
    "the key was sent once, but the dialog was not seen to close: check the terminal before you"
    " answer again"
)


class AnswerStep(StrEnum):
    WAIT = "wait"  # observe again, a little later
    PRESS = "press"  # press `DialogAnswer.key`, then observe
    DONE = "done"  # the dialog closed
    STOP = "stop"  # `DialogAnswer.error` says why


class AnswerPhase(StrEnum):
    AIMING = "aiming"  # the dialog must not change
    MOVING = "moving"  # a key moved the pointer
    POINTING = "pointing"  # a digit moved the pointer, or answered
    TYPED = "typed"  # a letter is shown behind a plain question, or answered it
    ANSWERED = "answered"  # no further key is pressed


@dataclass(frozen=True, slots=True)
class DialogObservation:
    """What one capture of the pane showed."""

    timestamp: float  # milliseconds of any clock
    menu: Menu | None = None
    waiting: bool = False  # the agent waits, whether or not its options could be read
    composer: bool = False  # the composer is visible and has the keyboard
    bottom: str = ""  # the last line of the screen
    printed: int = 0  # bytes that the agent has printed since watching began
    unread: bool = False  # the terminal holds keys that the agent has not read


class DialogAnswer:
    """The state machine of one answer.

    Call `next` with each observation, carry out the step that it returns, then observe again.
    """

    def __init__(self, rule: MenuRule, before: Menu, option: Option, bottom: str = "") -> None:
        self.key, self.error = "", ""
        self.phase = AnswerPhase.AIMING
        self._rule, self._before, self._option, self._bottom = rule, before, option, bottom
        self._position, self._phase_began = selected(before), -1.0
        self._expected = 0
        self._printed_at_press = 0
        self._has_reacted = False  # the agent has read the last key and painted something
        self._steady_since: float | None = None  # when the expected state was first observed
        self._last: Menu | None = None

    @property
    def may_be_answered(self) -> bool:
        """Whether a key was pressed that can have answered the dialog."""
        return self.phase in {AnswerPhase.POINTING, AnswerPhase.TYPED, AnswerPhase.ANSWERED}

    @property
    def is_pending(self) -> bool:
        """Whether such a key may still be read: nothing was painted since it was pressed."""
        return self.may_be_answered and not self._has_reacted

    @property
    def only_watches(self) -> bool:
        """Whether no further key will be pressed."""
        return self.phase is AnswerPhase.ANSWERED

    def next(self, observation: DialogObservation) -> AnswerStep:
        if self._phase_began < 0:
            self._phase_began = observation.timestamp
        printed = observation.printed > self._printed_at_press
        self._has_reacted = printed and not observation.unread
        return {
            AnswerPhase.AIMING: self._aiming,
            AnswerPhase.MOVING: self._moving,
            AnswerPhase.POINTING: self._pointing,
            AnswerPhase.TYPED: self._typed,
            AnswerPhase.ANSWERED: self._answered,
        }[self.phase](observation)

    # --- before a key that may answer ---

    def _aiming(self, observation: DialogObservation) -> AnswerStep:
        unmoved = selected(observation.menu) == self._position
        same = self._is_same(observation.menu) and unmoved
        if self._is_steady(same and not observation.unread, observation):
            return self._choose(observation)
        if self._elapsed(observation) < AIM_MS:
            return AnswerStep.WAIT
        return self._stop(UNREAD if observation.unread else CHANGED)

    def _choose(self, observation: DialogObservation) -> AnswerStep:
        number = self._option.number
        # In a form of the model's own options, "No" is an answer and not the agent's refusal.
        is_form = self._rule.numbered and not self._option.key and not self._before.is_row
        if not is_form and (key := rule_key(self._rule, self._option.label)):
            return self._press(key, AnswerPhase.ANSWERED, observation)
        if is_plain(self._before):
            key = self._option.key or str(number)
            return self._press(key, AnswerPhase.TYPED, observation)
        has_digit = number < 10 and self._is_numbered()
        if self._rule.choose is Choose.DIGIT and has_digit:
            return self._press(str(number), AnswerPhase.ANSWERED, observation)
        if not self._position:
            return self._stop(NO_POINTER)
        if self._position == number:
            return self._press("Enter", AnswerPhase.ANSWERED, observation)
        if self._rule.choose is Choose.DIGIT_POINTS and has_digit:
            self._expected = number
            return self._press(str(number), AnswerPhase.POINTING, observation)
        forward, back = self._rule.steps if self._before.is_row else ("Down", "Up")
        is_forward = number > self._position
        self._expected = self._position + (1 if is_forward else -1)
        return self._press(forward if is_forward else back, AnswerPhase.MOVING, observation)

    def _moving(self, observation: DialogObservation) -> AnswerStep:
        """One step at a time: press the next key only after this one visibly moved the pointer."""
        position, same = selected(observation.menu), self._is_same(observation.menu)
        if same and position not in {self._position, self._expected}:
            return self._stop(STUCK)
        moved = same and position == self._expected and not observation.unread
        if self._is_steady(moved, observation):
            self._position = self._expected
            return self._choose(observation)
        if self._elapsed(observation) < MOVE_MS:
            return AnswerStep.WAIT
        return self._stop(STUCK if same else CHANGED)

    # --- after a key that may answer ---

    def _pointing(self, observation: DialogObservation) -> AnswerStep:
        """Enter only in the very same dialog, painted again with the pointer on the option."""
        if self._is_gone(observation):
            return self._answered(observation)
        moved = self._is_same(observation.menu) and selected(observation.menu) == self._expected
        painted = observation.printed > self._printed_at_press and not observation.unread
        if self._is_steady(moved and painted, observation):
            return self._press("Enter", AnswerPhase.ANSWERED, observation)
        return self._wait_or_stop(observation, MOVE_MS)

    def _typed(self, observation: DialogObservation) -> AnswerStep:
        """A plain prompt shows the letter behind its question, and reads it with Enter."""
        if self._is_gone(observation):
            return self._answered(observation)
        shown = observation.bottom.removeprefix(self._bottom).strip() == self.key
        if self._is_steady(shown and observation.bottom != self._bottom, observation):
            return self._press("Enter", AnswerPhase.ANSWERED, observation)
        return self._wait_or_stop(observation, MOVE_MS)

    def _answered(self, observation: DialogObservation) -> AnswerStep:
        # A composer cannot be the rest of a half-painted dialog: one observation of it is enough.
        is_gone = self._is_gone(observation)
        if (is_gone and observation.composer) or self._is_steady(is_gone, observation):
            return AnswerStep.DONE
        return self._wait_or_stop(observation, ANSWER_MS)

    # --- what an observation shows ---

    def _is_same(self, menu: Menu | None) -> bool:
        """The very same dialog: every line of it, wherever the pointer is."""
        return menu is not None and menu.body == self._before.body

    def _is_gone(self, observation: DialogObservation) -> bool:
        """No dialog, or another one. A dialog whose lines only wrap differently is the same."""
        if is_plain(self._before) and observation.bottom.startswith(self._bottom):
            return False
        if observation.menu is None:
            return not observation.waiting
        return identity(observation.menu) != identity(self._before)

    def _is_numbered(self) -> bool:
        """Whether the screen shows the number of the option."""
        return bool(self._option.key) and self._option.key == str(self._option.number)

    def _is_steady(self, true: bool, observation: DialogObservation) -> bool:
        """Whether it is true now, was in the previous observation, and has been long enough."""
        if not true or (self._last is not None and observation.menu != self._last):
            self._steady_since = None
        self._last = observation.menu
        if not true:
            return False
        if self._steady_since is None:
            self._steady_since = observation.timestamp
            return False
        return observation.timestamp - self._steady_since >= STEADY_MS

    # --- transitions ---

    def _elapsed(self, observation: DialogObservation) -> float:
        return observation.timestamp - self._phase_began

    def _press(self, key: str, phase: AnswerPhase, observation: DialogObservation) -> AnswerStep:
        self.key, self.phase = key, phase
        self._phase_began, self._steady_since = observation.timestamp, None
        self._printed_at_press = observation.printed
        return AnswerStep.PRESS

    def _wait_or_stop(self, observation: DialogObservation, limit_ms: float) -> AnswerStep:
        return AnswerStep.WAIT if self._elapsed(observation) < limit_ms else self._stop(UNCONFIRMED)

    def _stop(self, error: str) -> AnswerStep:
        self.error = error
        return AnswerStep.STOP


def selected(menu: Menu | None) -> int:
    """The number of the option that the pointer is on; 0: none is visible."""
    return next((option.number for option in menu.options if option.selected), 0) if menu else 0


def is_plain(menu: Menu) -> bool:
    """A question on one line that expects a letter: "Continue? [y/N]"."""
    return all(option.key.isalpha() and len(option.key) <= 3 for option in menu.options)


def rule_key(rule: MenuRule, label: str) -> str:
    """The key that the rules name for an option, if neither its digit nor the pointer works."""
    return next((key for pattern, key in rule.keys if pattern.search(label)), "")


def identity(menu: Menu) -> tuple[str, tuple[str, ...], str]:
    labels = tuple(option.label for option in menu.options)
    return menu.question, labels, composer.letters("".join(menu.title))
