"""`make bench-load`: first paint, time until the page is usable, requests and bytes of a load.

Every load uses a new browser context with an empty cache. With `OLD=<commit>`, loads of that commit
and of this tree alternate in one run: then the load of the machine affects both alike, and the
ratios count.
"""

import argparse
import statistics
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from playwright.sync_api import Browser, Response, sync_playwright

from bench.checkouts import ROOT, load_average, old_checkout, running_checkout
from tests.browser.launch import FLAGS, browser_program
from tests.waiting import LONGEST_MS

LOADS = 11
GOAL_REQUESTS, GOAL_KB = 15, 200
GOAL_PAINTED, GOAL_READY = 0.5, 0.6  # new to old
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# The time when the page has the state of tmux.
RECORD_READY = """
  new MutationObserver(() => {
    if (document.body?.hasAttribute('data-ready')) window.readyAt ??= performance.now()
  }).observe(document, { subtree: true, attributeFilter: ['data-ready'] })
"""


@dataclass(frozen=True)
class Load:
    painted: float  # milliseconds
    ready: float
    requests: int
    kilobytes: float  # compressed, without headers


def load(browser: Browser, address: str) -> Load:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(RECORD_READY)
    page = context.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(address, timeout=LONGEST_MS)
    page.wait_for_function("() => window.readyAt", timeout=LONGEST_MS)
    page.wait_for_function(f"() => {PAINTED}", timeout=LONGEST_MS)
    page.wait_for_load_state("networkidle")
    total = sum(response.request.sizes()["responseBodySize"] for response in responses)
    painted, ready = page.evaluate(PAINTED), page.evaluate("window.readyAt")
    context.close()
    return Load(painted, ready, len(responses), total / 1024)


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def report(name: str, runs: list[Load]) -> None:
    painted, ready = [run.painted for run in runs], [run.ready for run in runs]
    print(
        f"{name:4} first paint p50 {statistics.median(painted):6.0f} ms p95 "
        f"{percentile(painted, 0.95):6.0f} ms   usable p50 {statistics.median(ready):6.0f} ms p95 "
        f"{percentile(ready, 0.95):6.0f} ms   {max(run.requests for run in runs):3} requests   "
        f"{max(run.kilobytes for run in runs):5.0f} KB"
    )


def compare(runs: Mapping[str, list[Load]]) -> None:
    for name, value, goal in (
        ("first paint", lambda run: run.painted, GOAL_PAINTED),
        ("usable", lambda run: run.ready, GOAL_READY),
    ):
        p50 = {tree: statistics.median(map(value, loads)) for tree, loads in runs.items()}
        p95 = {tree: percentile([*map(value, loads)], 0.95) for tree, loads in runs.items()}
        print(
            f"new/old {name:11} p50 {p50['new'] / p50['old']:.2f}  p95 "
            f"{p95['new'] / p95['old']:.2f}  (goal {goal})"
        )


def main(old: str, loads: int) -> None:
    with ExitStack() as stack:
        trees = {"old": stack.enter_context(old_checkout(old))} if old else {}
        trees["new"] = ROOT
        servers = {
            name: stack.enter_context(running_checkout(tree)) for name, tree in trees.items()
        }
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browser_program(), args=FLAGS)
        runs: dict[str, list[Load]] = {name: [] for name in servers}
        for number in range(loads + 1):
            for name, server in servers.items():
                result = load(browser, server.address)
                if number:  # the first load warms up the server
                    runs[name].append(result)
        browser.close()
    print(f"\n{loads} first loads of each tree; {load_average()}")
    for name, results in runs.items():
        report(name, results)
    if old:
        compare(runs)
    print(f"goals: {GOAL_REQUESTS} requests, {GOAL_KB} KB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", default="", help="a commit to compare with")
    parser.add_argument("--loads", type=int, default=LOADS)
    arguments = parser.parse_args()
    main(arguments.old, arguments.loads)
