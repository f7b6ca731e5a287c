"""`manage.py mcp_stdio`: the running server over pipes, or a server of its own."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

from config.running_servers import running_servers
from mcp_gateway.stdio import own_pane
from tests.config.servers import ROOT, environment, manage, serving
from tests.mcp_gateway.fixtures import said
from tests.terminals.served import Served, served_tmux

WAIT_SECONDS = 60.0


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as running:
        yield running


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


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_bridge_serves_both_eras(served: Served, mode: str) -> None:
    stdio = parameters(served.env, *address(served))
    async with Client(stdio, mode=mode) as client:
        assert "list_windows" in [tool.name for tool in (await client.list_tools()).tools]
        told = (await call(client, "list_windows")).structured_content
        assert told is not None
        assert told["windows"][0]["session"] == "work"
        assert (await client.list_resources()).resources
        assert (await client.list_prompts()).prompts


async def test_the_bridge_passes_on_the_sets(served: Served) -> None:
    stdio = parameters(served.env, *address(served), "--tools", "notes")
    async with Client(stdio) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
    assert "list_windows" not in names


async def test_the_bridge_tells_the_pane_it_runs_in(served: Served) -> None:
    pane = served.new_pane("exec cat")
    env = {**served.env, "TMUX": f"{served.env['WEBTMUX_TMUX_SOCKET']},1,0", "TMUX_PANE": pane}
    async with Client(parameters(env, *address(served))) as client:
        told = await call(
            client, "send_to_window", mode="execute", text="x", windowId=served.window_of(pane)
        )
    assert told.is_error
    assert "the pane you run in" in said(told)


async def test_the_bridge_shows_its_token(served: Served) -> None:
    made = manage(served.env, "create_token", "reader", "--scope", "read").stdout
    [secret] = [word for word in made.split() if word.startswith("wtx_")]
    env = {**served.env, "WEBTMUX_TOKEN": secret}
    async with Client(parameters(env, *address(served))) as client:
        told = await call(client, "server_info")
    assert told.structured_content is not None
    assert told.structured_content["scope"] == "read"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_without_a_server_it_serves_by_itself(served: Served, mode: str) -> None:
    async with Client(parameters(served.env, "--local"), mode=mode) as client:
        told = (await call(client, "list_windows")).structured_content
        assert told is not None
        assert told["windows"][0]["session"] == "work"


async def test_a_running_server_is_found_on_any_port(served: Served) -> None:
    """No address is given and the server's port is not the default one."""
    async with Client(parameters(served.env)) as client:
        created = await client.call_tool("create_tab", {"name": "found"})
        assert isinstance(created, CallToolResult)
        assert not created.is_error, said(created)
    async with Client(parameters(served.env, *address(served))) as client:
        tabs = (await call(client, "list_tabs")).structured_content
    assert tabs is not None
    assert "found" in json.dumps(tabs)


async def test_the_unix_socket_is_used_when_the_address_is_given(served: Served) -> None:
    """The port could belong to another program by now; the socket in our directory cannot."""
    [entry] = (served.directory / "data" / "run").glob("server-*.json")
    kept = entry.read_text()
    entry.write_text(json.dumps({"address": "http://127.0.0.1:1", "pid": 0}))
    try:
        async with Client(parameters(served.env, "--url", "http://127.0.0.1:1")) as client:
            assert (await client.list_tools()).tools
    finally:
        entry.write_text(kept)


async def test_a_long_data_directory_works(tmp_path: Path) -> None:
    """Longer than the path of a unix socket may be."""
    deep = tmp_path / ("d" * 60) / ("e" * 60) / "data"
    env = environment(deep, WEBTMUX_TMUX_SOCKET=str(tmp_path / "s"))
    with serving(["manage.py", "serve", "--port", "0"], env) as running:
        done = manage(env, "mcp_stdio", "--url", "http://127.0.0.1:1")
        assert "there is no webtmux at" in done.stderr
        async with Client(parameters(env)) as client:
            info = await call(client, "server_info")
        assert info.structured_content is not None
        assert running.end(signal.SIGTERM) == 0
    assert not list((deep / "run").glob("server-*"))


def test_files_of_killed_servers_are_ignored_and_removed(tmp_path: Path) -> None:
    env = environment(tmp_path / "data", WEBTMUX_TMUX_SOCKET=str(tmp_path / "s"))
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


async def test_alone_it_makes_the_database_that_it_needs(served: Served, tmp_path: Path) -> None:
    env = {**served.env, "WEBTMUX_DATA_DIR": str(tmp_path / "new"), "WEBTMUX_PORT": "1"}
    async with Client(parameters(env)) as client:
        told = await call(
            client, "send_to_window", mode="execute", session="work", windowIndex=0, text="alone"
        )
    assert not told.is_error, said(told)


def test_standard_output_carries_messages_and_nothing_else(served: Served) -> None:
    asked: list[dict[str, Any]] = [
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
        for message in asked:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            if "id" in message:
                answers.append(json.loads(process.stdout.readline()))
        rest, _ = process.communicate(timeout=WAIT_SECONDS)
        assert rest == b""
        assert process.returncode == 0
        assert [each["id"] for each in answers] == [1, 2]
        assert "structuredContent" in answers[1]["result"]


def test_a_server_that_was_named_and_is_not_there_is_an_error(served: Served) -> None:
    done = manage(served.env, "mcp_stdio", "--url", "http://127.0.0.1:1/mcp")
    assert done.returncode == 1
    assert "there is no webtmux at http://127.0.0.1:1/mcp" in done.stderr
    assert done.stdout == ""


def test_an_unknown_set_is_an_error(served: Served) -> None:
    done = manage(served.env, "mcp_stdio", "--local", "--tools", "nope")
    assert done.returncode == 1
    assert "there is no tool set 'nope'" in done.stderr


def test_the_own_pane_is_one_of_the_same_tmux(tmp_path: Path) -> None:
    socket = str(tmp_path / "s")
    env = {"TMUX": f"{socket},12,0", "TMUX_PANE": "%3"}
    assert own_pane(env, tmux_socket=socket) == "%3"
    assert own_pane(env, tmux_socket=str(tmp_path / "other")) == ""
    assert own_pane({"TMUX_PANE": "%3"}, tmux_socket=socket) == ""
    assert own_pane({**env, "TMUX_PANE": "x"}, tmux_socket=socket) == ""
