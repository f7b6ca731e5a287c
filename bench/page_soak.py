"""`make soak-page`: eight panes print for minutes, shown by eight terminals on one page.

Compared is the heap after a collection: before, when every history is full, and after. MINUTES=10.
"""

import os
import sys
import time

from playwright.sync_api import CDPSession

from bench.browsing import browsing
from tests.flows.page_driver import PageDriver
from tests.flows.terminal_driver import open_terminal, run_action, split_pane, wait_for_prompt

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
    """Heap in megabytes, including typed arrays."""
    for _ in range(3):
        cdp.send("HeapProfiler.collectGarbage")
    usage = cdp.send("Runtime.getHeapUsage")
    return float(usage["usedSize"] + usage.get("backingStorageSize", 0)) / 1e6


def eight_panes(driver: PageDriver) -> list[str]:
    panes = [driver.session(name) for name in "abcd"]
    panes += [split_pane(driver, pane) for pane in panes]
    open_terminal(driver, panes[0])
    run_action(driver, "grid-4")
    for slot, name in enumerate("abcd", start=1):
        label = f"{driver.prefix}-{name} · {name}"
        driver.page.get_by_label(f"Window in slot {slot}").select_option(label=label)
    for pane in panes:
        wait_for_prompt(driver, pane)
    return panes


def printed(driver: PageDriver, panes: list[str], words: str) -> None:
    for pane in panes:
        driver.wait_until(lambda pane=pane: words in driver.screen(pane), seconds=180)  # type: ignore[misc]
        driver.wait_for_text(pane, words, seconds=60)


def main(minutes: float) -> None:
    with browsing() as driver:
        panes = eight_panes(driver)
        cdp = driver.page.context.new_cdp_session(driver.page)
        for pane in panes:
            driver.type(pane, f"seq 1 {HISTORY}; echo fu''ll")
        printed(driver, panes, f"{HISTORY}\nfull")
        for pane in panes:
            driver.type(pane, PRINT)
        driver.page.wait_for_timeout(20_000)
        before = heap(cdp)
        print(f"\n8 panes, {minutes:g} minutes; heap at first {before:.1f} MB", flush=True)
        ends = time.monotonic() + minutes * 60
        while time.monotonic() < ends:
            driver.page.wait_for_timeout(min(60_000, max(0, (ends - time.monotonic()) * 1000)))
            print(f"  {heap(cdp) - before:+.1f} MB", flush=True)
        grown = heap(cdp) - before
        for pane in panes:
            driver.tmux("send-keys", "-t", pane, "C-c")
            driver.type(pane, "echo al''ive")
        printed(driver, panes, "\nalive")
    load = os.getloadavg()[0]
    print(
        f"  growth {grown:+.1f} MB (goal {GOAL_MB:.0f}); load {load:.1f} on {os.cpu_count()} cores"
    )
    sys.exit(grown >= GOAL_MB)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES)
