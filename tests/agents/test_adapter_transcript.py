"""Every example of the tmux-adapter document, with a real server, tmux and socket.

The agents are the fakes of tests/agents/fakes under the names of real ones.
"""

import asyncio
import json
import os
import pty
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from terminals.tmux.driver import Tmux
from tests.agents.fakes.launch import Fake, launch
from tests.config.servers import environment, serving
from tests.waiting import LONGEST_SECONDS, eventually


@dataclass
class Client:
    """A client: sends requests with ids, and keeps the events and frames received between them."""

    socket: ClientConnection
    events: list[dict[str, Any]] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)
    _number: int = 0

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:
        """Sends a request and returns the response."""
        self._number += 1
        message = {"id": str(self._number), "type": type, **fields}
        await self.socket.send(json.dumps(message))
        while True:
            received = await self._receive()
            if received is not None and received.get("id") == message["id"]:
                return received
            if received is not None:
                self.events.append(received)

    async def event(self, type: str, **fields: Any) -> dict[str, Any]:
        """The first event of this type with these fields; earlier events are dropped."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["type"] == type and _matches(event, fields):
                    return event
            message = await self._receive()
            if message is not None:
                self.events.append(message)

    async def frame(self, *, containing: bytes = b"") -> bytes:
        """Receives frames until they contain these bytes; returns all of them joined."""
        received = b""
        while True:
            while self.frames:
                received += self.frames.pop(0)
                if containing in received:
                    return received
            message = await self._receive()
            if message is not None:
                self.events.append(message)

    async def _receive(self) -> dict[str, Any] | None:
        data = await asyncio.wait_for(self.socket.recv(), LONGEST_SECONDS)
        if isinstance(data, bytes):
            self.frames.append(data)
            return None
        message: dict[str, Any] = json.loads(data)
        return message


def _matches(event: dict[str, Any], fields: dict[str, Any]) -> bool:
    return all(event.get(key) == value for key, value in fields.items())


def shape(agent: dict[str, Any]) -> dict[str, Any]:
    """Only the documented fields."""
    return {key: agent[key] for key in ("name", "runtime", "workDir", "attached")}


@dataclass
class Server:
    """A server with two agents, shared by all tests of this module."""

    address: str
    socket_address: str
    tmux_socket: str
    directory: Path
    project: Fake
    research: Fake


@dataclass
class Setup:
    """A client and a tmux driver for one test."""

    client: Client
    tmux: Tmux
    server: Server

    @property
    def project(self) -> Fake:
        return self.server.project

    @property
    def research(self) -> Fake:
        return self.server.research

    def expected(self, fake: Fake, *, attached: bool = False) -> dict[str, Any]:
        return {
            "name": fake.name,
            "runtime": fake.runtime,
            "workDir": fake.work_dir,
            "attached": attached,
        }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("transcript")
    env = environment(directory / "data")
    socket = env["WEBTMUX_TMUX_SOCKET"]
    fakes = asyncio.run(launch_two(socket, directory))
    try:
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            yield Server(running.address, running.socket_address, socket, directory, *fakes)
    finally:
        subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


async def launch_two(socket: str, directory: Path) -> tuple[Fake, Fake]:
    tmux = Tmux(socket=socket)
    await tmux.start()
    project = await launch(tmux, directory, "claude", name="my-project")
    research = await launch(tmux, directory, "gemini", name="research")
    await tmux.stop()
    return project, research


@pytest.fixture
async def setup(server: Server) -> AsyncIterator[Setup]:
    tmux = Tmux(socket=server.tmux_socket)
    await tmux.start()
    async with connect(f"{server.socket_address}/ws") as socket:
        client = Client(socket)
        await wait_for_agents(client, 2)
        yield Setup(client, tmux, server)
    await tmux.stop()


async def wait_for_agents(client: Client, count: int) -> None:
    async def is_known() -> bool:
        return len((await client.request("list-agents"))["agents"]) == count

    await eventually(is_known)


async def test_list_agents(setup: Setup) -> None:
    response = await setup.client.request("list-agents")
    assert response.keys() == {"id", "type", "agents"}
    assert response["type"] == "list-agents"
    assert [shape(agent) for agent in response["agents"]] == [
        setup.expected(setup.project),
        setup.expected(setup.research),
    ]


async def test_send_prompt(setup: Setup) -> None:
    response = await setup.client.request(
        "send-prompt", agent="my-project", prompt="please review the PR"
    )
    assert (response["type"], response["ok"]) == ("send-prompt", True)
    assert response["receipt"]["submitted"] is True
    assert setup.project.prompts == [b"please review the PR"]
    response = await setup.client.request("send-prompt", agent="missing", prompt="hello")
    assert {key: response[key] for key in ("type", "ok", "error")} == {
        "type": "send-prompt", "ok": False, "error": "agent not found",
    }  # fmt: skip


async def test_subscribe_output_keys_and_unsubscribe(setup: Setup) -> None:
    client = setup.client
    response = await client.request("subscribe-output", agent="research")
    assert response == {"id": response["id"], "type": "subscribe-output", "ok": True}
    snapshot = await client.frame(containing=b"\x01research\x00")
    assert snapshot.startswith(b"\x01research\x00")
    await client.socket.send(b"\x02research\x00typed by hand")
    await client.frame(containing=b"hand")
    response = await client.request("unsubscribe-output", agent="research")
    assert response == {"id": response["id"], "type": "unsubscribe-output", "ok": True}
    client.frames.clear()
    await client.socket.send(b"\x02research\x00 and more")
    await client.request("list-agents")
    await client.request("ping")
    assert client.frames == []


async def test_history_without_a_subscription(setup: Setup) -> None:
    response = await setup.client.request("subscribe-output", agent="my-project", stream=False)
    assert (response["type"], response["ok"]) == ("subscribe-output", True)
    assert isinstance(response["history"], str)
    assert response["history"].strip()
    await setup.client.request("ping")
    assert setup.client.frames == []


async def test_subscribe_agents_and_their_events(setup: Setup) -> None:
    client = setup.client
    response = await client.request("subscribe-agents")
    assert (response["type"], response["ok"], response["totalAgents"]) == (
        "subscribe-agents",
        True,
        2,
    )
    assert [shape(agent) for agent in response["agents"]] == [
        setup.expected(setup.project),
        setup.expected(setup.research),
    ]
    third = await launch(setup.tmux, setup.server.directory, "codex", name="third")
    added = await client.event("agent-added")
    assert shape(added["agent"]) == setup.expected(third)
    assert await client.event("agents-count") == {"type": "agents-count", "totalAgents": 3}

    _, terminal = pty.openpty()
    attached = subprocess.Popen(
        ["tmux", "-S", str(setup.tmux.monitor.path), "attach", "-t", "third"],
        stdin=terminal, stdout=terminal, stderr=terminal,
        env={"TERM": "xterm", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    try:
        await wait_for_attached(client, "third", attached=True)
    finally:
        attached.kill()
        attached.wait()
    await wait_for_attached(client, "third", attached=False)

    await setup.tmux.kill(third.session_id)
    assert await client.event("agent-removed") == {"type": "agent-removed", "name": "third"}
    assert await client.event("agents-count") == {"type": "agents-count", "totalAgents": 2}
    response = await client.request("unsubscribe-agents")
    assert response == {"id": response["id"], "type": "unsubscribe-agents", "ok": True}


async def wait_for_attached(client: Client, name: str, *, attached: bool) -> None:
    while True:
        event = await client.event("agent-updated")
        if event["agent"]["name"] == name and event["agent"]["attached"] is attached:
            return


async def test_filters_keep_the_total(setup: Setup) -> None:
    response = await setup.client.request("subscribe-agents", includeSessionFilter="^res")
    assert [agent["name"] for agent in response["agents"]] == ["research"]
    assert response["totalAgents"] == 2
    response = await setup.client.request("list-agents", excludeSessionFilter="(")
    assert response["ok"] is False
    assert response["error"].startswith("invalid session exclude filter: ")


async def test_resize_and_upload(setup: Setup) -> None:
    client = setup.client
    await client.request("subscribe-output", agent="my-project")
    await client.frame(containing=b"\x01my-project\x00")
    await client.socket.send(b"\x03my-project\x00101:31")

    async def is_resized() -> bool:
        windows = await setup.tmux.windows()
        return [row.size for row in windows if row.session_name == "my-project"] == [(101, 31)]

    await eventually(is_resized)
    before = setup.project.prompts
    image = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    await client.socket.send(b"\x04my-project\x00shot.png\x00image/png\x00" + image)
    uploads = setup.server.directory / ".webtmux" / "uploads"
    await eventually(lambda: list(uploads.glob("*shot.png")))
    [saved] = uploads.glob("*shot.png")
    assert saved.read_bytes() == image
    await client.frame(containing=saved.name[:20].encode())
    assert setup.project.prompts == before


async def test_errors_have_the_documented_texts(setup: Setup) -> None:
    client = setup.client
    response = await client.request("send-prompt", prompt="x")
    assert response == {
        "id": response["id"], "type": "error", "ok": False, "error": "agent field required",
    }  # fmt: skip
    response = await client.request("send-prompt", agent="my-project")
    assert response["error"] == "prompt field required"
    response = await client.request("nonsense")
    assert (response["type"], response["error"]) == ("error", "unknown message type: nonsense")
    await client.socket.send("{")
    event = await client.event("error")
    assert event["error"].startswith("invalid JSON: ")
    await client.socket.send(b"\x02")
    assert (await client.event("error"))["error"] == "invalid binary message: frame too short"
    await client.socket.send(b"\x03my-project\x00wide")
    assert (await client.event("error"))["error"] == (
        "invalid resize payload for my-project: expected cols:rows"
    )


async def test_the_documented_endpoints(setup: Setup) -> None:
    async with httpx.AsyncClient(base_url=setup.server.address) as http:
        live = await http.get("/healthz")
        assert (live.status_code, live.json()) == (200, {"ok": True})
        assert (await http.get("/readyz")).status_code == 200
        part = await http.get("/tmux-adapter-web/tmux-adapter-web.js")
        assert part.status_code == 200
        for response in (live, part):
            assert response.headers["access-control-allow-origin"] == "*"
            assert "no-store" in response.headers["cache-control"]
        assert (await http.post("/debug/log", content=b"x")).status_code == 404
