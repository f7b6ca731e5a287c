"""The result of a delivery: what the caller receives, and which part of it is stored.

Pure. The text that the screen showed goes to the caller only, because it may be the user's.
agents/schemas.py turns a receipt into its wire form.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """How a delivery ended."""

    pasted: bool = False
    submitted: bool = False
    turn_started: bool = False
    attempts: int = 0  # at Enter
    ms: int = 0
    error: str = ""
    detail: str = ""  # what the screen showed
    became: str = "prompt"  # what the agent takes the text for: prompt, command…, answer
    confirmed_by: str = ""  # who says that it was submitted: hook, screen; empty: no one
    # Whether the agent received exactly the text that was sent: as it reports itself, or as it is
    # known to change it. None: it reports none.
    exact: bool | None = None
    altered: str = ""  # what it changed: "tabs became spaces"

    @property
    def ok(self) -> bool:
        return self.submitted

    @property
    def harmless(self) -> bool:
        """Enter was never pressed, so a retry cannot send the prompt twice."""
        return not self.submitted and self.attempts == 0

    def stored(self) -> dict[str, object]:
        """For the database: without any text of the screen."""
        return {name: value for name, value in asdict(self).items() if name != "detail"}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "DeliveryOutcome":  # as `stored` returned it
        return cls(**stored)


@dataclass(frozen=True, slots=True)
class Receipt:
    id: str
    outcome: DeliveryOutcome

    @property
    def ok(self) -> bool:
        return self.outcome.ok

    @property
    def turn(self) -> str:
        """The id of the turn that it began. An answer begins none; of commands only some do."""
        outcome = self.outcome
        began = outcome.became == "prompt" or (outcome.became == "command" and outcome.turn_started)
        return self.id if self.ok and began else ""

    @property
    def error(self) -> str:
        """The reason, and the text on the screen that shows it."""
        detail = self.outcome.detail
        return f"{self.outcome.error}: {detail!r}" if detail else self.outcome.error
