"""A real server on a real port with a real tmux, and a client that keeps unread messages."""

import asyncio
import contextlib
import json
import re
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from terminals.socket import frames
from terminals.socket.frames import BinaryFrame, FrameType
from tests.config.servers import Running, environment, manage, prepare, serving
from tests.waiting import LONGEST_SECONDS

Message = dict[str, Any] | BinaryFrame


@dataclass
class Served:
    running: Running
    directory: Path
    env: dict[str, str]
    _tokens: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"{self.running.socket_address}/ws"

    def tmux(self, *arguments: str) -> str:
        socket = self.env["WEBTMUX_TMUX_SOCKET"]
        return cli(socket, *arguments)

    def new_pane(self, command: str) -> str:
        """In a new window."""
        return self.tmux("new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", command)

    def token(self, scope: str) -> str:
        """The secret of an access token, created once for each scope."""
        if scope not in self._tokens:
            done = manage(self.env, "create_token", f"tests {scope}", "--scope", scope)
            secret = re.search(r"wtx_\S+", done.stdout)
            assert secret is not None, done.stderr
            self._tokens[scope] = secret[0]
        return self._tokens[scope]

    def stop(self) -> None:
        """Ends the server, which must not have logged an error since its start."""
        assert self.running.end(signal.SIGTERM) == 0
        assert "Traceback" not in self.running.output
        assert " ERROR " not in self.running.output

    def window_of(self, pane: str) -> str:
        return self.tmux("display-message", "-p", "-t", pane, "#{window_id}")


def cli(socket: str, *arguments: str) -> str:
    command = ["tmux", "-S", socket, "-f", "/dev/null", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=LONGEST_SECONDS
    ).stdout.rstrip("\n")


@contextlib.contextmanager
def served_tmux(*flags: str, **settings: str) -> Iterator[Served]:
    """With one session, `work`, that shows a plain sh. `settings` go into its environment."""
    with tempfile.TemporaryDirectory(prefix="wts") as place:
        directory = Path(place)
        env = environment(directory / "data", WEBTMUX_TMUX_SOCKET=f"{place}/s", **settings)
        prepare(env)
        cli(f"{place}/s", "new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec sh")
        try:
            with serving(["manage.py", "serve", "--port", "0", *flags], env) as running:
                yield Served(running, directory, env)
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):
                cli(f"{place}/s", "kill-server")


@dataclass
class Client:
    """Messages that were received and not read yet are kept in their order."""

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
        answer = await self.message(lambda message: message.get("id") == name)
        assert answer.pop("id") == name
        return answer

    async def put(self, kind: FrameType | int, agent: str, payload: bytes) -> None:
        await self.socket.send(bytes((kind,)) + agent.encode() + b"\0" + payload)

    async def type(self, agent: str, keys: bytes) -> None:
        await self.put(FrameType.INPUT, agent, keys)

    async def message(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first JSON message for which `wanted` is true."""
        message = await self._first(lambda each: isinstance(each, dict) and wanted(each))
        assert isinstance(message, dict)
        return message

    async def event(self, kind: str) -> dict[str, Any]:
        return await self.message(lambda message: message.get("type") == kind)

    async def error(self) -> str:
        event = await self.event("error")
        assert event == {"type": "error", "ok": False, "error": event["error"]}
        return str(event["error"])

    async def frame(self, agent: str) -> BinaryFrame:
        frame = await self._first(
            lambda each: isinstance(each, BinaryFrame) and each.agent == agent
        )
        assert isinstance(frame, BinaryFrame)
        return frame

    async def output(self, agent: str, until: bytes) -> bytes:
        """The output up to these bytes."""
        read = b""
        while until not in read:
            read += (await self.frame(agent)).payload
        return read

    async def settle(self) -> list[Message]:
        """All messages that the server sent before it answered a ping."""
        await self.ask("ping")
        kept, self.kept = self.kept, []
        return kept

    async def _first(self, wanted: Callable[[Message], bool]) -> Message:
        for number, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(number)
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                while not wanted(message := await self.receive()):
                    self.kept.append(message)
                return message
        except TimeoutError:
            raise AssertionError(f"the message did not arrive; others: {self.kept}") from None

    async def receive(self) -> Message:
        data = await self.socket.recv()
        if isinstance(data, bytes):
            return frames.decode(data)
        message: dict[str, Any] = json.loads(data)
        return message


@contextlib.asynccontextmanager
async def client(served: Served, **options: Any) -> AsyncIterator[Client]:
    options = {"max_size": None, "open_timeout": LONGEST_SECONDS, **options}
    # No keepalive: on a loaded machine a client that is flooded may answer pings late.
    options.setdefault("ping_interval", None)
    async with connect(served.address, **options) as socket:
        yield Client(socket)
