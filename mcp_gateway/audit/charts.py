"""Computes the bars of the calls-per-hour chart, in an SVG of 100 by 100. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

GAP = 0.2  # of a bar's own width


@dataclass(frozen=True, slots=True)
class Hour:
    begins: datetime
    calls: int
    failed: int

    @property
    def title(self) -> str:
        return f"{self.begins:%H:%M}: {self.calls} calls, {self.failed} failed"


@dataclass(frozen=True, slots=True)
class Bar:
    """Failed calls are drawn at the bottom of the bar."""

    hour: Hour
    x: str
    width: str
    top: str
    height: str
    failed_top: str
    failed_height: str


@dataclass(frozen=True, slots=True)
class Chart:
    bars: list[Bar]
    calls: int
    failed: int
    most: int


def draw(hours: Sequence[Hour]) -> Chart:
    most = max((hour.calls for hour in hours), default=0)
    step = 100 / max(len(hours), 1)
    return Chart(
        bars=[_bar(hour, index * step, step, most) for index, hour in enumerate(hours)],
        calls=sum(hour.calls for hour in hours),
        failed=sum(hour.failed for hour in hours),
        most=most,
    )


def _bar(hour: Hour, x: float, step: float, most: int) -> Bar:
    height = 100 * hour.calls / most if most else 0
    failed = 100 * hour.failed / most if most else 0
    return Bar(
        hour=hour,
        x=_number(x + step * GAP / 2),
        width=_number(step * (1 - GAP)),
        top=_number(100 - height),
        height=_number(height - failed),
        failed_top=_number(100 - failed),
        failed_height=_number(failed),
    )


def _number(value: float) -> str:
    """Formatted for SVG, independent of the page's locale."""
    return f"{value:.2f}"
