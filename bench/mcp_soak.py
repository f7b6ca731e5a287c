"""`make soak-mcp`: 100 clients read and write for a minute; counts errors and memory."""

import asyncio
import random
import sqlite3
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from bench.contenders import WINDOWS, workspace
from bench.plain_http import Failed, PlainClient, plain_client
from tests.config.servers import environment, serving

CLIENTS = 100
SECONDS = 60.0
WRITES = 0.3  # of all calls
SAMPLE_SECONDS = 5.0


async def visit(url: str, number: int, ends: float, done: Counter[str]) -> None:
    chance = random.Random(number)
    async with plain_client(url) as client:
        turn = 0
        while time.monotonic() < ends:
            turn += 1
            kind = await one_call(client, chance, f"{number}.{turn} ")
            done[kind] += 1


async def one_call(client: PlainClient, chance: random.Random, text: str) -> str:
    window = f"@{chance.randrange(1, WINDOWS)}"
    try:
        if chance.random() < WRITES / 2:
            arguments = {"mode": "execute", "windowId": window, "notes": text}
            await client.call_tool("write_window_notes", arguments)
            return "written"
        if chance.random() < WRITES / 2:
            arguments = {"mode": "execute", "windowId": window, "text": text}
            await client.call_tool("send_to_window", arguments)
            return "written"
        if chance.random() < 0.5:
            await client.call_tool("list_windows", {})
        else:
            await client.call_tool("read_screen", {"windowId": window})
    except (Failed, OSError, asyncio.IncompleteReadError) as failure:
        return f"failed: {failure}"
    return "read"


async def sample(process: psutil.Process, ends: float, sizes: list[float]) -> None:
    while time.monotonic() < ends:
        sizes.append(process.memory_info().rss / 1e6)
        await asyncio.sleep(SAMPLE_SECONDS)


async def soak(url: str, process: psutil.Process) -> tuple[Counter[str], list[float]]:
    done: Counter[str] = Counter()
    sizes: list[float] = []
    ends = time.monotonic() + SECONDS
    visits = [visit(url, number, ends, done) for number in range(CLIENTS)]
    await asyncio.gather(sample(process, ends, sizes), *visits)
    return done, sizes


def main() -> None:
    with workspace() as space, tempfile.TemporaryDirectory(prefix="wtd") as directory:
        env = environment(Path(directory) / "data", WEBTMUX_TMUX_SOCKET=space.socket)
        env["WEBTMUX_LOG_LEVEL"] = "WARNING"
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            process = psutil.Process(running.process.pid)
            done, sizes = asyncio.run(soak(f"{running.address}/mcp", process))
            code = running.end(15)
        rows = sqlite3.connect(Path(directory) / "data" / "webtmux.sqlite3")
        [(noted,)] = rows.execute("SELECT count(*) FROM mcp_gateway_toolcall").fetchall()
    print(f"{CLIENTS} clients for {SECONDS:.0f} s: {dict(done)}")
    print(f"  {sum(done.values()) / SECONDS:.0f} calls/s; {noted} rows of the audit")
    print(f"  'database is locked' in the log: {running.output.count('database is locked')}")
    print(f"  memory in MB, every {SAMPLE_SECONDS:.0f} s: {[round(size) for size in sizes]}")
    print(f"  exit code {code}")


if __name__ == "__main__":
    main()
