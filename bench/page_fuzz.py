"""`make fuzz-page`: 2,000 mutants of escape sequences, printed by a program in a pane."""

import sys

from bench.browsing import browsing
from tests.flows.harm import Harm, harm_of

COUNT = 2000
SECONDS = 300.0


def main() -> None:
    with browsing() as desk:
        harm = harm_of(desk, COUNT, seconds=SECONDS)
        violations = desk.violations()
    print(f"\n{COUNT} mutants")
    print(f"  frames that the page typed  {len(harm.frames)}")
    print(f"  bytes back, beside tmux's   {len(harm.back)}")
    print(f"  clipboard changes           {int(harm.clipboard != 'mine')}")
    print(f"  scripts run                 {harm.scripts}")
    print(
        f"  dialogs, tabs, navigations  {len(harm.dialogs)}, {harm.tabs}, {len(harm.navigations)}"
    )
    print(f"  broken rules of the policy  {len(violations)}")
    sys.exit(harm != Harm() or violations != [])


if __name__ == "__main__":
    main()
