"""`make bench-mcp`: calls to our MCP server, libtmux-mcp and tmux-mcp, compared in one run.

The same tmux with fifty windows, the same official client; ours over HTTP, the others over stdio,
with a process for each client, as their own clients start it.
"""

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from mcp import Client
from mcp.types import CallToolResult, TextContent

from bench.contenders import PLAIN, WINDOWS, Call, Contender, others, ours, workspace
from bench.private_tmux import ms

CALLS = {1: 200, 16: 50}  # at most, of each client, by the number of clients
SECONDS = 4.0  # and at most this long: some servers take half a second for a list
WARM = 2
BYTES_PER_TOKEN = 4
TEST_LINES = 2000
FAILING, READY = "FAILED test_1234", "ready on port 8001"
THINK_SECONDS = 0.5  # a model takes longer; this only keeps the run short
JOB_SECONDS = 20.0
KINDS = ("list", "capture", "send", "task")


async def measure(contender: Contender, kind: str, clients: int) -> tuple[list[float], float]:
    """The time of each call, and calls per second of all clients together."""
    call = contender.calls[kind]
    async with contextlib.AsyncExitStack() as opened:
        connected = [await opened.enter_async_context(contender.client()) for _ in range(clients)]
        times: list[float] = []
        for number, client in enumerate(connected):
            for turn in range(WARM):
                await call(client, -1000 * number - turn)
        began = time.perf_counter()
        await asyncio.gather(*(_repeat(call, client, n, clients, times)
                               for n, client in enumerate(connected)))  # fmt: skip
        return times, len(times) / (time.perf_counter() - began)


async def _repeat(call: Call, client: Any, first: int, clients: int, times: list[float]) -> None:
    ends = time.perf_counter() + SECONDS
    for turn in range(CALLS[clients]):
        began = time.perf_counter()
        if began > ends:
            return
        await call(client, first * 10_000 + turn)
        times.append(time.perf_counter() - began)


async def tokens_of_list(contender: Contender) -> tuple[int, int]:
    """The number of tools, and the tokens of their list."""
    async with contender.client() as client:
        listing = await client.list_tools()
        text = json.dumps(listing.model_dump(by_alias=True, exclude_none=True, mode="json"))
        return len(listing.tools), len(text) // BYTES_PER_TOKEN


class Counted:
    """A client that counts the tokens a model would pay for requests and responses."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.bytes = self.calls = 0

    async def __call__(self, name: str, **arguments: object) -> str:
        result = await self._client.call_tool(name, arguments)
        assert isinstance(result, CallToolResult)
        text = "".join(part.text for part in result.content if isinstance(part, TextContent))
        assert not result.is_error, text
        self.bytes += len(json.dumps({"name": name, "arguments": arguments})) + len(text)
        self.calls += 1
        return text

    @property
    def tokens(self) -> int:
        return self.bytes // BYTES_PER_TOKEN


async def run_command(ask: Counted, name: str) -> None:
    """Run a command; get its exit code and output."""
    line = "ls / ; echo exit=$?"
    if name == "webtmux":
        await ask("run_and_wait", mode="execute", windowId="@0", command="ls /")
    elif name == "libtmux-mcp":
        await ask("run_command", command="ls /", pane_id="%0")
    else:
        await ask("tmux_send_keys", target="%0", keys=line, literal=True)
        await ask("tmux_send_keys", target="%0", keys="Enter")
        await _until(lambda: ask("tmux_read_pane", target="%0"), r"exit=\d")


async def find_failure(ask: Counted, name: str) -> None:
    """Find the failing test in 2,000 lines of output."""
    if name == "webtmux":
        matches = await ask("search_history", query=FAILING, windowName="tests")
    elif name == "libtmux-mcp":
        matches = await ask("search_panes", pattern=FAILING, content_start=-TEST_LINES)
    else:
        matches = await ask("tmux_read_pane", target="bench:tests", start_line=-TEST_LINES)
    assert FAILING in matches


async def wait_for_server(ask: Counted, name: str) -> None:
    """Wait until a development server reports ready, one second after its start."""
    line = "clear; sleep 1; echo ready on port $((8000+1))"
    if name == "webtmux":
        await ask("send_to_window", mode="execute", windowId="@0", text=line, submit=True)
        await ask("wait_for", windowId="@0", text=READY, seconds=10)
    elif name == "libtmux-mcp":
        await ask("send_keys", keys=line, pane_id="%0")
        await ask("wait_for_text", patterns=[READY], pane_id="%0", timeout=10)
    else:
        await ask("tmux_send_keys", target="%0", keys=line, literal=True)
        await ask("tmux_send_keys", target="%0", keys="Enter")
        await _until(lambda: ask("tmux_read_pane", target="%0"), READY)


async def _until(read: Callable[[], Awaitable[str]], pattern: str) -> None:
    """Poll as an agent without a wait tool does: read, think, read again."""
    async with asyncio.timeout(JOB_SECONDS):
        while not re.search(pattern, await read()):
            await asyncio.sleep(THINK_SECONDS)


JOBS = {
    "run a command": run_command,
    "find a failure": find_failure,
    "await a server": wait_for_server,
}


async def tokens_of_jobs(contender: Contender) -> list[str]:
    reports = []
    for job, work in JOBS.items():
        async with contender.client() as client:
            ask = Counted(client)
            await work(ask, contender.name)
            reports.append(f"{job}: {ask.tokens} tokens in {ask.calls} calls")
    return reports


async def compare(contenders: Sequence[Contender]) -> None:
    async with contenders[0].client() as client:
        notes = {"mode": "execute", "session": "bench", "notes": "a task"}
        await client.call_tool("write_project_notes", notes)
    for clients in CALLS:
        print(f"\n{clients} client{'s' if clients > 1 else ''}, {WINDOWS} windows")
        for kind in KINDS:
            for contender in contenders:
                if kind not in contender.calls:
                    continue
                times, rate = await measure(contender, kind, clients)
                print(f"  {kind:8} {contender.name:17} {ms(times)}   {rate:7.0f} calls/s")
    print("\nwhat a model pays (bytes / 4)")
    for contender in contenders:
        if contender.mode == PLAIN:
            continue
        count, tokens = await tokens_of_list(contender)
        print(f"  {contender.name:12} tools/list: {tokens} tokens for {count} tools")
        for line in await tokens_of_jobs(contender):
            print(f"  {'':12} {line}")


def main() -> None:
    with workspace() as space, ours(space) as own:
        lines = f"seq 1 {TEST_LINES} | sed 's/^/PASSED test_/; s/PASSED test_1234$/{FAILING}/'"
        space.tmux("set-option", "-g", "history-limit", "5000")
        space.tmux("new-window", "-d", "-t", "bench:", "-n", "tests", f"{lines}; exec cat")
        asyncio.run(compare([*own, *others(space)]))


if __name__ == "__main__":
    main()
