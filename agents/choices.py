"""Decides which key answers an agent's dialog: one decision after each look at the screen.

Pure: answers.py looks, presses and asks here what comes next. The rule that everything follows: a
key that may have answered is pressed once. An agent that is busy or stopped reads it later, and a
second key would then answer the next dialog. So after such a key this only watches, and where the
dialog is not seen to close it says so.
"""

from dataclasses import dataclass
from enum import StrEnum

from agents import composer
from agents.menus import Menu, Option
from agents.rules import Choose, MenuRule

STEADY_MS = 60.0  # what is seen must last so long, in two looks: not a half-painted screen
AIM_MS = 2000.0  # for the dialog to stand still before the first key
MOVE_MS = 3000.0  # for a step of the pointer to be seen
ANSWER_MS = 6000.0  # for the dialog to close

CHANGED = "the dialog changed before it was answered, and nothing was chosen: look at it again"
UNREAD = "the agent has not read the keys that it was sent before: wait, and look at the terminal"
STUCK = "the pointer did not move to that option, and nothing was chosen: answer in the terminal"
UNSEEN = "it cannot be seen which option is selected: answer in the terminal"
UNCONFIRMED = (
    "the key was sent once, but the dialog was not seen to close: look at the terminal before"
    " you answer again"
)


class Do(StrEnum):
    LOOK = "look"  # again, a little later
    PRESS = "press"  # `Choice.key`, then look
    DONE = "done"  # the dialog closed
    STOP = "stop"  # `Choice.error` says why


class Phase(StrEnum):
    AIMING = "aiming"  # the dialog must stand still
    MOVING = "moving"  # a key moved the pointer
    POINTING = "pointing"  # a digit moved the pointer, or answered
    TYPED = "typed"  # a letter stands behind a plain question, or answered it
    ANSWERED = "answered"  # nothing more is pressed


@dataclass(frozen=True, slots=True)
class Glance:
    """What one look at the pane showed."""

    at: float  # milliseconds of any clock
    menu: Menu | None = None
    waiting: bool = False  # the agent waits, whether or not its options could be read
    composer: bool = False  # the composer is there and has the keyboard
    bottom: str = ""  # the last line of the screen
    printed: int = 0  # bytes that the agent has printed since the watch began
    unread: bool = False  # keys are in the terminal that the agent has not read


