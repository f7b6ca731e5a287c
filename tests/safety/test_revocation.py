"""Promise 4: revoked means silent within 3 s everywhere: sockets, streams, long calls, downloads.

Each attack opens something with a good credential, lets another process take the credential away,
and looks for how long the server still talks, listens or works for it.
"""

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, closing
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from config.watch import Watch
from tests.safety import raw
from tests.safety.credentials import Token, make_sessions, make_token, run
from tests.safety.raw import WAIT, Line
from tests.terminals.served import Served, served_tmux

PROMISE = 3.0
# Of a machine on which other tests run; without a watch everything here lasts for minutes.
SLACK = 5.0
LONG = 120  # seconds of a call that nothing but the revocation ends
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
USERS = ["deactivated", "password changed", "signed out", "no longer staff", "streaming"]
MODERN = "2026-07-28"


@pytest.fixture(scope="module")
def stalled() -> Iterator[str]:
    """The address of a server that accepts and never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


@pytest.fixture(scope="module")
def served(stalled: str) -> Iterator[Served]:
    options = {"WEBTMUX_TRANSCRIBE_URL": stalled, "WEBTMUX_RECORDINGS_FREE_MB": "0"}
    with served_tmux("--require-token", **options) as served:
        yield served


@pytest.fixture(scope="module")
def sessions(served: Served) -> dict[str, str]:
    return make_sessions(served.env, USERS)


@pytest.fixture
def token(served: Served) -> Token:
    return make_token(served.env)


def line(served: Served) -> AbstractAsyncContextManager[Line]:
    return raw.line(served.running.address)


def request(served: Served, *parts: Any) -> bytes:
    return raw.request(served.running.address, *parts)


def message(method: str, number: int | None = 1, **params: Any) -> bytes:
    told: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(told if number is None else {**told, "id": number}).encode()


def tool(tool_name: str, **arguments: Any) -> bytes:
    return message("tools/call", name=tool_name, arguments=arguments)


def waiting(served: Served) -> bytes:
    return tool("wait_for", windowId=window(served), text="never printed", seconds=LONG)


def window(served: Served) -> str:
    return served.tmux("list-windows", "-t", "work", "-F", "#{window_id}").split()[0]


async def post(served: Served, token: Token, body: bytes, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        told = {**JSON, **token.headers, **headers}
        return await http.post("/mcp", content=body, headers=told)


async def open_session(served: Served, token: Token) -> str:
    params: dict[str, Any] = {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }  # fmt: skip
    answer = await post(served, token, message("initialize", **params))
    assert answer.status_code == 200, answer.text
    session = answer.headers["mcp-session-id"]
    told = message("notifications/initialized", None)
    await post(served, token, told, **{"mcp-session-id": session})
    return str(session)


async def call_result(served: Served, token: Token, body: bytes) -> Any:
    answer = await post(served, token, body)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]["structuredContent"]


async def row_of(served: Served, token: Token, tool_name: str) -> str:
    """The outcome of a call, once it has ended and was written."""
    path = token.database
    async with asyncio.timeout(PROMISE + SLACK + WAIT):
        while True:
            rows = run(
                path,
                "SELECT outcome FROM mcp_gateway_toolcall WHERE tool = ? AND caller = ?",
                tool_name,
                f"token {token.name}",
            )
            if rows:
                return str(rows[0][0])
            await asyncio.sleep(0.1)


async def closed(ws: ClientConnection) -> tuple[int, float]:
    """The code of the end, and the seconds until it came; what comes before is read."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(PROMISE + SLACK + WAIT):
            while True:
                await ws.recv()
    except ConnectionClosed as end:
        code = end.rcvd.code if end.rcvd is not None else 1006
        return code, time.monotonic() - began


def soon(seconds: float) -> None:
    assert seconds < PROMISE + SLACK, f"silent only after {seconds:.1f} s"


# --- sockets -----------------------------------------------------------------------------------


def lower_scope(token: Token) -> None:
    token.set(scope="read")


