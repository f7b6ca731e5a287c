"""The delay from the paint of an agent to the event of its new state, over a real socket.

Part of `make bench-agents`. A fake agent changes its state by itself and notes when it has painted;
both processes use the same monotonic clock.
"""

import asyncio
import statistics
import sys
import time
from pathlib import Path

from tests.agents.detection.programs import script
from tests.terminals.served import client, served_tmux

CHANGES = 40
BUSY = 19  # other agents that show a spinner
MISSED_SECONDS = 5.0

PROGRAM = f"""#!{sys.executable}
import random, sys, time
log = open(sys.argv[1], "a", buffering=1)
line = "\\u2500" * 60
box = f"{{line}}\\r\\n\\u276f \\r\\n{{line}}\\r\\n  ? for shortcuts"
ask = (f"{{line}}\\r\\n Bash command\\r\\n\\r\\n   make build\\r\\n\\r\\n"
       " Do you want to proceed?\\r\\n"
       " \\u276f 1. Yes\\r\\n   2. No\\r\\n\\r\\n Esc to cancel")
def paint(text):
    sys.stdout.write("\\033[2J\\033[H\\u25cf Hello.\\r\\n\\r\\n" + text)
    sys.stdout.flush()
def spin(seconds, state):
    end, frame = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        paint(f"\\u273b Pondering\\u2026 ({{frame}}s \\u00b7 esc to interrupt)\\r\\n\\r\\n{{box}}")
        if frame == 0:
            print(state, time.monotonic(), file=log)
        frame += 1
        time.sleep(0.1)
pause = random.Random(int(sys.argv[2]))
time.sleep(2)
while True:
    for state in ("working", "waiting", "working", "idle"):
        seconds = pause.uniform(1.2, 2.0)
        if state == "working":
            spin(seconds, state)
            continue
        paint(ask if state == "waiting" else box)
        print(state, time.monotonic(), file=log)
        time.sleep(seconds)
"""


async def measure(busy: int) -> list[float]:
    """Seconds from each paint to its event; infinite where no event came in time."""
    with served_tmux() as served:
        log = served.directory / "paints"
        program = script(served.directory / "bin", "claude", PROGRAM)
        served.tmux("new-session", "-d", "-s", "measured", "-x", "80", "-y", "24",
                    f"exec {program} {log} 7")  # fmt: skip
        for number in range(busy):
            served.tmux("new-session", "-d", "-s", f"busy{number}", "-x", "80", "-y", "24",
                        f"exec {program} /dev/null {number}")  # fmt: skip
        async with client(served) as ws:
            await ws.ask("subscribe-agents")
            events: list[tuple[str, float]] = []
            deadline = time.monotonic() + 60 + 3 * CHANGES
            while len(events) < CHANGES and time.monotonic() < deadline:
                event = await ws.event("agent-updated")
                if event["agent"]["name"] == "measured":
                    events.append((event["agent"]["state"], time.monotonic()))
        return _delays(log, events)


def _delays(log: Path, events: list[tuple[str, float]]) -> list[float]:
    rows = [line.split() for line in log.read_text().splitlines()]
    paints = [(state, float(moment)) for state, moment in rows]
    first, last = events[0][1], events[-1][1]
    delays = []
    for state, moment in paints:
        if not first - 0.1 < moment < last:
            continue
        after = [late - moment for shown, late in events if shown == state and late >= moment]
        delays.append(after[0] if after and after[0] < MISSED_SECONDS else float("inf"))
    return delays


def report(title: str, delays: list[float]) -> None:
    ordered = sorted(delays)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(
        f"  {title}: p50 {statistics.median(ordered) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms"
        f" ({len(ordered)} changes)   (goal: p50 150 ms)"
    )


async def main() -> None:
    print("\nfrom the paint of an agent to the event of its state")
    report("alone", await measure(0))
    report(f"with {BUSY} busy agents", await measure(BUSY))


if __name__ == "__main__":
    asyncio.run(main())