class Choice:
    """One answer under way. Ask `next` after each look, and do what it says."""

    def __init__(self, rule: MenuRule, before: Menu, option: Option, bottom: str = "") -> None:
        self.key, self.error = "", ""
        self.phase = Phase.AIMING
        self._rule, self._before, self._option, self._bottom = rule, before, option, bottom
        self._at, self._began = selected(before), -1.0
        self._expected = 0
        self._mark = 0  # bytes printed when the last key was pressed
        self._reacted = False  # the agent has read that key and painted something
        self._since: float | None = None  # when what is waited for was first seen
        self._last: Menu | None = None

    @property
    def may_be_answered(self) -> bool:
        """Whether a key was pressed that can have answered the dialog."""
        return self.phase in {Phase.POINTING, Phase.TYPED, Phase.ANSWERED}

    @property
    def is_pending(self) -> bool:
        """Whether such a key may still be read: nothing was painted since it was pressed."""
        return self.may_be_answered and not self._reacted

    @property
    def watches(self) -> bool:
        """Whether no further key will be pressed."""
        return self.phase is Phase.ANSWERED

    def next(self, glance: Glance) -> Do:
        if self._began < 0:
            self._began = glance.at
        self._reacted = glance.printed > self._mark and not glance.unread
        return {
            Phase.AIMING: self._aiming,
            Phase.MOVING: self._moving,
            Phase.POINTING: self._pointing,
            Phase.TYPED: self._typed,
            Phase.ANSWERED: self._answered,
        }[self.phase](glance)

    # --- before a key that may answer ---

    def _aiming(self, glance: Glance) -> Do:
        same = self._is_same(glance.menu) and selected(glance.menu) == self._at
        if self._lasts(same and not glance.unread, glance):
            return self._choose(glance)
        if self._spent(glance) < AIM_MS:
            return Do.LOOK
        return self._stop(UNREAD if glance.unread else CHANGED)

    def _choose(self, glance: Glance) -> Do:
        number = self._option.number
        if own := own_key(self._rule, self._option.label):
            return self._press(own, Phase.ANSWERED, glance)
        if is_plain(self._before):
            return self._press(self._option.key or str(number), Phase.TYPED, glance)
        if self._rule.choose is Choose.DIGIT and number < 10 and self._is_numbered():
            return self._press(str(number), Phase.ANSWERED, glance)
        if not self._at:
            return self._stop(UNSEEN)
        if self._at == number:
            return self._press("Enter", Phase.ANSWERED, glance)
        if self._rule.choose is Choose.DIGIT_POINTS and number < 10 and self._is_numbered():
            self._expected = number
            return self._press(str(number), Phase.POINTING, glance)
        on, back = self._rule.steps
        self._expected = self._at + (1 if number > self._at else -1)
        return self._press(on if number > self._at else back, Phase.MOVING, glance)

    def _moving(self, glance: Glance) -> Do:
        """One step at a time: the next key only when this one is seen to have moved the pointer."""
        at = selected(glance.menu)
        if self._is_same(glance.menu) and at not in {self._at, self._expected}:
            return self._stop(STUCK)
        moved = self._is_same(glance.menu) and at == self._expected and not glance.unread
        if self._lasts(moved, glance):
            self._at = self._expected
            return self._choose(glance)
        if self._spent(glance) < MOVE_MS:
            return Do.LOOK
        return self._stop(STUCK if self._is_same(glance.menu) else CHANGED)

    # --- after one ---

    def _pointing(self, glance: Glance) -> Do:
        """Enter only in the very same dialog, painted anew with the pointer on the option."""
        if self._is_gone(glance):
            return self._answered(glance)
        moved = self._is_same(glance.menu) and selected(glance.menu) == self._expected
        if self._lasts(moved and glance.printed > self._mark and not glance.unread, glance):
            return self._press("Enter", Phase.ANSWERED, glance)
        return Do.LOOK if self._spent(glance) < MOVE_MS else self._stop(UNCONFIRMED)

    def _typed(self, glance: Glance) -> Do:
        """A plain prompt shows the letter behind its question, and reads it with Enter."""
        if self._is_gone(glance):
            return self._answered(glance)
        shown = glance.bottom.removeprefix(self._bottom).strip() == self.key
        if self._lasts(shown and glance.bottom != self._bottom, glance):
            return self._press("Enter", Phase.ANSWERED, glance)
        return Do.LOOK if self._spent(glance) < MOVE_MS else self._stop(UNCONFIRMED)

    def _answered(self, glance: Glance) -> Do:
        # A composer cannot be the rest of a half-painted dialog: one look at it is enough.
        gone = self._is_gone(glance)
        if (gone and glance.composer) or self._lasts(gone, glance):
            return Do.DONE
        return Do.LOOK if self._spent(glance) < ANSWER_MS else self._stop(UNCONFIRMED)

    # --- what a look shows ---

    def _is_same(self, menu: Menu | None) -> bool:
        """The very same dialog: every line of it, wherever the pointer is."""
        return menu is not None and menu.body == self._before.body

    def _is_gone(self, glance: Glance) -> bool:
        """No dialog, or another one. A body that was only wrapped anew is still the same."""
        if is_plain(self._before) and glance.bottom.startswith(self._bottom):
            return False
        if glance.menu is None:
            return not glance.waiting
        return _identity(glance.menu) != _identity(self._before)

    def _is_numbered(self) -> bool:
        """Whether the option carries its number on the screen."""
        return bool(self._option.key) and self._option.key == str(self._option.number)

    def _lasts(self, true: bool, glance: Glance) -> bool:
        """Whether it is true now, was at the look before, and has been for long enough."""
        if not true or (self._last is not None and glance.menu != self._last):
            self._since = None
        self._last = glance.menu
        if not true:
            return False
        if self._since is None:
            self._since = glance.at
            return False
        return glance.at - self._since >= STEADY_MS

    # --- inside ---

    def _spent(self, glance: Glance) -> float:
        return glance.at - self._began

    def _press(self, key: str, phase: Phase, glance: Glance) -> Do:
        self.key, self.phase = key, phase
        self._began, self._since, self._mark = glance.at, None, glance.printed
        return Do.PRESS

    def _stop(self, why: str) -> Do:
        self.error = why
        return Do.STOP


def selected(menu: Menu | None) -> int:
    """The number of the option that the pointer is on; 0: none is seen."""
    return next((one.number for one in menu.options if one.selected), 0) if menu else 0


def is_plain(menu: Menu) -> bool:
    """A question on one line that wants a letter: "Continue? [y/N]"."""
    return all(option.key.isalpha() and len(option.key) <= 3 for option in menu.options)


def own_key(rule: MenuRule, label: str) -> str:
    """The key that the rules name for an option: neither its digit nor the pointer will do."""
    return next((key for pattern, key in rule.keys if pattern.search(label)), "")


def _identity(menu: Menu) -> tuple[str, tuple[str, ...], str]:
    labels = tuple(option.label for option in menu.options)
    return menu.question, labels, composer.letters("".join(menu.title))
