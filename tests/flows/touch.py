"""Touch events on the screen of a phone, sent through the DevTools protocol."""

from collections.abc import Sequence
from itertools import pairwise

from playwright.sync_api import Page

Point = tuple[float, float]
STEPS = 8  # between two points: a single jump is not recognised as a drag


class Touch:
    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)

    def press(self, *points: Point) -> None:
        self._send("touchStart", points)

    def move(self, start: Point, end: Point) -> None:
        """Moves the finger that is pressed."""
        for step in range(1, STEPS + 1):
            self._send("touchMove", [_between(start, end, step / STEPS)])

    def lift(self) -> None:
        self._send("touchEnd", ())

    def drag(self, *paths: Sequence[Point]) -> None:
        """Moves each finger along its path, all at the same time."""
        self.press(*(path[0] for path in paths))
        for segments in zip(*(pairwise(path) for path in paths), strict=True):
            for step in range(1, STEPS + 1):
                self._send(
                    "touchMove", [_between(start, end, step / STEPS) for start, end in segments]
                )
        self.lift()

    def _send(self, kind: str, points: Sequence[Point]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def _between(start: Point, end: Point, ratio: float) -> Point:
    return (start[0] + (end[0] - start[0]) * ratio, start[1] + (end[1] - start[1]) * ratio)
