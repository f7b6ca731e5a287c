"""`make bench-stream`: 50 MB through one subscription, a slow reader, and 500 joins.

Beside a raw `tmux attach`, which redraws and skips; over the socket every byte is compared.
"""

import asyncio
import hashlib
import os
import random
import re
import time

import psutil
from websockets.exceptions import ConnectionClosed

from bench.attached import attached
from terminals.socket.frames import BinaryFrame
from tests.terminals.served import Client, Served, client, served_tmux
from tests.terminals.tmux.screens import Rebuilt

FLOOD_MB = 50
SLOW_MB = 20
SLOW_RATE = 50_000  # bytes a second
SLOW_SECONDS = 600.0
JOINS = 500
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|[)(][0-9A-Z]|c)|[\x0e\x0f]")


def mixed_text(size: int) -> bytes:
    """Colours, cursor moves, wide characters, long and short lines; always the same."""
    chance, lines = random.Random(3), []
    length = 0
    while length < size:
        words = " ".join(chance.choice(["alpha", "größe", "漢字", "😀", "0123456789", "─┼─", "x"])
                         for _ in range(chance.randrange(1, 20)))  # fmt: skip
        line = f"\x1b[{chance.randrange(30, 38)};1m{words}\x1b[0m\x1b[K\x1b[2C{chance.random()}\n"
        lines.append(line.encode())
        length += len(lines[-1])
    return b"".join(lines)


def feed(served: Served, megabytes: int) -> tuple[str, bytes]:
    """A command that waits for Enter and prints; and what it prints once."""
    text, path = mixed_text(1_000_000), served.directory / "mixed"
    path.write_bytes(text)
    print_all = f"for i in $(seq {megabytes}); do cat {path}; done"
    return f"stty -echo; printf ready; read x; {print_all}; printf 'the e%s' nd; exec cat", text


async def flood(served: Served) -> None:
    command, text = feed(served, FLOOD_MB)
    pane, pictures, received, digest = served.new_pane(command), 0, 0, hashlib.sha256()
    async with client(served) as ws:
        await ws.ask("subscribe-output", agent=pane)
        output = b""
        while b"ready" not in output:  # or Enter itself would be echoed
            output += (await ws.frame(pane)).payload
        began = time.perf_counter()
        await ws.type(pane, b"\r")
        tail = b""
        while b"the end" not in tail:
            data = (await ws.frame(pane)).payload
            pictures += data.startswith(b"\x1bc\x1b)0")
            received += len(data)
            digest.update(data)
            tail = tail[-10:] + data
        rate = received / (time.perf_counter() - began) / 1e6
    printed = text.replace(b"\n", b"\r\n") * FLOOD_MB + b"the end"
    same = digest.digest() == hashlib.sha256(printed).digest()
    raw = raw_rate(served, command, len(text) * FLOOD_MB)
    print(f"\n{FLOOD_MB} MB of mixed ANSI text; load {os.getloadavg()[0]:.1f}")
    verdict = "every byte as printed" if same else "NOT as printed"
    sent = f"{received / 1e6:.1f} MB, {verdict}, {pictures} repaints"
    print(f"  /ws              {rate:6.1f} MB/s   {sent}")
    print(f"  raw tmux attach  {raw:6.1f} MB/s of the same input")
    print(f"  ratio {rate / raw:.2f} (goal 0.50)")


def raw_rate(served: Served, command: str, size: int) -> float:
    served.tmux("new-session", "-d", "-s", "raw", "-x", "80", "-y", "24", command)
    with attached(served.env["WEBTMUX_TMUX_SOCKET"], "raw") as raw:
        raw.drain(0.5)
        began = time.perf_counter()
        raw.type(b"\r")
        raw.read_until(b"the end")
        return size / (time.perf_counter() - began) / 1e6


async def slow(served: Served) -> None:
    command, _ = feed(served, SLOW_MB)
    pane = served.new_pane(command)
    server = psutil.Process(served.running.process.pid)
    before = most = server.memory_info().rss
    drawn, began = b"", time.monotonic()
    # No pings: their answers would wait behind what has not been read.
    async with client(served, max_queue=1, ping_interval=None) as ws:
        await ws.ask("subscribe-output", agent=pane)
        await ws.type(pane, b"\r")
        while b"the end" not in drawn[-10_000:]:
            data = (await read_slowly(ws)).payload
            drawn = data if data.startswith(b"\x1bc\x1b)0") else drawn + data
            most = max(most, server.memory_info().rss)
            assert time.monotonic() - began < SLOW_SECONDS, "the end was never shown"
    screen = Rebuilt(80, 24)
    screen.feed(drawn)
    shown = [row.rstrip() for row in served.tmux("capture-pane", "-p", "-t", pane).split("\n")]
    same = screen.screen.rows()[: len(shown)] == shown
    print(f"\n{SLOW_MB} MB to a client that reads {SLOW_RATE // 1000} KB/s")
    print(f"  the server's memory grew by at most {(most - before) / 1e6:.1f} MB (goal 8)")
    print(f"  the last screen {'equals' if same else 'DIFFERS FROM'} capture-pane,"
          f" {time.monotonic() - began:.0f} s after the start")  # fmt: skip


async def read_slowly(ws: Client) -> BinaryFrame:
    while not isinstance(message := await ws.receive(), BinaryFrame):
        pass
    await asyncio.sleep(len(message.payload) / SLOW_RATE)
    return message


async def joins(served: Served) -> None:
    pane, chance, wrong = served.new_pane("exec seq 1 999999999999"), random.Random(3), 0
    times = []
    async with client(served) as ws:
        for _ in range(JOINS):
            await asyncio.sleep(chance.random() * 0.005)
            began = time.perf_counter()
            await ws.ask("subscribe-output", agent=pane)
            picture = (await ws.frame(pane)).payload
            times.append(time.perf_counter() - began)
            read, live = _ESCAPE.sub(b"", picture), 0
            while live < 4000:
                data = (await ws.frame(pane)).payload
                read, live = read + data, live + len(data)
            numbers = [int(word) for word in re.findall(rb"\d+", read[: read.rindex(b"\r")])]
            wrong += numbers != list(range(numbers[0], numbers[0] + len(numbers)))
            await ws.ask("unsubscribe-output", agent=pane)
            ws.kept.clear()
    served.tmux("kill-pane", "-t", pane)
    print(f"\n{JOINS} subscriptions to a pane that counts without pause")
    print(f"  with a gap or a repeat: {wrong}")
    print(f"  until the picture: median {sorted(times)[JOINS // 2] * 1000:.1f} ms")


async def main() -> None:
    with served_tmux() as served:
        served.tmux("set-option", "-g", "status", "off")
        await joins(served)
        await flood(served)
        try:
            await slow(served)
        except ConnectionClosed as closed:
            print(f"\nNOT SHOWN: the server hung up on the slow reader: {closed}")
        assert "Traceback" not in served.running.output


if __name__ == "__main__":
    asyncio.run(main())
