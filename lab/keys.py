"""Measures what single keys do in an agent's approval dialog, with one dialog for each key."""

import time
from dataclasses import dataclass

from lab.panes import Pane
from lab.screens import ASKS, Tour

WATCH_SECONDS = 2.0


@dataclass(frozen=True)
class KeyResult:
    keys: tuple[str, ...]
    ran: bool
    open: bool  # whether this dialog, or another, is open afterwards
    changed: bool  # whether anything on the screen changed
    screen: str


def measure(pane: Pane, tour: Tour, number: int, keys: tuple[str, ...]) -> KeyResult:
    marker = pane.place.work / f"key{number}"
    tour.submit(f"RUN touch {marker}")
    tour.asks()
    before = pane.screen(colours=True)
    for key in keys:
        pane.press(key)
        time.sleep(WATCH_SECONDS)
    after = pane.screen(colours=True)
    screen = pane.screen()
    result = KeyResult(
        keys,
        marker.exists(),
        ASKS[pane.kind.name].search(screen) is not None,
        after != before,
        screen,
    )
    tour.close()
    tour.idle()
    return result
