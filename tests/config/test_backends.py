"""The larger setup: a real PostgreSQL and a real Redis, named by two settings."""

import asyncio
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest
from channels_redis.core import RedisChannelLayer
from websockets.sync.client import connect

from config.env import Env, SettingError, channel_layer, database
from tests.backends import START_SECONDS
from tests.config.servers import environment, serving


def test_serve_works_on_postgresql_and_redis(tmp_path: Path, postgres: str, redis: str) -> None:
    env = environment(tmp_path / "data", DATABASE_URL=postgres, REDIS_URL=redis)
    with (
        serving(["manage.py", "serve", "--port", "0"], env) as running,
        httpx.Client(base_url=running.address) as client,
    ):
        assert client.get("/healthz").json() == {"ok": True}
        made = client.post("/api/sessions", json={"name": "large", "command": "exec sh"})
        assert made.status_code == 201, made.text
        projects = client.get("/api/projects").json()
        assert "large" in str(projects)
        with psycopg.connect(postgres) as connection:
            [row] = connection.execute("SELECT name FROM terminals_project").fetchall()
        assert row == ("large",)
        assert sent_at_once(f"{running.address}/mcp", 8) == ["duplicate_ignored"] * 7 + ["typed"]
        assert told_of(f"{running.socket_address}/ws", client, "later") == "windows-updated"
        socket = env["WEBTMUX_TMUX_SOCKET"]
        subprocess.run(["tmux", "-S", socket, "kill-server"], check=True)
    assert not (tmp_path / "data" / "webtmux.sqlite3").exists()


def sent_at_once(address: str, count: int) -> list[str]:
    """What becomes of the same text, sent to one window by several callers together."""
    arguments = {"mode": "execute", "session": "large", "windowIndex": 0, "text": "once"}
    params = {"name": "send_to_window", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    def send(_: int) -> str:
        answer = httpx.post(address, json=message, timeout=START_SECONDS).json()
        return str(answer["result"]["structuredContent"]["status"])

    with ThreadPoolExecutor(count) as threads:
        return sorted(threads.map(send, range(count)))


def told_of(address: str, client: httpx.Client, name: str) -> str:
    """The event that a socket hears, through Redis, when a session is made."""
    with connect(address) as socket:
        socket.send('{"type": "subscribe-windows"}')
        assert json.loads(socket.recv(START_SECONDS))["ok"] is True
        client.post("/api/sessions", json={"name": name, "command": "exec sh"})
        while True:  # a window that tmux renames by itself may be told before
            event = json.loads(socket.recv(START_SECONDS))
            if name in [window["session"] for window in event["windows"]]:
                return str(event["type"])


def test_facts_go_from_process_to_process_through_redis(redis: str) -> None:
    async def through() -> dict[str, object]:
        config = channel_layer(Env(redis_url=redis))
        one = RedisChannelLayer(**config["CONFIG"])
        other = RedisChannelLayer(**config["CONFIG"])
        channel = await one.new_channel()
        await one.group_add("windows", channel)
        await other.group_send("windows", {"type": "fact", "event": {"n": 1}})
        told: dict[str, object] = await asyncio.wait_for(one.receive(channel), 5)
        await one.close_pools()
        await other.close_pools()
        return told

    assert asyncio.run(through()) == {"type": "fact", "event": {"n": 1}}


def test_a_database_url_is_read_whole() -> None:
    read = database(
        Env(database_url="postgresql://u%40x:p%2Fw@db.example:5433/name?sslmode=require")
    )
    assert (read["USER"], read["PASSWORD"], read["HOST"], read["PORT"], read["NAME"]) == (
        "u@x", "p/w", "db.example", "5433", "name",
    )  # fmt: skip
    assert read["OPTIONS"] == {"sslmode": "require"}


def test_another_kind_of_database_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="mysql"):
        database(Env(database_url="mysql://x/y"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "http"),
        ("DEBUG", "maybe"),
        ("PORT", "70000"),
        ("MCP_TOOLS", "workspace,nope"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=f"WEBTMUX_{name}"):
        Env.read({f"WEBTMUX_{name}": value})


def test_the_tool_sets_are_all_unless_some_are_named() -> None:
    assert Env.read({}).mcp_tools == ("workspace", "notes", "agents", "tmux", "tabs")
    assert Env.read({"WEBTMUX_MCP_TOOLS": "notes, tmux"}).mcp_tools == ("notes", "tmux")
