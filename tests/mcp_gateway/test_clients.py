"""The documents' own examples against a running server: curl, Node, Python, the inspector."""

import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from tests.config.servers import ROOT, manage, serving
from tests.mcp_gateway.fixtures import said
from tests.mcp_gateway.mounted import BOTH
from tests.mcp_gateway.suites import INSPECTOR, modern_node
from tests.terminals.served import Served, served_tmux

WAIT_SECONDS = 60.0


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as running:
        yield running


def run(*command: str) -> str:
    """What a program printed; without the proxies of this machine."""
    env = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def windows(result: Any) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = result["structuredContent"]["windows"]
    assert json.loads(result["content"][0]["text"]) == {"windows": told}
    return told


async def call(client: Client, name: str, **arguments: Any) -> CallToolResult:
    result = await client.call_tool(name, arguments)
    assert isinstance(result, CallToolResult)
    return result


def test_the_documents_curl(served: Served) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    told = run(
        "curl", "-sS", "-X", "POST", f"{served.running.address}/mcp",
        "-H", "Content-Type: application/json",
        "-H", "Accept: application/json, text/event-stream",
        "-d", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    )  # fmt: skip
    names = [tool["name"] for tool in json.loads(told)["result"]["tools"]]
    assert "send_to_window" in names


def test_the_documents_node_program(served: Served) -> None:
    if not (ROOT / "node_modules" / "@modelcontextprotocol" / "sdk").exists():
        pytest.skip("the SDK for Node is not installed: npm ci")
    told = run("node", "tests/mcp_gateway/smoke.mjs", f"{served.running.address}/mcp").splitlines()
    assert "list_windows" in [tool["name"] for tool in json.loads(told[0])["tools"]]
    assert windows(json.loads(told[1]))[0]["session"] == "work"


def test_the_inspectors_command_line(served: Served) -> None:
    node = modern_node()
    if not INSPECTOR.exists() or not node:
        pytest.skip("the inspector is not installed: make suites")
    base = (node, str(INSPECTOR), "--cli", f"{served.running.address}/mcp", "--transport", "http")
    listed = json.loads(run(*base, "--method", "tools/list"))
    assert "list_windows" in [tool["name"] for tool in listed["tools"]]
    called = json.loads(run(*base, "--method", "tools/call", "--tool-name", "list_windows"))
    assert windows(called)[0]["session"] == "work"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_python_client_in_both_modes(served: Served, mode: str) -> None:
    async with Client(f"{served.running.address}/mcp", mode=mode) as client:
        assert "server_info" in [tool.name for tool in (await client.list_tools()).tools]
        told = (await call(client, "list_windows")).structured_content
        assert told is not None
        assert told["windows"][0]["session"] == "work"


def test_a_session_has_a_stream_to_listen_to(served: Served) -> None:
    with httpx.Client(base_url=served.running.address, headers=BOTH, timeout=30) as http:
        hello = {
            "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}},
        }  # fmt: skip
        opened = http.post("/mcp", json=hello)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        assert '"protocolVersion":"2025-06-18"' in opened.text
        with http.stream("GET", "/mcp", headers=session) as listening:
            assert listening.status_code == 200
            assert listening.headers["content-type"].startswith("text/event-stream")
        assert http.delete("/mcp", headers=session).status_code == 200


def test_a_strange_page_is_not_answered(served: Served) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers, status in (
        ({"origin": "http://evil.example"}, 403),
        ({"host": "evil.example"}, 421),
        ({"authorization": "Bearer wrong"}, 401),
    ):
        answer = httpx.post(
            f"{served.running.address}/mcp", json=message, headers={**BOTH, **headers}
        )
        assert answer.status_code == status


async def test_a_read_token_reads_and_does_not_write(served: Served) -> None:
    made = manage(served.env, "create_token", "reads", "--scope", "read").stdout
    [secret] = [word for word in made.split() if word.startswith("wtx_")]
    headers = {"authorization": f"Bearer {secret}"}
    url = f"{served.running.address}/mcp"
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        assert not (await call(client, "list_windows")).is_error
        told = await call(client, "select_window", mode="execute", current=True)
    assert told.is_error
    assert "needs the scope write" in said(told)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_survives_a_restart_of_the_server(mode: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = ["manage.py", "serve", "--port", port]
    with served_tmux("--port", port) as served:
        async with Client(f"{served.running.address}/mcp", mode=mode) as client:
            before = (await call(client, "list_windows")).structured_content
            assert served.running.end(signal.SIGTERM) == 0
            with serving(command, served.env):
                again = (await call(client, "list_windows")).structured_content
                assert again == before
                twice = await call(client, "server_info")
                assert not twice.is_error
