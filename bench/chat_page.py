"""`make bench-chat-page`: opening and scrolling a chat of 100,000 records in the browser."""

import statistics
import tempfile
import time
from pathlib import Path

import httpx
from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.browser.launch import FLAGS, browser_program
from tests.flows.chat_driver import turns, write_records
from tests.flows.conftest import WIDE
from tests.flows.page_driver import PageDriver
from tests.terminals.served import served_tmux

RECORDS = 100_000
OPENINGS = 30
SCROLL_SECONDS = 5.0
OPEN_GOAL_MS, FRAMES_GOAL = 300, 50
# From the change of the address to the frame in which the newest message is there.
OPEN = """(hash) => new Promise((done) => {
  const began = performance.now()
  location.hash = hash
  const look = () => {
    const rows = document.querySelectorAll('.chat-row')
    if (rows.length) requestAnimationFrame(() => done(performance.now() - began))
    else requestAnimationFrame(look)
  }
  look()
})"""
# The times between frames while the list scrolls by `step` per frame and pages load.
SCROLL = """([step, seconds]) => new Promise((done) => {
  const list = document.querySelector('virtual-list')
  const times = []
  let last = performance.now()
  const end = last + seconds * 1000
  const frame = (now) => {
    times.push(now - last)
    last = now
    list.scrollBy(0, step)
    if (now < end) requestAnimationFrame(frame)
    else done([times.slice(1), list.items.length, document.querySelectorAll('.chat-row').length])
  }
  requestAnimationFrame(frame)
})"""


def opening(page: Page, key: str, kind: str) -> None:
    times = []
    for _ in range(OPENINGS):
        page.evaluate("() => { location.hash = '#/' }")
        page.wait_for_function("() => !document.querySelector('.chat-row')")
        times.append(page.evaluate(OPEN, f"#/window/{key}/chat"))
    print(f"  open, {kind:12} {percentiles(times)}   (goal: {OPEN_GOAL_MS} ms)")


def scrolling(page: Page, kind: str) -> None:
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    print(f"  scroll (goal: {FRAMES_GOAL} frames/s)")
    for label, step in (("a steady wheel", -60), ("a hard flick", -600), ("back down", 600)):
        before = busy(tools)
        times, loaded, drawn = page.evaluate(SCROLL, [step, SCROLL_SECONDS])
        frames = 1000 * len(times) / sum(times)
        each = (busy(tools) - before) * 1000 / len(times)
        print(
            f"  {kind:12} {label:15} {frames:5.1f} frames/s   between two {percentiles(times)}"
            f"   page CPU {each:4.1f} ms a frame   {loaded:,} rows known, {drawn} drawn"
        )


def busy(tools: CDPSession) -> float:
    """CPU seconds of the page's main thread, which do not depend on other load."""
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return float({each["name"]: each["value"] for each in metrics}["TaskDuration"])


def percentiles(times: list[float]) -> str:
    p95 = sorted(times)[int(len(times) * 0.95)]
    return f"p50 {statistics.median(times):6.1f} ms  p95 {p95:6.1f} ms"


def main() -> None:
    chromium = browser_program()
    with (
        served_tmux() as served,
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory(prefix="wtb") as directory,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        driver = PageDriver(
            browser.new_context(**WIDE).new_page(), served, Path(directory), "bench"
        )
        key = driver.key_of(driver.session())
        began = time.monotonic()
        write_records(driver, key, turns(RECORDS // 2))
        print(f"\n{RECORDS:,} records written in {time.monotonic() - began:.0f} s")
        answers(driver, key)
        driver.open()
        for kind in ("Conversation", "Everything"):
            driver.page.evaluate(OPEN, f"#/window/{key}/chat")
            driver.page.get_by_role("button", name=kind).click()
            driver.page.locator(".chat-row").first.wait_for()
            opening(driver.page, key, kind)
            scrolling(driver.page, kind)
        browser.close()


def answers(driver: PageDriver, key: str) -> None:
    """The time that the server needs."""
    middle = driver.rest("GET", f"/windows/{key}/chat?limit=1")["messages"][0]["ts"] - 10**9
    with httpx.Client(base_url=f"{driver.address}/api/windows/{key}", timeout=30) as http:
        for path in (
            "/messages?limit=60", "/chat?limit=60", f"/messages?limit=60&around={middle}",
            "/summary",
        ):  # fmt: skip
            times = []
            for _ in range(OPENINGS):
                began = time.perf_counter()
                http.get(path).raise_for_status()
                times.append((time.perf_counter() - began) * 1000)
            print(f"  GET {path.partition('=1')[0]:32} {percentiles(times)}")
        times = []
        for _ in range(OPENINGS):
            began = time.perf_counter()
            http.get(f"{driver.address}/api/projects/bench-a/timeline").raise_for_status()
            times.append((time.perf_counter() - began) * 1000)
        print(f"  GET {'timeline of its project':32} {percentiles(times)}")


if __name__ == "__main__":
    main()
