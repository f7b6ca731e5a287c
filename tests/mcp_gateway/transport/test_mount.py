"""Requests over HTTP: with a session if the client opens one, otherwise with plain responses."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.callers import CallerKind, Principal, Scope, current
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.server import Gateway
from mcp_gateway.transport import mount as module
from mcp_gateway.transport.mount import Mount
from mcp_gateway.transport.requests import BODY_LIMIT
from tests.config.servers import ROOT
from tests.mcp_gateway.fixtures import TOOLS, someone
from tests.mcp_gateway.mounted import BOTH, INITIALIZE, Caller, message_of, mounted
from tests.waiting import LONGEST_SECONDS, eventually

SOON = LONGEST_SECONDS
running: list[str] = []


async def linger() -> str:
    """Never ends by itself."""
    running.append("began")
    try:
        await asyncio.Event().wait()
    finally:
        running.append("ended")
    return ""


async def whoami() -> str:
    """The caller, as tools see it."""
    caller = current()
    return f"{caller.principal.name} {caller.pane}".strip()


MORE = (
    *TOOLS,
    Tool(run=linger, toolset=ToolSet.TABS),
    Tool(run=whoami, toolset=ToolSet.TABS),
)


@pytest.fixture
def server() -> Gateway:
    running.clear()
    return Gateway(MORE)


@pytest.fixture
async def caller(server: Gateway) -> AsyncIterator[Caller]:
    async with mounted(Mount(server)) as inside:
        yield inside


async def double(caller: Caller, session: str = "") -> Any:
    answer = await caller.ask("tools/call", session, name="double", arguments={"number": 2})
    assert answer.status_code == 200
    return message_of(answer)["result"]["structuredContent"]["twiceAsMuch"]


async def whoami_over(caller: Caller, session: str = "") -> str:
    answer = await caller.ask("tools/call", session, name="whoami", arguments={})
    return str(message_of(answer)["result"]["content"][0]["text"])


async def test_a_bare_request_is_answered_as_plain_json(caller: Caller) -> None:
    answer = await caller.ask("tools/list")
    assert answer.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in answer.headers
    assert len(answer.json()["result"]["tools"]) == len(MORE)


async def test_any_accept_header_is_accepted(caller: Caller) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    for accept in ("*/*", "application/json", BOTH["accept"]):
        headers = {"content-type": "application/json", "accept": accept}
        answer = await caller.http.post("/mcp", content=body, headers=headers)
        assert answer.status_code == 200, accept


async def test_a_client_that_initializes_gets_a_session(caller: Caller) -> None:
    session = await caller.open()
    assert session
    assert await double(caller, session) == 4


async def test_a_session_is_registered_before_its_client_gets_the_id(server: Gateway) -> None:
    """A quick client listens to it before the answer has ended."""
    mount, known = Mount(server), list[bool]()
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}

    events = [{"type": "http.request", "body": json.dumps(message).encode(), "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not events:
            await asyncio.Event().wait()
        return events.pop()

    async def send(event: Any) -> None:
        if event["type"] == "http.response.start":
            headers = dict(event["headers"])
            known.append(headers[b"mcp-session-id"].decode() in mount._issued)

    headers = [(name.encode(), value.encode()) for name, value in BOTH.items()]
    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "scheme": "http",
        "headers": headers, "http_version": "1.1", "server": ("localhost", 80),
    }  # fmt: skip
    await mount.start()
    try:
        async with asyncio.timeout(SOON):
            await mount.serve(someone().principal, scope, receive, send)
    finally:
        await mount.stop()
    assert known == [True]


async def test_a_session_that_its_client_ended_is_gone(caller: Caller) -> None:
    session = await caller.open()
    ended = await caller.http.delete("/mcp", headers={"mcp-session-id": session})
    assert ended.status_code == 200
    assert (await caller.ask("tools/list", session)).status_code == 404


async def test_a_session_of_an_earlier_process_is_served_without_one(caller: Caller) -> None:
    assert await double(caller, "0123456789abcdef") == 4


async def test_a_session_that_was_idle_too_long_is_served_without_one(
    server: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.001)  # looking keeps it awake
    async with mounted(Mount(server)) as caller:
        session = await caller.open()

        async def forgotten() -> bool:
            headers = {"mcp-session-id": session, "accept": "text/plain"}
            return (await caller.http.get("/mcp", headers=headers)).status_code == 404

        await eventually(forgotten)
        assert await double(caller, session) == 4


async def test_a_client_over_the_limit_is_served_without_a_session(
    server: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SESSIONS", 1)
    async with mounted(Mount(server)) as caller:
        assert await caller.open()
        assert await caller.open() == ""
        assert await double(caller) == 4


async def test_a_caller_cannot_use_the_session_of_another(caller: Caller) -> None:
    session = await caller.open()
    assert await whoami_over(caller, session) == "somebody"
    caller.door.principal = Principal(CallerKind.TOKEN, "thief", Scope.READ)
    assert await whoami_over(caller, session) == "thief"
    answer = await caller.ask("tools/call", session, name="say", arguments={})
    assert "needs the scope write" in answer.text


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_without_a_session_there_is_nothing_to_listen_to_or_to_end(
    caller: Caller, method: str
) -> None:
    for headers in ({}, {"mcp-session-id": "strange"}):
        answer = await caller.http.request(method, "/mcp", headers={**BOTH, **headers})
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_an_unknown_set_is_a_clear_error(caller: Caller) -> None:
    answer = await caller.http.post("/mcp?tools=workspace,nope", json={}, headers=BOTH)
    assert answer.status_code == 400
    assert "there is no tool set 'nope' here: use workspace" in answer.json()["error"]["message"]


async def test_an_address_offers_the_sets_it_names(caller: Caller) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = await caller.http.post("/mcp?tools=workspace", json=message, headers=BOTH)
    names = [tool["name"] for tool in answer.json()["result"]["tools"]]
    assert names == ["double", "crash"]


async def test_the_settings_limit_what_an_address_may_name(server: Gateway) -> None:
    async with mounted(Mount(server, served=frozenset({ToolSet.NOTES}))) as caller:
        response = (await caller.ask("tools/list")).json()["result"]["tools"]
        assert [tool["name"] for tool in response] == ["change"]
        answer = await caller.http.post("/mcp?tools=tmux", json={}, headers=BOTH)
        assert answer.status_code == 400


async def test_a_body_that_is_too_large_is_refused(caller: Caller) -> None:
    for session in ("", await caller.open()):
        headers = {**BOTH, **({"mcp-session-id": session} if session else {})}
        answer = await caller.http.post("/mcp", content=b"x" * (BODY_LIMIT + 1), headers=headers)
        assert answer.status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"initialize": 1}', b"\xff"])
async def test_invalid_bodies_are_errors_and_no_crash(caller: Caller, body: bytes) -> None:
    answer = await caller.http.post("/mcp", content=body, headers=BOTH)
    assert answer.status_code == 400
    assert await double(caller) == 4


async def test_the_own_pane_comes_from_a_header_and_only_as_an_id(caller: Caller) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whoami"}}
    for pane, identity in (("%7", "somebody %7"), ("main:0", "somebody"), ("%7;x", "somebody")):
        headers = {**BOTH, "x-webtmux-pane": pane}
        answer = await caller.http.post("/mcp", json=message, headers=headers)
        assert answer.json()["result"]["content"][0]["text"] == identity


async def test_a_call_ends_when_its_client_leaves(server: Gateway) -> None:
    mount = Mount(server)
    await mount.start()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "linger"}}
    body: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    body.put_nowait({"type": "http.request", "body": json.dumps(call).encode()})
    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in BOTH.items()],
    }  # fmt: skip

    async def send(message: Any) -> None: ...

    async def began() -> bool:
        return "began" in running

    serving = asyncio.create_task(mount.serve(someone().principal, scope, body.get, send))
    await eventually(began)
    assert not serving.done()
    body.put_nowait({"type": "http.disconnect"})
    await asyncio.wait_for(serving, SOON)
    assert running == ["began", "ended"]
    await mount.stop()


async def test_a_stop_ends_running_calls(server: Gateway) -> None:
    async with mounted(Mount(server)) as caller:

        async def began() -> bool:
            return "began" in running

        request = asyncio.create_task(caller.ask("tools/call", name="linger", arguments={}))
        await eventually(began)
        await asyncio.wait_for(caller.door._mount.stop(), SOON)
        await asyncio.wait({request}, timeout=SOON)
        assert request.done()
        request.exception()
    assert running == ["began", "ended"]


async def test_the_mount_can_be_restarted(server: Gateway) -> None:
    mount = Mount(server)
    for _ in range(2):
        async with mounted(mount) as caller:
            assert await double(caller) == 4


def test_other_commands_do_not_import_the_sdk() -> None:
    """Its import takes over a second."""
    code = (
        "import django, sys; django.setup();"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "sys.exit('mcp' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=False,
        env={"DJANGO_SETTINGS_MODULE": "tests.settings"},
    )
    assert done.returncode == 0
