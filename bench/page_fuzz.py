"""`make fuzz-page`: 2,000 mutants of escape sequences, printed by a program in a pane."""

import sys

from bench.browsing import browsing
from tests.flows.side_effects import SideEffects, side_effects_of

COUNT = 2000
SECONDS = 300.0


def main() -> None:
    with browsing() as driver:
        effects = side_effects_of(driver, COUNT, seconds=SECONDS)
        violations = driver.violations()
    print(f"\n{COUNT} mutants")
    print(f"  frames that the page typed  {len(effects.frames)}")
    print(f"  bytes back, except tmux's   {len(effects.pane_input)}")
    print(f"  clipboard changes           {int(effects.clipboard != 'mine')}")
    print(f"  scripts run                 {effects.scripts}")
    opened = f"{len(effects.dialogs)}, {effects.tabs}, {len(effects.navigations)}"
    print(f"  dialogs, tabs, navigations  {opened}")
    print(f"  broken rules of the policy  {len(violations)}")
    sys.exit(effects != SideEffects() or violations != [])


if __name__ == "__main__":
    main()
