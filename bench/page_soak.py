"""`make soak-page`: eight panes print for minutes, eight terminals of one page show them.

Compared is the heap after a collection: before, when every history is full, and after. MINUTES=10.
"""

import os
import sys
import time

from playwright.sync_api import CDPSession

from bench.browsing import browsing
from tests.flows.desk import Desk
from tests.flows.terminals import act, opened, prompted, split, until

MINUTES = 10.0
HISTORY = 12_000  # lines, more than a terminal keeps
LINES = 100  # a second and pane
GOAL_MB = 20.0
PRINT = (
    "i=0; while :; do i=$((i+1)); "
    f"printf '\\033[3%dm%s line %d\\033[0m\\n' $((i%8)) 'größe 漢字 {'x' * 40}' $i; "
    f"[ $((i%{LINES})) -eq 0 ] && sleep 1; done"
)


def heap(cdp: CDPSession) -> float:
    """Megabytes, what typed arrays hold included."""
    for _ in range(3):
        cdp.send("HeapProfiler.collectGarbage")
    told = cdp.send("Runtime.getHeapUsage")
    return float(told["usedSize"] + told.get("backingStorageSize", 0)) / 1e6


def eight_panes(desk: Desk) -> list[str]:
    panes = [desk.session(name) for name in "abcd"]
    panes += [split(desk, pane) for pane in panes]
    opened(desk, panes[0])
    act(desk, "grid-4")
    for place, name in enumerate("abcd", start=1):
        label = f"{desk.prefix}-{name} · {name}"
        desk.page.get_by_label(f"Window in place {place}").select_option(label=label)
    for pane in panes:
        prompted(desk, pane)
    return panes


def printed(desk: Desk, panes: list[str], words: str) -> None:
    for pane in panes:
        until(desk, lambda pane=pane: words in desk.screen(pane), seconds=180)  # type: ignore[misc]
        desk.wait_for_text(pane, words, seconds=60)


def main(minutes: float) -> None:
    with browsing() as desk:
        panes = eight_panes(desk)
        cdp = desk.page.context.new_cdp_session(desk.page)
        for pane in panes:
            desk.type(pane, f"seq 1 {HISTORY}; echo fu''ll")
        printed(desk, panes, f"{HISTORY}\nfull")
        for pane in panes:
            desk.type(pane, PRINT)
        desk.page.wait_for_timeout(20_000)
        before = heap(cdp)
        print(f"\n8 panes, {minutes:g} minutes; heap at first {before:.1f} MB", flush=True)
        ends = time.monotonic() + minutes * 60
        while time.monotonic() < ends:
            desk.page.wait_for_timeout(min(60_000, max(0, (ends - time.monotonic()) * 1000)))
            print(f"  {heap(cdp) - before:+.1f} MB", flush=True)
        grown = heap(cdp) - before
        for pane in panes:
            desk.tmux("send-keys", "-t", pane, "C-c")
            desk.type(pane, "echo al''ive")
        printed(desk, panes, "\nalive")
    load = os.getloadavg()[0]
    print(
        f"  growth {grown:+.1f} MB (goal {GOAL_MB:.0f}); load {load:.1f} on {os.cpu_count()} cores"
    )
    sys.exit(grown >= GOAL_MB)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES)
