"""`manage.py mcp_stdio`: a bridge to the running server, or a server of its own."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

from config.server.discovery import running_servers
from mcp_gateway.transport.stdio import own_pane
from tests.config.servers import ROOT, environment, manage, prepare, serving
from tests.mcp_gateway.fixtures import text_of
from tests.terminals.served import Served
from tests.waiting import LONGEST_SECONDS

WAIT_SECONDS = LONGEST_SECONDS


def parameters(env: dict[str, str], *flags: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["manage.py", "mcp_stdio", *flags], env=env, cwd=str(ROOT)
    )


def address(served: Served) -> tuple[str, str]:
    return ("--url", served.running.address)


async def call(client: Client, name: str, **arguments: Any) -> CallToolResult:
    result = await client.call_tool(name, arguments)
    assert isinstance(result, CallToolResult)
    return result


async def test_the_bridge_serves_tools_resources_and_prompts(served: Served) -> None:
    async with Client(parameters(served.env, *address(served))) as client:
        assert "list_windows" in [tool.name for tool in (await client.list_tools()).tools]
        response = (await call(client, "list_windows")).structured_content
        assert response is not None
        assert "work" in {window["session"] for window in response["windows"]}
        assert (await client.list_resources()).resources
        assert (await client.list_prompts()).prompts


async def test_the_bridge_sends_its_tool_sets_pane_and_token(served: Served) -> None:
    pane = served.new_pane("exec cat")
    env = {
        **served.env,
        "TMUX": f"{served.env['WEBTMUX_TMUX_SOCKET']},1,0",
        "TMUX_PANE": pane,
        "WEBTMUX_TOKEN": served.token("write"),
    }
    stdio = parameters(env, *address(served), "--tools", "workspace")
    async with Client(stdio) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        info = await call(client, "server_info")
        typed = await call(
            client, "send_to_window", mode="execute", text="x", windowId=served.window_of(pane)
        )
    assert "list_windows" in names
    assert "list_tasks" not in names
    assert info.structured_content is not None
    assert info.structured_content["scope"] == "write"
    assert typed.is_error
    assert "the pane you run in" in text_of(typed)


async def test_without_a_server_it_serves_on_its_own(served: Served) -> None:
    async with Client(parameters(served.env, "--local")) as client:
        response = (await call(client, "list_windows")).structured_content
        assert response is not None
        assert "work" in {window["session"] for window in response["windows"]}


async def test_a_running_server_is_found_on_any_port(served: Served) -> None:
    """No address is given and the server's port is not the default one."""
    async with Client(parameters(served.env)) as client:
        created = await client.call_tool("create_tab", {"name": "found"})
        assert isinstance(created, CallToolResult)
        assert not created.is_error, text_of(created)
    async with Client(f"{served.running.address}/mcp") as client:
        tabs = (await call(client, "list_tabs")).structured_content
    assert tabs is not None
    assert "found" in json.dumps(tabs)


async def test_the_unix_socket_is_used_when_the_address_is_given(served: Served) -> None:
    """The port could belong to another program by now; the socket in our directory cannot."""
    [entry] = (served.directory / "data" / "run").glob("server-*.json")
    original = entry.read_text()
    entry.write_text(json.dumps({"address": "http://127.0.0.1:1", "pid": 0}))
    try:
        async with Client(parameters(served.env, "--url", "http://127.0.0.1:1")) as client:
            assert (await client.list_tools()).tools
    finally:
        entry.write_text(original)


async def test_a_long_data_directory_works(tmp_path: Path) -> None:
    """Longer than the path of a unix socket may be."""
    deep = tmp_path / ("d" * 60) / ("e" * 60) / "data"
    env = environment(deep, WEBTMUX_TMUX_SOCKET=str(tmp_path / "s"))
    prepare(env)
    with serving(["manage.py", "serve", "--port", "0"], env) as running:
        done = manage(env, "mcp_stdio", "--url", "http://127.0.0.1:1")
        assert "no webtmux at" in done.stderr
        async with Client(parameters(env)) as client:
            info = await call(client, "server_info")
        assert info.structured_content is not None
        assert running.end(signal.SIGTERM) == 0
    assert not list((deep / "run").glob("server-*"))


def test_files_of_killed_servers_are_ignored_and_removed(tmp_path: Path) -> None:
    env = environment(tmp_path / "data", WEBTMUX_TMUX_SOCKET=str(tmp_path / "s"))
    prepare(env)
    run = tmp_path / "data" / "run"
    with serving(["manage.py", "serve", "--port", "0"], env) as killed:
        killed.end(signal.SIGKILL)
        assert len(list(run.glob("server-*"))) == 2
        assert running_servers(tmp_path / "data") == []
    with serving(["manage.py", "serve", "--port", "0"], env) as running:
        assert {file.stem for file in run.glob("server-*")} == {f"server-{running.process.pid}"}
        [server] = running_servers(tmp_path / "data")
        assert server.address == running.address
        assert running.end(signal.SIGTERM) == 0
    assert not list(run.glob("server-*"))


async def test_on_its_own_it_creates_the_database(served: Served, tmp_path: Path) -> None:
    env = {**served.env, "WEBTMUX_DATA_DIR": str(tmp_path / "new"), "WEBTMUX_PORT": "1"}
    async with Client(parameters(env)) as client:
        response = await call(
            client, "send_to_window", mode="execute", session="work", windowIndex=0, text="alone"
        )
    assert not response.is_error, text_of(response)


def test_standard_output_contains_only_messages_of_the_older_protocol(served: Served) -> None:
    """The other tests use a client of the newer protocol, which has no `initialize`."""
    request: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "raw", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_windows"}},
    ]  # fmt: skip
    for flags in (address(served), ("--local",)):
        process = subprocess.Popen(
            [sys.executable, "manage.py", "mcp_stdio", *flags], cwd=ROOT, env=served.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for message in request:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            if "id" in message:
                answers.append(json.loads(process.stdout.readline()))
        rest, _ = process.communicate(timeout=WAIT_SECONDS)
        assert rest == b""
        assert process.returncode == 0
        assert [each["id"] for each in answers] == [1, 2]
        assert "structuredContent" in answers[1]["result"]


def test_a_named_server_that_is_not_running_is_an_error(served: Served) -> None:
    done = manage(served.env, "mcp_stdio", "--url", "http://127.0.0.1:1/mcp")
    assert done.returncode == 1
    assert "no webtmux at http://127.0.0.1:1/mcp" in done.stderr
    assert done.stdout == ""


def test_an_unknown_set_is_an_error(served: Served) -> None:
    done = manage(served.env, "mcp_stdio", "--local", "--tools", "nope")
    assert done.returncode == 1
    assert "there is no tool set 'nope'" in done.stderr


def test_the_own_pane_belongs_to_the_same_tmux(tmp_path: Path) -> None:
    socket = str(tmp_path / "s")
    env = {"TMUX": f"{socket},12,0", "TMUX_PANE": "%3"}
    assert own_pane(env, tmux_socket=socket) == "%3"
    assert own_pane(env, tmux_socket=str(tmp_path / "other")) == ""
    assert own_pane({"TMUX_PANE": "%3"}, tmux_socket=socket) == ""
    assert own_pane({**env, "TMUX_PANE": "x"}, tmux_socket=socket) == ""
