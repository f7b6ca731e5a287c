"""What an agent is doing, read from its screen by the rules of its runtime.

Not who it is: that is detect.py. A look says what the screen shows; Memory says what to believe.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents import menus
from agents.menus import Menu, Option
from agents.rules import Rules, State, StateRule
from agents.screen import Screen, look

__all__ = ["Memory", "Option", "Reading", "State", "Verdict", "explain", "read_screen"]

EVIDENCE_LENGTH = 200
# A picture may be taken while the program is half through painting it: then a quoted dialog stands
# where the composer will be. Painting takes milliseconds, and a spinner turns every 80 to 120 ms.
HOLD_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Reading:
    state: State
    question: str = ""
    options: tuple[Option, ...] = ()
    rule: str = ""  # the name of the rule that decided
    evidence: str = ""  # the line that it matched
    composer: str | None = None  # what stands in the input box; None: no box is seen
    menu: Menu | None = None  # the dialog that it waits with


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one rule said of a screen."""

    rule: StateRule
    evidence: str | None  # None: it did not match


def read_screen(lines: Sequence[str], rules: Rules) -> Reading:
    screen = look(lines, rules)
    menu = menus.find(screen)
    for rule in rules.states:
        evidence = _match(rule, screen, menu)
        if evidence is not None:
            return _reading(rule, evidence, screen, menu)
    return Reading(State.UNKNOWN)


def explain(lines: Sequence[str], rules: Rules) -> list[Verdict]:
    """Every rule in its order; the first with evidence is the one that decides."""
    screen = look(lines, rules)
    menu = menus.find(screen)
    return [Verdict(rule, _match(rule, screen, menu)) for rule in rules.states]


def _match(rule: StateRule, screen: Screen, menu: Menu | None) -> str | None:
    if rule.region == "dialog":
        if menu is None:
            return None
        lines: Sequence[str] = [menu.question or menu.options[0].label]
    else:
        lines = screen.region(rule.region) if not (menu and rule.region == "composer") else ()
    found = next((line for line in lines if rule.pattern.search(line)), None)
    return None if found is None else found.strip()[:EVIDENCE_LENGTH]


def _reading(rule: StateRule, evidence: str, screen: Screen, menu: Menu | None) -> Reading:
    asked = menu if rule.state is State.WAITING else None
    return Reading(
        state=rule.state,
        question=asked.question if asked else "",
        options=asked.options if asked else (),
        rule=rule.name,
        evidence=evidence,
        composer=_composer(screen, menu, rule.state),
        menu=asked,
    )


def _composer(screen: Screen, menu: Menu | None, state: State) -> str | None:
    """Its text, where it has the keyboard: no menu is open, and the screen is known."""
    open_ = state in {State.IDLE, State.WORKING} and menu is None
    return screen.composer.text if screen.composer and open_ else None


class Memory:
    """What is believed of one agent: what the screen showed at two looks, some time apart."""

    def __init__(self) -> None:
        self.believed = Reading(State.UNKNOWN)
        self._candidate: State | None = None
        self._since = 0.0

    @property
    def settled(self) -> bool:
        """Whether another look at the same screen could not change what is believed."""
        return self._candidate is None

    def look(self, reading: Reading, now: float) -> Reading:
        if reading.state is self.believed.state:
            self.believed, self._candidate = reading, None
        elif reading.state is not self._candidate:
            self._candidate, self._since = reading.state, now
        elif now - self._since >= HOLD_SECONDS:
            self.believed, self._candidate = reading, None
        return self.believed
