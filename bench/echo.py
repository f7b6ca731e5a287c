"""`make bench-echo`: from a key to its echo, over the socket and on a raw `tmux attach`.

End to end: WebSocket client, server, tmux, shell, and back. Both alternate in one run.
"""

import asyncio
import os
import statistics
import time

from bench.attached import Attached, attached
from bench.private_tmux import ms
from tests.terminals.served import Client, client, served_tmux

ROUNDS = 25
KEYS = 40  # in each round: they fit on a line
LETTERS = b"QWYUVNO"  # none of them ends an escape sequence that a shell prints
CLEAR = b"\x15"  # Ctrl-U clears the line
SHELL = "exec bash --norc --noprofile"
GOAL_P50, GOAL_P99 = 2.0, 10.0  # ms more than the raw attach


def by_attach(raw: Attached) -> list[float]:
    times = []
    for number in range(KEYS):
        letter = LETTERS[number % len(LETTERS) :][:1]
        began = time.perf_counter()
        raw.type(letter)
        raw.read_until(letter)
        times.append(time.perf_counter() - began)
    raw.type(CLEAR)
    raw.drain()
    return times


async def by_socket(ws: Client, pane: str) -> list[float]:
    times = []
    for number in range(KEYS):
        letter = LETTERS[number % len(LETTERS) :][:1]
        began = time.perf_counter()
        await ws.type(pane, letter)
        await ws.output(pane, letter)
        times.append(time.perf_counter() - began)
    await ws.type(pane, CLEAR)
    await asyncio.sleep(0.05)
    await ws.settle()
    return times


def percentiles(times: list[float]) -> tuple[float, float]:
    ordered = sorted(second * 1000 for second in times)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.99)]


async def main() -> None:
    with served_tmux() as served:
        served.tmux("set-option", "-g", "status", "off")
        served.tmux("new-session", "-d", "-s", "raw", "-x", "80", "-y", "24", SHELL)
        pane = served.new_pane(SHELL)
        over_socket: list[float] = []
        over_attach: list[float] = []
        with attached(served.env["WEBTMUX_TMUX_SOCKET"], "raw") as raw:
            raw.drain(0.5)
            async with client(served) as ws:
                await ws.ask("subscribe-output", agent=pane)
                await by_socket(ws, pane)
                for _ in range(ROUNDS):
                    over_socket += await by_socket(ws, pane)
                    over_attach += by_attach(raw)
    print(f"\nkey to echo in bash; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"  /ws              {ms(over_socket)}")
    print(f"  raw tmux attach  {ms(over_attach)}")
    (p50, p99), (raw50, raw99) = percentiles(over_socket), percentiles(over_attach)
    print(f"  more than raw: p50 {p50 - raw50:.2f} ms (goal {GOAL_P50:.0f}),"
          f" p99 {p99 - raw99:.2f} ms (goal {GOAL_P99:.0f})")  # fmt: skip


if __name__ == "__main__":
    asyncio.run(main())
