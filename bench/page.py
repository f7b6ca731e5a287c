"""`make bench-page`: from a key to the frame that shows its echo, in Chromium; then under a flood.

The time runs from the browser's own stamp of the key to the first task after the frame in which
the terminal drew another row: what a person sees, without the screen itself.
"""

import os
import time

from bench.browsing import browsing
from tests.flows.desk import Desk
from tests.flows.terminals import focus, opened, prompted, split, until

KEYS = 300
LINE = 40  # keys before the line is cleared
GOALS = {"alone": (25.0, 40.0), "beside a flood": (None, 60.0)}
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


def key_times(desk: Desk, pane: str) -> list[float]:
    focus(desk, pane)
    desk.page.evaluate(WATCH_KEYS, pane)
    for number in range(1, KEYS + 1):
        desk.page.evaluate("window.before = times.length")
        desk.page.keyboard.press("qwyuvno"[number % 7] if number % LINE else "Control+u")
        desk.wait_for("() => times.length > window.before")
    times: list[float] = desk.page.evaluate("times")
    return sorted(times)


def stop_time(desk: Desk, pane: str) -> float:
    """Milliseconds from Ctrl-C to tmux saying that `yes` is gone."""
    focus(desk, pane)
    began = time.perf_counter()
    desk.page.keyboard.press("Control+c")
    while command(desk, pane) == "yes":
        assert time.perf_counter() - began < 30, "yes goes on"
    return (time.perf_counter() - began) * 1000


def command(desk: Desk, pane: str) -> str:
    return desk.tmux("display-message", "-p", "-t", pane, "#{pane_current_command}")


def report(name: str, times: list[float]) -> None:
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    goal50, goal95 = GOALS[name]
    wanted = f"goal {f'{goal50:.0f} and ' if goal50 else ''}{goal95:.0f}"
    print(f"  {name:16} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  most {times[-1]:6.1f} ms  ({wanted})")


def main() -> None:
    with browsing() as desk:
        pane = desk.session()
        other = split(desk, pane)
        opened(desk, pane)
        prompted(desk, other)
        alone = key_times(desk, pane)
        desk.type(other, "yes")
        until(desk, lambda: command(desk, other) == "yes")
        flooded = key_times(desk, pane)
        stopped = stop_time(desk, other)
    print(f"\nkey to paint, {KEYS} keys; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    report("alone", alone)
    report("beside a flood", flooded)
    print(f"  Ctrl-C ends yes in {stopped:.0f} ms (goal {STOP_GOAL_MS:.0f})")


if __name__ == "__main__":
    main()