def expire(token: Token) -> None:
    token.set(expires_at="2020-01-01 00:00:00")


@pytest.mark.parametrize("ending", [Token.revoke, Token.delete, lower_scope, expire])
async def test_a_socket_ends_with_its_token(
    served: Served, token: Token, ending: Callable[[Token], None]
) -> None:
    async with connect(served.address, additional_headers=token.headers) as ws:
        await ws.send('{"type": "ping", "id": 1}')
        await ws.recv()
        ending(token)
        code, seconds = await closed(ws)
    assert code == 4401
    soon(seconds)


async def test_a_socket_ends_when_its_token_expires_by_itself(served: Served) -> None:
    token = make_token(served.env, seconds=4)
    async with connect(served.address, additional_headers=token.headers) as ws:
        code, seconds = await closed(ws)
    assert code == 4401
    soon(seconds - 4)


async def test_a_socket_opened_by_a_token_in_its_address_ends_too(
    served: Served, token: Token
) -> None:
    async with connect(f"{served.address}?token={token.secret}") as ws:
        token.revoke()
        code, seconds = await closed(ws)
    assert code == 4401
    soon(seconds)


async def test_a_flooded_socket_that_does_not_read_gets_nothing_more(
    served: Served, token: Token
) -> None:
    """Neither what waits in the server nor what the kernel has taken from it."""
    pane = served.new_pane("while :; do echo 0123456789012345678901234567890123456789; done")
    headers = {
        "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", **token.headers,
    }  # fmt: skip
    asked = json.dumps({"type": "subscribe-output", "agent": pane}).encode()
    async with line(served) as it:
        await it.send(request(served, "GET", "/ws", headers))
        await it.until(b"\r\n\r\n")
        await it.send(bytes((0x81, 0x80 | len(asked))) + b"\0\0\0\0" + asked)
        await asyncio.sleep(2)
        token.revoke()
        await asyncio.sleep(PROMISE + SLACK)
        # What is left are the client's own buffers: 2 times 2 KB here, and its socket's.
        rest, seconds = await it.end()
    served.tmux("kill-pane", "-t", pane)
    assert len(rest) < 64 * 1024
    soon(seconds)


async def test_keys_of_a_revoked_socket_reach_no_pane(served: Served, token: Token) -> None:
    pane = served.new_pane("exec cat")
    async with connect(served.address, additional_headers=token.headers) as ws:
        await ws.send(b"\x02" + pane.encode() + b"\0early\r")
        async with asyncio.timeout(WAIT):
            while "early" not in served.tmux("capture-pane", "-p", "-t", pane):
                await asyncio.sleep(0.1)
        token.revoke()
        number, until = 0, time.monotonic() + PROMISE + SLACK
        late = ""
        try:
            while time.monotonic() < until:
                number += 1
                late = f"late{number}"
                await ws.send(b"\x02" + pane.encode() + b"\0" + late.encode() + b"\r")
                await asyncio.sleep(0.2)
        except ConnectionClosed:
            pass
        else:
            pytest.fail("the socket still takes keys")
    await asyncio.sleep(0.5)
    assert late not in served.tmux("capture-pane", "-p", "-t", pane).split()
    served.tmux("kill-pane", "-t", pane)


@pytest.mark.parametrize(
    ("user", "statement"),
    [
        ("deactivated", "UPDATE auth_user SET is_active = 0 WHERE username = ?"),
        ("password changed", "UPDATE auth_user SET password = 'other' WHERE username = ?"),
        ("no longer staff", "UPDATE auth_user SET is_staff = 0 WHERE username = ?"),
        ("signed out", "DELETE FROM django_session WHERE ? <> '' AND session_key = {key}"),
    ],
)
async def test_a_socket_ends_with_its_browser_session(
    served: Served, token: Token, sessions: dict[str, str], user: str, statement: str
) -> None:
    async with connect(served.address, **browser(served, sessions[user])) as ws:
        await ws.send('{"type": "ping", "id": 1}')
        await ws.recv()
        run(token.database, statement.format(key=f"'{sessions[user]}'"), user)
        code, seconds = await closed(ws)
    assert code == 4401
    soon(seconds)


