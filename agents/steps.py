"""What passes between the decisions of a delivery and whoever carries them out: looks and steps.

Pure. What is decided is in delivery.py, what is done in prompts.py.
"""

from dataclasses import dataclass
from enum import StrEnum


class Step(StrEnum):
    LOOK = "look"  # again, a little later
    CLEAR = "clear"  # the composer, of what somebody left there
    PASTE = "paste"
    ESCAPE = "escape"
    ENTER = "enter"
    ERASE = "erase"  # one character: the line break that an Enter made
    WAKE = "wake"  # have the program draw itself anew
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Look:
    """What the screen told at one moment."""

    at: float  # milliseconds of any clock
    composer: str | None  # what stands in the input box; None: no box is seen
    working: bool = False
    waiting: bool = False
    question: str = ""
    above: str = ""  # what is shown above the box; all of the screen where there is none
    depth: int = 0  # rows from the top of the composer to the end of the screen
    width: int = 0
    unread: bool = False  # keys are in the terminal that the agent has not read yet
    blocked: str = ""  # why the composer does not have the keyboard: a menu is open, shell mode …
