"""`send_prompt`, then `wait_for` idle: does the wait end with the turn?"""

import time

from lab.agents import AgentProgram
from lab.suites.common import Table, end_turn, ready

ROUNDS = 5
EARLY_SECONDS = 0.3
LATE_SECONDS = 5.0
WAIT_SECONDS = 30
PROMPTS = ("SLEEP 3 ;; SAY slept", "STREAM 4 =lines", "SAY at once", "SLEEP 6 ;; SAY long")


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("waits")
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
            ends = [each.timestamp for each in bench.model.replies()[since:] if each.tools]
            if not result.get("met"):
                outcome, note = "not met", f"{result}"
            elif not ends or returned < ends[-1] - EARLY_SECONDS:
                outcome, note = "EARLY", f"{prompt!r} {result}"
            else:
                delay = returned - ends[-1]
                outcome = "with the turn" if delay < LATE_SECONDS else "late"
                note = f"{delay:.2f} s after the reply"
            table.add("wait_for idle", outcome, note)
            end_turn(bench)
    return table
