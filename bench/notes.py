"""`make bench-notes`: the cost of changing one task over REST, on a sheet of 1,000 tasks.

End to end: HTTP client, gate, Django, SQLite. Alternates with a trivial request in one run.
"""

import os
import random
import time
from collections import defaultdict
from collections.abc import Callable
from statistics import median
from typing import Any

import httpx

from bench.private_tmux import ms
from tests.terminals.served import served_tmux

TASKS = 1000
ROUNDS = 200
WARM_ROUNDS = 20
GOAL_P50 = 10.0  # ms
OWNER = "/api/projects/work"
READS = {"GET /healthz": "/healthz", "GET projects": "/api/projects", "GET notes": f"{OWNER}/notes"}
CHANGES: dict[str, Callable[[int], dict[str, Any]]] = {
    "add": lambda number: {"text": f"[WIP] another one {number}"},
    "set_status": lambda number: {"index": _place(), "status": ("WIP", "CM")[number % 2]},
    "set_text": lambda number: {"index": _place(), "text": f"new text {number}"},
    "move": lambda number: {"index": _place(), "toIndex": _place()},
    "remove": lambda number: {"index": _place()},
}
Times = dict[str, list[float]]


def _place() -> int:
    return random.randrange(TASKS)


def sheet() -> str:
    """A realistic mix of statuses, bullets and check boxes."""
    forms = ("{}", "[WIP] {}", "- [ ] {}", "- {}", "[BL] {}", "[CM] {}")
    return "\n".join(forms[n % 6].format(f"task {n} of a long list") for n in range(TASKS))


def turn(rest: httpx.Client, number: int, times: Times) -> None:
    """One change of each kind. Added tasks are removed again, so the sheet keeps its length."""
    for name, path in READS.items():
        _timed(times[name], rest, "GET", path)
    for action, fields in CHANGES.items():
        body = {"action": action, **fields(number)}
        _timed(times[f"update_task {action}"], rest, "POST", f"{OWNER}/tasks", json=body)


def _timed(times: list[float], rest: httpx.Client, method: str, path: str, **more: Any) -> None:
    began = time.perf_counter()
    answer = rest.request(method, path, **more)
    times.append(time.perf_counter() - began)
    answer.raise_for_status()


def measure() -> Times:
    times: Times = defaultdict(list)
    with served_tmux() as served, httpx.Client(base_url=served.running.address) as rest:
        rest.put(f"{OWNER}/notes", json={"notes": sheet()}).raise_for_status()
        for number in range(WARM_ROUNDS):
            turn(rest, number, defaultdict(list))
        for number in range(ROUNDS):
            turn(rest, number, times)
    return times


def main() -> None:
    times = measure()
    base = median(times["GET projects"])
    print(f"\na sheet of {TASKS} tasks; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, seconds in times.items():
        print(f"  {name:24} {ms(seconds)}   {median(seconds) / base:5.1f} of GET projects")
    changes = [second for name, each in times.items() if "update_task" in name for second in each]
    print(f"  every update_task        {ms(changes)}   (goal: p50 {GOAL_P50:.0f} ms)")


if __name__ == "__main__":
    main()
