"""`make soak-chat`: random lines through every interface, compared with the chat records."""

import asyncio
import difflib
import sys
import time

from tests.agents.chat import lines
from tests.terminals.served import served_tmux

WINDOWS, LINES = 20, 1000
LONGEST_SECONDS = 1800.0


def main() -> int:
    """The number of windows whose records differ from the input, plus one for a leaked password."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else LINES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    began = time.monotonic()
    with served_tmux() as served:
        work = lines.drive_all(served, windows=WINDOWS, lines=count, seed=seed)
        targets = asyncio.run(asyncio.wait_for(work, LONGEST_SECONDS))
        recorded = {target.name: lines.lines_of(served, target) for target in targets}
        hidden = not lines.contains_secret(served)
    wrong = [target.name for target in targets if recorded[target.name] != target.expected]
    sent = sum(len(target.expected) for target in targets)
    print(
        f"seed {seed}: {sent} lines in {WINDOWS} windows,"
        f" {time.monotonic() - began:.0f} s\nrecorded {sum(map(len, recorded.values()))};"
        f" windows with a line missing, repeated, altered or out of order: {wrong or 'none'}\n"
        f"the hidden password is {'nowhere in the database' if hidden else 'IN THE DATABASE'}"
    )
    for target in targets:
        for line in difflib.unified_diff(
            target.expected, recorded[target.name], "sent", "recorded"
        ):
            print(target.name, line)
    return len(wrong) + (not hidden)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
