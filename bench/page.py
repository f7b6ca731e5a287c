"""`make bench-page`: from a key to the frame that shows its echo, in Chromium; then under a flood.

The time runs from the browser's own stamp of the key to the first task after the frame in which
the terminal drew another row: what the user sees, except for the display itself.
"""

import os
import time

from bench.browsing import browsing
from tests.flows.page_driver import PageDriver
from tests.flows.terminal_driver import focus_pane, open_terminal, split_pane, wait_for_prompt

KEYS = 300
LINE = 40  # keys before the line is cleared
GOALS = {"alone": (25.0, 40.0), "during a flood": (None, 60.0)}
STOP_GOAL_MS = 1000.0
WATCH_KEYS = """(name) => {
  const terminal = document.querySelector(`tmux-adapter-web[name='${name}']`)
  const rows = terminal.shadowRoot.querySelector('.xterm-rows')
  window.times = []
  let began = 0
  const painted = new MessageChannel()
  painted.port1.onmessage = ({ data }) => { times.push(performance.now() - data) }
  terminal.addEventListener('keydown', (event) => { began = event.timeStamp }, { capture: true })
  new MutationObserver(() => {
    if (began) painted.port2.postMessage(began)
    began = 0
  }).observe(rows, { childList: true, subtree: true, characterData: true })
}"""


def key_times(driver: PageDriver, pane: str) -> list[float]:
    focus_pane(driver, pane)
    driver.page.evaluate(WATCH_KEYS, pane)
    for number in range(1, KEYS + 1):
        driver.page.evaluate("window.before = times.length")
        driver.page.keyboard.press("qwyuvno"[number % 7] if number % LINE else "Control+u")
        driver.wait_for("() => times.length > window.before")
    times: list[float] = driver.page.evaluate("times")
    return sorted(times)


def stop_time(driver: PageDriver, pane: str) -> float:
    """Milliseconds from Ctrl-C to tmux saying that `yes` is gone."""
    focus_pane(driver, pane)
    began = time.perf_counter()
    driver.page.keyboard.press("Control+c")
    while command(driver, pane) == "yes":
        assert time.perf_counter() - began < 30, "yes goes on"
    return (time.perf_counter() - began) * 1000


def command(driver: PageDriver, pane: str) -> str:
    return driver.tmux("display-message", "-p", "-t", pane, "#{pane_current_command}")


def report(name: str, times: list[float]) -> None:
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    goal50, goal95 = GOALS[name]
    wanted = f"goal {f'{goal50:.0f} and ' if goal50 else ''}{goal95:.0f}"
    print(f"  {name:16} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  most {times[-1]:6.1f} ms  ({wanted})")


def main() -> None:
    with browsing() as driver:
        pane = driver.session()
        other = split_pane(driver, pane)
        open_terminal(driver, pane)
        wait_for_prompt(driver, other)
        alone = key_times(driver, pane)
        driver.type(other, "yes")
        driver.wait_until(lambda: command(driver, other) == "yes")
        flooded = key_times(driver, pane)
        stopped = stop_time(driver, other)
    print(f"\nkey to paint, {KEYS} keys; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    report("alone", alone)
    report("during a flood", flooded)
    print(f"  Ctrl-C ends yes in {stopped:.0f} ms (goal {STOP_GOAL_MS:.0f})")


if __name__ == "__main__":
    main()
