"""The documents' own examples against a running server: curl, Node, Python, the inspector."""

import json
import os
import shutil
import signal
import socket
import subprocess
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from tests.config.servers import ROOT, serving
from tests.mcp_gateway.fixtures import text_of
from tests.mcp_gateway.mounted import BOTH
from tests.mcp_gateway.suites import INSPECTOR, modern_node
from tests.terminals.served import Served, served_tmux
from tests.waiting import LONGEST_SECONDS

WAIT_SECONDS = LONGEST_SECONDS


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
    listed: list[dict[str, Any]] = result["structuredContent"]["windows"]
    assert json.loads(result["content"][0]["text"]) == {"windows": listed}
    return listed


def sessions(windows: list[dict[str, Any]]) -> set[str]:
    return {window["session"] for window in windows}


async def call(client: Client, name: str, **arguments: Any) -> CallToolResult:
    result = await client.call_tool(name, arguments)
    assert isinstance(result, CallToolResult)
    return result


def test_the_documents_curl(served: Served) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    response = run(
        "curl", "-sS", "-X", "POST", f"{served.running.address}/mcp",
        "-H", "Content-Type: application/json",
        "-H", "Accept: application/json, text/event-stream",
        "-d", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    )  # fmt: skip
    names = [tool["name"] for tool in json.loads(response)["result"]["tools"]]
    assert "send_to_window" in names


def test_the_documents_node_program(served: Served) -> None:
    if not (ROOT / "node_modules" / "@modelcontextprotocol" / "sdk").exists():
        pytest.skip("the SDK for Node is not installed: npm ci")
    response = run(
        "node", "tests/mcp_gateway/smoke.mjs", f"{served.running.address}/mcp"
    ).splitlines()
    assert "list_windows" in [tool["name"] for tool in json.loads(response[0])["tools"]]
    assert sessions(windows(json.loads(response[1]))) >= {"work"}


def test_the_inspectors_command_line(served: Served) -> None:
    node = modern_node()
    if not INSPECTOR.exists() or not node:
        pytest.skip("the inspector is not installed: make suites")
    base = (node, str(INSPECTOR), "--cli", f"{served.running.address}/mcp", "--transport", "http")
    listed = json.loads(run(*base, "--method", "tools/list"))
    assert "list_windows" in [tool["name"] for tool in listed["tools"]]
    called = json.loads(run(*base, "--method", "tools/call", "--tool-name", "list_windows"))
    assert sessions(windows(called)) >= {"work"}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_python_client_in_both_modes(served: Served, mode: str) -> None:
    async with Client(f"{served.running.address}/mcp", mode=mode) as client:
        assert "server_info" in [tool.name for tool in (await client.list_tools()).tools]
        response = (await call(client, "list_windows")).structured_content
        assert response is not None
        assert sessions(response["windows"]) >= {"work"}


def test_a_session_has_a_stream_to_listen_to(served: Served) -> None:
    with httpx.Client(
        base_url=served.running.address, headers=BOTH, timeout=LONGEST_SECONDS
    ) as http:
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


def test_a_foreign_page_is_refused(served: Served) -> None:
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
    headers = {"authorization": f"Bearer {served.token('read')}"}
    url = f"{served.running.address}/mcp"
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        assert not (await call(client, "list_windows")).is_error
        response = await call(client, "select_window", mode="execute", current=True)
    assert response.is_error
    assert "needs the scope write" in text_of(response)


async def test_clients_of_both_protocols_survive_a_restart_of_the_server() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = ["manage.py", "serve", "--port", port]
    with served_tmux("--port", port) as served:
        url = f"{served.running.address}/mcp"
        async with Client(url, mode="auto") as newer, Client(url, mode="legacy") as older:
            clients = (newer, older)
            before = [(await call(each, "list_windows")).structured_content for each in clients]
            assert served.running.end(signal.SIGTERM) == 0
            with serving(command, served.env):
                for client, windows in zip(clients, before, strict=True):
                    assert (await call(client, "list_windows")).structured_content == windows
                    assert not (await call(client, "server_info")).is_error
