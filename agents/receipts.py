"""What a caller is told of a delivery, and what of it is kept.

Pure. What stood on the screen is told to the caller only: it may be a person's text.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a delivery ended."""

    pasted: bool = False
    submitted: bool = False
    turn_started: bool = False
    attempts: int = 0  # at Enter
    ms: int = 0
    error: str = ""
    detail: str = ""  # what the screen showed
    became: str = "prompt"  # what the agent takes the text for: prompt, command …, answer

    @property
    def ok(self) -> bool:
        return self.submitted

    @property
    def harmless(self) -> bool:
        """Enter was never pressed: trying again cannot send it twice."""
        return not self.submitted and self.attempts == 0

    def kept(self) -> dict[str, Any]:
        """For the database: without any text."""
        return {name: value for name, value in asdict(self).items() if name != "detail"}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "Outcome":
        return cls(**kept)


@dataclass(frozen=True, slots=True)
class Receipt:
    id: str
    outcome: Outcome

    @property
    def ok(self) -> bool:
        return self.outcome.ok

    @property
    def error(self) -> str:
        """The reason, and the words on the screen that show it."""
        detail = self.outcome.detail
        return f"{self.outcome.error}: {detail!r}" if detail else self.outcome.error

    def wire(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "pasted": self.outcome.pasted,
            "submitted": self.outcome.submitted,
            "turnStarted": self.outcome.turn_started,
            "attempts": self.outcome.attempts,
            "ms": self.outcome.ms,
            "became": self.outcome.became,
        }

    def fields(self) -> dict[str, Any]:
        """Of the socket's answer: ok with the receipt, or not ok and why."""
        said = {"ok": self.ok, "receipt": self.wire()}
        return said if self.ok else {**said, "error": self.error}
