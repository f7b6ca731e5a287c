"""`send_prompt`, then `wait_for` idle: does the wait end with the turn?"""

import time

from lab.agents import AgentProgram
from lab.harness import Bench
from lab.suites.common import Table, end_turn, percentile, ready

ROUNDS = 20
EARLY_SECONDS = 0.3
LATE_SECONDS = 5.0
WAIT_SECONDS = 30
PROMPTS = ("SLEEP 3 ;; SAY slept", "STREAM 4 =lines", "SAY at once", "SLEEP 6 ;; SAY long")


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table, delays = Table("waits"), list[float]()
    with ready(kind, size) as bench:
        for number in range(rounds or ROUNDS):
            prompt = PROMPTS[number % len(PROMPTS)]
            since = len(bench.model.replies())
            window = bench.agent()["windowId"]
            if not (reply := bench.prompt(prompt)).ok:
                table.add("wait_for idle", "refused", reply.error)
                continue
            result = bench.tool("wait_for", windowId=window, states=["idle"], seconds=WAIT_SECONDS)
            returned = time.time()
            end_turn(bench)
            end = _end(bench, since)
            if not result.get("met"):
                outcome, note = "not met", f"{result}"
            elif end is None or returned < end - EARLY_SECONDS:
                early = f"{end - returned:.2f} s" if end else "no end"
                outcome, note = "EARLY", f"{prompt!r} {early} {result}\n{bench.explain()}"
            else:
                delay = returned - end
                outcome = "with the turn" if delay < LATE_SECONDS else "late"
                note = f"{delay:.2f} s after the reply"
                delays.append(delay)
            table.add("wait_for idle", outcome, note)
    table.figures.append(
        f"after the end of the reply, p50 / longest: {percentile(delays, 50):.2f} /"
        f" {max(delays, default=0):.2f} s of {len(delays)}"
    )
    return table


def _end(bench: Bench, since: int) -> float | None:
    """When the last reply of the turn had been sent. Its log may be a moment behind the agent."""
    deadline = time.monotonic() + LATE_SECONDS
    while True:
        ends = [each.timestamp for each in bench.model.replies()[since:] if each.tools]
        if ends or time.monotonic() > deadline:
            return ends[-1] if ends else None
        time.sleep(0.1)