def cookie(served: Served, key: str) -> str:
    """The cookie is named after the port that the settings know."""
    answer = httpx.get(f"{served.running.address}/admin/login/")
    (name,) = (name for name in answer.cookies if "csrf" in name)
    return f"{name.replace('csrf', 'session')}={key}"


def browser(served: Served, key: str) -> dict[str, Any]:
    return {
        "additional_headers": {"cookie": cookie(served, key)},
        "origin": served.running.address,
    }


# --- calls -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [Token.revoke, Token.delete, expire])
async def test_a_long_call_over_plain_mcp_is_answered_with_401(
    served: Served, token: Token, ending: Callable[[Token], None]
) -> None:
    async with line(served) as it:
        await it.send(request(served, "POST", "/mcp", {**JSON, **token.headers}, waiting(served)))
        await asyncio.sleep(0.5)
        ending(token)
        began = time.monotonic()
        head = await it.until(b"\r\n\r\n")
        soon(time.monotonic() - began)
    assert head.startswith(b"HTTP/1.1 401 ")
    assert await row_of(served, token, "wait_for") == "cancelled"


async def test_a_long_call_of_a_session_ends_with_its_stream(served: Served, token: Token) -> None:
    session = await open_session(served, token)
    headers = {**JSON, **token.headers, "mcp-session-id": session}
    async with line(served) as it:
        await it.send(request(served, "POST", "/mcp", headers, waiting(served)))
        await it.until(b"\r\n\r\n")
        token.revoke()
        rest, seconds = await it.end()
    soon(seconds)
    assert not rest.endswith(b"0\r\n\r\n"), "a clean end looks like a whole answer"
    assert await row_of(served, token, "wait_for") == "cancelled"


async def test_a_call_whose_client_has_left_is_cancelled(served: Served, token: Token) -> None:
    """Nothing is open any more, and the session works on."""
    session = await open_session(served, token)
    headers = {**JSON, **token.headers, "mcp-session-id": session}
    async with line(served) as it:
        await it.send(request(served, "POST", "/mcp", headers, waiting(served)))
        await it.until(b"\r\n\r\n")
    token.revoke()
    began = time.monotonic()
    assert await row_of(served, token, "wait_for") == "cancelled"
    soon(time.monotonic() - began)


async def test_a_long_call_of_the_modern_protocol_ends(served: Served, token: Token) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    arguments = {"windowId": window(served), "text": "never printed", "seconds": LONG}
    body = message("tools/call", name="wait_for", arguments=arguments, _meta=meta)
    headers = {
        **JSON, **token.headers, "mcp-protocol-version": MODERN, "mcp-method": "tools/call",
        "mcp-name": "wait_for",
    }  # fmt: skip
    async with line(served) as it:
        await it.send(request(served, "POST", "/mcp", headers, body))
        await asyncio.sleep(1)
        token.revoke()
        began = time.monotonic()
        head = await it.until(b"\r\n\r\n")
        if head.startswith(b"HTTP/1.1 200 "):
            await it.end()
        soon(time.monotonic() - began)
    assert await row_of(served, token, "wait_for") == "cancelled"


