"""Scores the screen rules with labelled screens: DIRECTORY/RUNTIME/SIZE--STATE--SITUATION.txt.

STATE is the true state: idle, working, waiting or unknown; several joined by `+` are all right.
`menu` stands for waiting+unknown: it is open, and it does not matter whether its options are read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agents.runtimes.loader import AgentState, load
from agents.screen.states import Reading, read_screen

MENU = "menu"
PATTERN = "*/*--*.txt"


class InvalidLabel(Exception):
    """The name of a file is not a label."""


@dataclass(frozen=True, slots=True)
class ScoredScreen:
    path: Path
    runtime: str
    states: frozenset[AgentState]  # the states that are right
    reading: Reading

    @property
    def right(self) -> bool:
        return self.reading.state in self.states


def true_states(path: Path) -> frozenset[AgentState]:
    """The right states, from the name of the file."""
    label = path.stem.split("--")[1]
    words = label.replace(MENU, f"{AgentState.WAITING}+{AgentState.UNKNOWN}").split("+")
    try:
        return frozenset(map(AgentState, words))
    except ValueError:
        known = ", ".join([*AgentState, MENU])
        raise InvalidLabel(f"{path.name}: {label!r} is not made of {known}") from None


def score(directory: Path) -> Iterator[ScoredScreen]:
    for path in sorted(directory.glob(PATTERN)):
        runtime = path.parent.name
        lines = path.read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
        reading = read_screen(lines, load(runtime))
        yield ScoredScreen(path, runtime, true_states(path), reading)
