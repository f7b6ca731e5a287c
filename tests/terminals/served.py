"""A real server on a real port beside a real tmux, and a client that keeps what it is told."""

import asyncio
import contextlib
import json
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from terminals import frames
from terminals.frames import Frame, FrameType
from tests.config.servers import Running, environment, manage, serving

WAIT_SECONDS = 10.0
Message = dict[str, Any] | Frame


@dataclass
class Served:
    running: Running
    directory: Path
    env: dict[str, str]

    @property
    def address(self) -> str:
        return f"{self.running.socket_address}/ws"

    def tmux(self, *arguments: str) -> str:
        socket = self.env["WEBTMUX_TMUX_SOCKET"]
        return cli(socket, *arguments)

    def new_pane(self, command: str) -> str:
        """A window of its own."""
        return self.tmux("new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", command)

    def window_of(self, pane: str) -> str:
        return self.tmux("display-message", "-p", "-t", pane, "#{window_id}")


def cli(socket: str, *arguments: str) -> str:
    command = ["tmux", "-S", socket, "-f", "/dev/null", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=10
    ).stdout.rstrip("\n")


@contextlib.contextmanager
def served_tmux(*flags: str, **settings: str) -> Iterator[Served]:
    """With one session, `work`, that shows a plain sh. `settings` go into its environment."""
    with tempfile.TemporaryDirectory(prefix="wts") as place:
        directory = Path(place)
        env = environment(directory / "data", WEBTMUX_TMUX_SOCKET=f"{place}/s", **settings)
        done = manage(env, "migrate", "--verbosity", "0")
        assert done.returncode == 0, done.stderr
        cli(f"{place}/s", "new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec sh")
        try:
            with serving(["manage.py", "serve", "--port", "0", *flags], env) as running:
                yield Served(running, directory, env)
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):
                cli(f"{place}/s", "kill-server")


@dataclass
class Client:
    """Messages that nobody asked for yet are kept in their order."""

    socket: ClientConnection
    kept: list[Message] = field(default_factory=list)
    _numbers: int = 0

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request."""
        self._numbers += 1
        name = f"request {self._numbers}"
        await self.say(id=name, type=kind, **fields)
        answer = await self.told(lambda message: message.get("id") == name)
        assert answer.pop("id") == name
        return answer

    async def put(self, kind: FrameType | int, agent: str, payload: bytes) -> None:
        await self.socket.send(bytes((kind,)) + agent.encode() + b"\0" + payload)

    async def type(self, agent: str, keys: bytes) -> None:
        await self.put(FrameType.INPUT, agent, keys)

    async def told(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first JSON message that fits."""
        found = await self._first(lambda told: isinstance(told, dict) and wanted(told))
        assert isinstance(found, dict)
        return found

    async def event(self, kind: str) -> dict[str, Any]:
        return await self.told(lambda message: message.get("type") == kind)

    async def error(self) -> str:
        told = await self.event("error")
        assert told == {"type": "error", "ok": False, "error": told["error"]}
        return str(told["error"])

    async def frame(self, agent: str) -> Frame:
        found = await self._first(lambda told: isinstance(told, Frame) and told.agent == agent)
        assert isinstance(found, Frame)
        return found

    async def output(self, agent: str, until: bytes) -> bytes:
        """What is shown until these bytes have come."""
        read = b""
        while until not in read:
            read += (await self.frame(agent)).payload
        return read

    async def settle(self) -> list[Message]:
        """Everything that the server had to say before it answered this."""
        await self.ask("ping")
        kept, self.kept = self.kept, []
        return kept

    async def _first(self, wanted: Callable[[Message], bool]) -> Message:
        for number, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(number)
        async with asyncio.timeout(WAIT_SECONDS):
            while not wanted(message := await self.receive()):
                self.kept.append(message)
            return message

    async def receive(self) -> Message:
        data = await self.socket.recv()
        if isinstance(data, bytes):
            return frames.decode(data)
        told: dict[str, Any] = json.loads(data)
        return told


@contextlib.asynccontextmanager
async def client(served: Served, **options: Any) -> AsyncIterator[Client]:
    async with connect(served.address, max_size=None, **options) as socket:
        yield Client(socket)
