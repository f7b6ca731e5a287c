"""`make bench-quick`: one request at each interface, compared with a bare daphne application.

The bare application sends as many bytes as the door. Requests alternate one by one in the same run,
so that the load of the machine affects both alike: the ratios count, not the milliseconds. The CPU
time of the server is nearly independent of the load; the time of a request is not. So the ratios of
CPU time are compared with those of bench/ratios.json, and a loss of more than 15 % is an error.
`--store` writes that file.
"""

import argparse
import json
import os
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from bench.checkouts import load_average
from bench.contenders import WINDOWS, workspace
from tests.config.servers import ADDRESS, environment, serving, started

ROUNDS = 60
WARM_ROUNDS = 10
# In turns: the clock speed and the load of the machine change within seconds.
CPU_TURNS, CPU_REQUESTS = 4, 60
CLIENTS = 16
BURST_SECONDS = 0.4
BURSTS = 2
STORED = Path(__file__).parent / "ratios.json"
LOSS = 1.15
TASKS = 1000
MCP_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


@dataclass(frozen=True)
class Request:
    """`{n}` in the body is replaced by the number of the call, so that no two calls are equal."""

    name: str
    method: str
    path: str
    body: Any = None
    goal: float | None = None  # times the bare application

    def encoded(self, number: int) -> bytes:
        body = json.dumps(self.body).replace("{n}", str(number)).encode() if self.body else b""
        headers = {"Host": "HOST", "Content-Length": str(len(body)), **MCP_HEADERS}
        if not body:
            headers = {"Host": "HOST"}
        lines = [f"{self.method} {self.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + body


def tool(title: str, tool_name: str, goal: float | None = None, **arguments: object) -> Request:
    params = {"name": tool_name, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return Request(title, "POST", "/mcp", message, goal)


TASK: Any = {"scope": "project", "session": "bench", "action": "set_text", "index": 500}
REQUESTS = (
    Request("GET /healthz", "GET", "/healthz", goal=1.5),
    Request("GET windows", "GET", "/api/windows", goal=3),
    Request("GET agents", "GET", "/api/agents"),
    Request("GET panes", "GET", "/api/panes"),
    Request("GET projects", "GET", "/api/projects"),
    tool("MCP list_windows", "list_windows", goal=6),
    tool("MCP list_agents", "list_agents"),
    tool("MCP capture", "tmux_read_pane", target="%2"),
    Request("POST send", "POST", "/api/panes/%252/send", {"text": "{n} "}),
    tool("MCP send", "send_to_window", mode="execute", windowId="@1", text="{n} "),
    tool("MCP update_task", "update_task", mode="execute", text="text {n}", **TASK),
    Request("POST task", "POST", "/api/projects/bench/tasks",
            {"action": "set_text", "index": 500, "text": "text {n}"}),
)  # fmt: skip


class Connection:
    """A persistent HTTP connection that costs as little as possible."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        self._host = parts.netloc.encode()
        self.socket = socket.create_connection((parts.hostname, parts.port or 80))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = b""

    def send(self, request: bytes) -> None:
        self.socket.sendall(request.replace(b"HOST", self._host, 1))

    def receive(self) -> bytes | None:
        """The body, if the answer is complete now."""
        data = self.socket.recv(1 << 20)
        assert data, "the server closed the connection"
        self._read += data
        head, separator, body = self._read.partition(b"\r\n\r\n")
        if not separator:
            return None
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        if len(body) < length:
            return None
        self._read = b""
        assert head.split(b" ", 2)[1] == b"200", head + body
        assert b'"isError":true' not in body, body
        return body

    def call(self, request: bytes) -> bytes:
        self.send(request)
        while (body := self.receive()) is None:
            pass
        return body


@dataclass
class Server:
    name: str
    address: str
    process: psutil.Process
    connection: Connection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = Connection(self.address)

    def cpu(self) -> float:
        times = self.process.cpu_times()
        return float(times.user + times.system)


@dataclass
class Measured:
    """Of one request at one server."""

    seconds: list[float] = field(default_factory=list)
    cpu: float = 0.0  # seconds of the server for one request
    bursts: list[float] = field(default_factory=list)  # calls per second of all clients
    burst_seconds: list[float] = field(default_factory=list)

    def percentile(self, share: float, *, burst: bool = False) -> float:
        ordered = sorted(self.burst_seconds if burst else self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000

    @property
    def rate(self) -> float:
        return statistics.median(self.bursts)


@contextmanager
def servers(commits: Sequence[Path]) -> Iterator[list[Server]]:
    """The bare application, this tree, and other trees, all with the same tmux."""
    with ExitStack() as stack:
        space = stack.enter_context(workspace())
        running = stack.enter_context(started(["-m", "bench.bare_app"], dict(os.environ)))
        compared = [
            Server("bare", running.read_until(ADDRESS)[1], psutil.Process(running.process.pid))
        ]
        for tree in commits:
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="wtd"))
            env = environment(Path(directory) / "data", WEBTMUX_TMUX_SOCKET=space.socket)
            env["WEBTMUX_LOG_LEVEL"] = "WARNING"
            env["PYTHONPATH"] = str(tree)
            script = str(tree / "manage.py")
            served = stack.enter_context(serving([script, "serve", "--port", "0"], env))
            compared.append(Server(tree.name, served.address, psutil.Process(served.process.pid)))
        yield compared


def fill(server: Server) -> None:
    lines = "\n".join(f"- [ ] task {number} of a long list" for number in range(TASKS))
    call = tool("", "write_project_notes", mode="execute", session="bench", notes=lines)
    server.connection.call(call.encoded(0))


def measure(request: Request, compared: Sequence[Server]) -> dict[str, Measured]:
    size = len(compared[1].connection.call(request.encoded(-1)))
    bare = Request(request.name, request.method, f"/{size}", request.body)
    turns = [(server, bare if server.name == "bare" else request) for server in compared]
    results = {server.name: Measured() for server in compared}
    for number in range(-WARM_ROUNDS, ROUNDS):
        for server, each in turns:
            encoded = each.encoded(number)
            began = time.perf_counter()
            server.connection.call(encoded)
            if number >= 0:
                results[server.name].seconds.append(time.perf_counter() - began)
    for turn in range(CPU_TURNS):
        for server, each in turns:
            before = server.cpu()
            for number in range(CPU_REQUESTS):
                server.connection.call(each.encoded(10_000 * (turn + 1) + number))
            results[server.name].cpu += (server.cpu() - before) / CPU_REQUESTS / CPU_TURNS
    for number in range(BURSTS):
        for server, each in turns:
            times, rate = burst(server, each, 100_000 * (number + 1))
            results[server.name].bursts.append(rate)
            results[server.name].burst_seconds += times
    return results


def burst(server: Server, request: Request, first: int) -> tuple[list[float], float]:
    """CLIENTS connections, each with one request under way."""
    ready = selectors.DefaultSelector()
    sent: dict[Connection, float] = {}
    numbers = iter(range(first, first + 100_000))
    connections = [Connection(server.address) for _ in range(CLIENTS)]
    for connection in connections:
        connection.call(request.encoded(next(numbers)))
        ready.register(connection.socket, selectors.EVENT_READ, connection)
    began = time.perf_counter()
    for connection in connections:
        sent[connection] = time.perf_counter()
        connection.send(request.encoded(next(numbers)))
    times: list[float] = []
    while sent:
        for key, _ in ready.select():
            connection = key.data
            if connection.receive() is None:
                continue
            now = time.perf_counter()
            times.append(now - sent.pop(connection))
            if now - began < BURST_SECONDS:
                sent[connection] = now
                connection.send(request.encoded(next(numbers)))
    rate = len(times) / (time.perf_counter() - began)
    for connection in connections:
        connection.socket.close()
    return times, rate


def report(request: Request, results: dict[str, Measured]) -> None:
    bare = results["bare"]
    goal = f"   (goal {request.goal:g} x)" if request.goal else ""
    print(f"{request.name}{goal}", flush=True)
    for name, each in results.items():
        p50 = each.percentile(0.5)
        print(
            f"  {name:8} p50 {p50:7.2f} ms ({p50 / bare.percentile(0.5):5.1f} x)"
            f"   cpu {each.cpu * 1000:6.2f} ms ({each.cpu / bare.cpu:5.1f} x)"
            f"   16 clients: {each.rate:6.0f}/s ({bare.rate / each.rate:5.1f} x)"
            f"  p50 {each.percentile(0.5, burst=True):6.1f}"
            f"  p99 {each.percentile(0.99, burst=True):6.1f} ms",
            flush=True,
        )


def compare(ratios: dict[str, float]) -> list[str]:
    """The doors that have become more expensive than stored."""
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    return [
        f"{name}: {ratio:.1f} times the bare application, stored {stored[name]:.1f}"
        for name, ratio in ratios.items()
        if name in stored and ratio > stored[name] * LOSS
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("trees", nargs="*", type=Path, help="other checkouts to compare with")
    parser.add_argument("--only", default="", help="a part of the name of the requests")
    parser.add_argument("--store", action="store_true", help="write bench/ratios.json")
    chosen = parser.parse_args()
    ratios: dict[str, float] = {}
    with servers([Path.cwd(), *chosen.trees]) as compared:
        for server in compared[1:]:
            fill(server)
        print(f"\n{WINDOWS} windows, {TASKS} tasks; {load_average()}")
        for request in REQUESTS:
            if chosen.only not in request.name:
                continue
            results = measure(request, compared)
            report(request, results)
            ratios[request.name] = round(results[compared[1].name].cpu / results["bare"].cpu, 2)
    if chosen.store:
        STORED.write_text(json.dumps(ratios, indent=2) + "\n")
    elif losses := compare(ratios):
        sys.exit("more than 15 % worse than bench/ratios.json:\n  " + "\n  ".join(losses))


if __name__ == "__main__":
    main()
