"""`make soak-joins`: 500 joins at random moments of recorded output, compared cell by cell.

xterm.js in Chromium against tmux's own cells: text, colours and attributes of the screen and of the
scrollback, and the cursor.
"""

import random
import sys

from bench.browsing import browsing
from tests.flows.joins import TERMINAL, Totals, join_everywhere, joined_pane
from tests.flows.recorded_output import (
    PROGRAMS,
    RUNTIMES,
    agent_redraws,
    agent_screens,
    program,
    styled_noise,
)

JOINS = 500
SHOWN = 5  # rows that differ


def outputs() -> dict[str, tuple[str, bytes]]:
    """The size of the pane, and what it prints."""
    recorded: dict[str, tuple[str, bytes]] = {}
    for runtime in RUNTIMES:
        for size in ("80x24", "120x40"):
            recorded[f"{runtime} {size}"] = size, agent_screens(runtime, size)
        recorded[f"{runtime} redrawn"] = "120x40", agent_redraws(runtime, "120x40")
    for name in PROGRAMS:
        recorded[name] = "80x24", program(name, "80x24")
    for seed in range(5):
        recorded[f"styled noise {seed}"] = "80x24", styled_noise(seed)
    return {name: (size, output) for name, (size, output) in recorded.items() if output}


def main(joins: int = JOINS) -> None:
    recorded, chance, total = outputs(), random.Random(14), Totals()
    with browsing() as driver:
        driver.open()
        driver.page.evaluate(TERMINAL)
        print(f"{'':24}joins   different cells: screen  scrollback  cursors")
        for index, (name, (size, output)) in enumerate(recorded.items()):
            count = joins // len(recorded) + (index < joins % len(recorded))
            totals = Totals()
            with joined_pane(driver, f"p{index}", size=size) as pane:
                join_everywhere(pane, output, count, chance, totals)
            line(name, totals)
            total.include(totals)
    line("all", total)
    print(f"cells compared: {total.screen.compared:,} on the screen, "
          f"{total.history.compared:,} in the scrollback")  # fmt: skip
    for expected, shown in [*total.screen.examples, *total.history.examples][:SHOWN]:
        print(f"  tmux   {expected!r}\n  xterm  {shown!r}")
    sys.exit(total.different != 0)


def line(name: str, totals: Totals) -> None:
    print(f"{name:24}{totals.joins:5}{totals.screen.cells:24,}{totals.history.cells:12,}"
          f"{totals.cursors:9}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
