"""The MCP servers that bench/mcp.py compares: ours over HTTP, others over stdio.

All are called through the official client and work on the same tmux server.
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from bench.plain_http import plain_client
from tests.config.servers import environment, serving

VENVS = Path(".venv/bench-mcp")
WINDOWS = 50
PLAIN = "plain"
# The client is the official one or bench.plain_http.PlainClient.
Call = Callable[[Any, int], Awaitable[Any]]


@dataclass(frozen=True)
class Workspace:
    """A private tmux server in its own TMUX_TMPDIR, where all contenders find it."""

    env: Mapping[str, str]

    @property
    def socket(self) -> str:
        return f"{self.env['TMUX_TMPDIR']}/tmux-{os.getuid()}/default"

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-f", "/dev/null", *arguments]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, check=True)
        return done.stdout.strip()


@contextlib.contextmanager
def workspace() -> Iterator[Workspace]:
    """Fifty windows: the first a shell, each other one with a screen of text."""
    with tempfile.TemporaryDirectory(prefix="wtm") as directory:
        environ = {name: text for name, text in os.environ.items() if not name.startswith("TMUX")}
        space = Workspace({**environ, "TMUX_TMPDIR": directory})
        space.tmux("new-session", "-d", "-s", "bench", "-x", "120", "-y", "40", "exec sh")
        for _ in range(WINDOWS - 1):
            space.tmux("new-window", "-d", "-t", "bench:", "seq 1 30; exec cat")
        try:
            yield space
        finally:
            space.tmux("kill-server")


@dataclass(frozen=True)
class Contender:
    name: str
    target: Callable[[], Any]  # what the official client connects to
    mode: str = "legacy"
    calls: Mapping[str, Call] = field(default_factory=dict)

    @contextlib.asynccontextmanager
    async def client(self) -> AsyncIterator[Any]:
        target = self.target()
        opened = plain_client(target) if self.mode == PLAIN else Client(target, mode=self.mode)
        async with opened as client:
            yield client


def tool(name: str, **arguments: Any) -> Call:
    """`{n}` in a text is replaced by the number of the call, so that no two calls are equal."""

    async def call(client: Any, number: int) -> Any:
        numbered = {
            key: text.format(n=number) if isinstance(text, str) else text
            for key, text in arguments.items()
        }
        result = await client.call_tool(name, numbered)
        assert not getattr(result, "is_error", False), result
        return result

    return call


@contextlib.contextmanager
def ours(space: Workspace) -> Iterator[list[Contender]]:
    with tempfile.TemporaryDirectory(prefix="wtd") as directory:
        env = environment(Path(directory) / "data", WEBTMUX_TMUX_SOCKET=space.socket)
        env["WEBTMUX_LOG_LEVEL"] = "WARNING"
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            calls = {
                "list": tool("list_windows"),
                "send": tool("send_to_window", mode="execute", windowId="@1", text="{n} "),
                "capture": tool("tmux_read_pane", target="%2"),
                "task": tool("update_task", mode="execute", scope="project", session="bench",
                             action="set_text", index=0, text="task {n}"),
            }  # fmt: skip
            url = f"{running.address}/mcp"
            yield [
                Contender("webtmux", lambda: url, mode="auto", calls=calls),
                Contender("webtmux, as curl", lambda: url, mode=PLAIN, calls=calls),
            ]


def others(space: Workspace) -> list[Contender]:
    libtmux = {
        "list": tool("list_windows"),
        "send": tool("send_keys", keys="{n} ", pane_id="%1", enter=False),
        "capture": tool("capture_pane", pane_id="%2"),
    }
    plain = {
        "list": tool("tmux_list_windows"),
        "send": tool("tmux_send_keys", target="%1", keys="{n} ", literal=True),
        "capture": tool("tmux_read_pane", target="%2"),
    }
    return [_stdio("libtmux-mcp", space, libtmux), _stdio("tmux-mcp", space, plain)]


def _stdio(name: str, space: Workspace, calls: Mapping[str, Call]) -> Contender:
    program = StdioServerParameters(
        command=str(VENVS / name / "bin" / name), args=[], env=dict(space.env)
    )
    return Contender(name, lambda: program, calls=calls)
