"""`make bench-load`: time to first paint and transferred bytes of the page.

Every load uses a new browser context with an empty cache.
"""

import shutil
import statistics

from playwright.sync_api import Browser, Response, sync_playwright

from tests.browser.conftest import FLAGS
from tests.terminals.served import served_tmux

LOADS = 11
GOAL_MS, GOAL_KB = 1000, 200
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def load(browser: Browser, address: str) -> tuple[float, float, float]:
    """Milliseconds to the first paint and to the whole workspace, and kilobytes without headers."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address)
    page.wait_for_selector("body[data-ready]", state="attached")
    ready = page.evaluate("performance.now()")
    page.wait_for_function(PAINTED)
    painted = page.evaluate(PAINTED)
    total = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
    context.close()
    return painted, ready, total / 1024


def main() -> None:
    with served_tmux() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        runs = [load(browser, served.running.address) for _ in range(LOADS)]
        browser.close()
    painted, ready, size = (statistics.median(values) for values in zip(*runs, strict=True))
    slowest = max(run[0] for run in runs)
    print(f"first paint   p50 {painted:6.0f} ms  slowest {slowest:.0f} ms  (goal {GOAL_MS} ms)")
    print(f"workspace     p50 {ready:6.0f} ms")
    print(f"first load        {size:6.0f} KB  (goal {GOAL_KB} KB)")


if __name__ == "__main__":
    main()
