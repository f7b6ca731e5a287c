"""`make bench-tmux`: the driver, libtmux, a forked tmux and a raw attach, compared in one run."""

import asyncio
import os
import pty
import random
import re
import statistics
import subprocess
import time
from collections.abc import Awaitable, Callable

import libtmux

from bench.private_tmux import Bench, ms, private_tmux
from terminals.tmux.driver import ChunkKind, Viewer

ROUNDS = 5
COMMANDS = 200  # in each round; a tenth of it where every command forks
WINDOWS = 500
JOINS = 500
FLOOD_MB = 20
RESTARTS = 10
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|[)(][0-9A-Z]|c)|[\x0e\x0f]")


async def timed(call: Callable[[], Awaitable[object]], count: int) -> list[float]:
    times = []
    for _ in range(count):
        began = time.perf_counter()
        await call()
        times.append(time.perf_counter() - began)
    return times


async def forked(bench: Bench, *arguments: str) -> None:
    process = await asyncio.create_subprocess_exec(
        "tmux", "-S", bench.socket, *arguments, stdout=asyncio.subprocess.DEVNULL
    )
    await process.wait()


async def round_trips(bench: Bench) -> None:
    server = libtmux.Server(socket_path=bench.socket)
    shown = ("display-message", "-p", "#{session_name}")

    async def by_libtmux() -> None:
        server.cmd(*shown)

    calls: dict[str, tuple[Callable[[], Awaitable[object]], int]] = {
        "driver": (lambda: bench.tmux.monitor.run(shown), COMMANDS),
        "libtmux": (by_libtmux, COMMANDS // 10),
        "forked tmux": (lambda: forked(bench, *shown), COMMANDS // 10),
    }
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, (call, count) in calls.items():
            times[name] += await timed(call, count)
    print("\nround trip of display-message")
    for name, taken in times.items():
        print(f"  {name:14}{ms(taken)}")
    own_rate = statistics.median(times["driver"])
    for name in ("libtmux", "forked tmux"):
        print(f"  {name} / driver at p50: {statistics.median(times[name]) / own_rate:.1f}x")


async def lists(bench: Bench) -> None:
    for _ in range(WINDOWS - 1):
        await bench.tmux.new_window("$0", command="exec cat", background=True)
    server = libtmux.Server(socket_path=bench.socket)

    async def by_libtmux() -> None:
        assert len(server.windows) >= WINDOWS

    await bench.tmux.windows()  # once, so that no first call is counted
    print(f"\nlist of {WINDOWS} windows")
    print(f"  {'windows':14}{ms(await timed(bench.tmux.windows, 20))}")
    print(f"  {'panes':14}{ms(await timed(bench.tmux.panes, 20))}   (with command and directory)")
    print(f"  {'libtmux':14}{ms(await timed(by_libtmux, 5))}")


async def stream(bench: Bench) -> None:
    """The same text through %output and our parser, and through `tmux attach` on a pty."""
    data = "".join(
        f"\x1b[3{n % 8}mline {n}\x1b[0m some text that is a bit longer\n" for n in range(20000)
    )
    path = bench.tmux.directory / "flood"
    path.write_text(data)
    repeats = FLOOD_MB * 1_000_000 // len(data)
    feed = f"for i in $(seq {repeats}); do cat {path}; done; printf 'the e%s' nd; exec cat"
    session = await bench.tmux.new_session("flood", command=f"read x; {feed}")
    received, done = 0, asyncio.Event()

    def tap(chunk: bytes) -> None:
        nonlocal received
        received += len(chunk)
        if b"the end" in chunk:
            done.set()

    async with bench.tmux.tapping(session.pane_id, tap):
        began = time.perf_counter()
        await bench.tmux.press(session.pane_id, "Enter")
        await asyncio.wait_for(done.wait(), 120)
        own_rate = received / (time.perf_counter() - began) / 1e6
    session = await bench.tmux.new_session("flood2", command=f"read x; {feed}")
    raw = await asyncio.to_thread(attached_reader, bench, session.pane_id)
    print(f"\n{FLOOD_MB} MB of coloured lines through one pane")
    print(f"  %output and parser   {own_rate:6.1f} MB/s   {received / 1e6:.1f} MB, nothing dropped")
    print(f"  tmux attach on a pty {raw:6.1f} MB/s of the same input (it redraws, and skips)")
    print(f"  ratio {own_rate / raw:.2f}")


def attached_reader(bench: Bench, pane: str) -> float:
    """MB of input per second until an attached client shows the end."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("tmux", ["tmux", "-u", "-S", bench.socket, "attach", "-t", "flood2"],
                   {"TERM": "xterm-256color", "PATH": os.environ["PATH"]})  # fmt: skip
    os.read(terminal, 1000)
    began = time.perf_counter()
    bench.cli("send-keys", "-t", pane, "Enter")
    tail = b""
    while b"the end" not in tail:
        tail = tail[-100:] + os.read(terminal, 65536)
    taken = time.perf_counter() - began
    os.kill(pid, 15)
    os.waitpid(pid, 0)
    os.close(terminal)
    return FLOOD_MB / taken


async def joins(bench: Bench) -> None:
    session = await bench.tmux.new_session("count", command="exec seq 1 999999999999")
    chance, wrong, times = random.Random(3), 0, []
    for _ in range(JOINS):
        await asyncio.sleep(chance.random() * 0.005)
        viewer, read, whole = bench.tmux.view(session.pane_id), b"", False
        began = time.perf_counter()
        while not whole:
            chunk = await asyncio.wait_for(viewer.read(), 10)
            assert chunk is not None
            whole = len(read) > 8000 and chunk.kind is ChunkKind.OUTPUT
            if chunk.kind is ChunkKind.CAPTURE:
                times.append(time.perf_counter() - began)
                read += _ESCAPE.sub(b"", chunk.data)
            else:
                read += chunk.data
        viewer.close()
        numbers = [int(word) for word in re.findall(rb"\d+", read[: read.rindex(b"\r")])]
        wrong += numbers != list(range(numbers[0], numbers[0] + len(numbers)))
    print(f"\n{JOINS} subscriptions to a pane that counts without pause")
    print(f"  with a gap or a repeat: {wrong}")
    print(f"  until the picture: {ms(times)}   (screen and 2,000 lines of history)")


async def restarts(bench: Bench) -> None:
    """Kill tmux while four panes flood four viewers, and restart it."""
    times = []
    for _ in range(RESTARTS):
        readers = []
        for number in range(4):
            session = await bench.tmux.new_session(f"flood{number}", command="exec seq 1 999999999")
            viewer = bench.tmux.view(session.pane_id)
            await viewer.read()
            readers.append(asyncio.create_task(_drain(viewer)))
        os.kill(int(bench.cli("display-message", "-p", "#{pid}")), 9)
        began = time.perf_counter()
        while not bench.tmux.problem:
            await asyncio.sleep(0.001)
        bench.cli("new-session", "-d", "-s", "bench", "exec sh")
        await bench.tmux.monitor.wait_up(10)
        times.append(time.perf_counter() - began)
        await asyncio.wait_for(asyncio.gather(*readers), 10)
    print(f"\n{RESTARTS} times killed and started again under load")
    print(f"  until the driver is back: {ms(times)}   longest {max(times) * 1000:.0f} ms")


async def _drain(viewer: Viewer) -> None:
    while await viewer.read():
        pass


async def main() -> None:
    print(subprocess.run(["tmux", "-V"], capture_output=True, text=True).stdout.strip())
    async with private_tmux() as bench:
        await round_trips(bench)
        await stream(bench)
    async with private_tmux() as bench:
        await joins(bench)
    async with private_tmux() as bench:
        await restarts(bench)
    async with private_tmux() as bench:
        await lists(bench)


if __name__ == "__main__":
    asyncio.run(main())
