"""The larger setup: a real PostgreSQL and a real Redis, named by two settings."""

import asyncio
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
from channels_redis.core import RedisChannelLayer
from websockets.sync.client import connect

from config.env import Env, channel_layer
from tests.config.servers import environment, serving
from tests.waiting import LONGEST_SECONDS


def test_serve_works_on_postgresql_and_redis(tmp_path: Path, postgres: str, redis: str) -> None:
    env = environment(tmp_path / "data", DATABASE_URL=postgres, REDIS_URL=redis)
    with (
        serving(["manage.py", "serve", "--port", "0"], env) as running,
        httpx.Client(base_url=running.address) as client,
    ):
        assert client.get("/healthz").json() == {"ok": True}
        created = client.post("/api/sessions", json={"name": "large", "command": "exec sh"})
        assert created.status_code == 201, created.text
        projects = client.get("/api/projects").json()
        assert "large" in str(projects)
        with psycopg.connect(postgres) as connection:
            [row] = connection.execute("SELECT name FROM terminals_project").fetchall()
        assert row == ("large",)
        assert results_of_concurrent_sends(f"{running.address}/mcp", 8) == [
            "duplicate_ignored"
        ] * 7 + ["typed"]
        assert (
            event_of_new_session(f"{running.socket_address}/ws", client, "later")
            == "windows-updated"
        )
        socket = env["WEBTMUX_TMUX_SOCKET"]
        subprocess.run(["tmux", "-S", socket, "kill-server"], check=True)
    assert not (tmp_path / "data" / "webtmux.sqlite3").exists()


def results_of_concurrent_sends(address: str, count: int) -> list[str]:
    """The results of the same text, sent to one window by several callers at the same time."""
    arguments = {"mode": "execute", "session": "large", "windowIndex": 0, "text": "once"}
    params = {"name": "send_to_window", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    def send(_: int) -> str:
        answer = httpx.post(address, json=message, timeout=LONGEST_SECONDS).json()
        return str(answer["result"]["structuredContent"]["status"])

    with ThreadPoolExecutor(count) as threads:
        return sorted(threads.map(send, range(count)))


def event_of_new_session(address: str, client: httpx.Client, name: str) -> str:
    """The event that a socket receives, through Redis, when a session is created."""
    with connect(address) as socket:
        socket.send('{"type": "subscribe-windows"}')
        assert json.loads(socket.recv(LONGEST_SECONDS))["ok"] is True
        client.post("/api/sessions", json={"name": name, "command": "exec sh"})
        while True:  # tmux may rename a window by itself before
            event = json.loads(socket.recv(LONGEST_SECONDS))
            if name in [window["session"] for window in event["windows"]]:
                return str(event["type"])


def test_events_go_from_process_to_process_through_redis(redis: str) -> None:
    async def pass_on() -> dict[str, object]:
        config = channel_layer(Env(redis_url=redis))
        receiver = RedisChannelLayer(**config["CONFIG"])
        sender = RedisChannelLayer(**config["CONFIG"])
        channel = await receiver.new_channel()
        await receiver.group_add("windows", channel)
        await sender.group_send("windows", {"type": "fact", "event": {"n": 1}})
        message: dict[str, object] = await asyncio.wait_for(
            receiver.receive(channel), LONGEST_SECONDS
        )
        await receiver.close_pools()
        await sender.close_pools()
        return message

    assert asyncio.run(pass_on()) == {"type": "fact", "event": {"n": 1}}
