"""Two similar dialogs in a row, the agent stalled around the key: how many commands ran?"""

import random
import time
from concurrent.futures import ThreadPoolExecutor

from lab.agents import AgentProgram
from lab.harness import Bench, Reply
from lab.suites.common import QUIET_SECONDS, Table, ask, end_turn, option_for, ready

DOUBLES = 40
STALLS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)

# "frozen": the agent is stopped before the answer, unnoticed by webtmux, so that the key waits in
# the terminal. "stopped": webtmux may notice it, and then refuses.
WAYS = (
    *("frozen", "frozen", "not stalled", "frozen", "stopped after"),
    *("frozen", "frozen", "not stalled", "frozen", "stopped before"),
)


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    """Two similar dialogs in a row, the agent stalled around the key: how many commands ran?"""
    table, rounds = Table("doubles"), rounds or DOUBLES
    chance = random.Random(12)
    with ready(kind, size) as bench:
        for number in range(rounds):
            stall = STALLS[number % len(STALLS)]
            way = WAYS[number % len(WAYS)]
            first, second = ("1", "1") if number % 2 else ("1", "2")
            pause = chance.choice(("", "", "SLEEP 0.3 ;; ", "SLEEP 0.8 ;; "))
            count = bench.pane.place.work / "count"
            count.unlink(missing_ok=True)
            try:
                agent = ask(bench, f"RUN ./bump {first} ;; {pause}RUN ./bump {second}")
                option = option_for(agent, "once")
            except (RuntimeError, TimeoutError, LookupError) as failure:
                table.add(way, "not asked", str(failure))
                continue
            reply = _stalled_answer(bench, str(option["number"]), way, stall, chance)
            time.sleep(QUIET_SECONDS)
            ran = len(count.read_text().splitlines()) if count.exists() else 0
            outcome = ("none ran", "one ran")[ran] if ran < 2 else "DOUBLE"
            note = "" if ran == 1 and reply.ok else f"stall {stall} ran {ran} {reply}"
            table.add(way, outcome, note)
            end_turn(bench)
    return table


def _stalled_answer(
    bench: Bench, answer: str, way: str, stall: float, chance: random.Random
) -> Reply:
    with ThreadPoolExecutor(1) as pool:
        if way in ("frozen", "stopped before"):
            with bench.stalled(visibly=way != "frozen"):
                reply = pool.submit(bench.answer, answer)
                time.sleep(stall)
            return reply.result()
        reply = pool.submit(bench.answer, answer)
        if way == "stopped after":
            time.sleep(chance.uniform(0.0, 0.25))
            with bench.stalled():
                time.sleep(stall)
        return reply.result()
