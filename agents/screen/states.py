"""Reads what an agent is doing from its screen, by the rules of its runtime. Pure.

Which agent runs in a pane is decided in detection/. A reading says what one capture shows;
`StateTracker` says what to believe after several.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.runtimes.loader import AgentState, Rules, StateRule
from agents.screen import layout, menus, subjects
from agents.screen.layout import ScreenLayout
from agents.screen.menus import Menu, Option
from agents.screen.subjects import Subject

EVIDENCE_LENGTH = 200
# A capture may be taken while the program is half-way through painting: then a quoted dialog is
# where the composer will be. Painting takes milliseconds, and a spinner turns every 80 to 120 ms.
HOLD_SECONDS = 0.25
CONFIRM_SECONDS = 0.06  # if the second capture shows the same dialog, or matches the same rule


@dataclass(frozen=True, slots=True)
class Reading:
    state: AgentState
    question: str = ""
    options: tuple[Option, ...] = ()
    rule: str = ""  # the name of the rule that decided
    evidence: str = ""  # the line that it matched
    composer: str | None = None  # the text in the input box; None: no box is visible
    menu: Menu | None = None  # the dialog that the agent waits with
    subject: Subject | None = None  # what that dialog is about


@dataclass(frozen=True, slots=True)
class RuleResult:
    """Whether one rule matched a screen."""

    rule: StateRule
    evidence: str | None  # the line that it matched; None: it did not match


def read_screen(lines: Sequence[str], rules: Rules) -> Reading:
    return read_layout(layout.parse(lines, rules))


def read_layout(screen: ScreenLayout) -> Reading:
    menu = menus.find(screen)
    for rule in screen.rules.states:
        evidence = _match(rule, screen, menu)
        if evidence is not None:
            return _reading(rule, evidence, screen, menu)
    return Reading(AgentState.UNKNOWN)


def explain(screen: ScreenLayout) -> tuple[Reading, list[RuleResult]]:
    """The reading, and every rule in its order: the first with evidence decides."""
    menu = menus.find(screen)
    results = [RuleResult(rule, _match(rule, screen, menu)) for rule in screen.rules.states]
    for result in results:
        if result.evidence is not None:
            return _reading(result.rule, result.evidence, screen, menu), results
    return Reading(AgentState.UNKNOWN), results


def _match(rule: StateRule, screen: ScreenLayout, menu: Menu | None) -> str | None:
    if rule.region == "dialog":
        if menu is None:
            return None
        lines: Sequence[str] = [menu.question or menu.options[0].label]
    else:
        lines = screen.region(rule.region) if not (menu and rule.region == "composer") else ()
    if rule.footer and not any(map(rule.footer.search, screen.region("footer"))):
        return None
    if rule.unless and any(rule.unless.search(line) for line in lines):
        return None
    if rule.below:
        ends = [index for index, line in enumerate(lines) if rule.below.search(line)]
        lines = lines[ends[-1] + 1 :] if ends else lines
    matching = (line for line in lines if rule.pattern.search(line))
    line = next((line for line in matching if not rule.coloured or _coloured(screen, line)), None)
    return None if line is None else line.strip()[:EVIDENCE_LENGTH]


def _coloured(screen: ScreenLayout, line: str) -> bool:
    """Text of a model has no colour of its own; a capture without colours cannot tell."""
    plain = not any("\x1b" in raw for raw in screen.raw)
    return plain or layout.has_coloured_mark(screen.raw_line(line))


def _reading(rule: StateRule, evidence: str, screen: ScreenLayout, menu: Menu | None) -> Reading:
    dialog = menu if rule.state is AgentState.WAITING else None
    return Reading(
        state=rule.state,
        question=dialog.question if dialog else "",
        options=dialog.options if dialog else (),
        rule=rule.name,
        evidence=evidence,
        composer=_composer(screen, menu, rule.state),
        menu=dialog,
        subject=subjects.of_dialog(screen, dialog) if dialog else None,
    )


def _composer(screen: ScreenLayout, menu: Menu | None, state: AgentState) -> str | None:
    """Its text, if it has the keyboard: no menu is open, and the state is known."""
    has_keyboard = state in {AgentState.IDLE, AgentState.WORKING} and menu is None
    return screen.composer.text if screen.composer and has_keyboard else None


class StateTracker:
    """What to believe of one agent's screen: a state must show in two captures, some time apart.

    Soon after the first if the second shows the same thing; later if it shows the same state only.
    """

    def __init__(self) -> None:
        self.believed = Reading(AgentState.UNKNOWN)
        self._candidate: Reading | None = None
        self._since = 0.0

    @property
    def settled(self) -> bool:
        """Whether another capture of the same screen could not change what is believed."""
        return self._candidate is None

    def update(self, reading: Reading, now: float) -> Reading:
        candidate = self._candidate
        if reading.state is self.believed.state and not _is_other_dialog(reading, self.believed):
            self.believed, self._candidate = reading, None
        elif candidate is None or reading.state is not candidate.state:
            self._candidate, self._since = reading, now
        elif now - self._since >= self._hold(reading, candidate):
            self.believed, self._candidate = reading, None
        else:
            self._candidate = reading
        return self.believed

    @staticmethod
    def _hold(reading: Reading, candidate: Reading) -> float:
        return CONFIRM_SECONDS if _shape(reading) == _shape(candidate) else HOLD_SECONDS


def _is_other_dialog(reading: Reading, believed: Reading) -> bool:
    if reading.menu is None or believed.menu is None:
        return False
    return reading.menu.body != believed.menu.body


def _shape(reading: Reading) -> object:
    """What a half-painted screen would show differently: the dialog, or the rule that decided."""
    return reading.menu.body if reading.menu else reading.rule