async def test_a_command_is_cancelled_and_its_tab_is_free_again(
    served: Served, token: Token
) -> None:
    keeper = make_token(served.env)
    tab = (await call_result(served, keeper, tool("create_tab")))["window_id"]
    body = tool("execute_command", window_id=tab, command="sleep 90", timeout_ms=LONG * 1000)
    async with line(served) as it:
        await it.send(request(served, "POST", "/mcp", {**JSON, **token.headers}, body))
        await asyncio.sleep(1)
        token.revoke()
        began = time.monotonic()
        assert (await it.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 401 ")
        soon(time.monotonic() - began)
    assert await row_of(served, token, "execute_command") == "cancelled"
    await call_result(served, keeper, tool("stop_process", window_id=tab))
    body = tool("execute_command", window_id=tab, command="echo free", timeout_ms=15000)
    done = await call_result(served, keeper, body)
    assert (done["output"].strip(), done["exit_code"]) == ("free", 0)


async def test_a_long_call_over_rest_is_answered_with_401(served: Served, token: Token) -> None:
    """A transcription that waits for a server which never answers."""
    form = (
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.webm"\r\n'
        b"content-type: audio/webm\r\n\r\nsound\r\n--x--\r\n"
    )
    headers = {"content-type": "multipart/form-data; boundary=x", **token.headers}
    async with line(served) as it:
        await it.send(request(served, "POST", "/api/voice", headers, form))
        await asyncio.sleep(1)
        token.revoke()
        began = time.monotonic()
        head = await it.until(b"\r\n\r\n")
        soon(time.monotonic() - began)
    assert head.startswith(b"HTTP/1.1 401 "), head
    assert await row_of(served, token, "transcribe") == "cancelled"


# --- streams, downloads, uploads ---------------------------------------------------------------


@pytest.mark.parametrize("ending", [Token.revoke, lower_scope, expire])
async def test_the_event_stream_of_a_session_ends(
    served: Served, token: Token, ending: Callable[[Token], None]
) -> None:
    session = await open_session(served, token)
    headers = {**JSON, **token.headers, "mcp-session-id": session}
    async with line(served) as it:
        await it.send(request(served, "GET", "/mcp", headers))
        await it.until(b"\r\n\r\n")
        ending(token)
        _, seconds = await it.end()
    soon(seconds)


async def test_a_session_ends_with_its_token(served: Served, token: Token) -> None:
    """Not even a new token of the same name may go on with it."""
    session = await open_session(served, token)
    token.delete()
    await asyncio.sleep(PROMISE)
    heir = make_token(served.env)
    heir.set(name=token.name)
    headers = {**JSON, **heir.headers, "mcp-session-id": session}
    async with line(served) as it:
        await it.send(request(served, "GET", "/mcp", headers))
        head = await it.until(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 "), head


async def test_another_token_cannot_use_the_session(served: Served, token: Token) -> None:
    session = await open_session(served, token)
    other = make_token(served.env)
    headers = {**JSON, **other.headers, "mcp-session-id": session}
    async with line(served) as it:
        await it.send(request(served, "GET", "/mcp", headers))
        assert (await it.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 404 ")


@pytest.fixture(scope="module")
def recording(served: Served) -> str:
    """The key of a recording that is larger than every buffer on the way."""
    keeper = make_token(served.env)
    pane = served.new_pane("stty -echo; read x; yes 0123456789abcdef | head -c 24000000; sleep 600")
    address, headers = served.running.address, keeper.headers
    with httpx.Client(base_url=address, headers=headers, timeout=WAIT) as http:
        answer = http.post(f"/api/panes/{pane[1:]}/recording", json={"title": "large"})
        assert answer.status_code == 201, answer.text
        key = str(answer.json()["key"])
        served.tmux("send-keys", "-t", pane, "Enter")
        folder, until = served.directory / "data" / "recordings" / key, time.monotonic() + 120
        while sum(file.stat().st_size for file in folder.iterdir()) < 16_000_000:
            assert time.monotonic() < until, "the recording does not grow"
            time.sleep(0.2)
        http.delete(f"/api/panes/{pane[1:]}/recording")
    served.tmux("kill-pane", "-t", pane)
    return key


async def test_a_download_is_cut(served: Served, token: Token, recording: str) -> None:
    async with line(served) as it:
        path = f"/api/recordings/{recording}/cast"
        await it.send(request(served, "GET", path, token.headers))
        await it.until(b"\r\n\r\n")
        token.revoke()
        rest, seconds = await it.end(pause=0.01)
    soon(seconds)
    assert not rest.endswith(b"0\r\n\r\n")


async def test_a_download_by_a_browser_session_is_cut(
    served: Served, token: Token, recording: str, sessions: dict[str, str]
) -> None:
    headers = {"cookie": cookie(served, sessions["streaming"])}
    async with line(served) as it:
        await it.send(request(served, "GET", f"/api/recordings/{recording}/cast", headers))
        assert (await it.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        run(token.database, "UPDATE auth_user SET is_active = 0 WHERE username = 'streaming'")
        _, seconds = await it.end(pause=0.01)
    soon(seconds)


async def test_a_shared_download_is_cut_with_its_link(
    served: Served, token: Token, recording: str
) -> None:
    async with httpx.AsyncClient(
        base_url=served.running.address, headers=token.headers, timeout=WAIT
    ) as http:
        shares = f"/api/recordings/{recording}/shares"
        share = (await http.post(shares, json={"hours": 1})).json()
        async with line(served) as it:
            path = share["path"].replace("?", "/cast?")
            await it.send(request(served, "GET", path, {}))
            assert (await it.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            assert (await http.delete(f"{shares}/{share['key']}")).status_code == 200
            _, seconds = await it.end(pause=0.01)
    soon(seconds)


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("ending", [Token.revoke, expire])
async def test_an_upload_is_refused_half_way(
    served: Served, token: Token, chunked: bool, ending: Callable[[Token], None]
) -> None:
    pane = served.tmux("list-panes", "-t", "work", "-F", "#{pane_id}").split()[0]
    length = {"transfer-encoding": "chunked"} if chunked else {"content-length": "9000000"}
    headers = {"content-type": "multipart/form-data; boundary=x", **length, **token.headers}
    piece = b"x" * 4096
    framed = b"1000\r\n" + piece + b"\r\n" if chunked else piece
    async with line(served) as it:
        await it.send(request(served, "POST", f"/api/panes/{pane[1:]}/uploads", headers))
        for _ in range(40):
            await it.send(framed)
        ending(token)
        began = time.monotonic()
        answer = asyncio.ensure_future(it.until(b"\r\n\r\n"))
        while not answer.done():
            assert time.monotonic() - began < PROMISE + SLACK, "it still listens"
            await it.send(framed)
            await asyncio.sleep(0.1)
        assert (await answer).startswith(b"HTTP/1.1 401 ")


async def test_the_next_request_of_an_open_connection_is_refused(
    served: Served, token: Token
) -> None:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        assert (await http.get("/api/sessions", headers=token.headers)).status_code == 200
        token.revoke()
        assert (await http.get("/api/sessions", headers=token.headers)).status_code == 401


async def test_a_hundred_sockets_of_one_token_end_together(served: Served, token: Token) -> None:
    sockets = [await connect(served.address, additional_headers=token.headers) for _ in range(100)]
    token.revoke()
    ends = await asyncio.gather(*(closed(ws) for ws in sockets))
    assert {code for code, _ in ends} == {4401}
    soon(max(seconds for _, seconds in ends))


# --- the watch itself --------------------------------------------------------------------------


async def test_a_thousand_members_cost_one_check_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("config.watch.RECHECK_SECONDS", 0.05)
    watch, checks, ended, good = Watch(), 0, 0, True

    async def check() -> bool:
        nonlocal checks
        checks += 1
        return good

    def end() -> None:
        nonlocal ended
        ended += 1

    leaves = [watch.join("token", check, end) for _ in range(1000)]
    async with asyncio.timeout(WAIT):
        while checks < 3:
            await asyncio.sleep(0.01)
    assert ended == 0
    leaves[0]()
    good, before = False, checks
    async with asyncio.timeout(WAIT):
        while ended < 999:
            await asyncio.sleep(0.01)
    assert checks == before + 1


async def test_a_check_that_fails_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.watch.RECHECK_SECONDS", 0.02)
    watch, ended = Watch(), asyncio.Event()
    answers = iter([OSError("database is locked"), True, False])

    async def check() -> bool:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        assert not ended.is_set()
        return bool(answer)

    watch.join("token", check, ended.set)
    await asyncio.wait_for(ended.wait(), WAIT)
    assert next(answers, None) is None
