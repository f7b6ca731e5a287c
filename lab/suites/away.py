"""Does an agent with hooks notice that webtmux is hung or gone? The time of whole turns.

A turn has a prompt, a command that runs without asking, and a reply: five hooks. Prompts are typed
without webtmux. Rounds with webtmux running and stopped (SIGSTOP) alternate, because the load of
the machine changes; then webtmux is killed in the middle of a turn, and stays away.
"""

import os
import signal
import time

from lab.agents import AgentProgram
from lab.harness import Bench
from lab.suites.common import Table, percentile, ready

ROUNDS = 12
TURN_SECONDS = 30.0
HUNG, GONE, RUNNING = "hung (SIGSTOP)", "gone (SIGKILL)", "running"


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("away")
    times: dict[str, list[float]] = {RUNNING: [], HUNG: [], GONE: []}
    with ready(kind, size) as bench:
        process = bench.server.process
        _turn(bench, "warm-up")
        for number in range(rounds or ROUNDS):
            times[RUNNING].append(_turn(bench, f"running-{number}"))
            os.kill(process.pid, signal.SIGSTOP)
            try:
                times[HUNG].append(_turn(bench, f"hung-{number}"))
            finally:
                os.kill(process.pid, signal.SIGCONT)
        bench.pane.type("SAY first ;; RUN echo killed ;; SAY done")
        bench.pane.press("Enter")
        time.sleep(0.3)
        process.kill()
        process.wait(10)
        bench.tour.idle()
        times[GONE] = [_turn(bench, f"gone-{number}") for number in range(rounds or ROUNDS)]
    for name, values in times.items():
        table.add(name, "turns", f"{[round(value, 3) for value in values]}")
        table.counts[name]["turns"] = len(values)
        slower = percentile(values, 50) - percentile(times[RUNNING], 50)
        table.figures.append(
            f"{name}: turn p50 {percentile(values, 50) * 1000:.0f} ms, {slower * 1000:+.0f} ms"
        )
    return table


def _turn(bench: Bench, marker: str) -> float:
    """Seconds from Enter to the end of the last reply."""
    prompt = f"RUN echo {marker} ;; SAY done"
    bench.tour.idle()
    bench.pane.type(prompt)
    bench.pane.settle(0.4, 3)
    before, started = len(bench.model.replies()), time.time()
    bench.pane.press("Enter")
    deadline = time.monotonic() + TURN_SECONDS
    while time.monotonic() < deadline:
        ends = [reply for reply in bench.model.replies()[before:] if reply.tools]
        if ends and not ends[-1].calls:
            return ends[-1].timestamp - started
        time.sleep(0.01)
    raise TimeoutError(f"the turn does not end:\n{bench.pane.screen()}")
