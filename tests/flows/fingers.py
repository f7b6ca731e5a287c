"""Fingers on a phone's screen, as the browser gets them from the glass."""

from collections.abc import Sequence
from itertools import pairwise

from playwright.sync_api import Page

Point = tuple[float, float]
STEPS = 8  # between two points: a finger that jumps is no drag


class Hand:
    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def press(self, *points: Point) -> None:
        self._tell("touchStart", points)

    def lift(self) -> None:
        self._tell("touchEnd", ())

    def drag(self, *ways: Sequence[Point]) -> None:
        """Each finger along its way, all at once."""
        self.press(*(way[0] for way in ways))
        for legs in zip(*(pairwise(way) for way in ways), strict=True):
            for step in range(1, STEPS + 1):
                self._tell("touchMove", [_between(one, other, step / STEPS) for one, other in legs])
        self.lift()

    def _tell(self, kind: str, points: Sequence[Point]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
