"""Every example of the tmux-adapter document, message by message: a real server, tmux and socket.

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

SECONDS = 15.0


@dataclass
class Client:
    """One client: requests with ids of their own, and what else came meanwhile."""

    socket: ClientConnection
    events: list[dict[str, Any]] = field(default_factory=list)
    frames: list[bytes] = field(default_factory=list)
    _number: int = 0

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request, as it came."""
        self._number += 1
        request = {"id": str(self._number), "type": type, **fields}
        await self.socket.send(json.dumps(request))
        while True:
            message = await self._receive()
            if message is not None and message.get("id") == request["id"]:
                return message
            if message is not None:
                self.events.append(message)

    async def event(self, type: str, **fields: Any) -> dict[str, Any]:
        """The first event of a type that has these fields, the earlier ones dropped."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["type"] == type and _has(event, fields):
                    return event
            message = await self._receive()
            if message is not None:
                self.events.append(message)

    async def frame(self, *, holding: bytes = b"") -> bytes:
        """Frames until the bytes are among what they carried; all of it."""
        carried = b""
        while True:
            while self.frames:
                carried += self.frames.pop(0)
                if holding in carried:
                    return carried
            message = await self._receive()
            if message is not None:
                self.events.append(message)

    async def _receive(self) -> dict[str, Any] | None:
        data = await asyncio.wait_for(self.socket.recv(), SECONDS)
        if isinstance(data, bytes):
            self.frames.append(data)
            return None
        message: dict[str, Any] = json.loads(data)
        return message


def _has(event: dict[str, Any], fields: dict[str, Any]) -> bool:
    return all(event.get(key) == value for key, value in fields.items())


def shape(agent: dict[str, Any]) -> dict[str, Any]:
    """Only what the document has."""
    return {key: agent[key] for key in ("name", "runtime", "workDir", "attached")}


@dataclass
class Scene:
    """One server with two agents, for all tests of this module."""

    address: str
    socket_address: str
    tmux_socket: str
    directory: Path
    project: Fake
    research: Fake


@dataclass
class Stage:
    """A client of its own, and a driver beside it."""

    client: Client
    tmux: Tmux
    scene: Scene

    @property
    def project(self) -> Fake:
        return self.scene.project

    @property
    def research(self) -> Fake:
        return self.scene.research

    def told(self, fake: Fake, *, attached: bool = False) -> dict[str, Any]:
        return {
            "name": fake.name,
            "runtime": fake.runtime,
            "workDir": fake.work_dir,
            "attached": attached,
        }


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    directory = tmp_path_factory.mktemp("transcript")
    env = environment(directory / "data")
    socket = env["WEBTMUX_TMUX_SOCKET"]
    fakes = asyncio.run(launch_two(socket, directory))
    try:
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            yield Scene(running.address, running.socket_address, socket, directory, *fakes)
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
async def stage(scene: Scene) -> AsyncIterator[Stage]:
    tmux = Tmux(socket=scene.tmux_socket)
    await tmux.start()
    async with connect(f"{scene.socket_address}/ws") as socket:
        client = Client(socket)
        await until_known(client, 2)
        yield Stage(client, tmux, scene)
    await tmux.stop()


async def until_known(client: Client, count: int) -> None:
    async with asyncio.timeout(SECONDS):
        while len((await client.ask("list-agents"))["agents"]) != count:
            await asyncio.sleep(0.05)


async def test_list_agents(stage: Stage) -> None:
    answer = await stage.client.ask("list-agents")
    assert answer.keys() == {"id", "type", "agents"}
    assert answer["type"] == "list-agents"
    assert [shape(agent) for agent in answer["agents"]] == [
        stage.told(stage.project),
        stage.told(stage.research),
    ]


async def test_send_prompt(stage: Stage) -> None:
    answer = await stage.client.ask(
        "send-prompt", agent="my-project", prompt="please review the PR"
    )
    assert (answer["type"], answer["ok"]) == ("send-prompt", True)
    assert answer["receipt"]["submitted"] is True
    assert stage.project.prompts == [b"please review the PR"]
    answer = await stage.client.ask("send-prompt", agent="nobody", prompt="hello")
    assert {key: answer[key] for key in ("type", "ok", "error")} == {
        "type": "send-prompt", "ok": False, "error": "agent not found",
    }  # fmt: skip


async def test_subscribe_output_keys_and_unsubscribe(stage: Stage) -> None:
    client = stage.client
    answer = await client.ask("subscribe-output", agent="research")
    assert answer == {"id": answer["id"], "type": "subscribe-output", "ok": True}
    snapshot = await client.frame(holding=b"\x01research\x00")
    assert snapshot.startswith(b"\x01research\x00")
    await client.socket.send(b"\x02research\x00typed by hand")
    await client.frame(holding=b"hand")
    answer = await client.ask("unsubscribe-output", agent="research")
    assert answer == {"id": answer["id"], "type": "unsubscribe-output", "ok": True}
    client.frames.clear()
    await client.socket.send(b"\x02research\x00 and more")
    await client.ask("list-agents")
    await client.ask("ping")
    assert client.frames == []


async def test_history_without_a_subscription(stage: Stage) -> None:
    answer = await stage.client.ask("subscribe-output", agent="my-project", stream=False)
    assert (answer["type"], answer["ok"]) == ("subscribe-output", True)
    assert isinstance(answer["history"], str)
    assert answer["history"].strip()
    await stage.client.ask("ping")
    assert stage.client.frames == []


async def test_subscribe_agents_and_their_events(stage: Stage) -> None:
    client = stage.client
    answer = await client.ask("subscribe-agents")
    assert (answer["type"], answer["ok"], answer["totalAgents"]) == ("subscribe-agents", True, 2)
    assert [shape(agent) for agent in answer["agents"]] == [
        stage.told(stage.project),
        stage.told(stage.research),
    ]
    third = await launch(stage.tmux, stage.scene.directory, "codex", name="third")
    added = await client.event("agent-added")
    assert shape(added["agent"]) == stage.told(third)
    assert await client.event("agents-count") == {"type": "agents-count", "totalAgents": 3}

    _, terminal = pty.openpty()
    person = subprocess.Popen(
        ["tmux", "-S", str(stage.tmux.link.path), "attach", "-t", "third"],
        stdin=terminal, stdout=terminal, stderr=terminal,
        env={"TERM": "xterm", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    try:
        await until_attached(client, "third", attached=True)
    finally:
        person.kill()
        person.wait()
    await until_attached(client, "third", attached=False)

    await stage.tmux.kill(third.session_id)
    assert await client.event("agent-removed") == {"type": "agent-removed", "name": "third"}
    assert await client.event("agents-count") == {"type": "agents-count", "totalAgents": 2}
    answer = await client.ask("unsubscribe-agents")
    assert answer == {"id": answer["id"], "type": "unsubscribe-agents", "ok": True}


async def until_attached(client: Client, name: str, *, attached: bool) -> None:
    while True:
        event = await client.event("agent-updated")
        if event["agent"]["name"] == name and event["agent"]["attached"] is attached:
            return


async def test_filters_keep_the_total(stage: Stage) -> None:
    answer = await stage.client.ask("subscribe-agents", includeSessionFilter="^res")
    assert [agent["name"] for agent in answer["agents"]] == ["research"]
    assert answer["totalAgents"] == 2
    answer = await stage.client.ask("list-agents", excludeSessionFilter="(")
    assert answer["ok"] is False
    assert answer["error"].startswith("invalid session exclude filter: ")


async def test_resize_and_upload(stage: Stage) -> None:
    client = stage.client
    await client.ask("subscribe-output", agent="my-project")
    await client.frame(holding=b"\x01my-project\x00")
    await client.socket.send(b"\x03my-project\x00101:31")
    async with asyncio.timeout(SECONDS):
        while [
            row.size for row in await stage.tmux.windows() if row.session_name == "my-project"
        ] != [(101, 31)]:
            await asyncio.sleep(0.02)
    before = stage.project.prompts
    image = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    await client.socket.send(b"\x04my-project\x00shot.png\x00image/png\x00" + image)
    uploads = stage.scene.directory / ".webtmux" / "uploads"
    async with asyncio.timeout(SECONDS):
        while not (uploads.is_dir() and list(uploads.glob("*shot.png"))):
            await asyncio.sleep(0.02)
    [saved] = uploads.glob("*shot.png")
    assert saved.read_bytes() == image
    await client.frame(holding=saved.name[:20].encode())
    assert stage.project.prompts == before


async def test_errors_have_the_documented_words(stage: Stage) -> None:
    client = stage.client
    answer = await client.ask("send-prompt", prompt="x")
    assert answer == {
        "id": answer["id"], "type": "error", "ok": False, "error": "agent field required",
    }  # fmt: skip
    answer = await client.ask("send-prompt", agent="my-project")
    assert answer["error"] == "prompt field required"
    answer = await client.ask("nonsense")
    assert (answer["type"], answer["error"]) == ("error", "unknown message type: nonsense")
    await client.socket.send("{")
    event = await client.event("error")
    assert event["error"].startswith("invalid JSON: ")
    await client.socket.send(b"\x02")
    assert (await client.event("error"))["error"] == "invalid binary message: frame too short"
    await client.socket.send(b"\x03my-project\x00wide")
    assert (await client.event("error"))["error"] == (
        "invalid resize payload for my-project: expected cols:rows"
    )


async def test_the_documented_endpoints(stage: Stage) -> None:
    async with httpx.AsyncClient(base_url=stage.scene.address) as http:
        live = await http.get("/healthz")
        assert (live.status_code, live.json()) == (200, {"ok": True})
        assert (await http.get("/readyz")).status_code == 200
        part = await http.get("/tmux-adapter-web/tmux-adapter-web.js")
        assert part.status_code == 200
        for answer in (live, part):
            assert answer.headers["access-control-allow-origin"] == "*"
            assert "no-store" in answer.headers["cache-control"]
        assert (await http.post("/debug/log", content=b"x")).status_code == 404
