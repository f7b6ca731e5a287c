"""Promise 4: a revoked caller receives nothing after 3 s, from sockets, streams, long calls,
downloads and uploads.

Each test opens a connection with a valid credential, revokes the credential in the database, and
measures for how long the server still sends, reads or works for it. The server has its real
intervals: endings that do not differ otherwise are tested at the same time.
"""

import asyncio
import json
import selectors
import socket
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from config.gate import revocation
from config.gate.revocation import CUT, RevocableRequest, RevocationWatch
from tests.safety import raw
from tests.safety.credentials import Token, make_sessions, make_token, run, when
from tests.safety.raw import WAIT, Line
from tests.terminals.served import Served, served_tmux
from tests.waiting import eventually, wait_until

K = TypeVar("K")
T = TypeVar("T")
PROMISE = 3.0  # docs/security.md
# For a loaded machine: without a watch everything here lasts for two minutes. That the intervals of
# the watch fit the promise is tested with a simulated clock below.
SLACK = 40.0
LONG = 120  # seconds of a call that only the revocation ends
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
MODERN = "2026-07-28"
ENDINGS = {
    "revoked": Token.revoke,
    "deleted": Token.delete,
    "expired": Token.expire,
    "scope lowered": Token.lower_scope,
}
SESSION_ENDINGS = {  # by the name of the user
    "deactivated": "UPDATE auth_user SET is_active = 0 WHERE username = '{user}'",
    "password changed": "UPDATE auth_user SET password = 'other' WHERE username = '{user}'",
    "no longer staff": "UPDATE auth_user SET is_staff = 0 WHERE username = '{user}'",
    "signed out": "DELETE FROM django_session WHERE session_key = '{key}'",
}
DOWNLOADER = "downloader"


@dataclass
class StalledServer:
    """Accepts connections and never answers."""

    listener: socket.socket
    connections: list[socket.socket] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"

    def accepts(self) -> bool:
        try:
            self.connections.append(self.listener.accept()[0])
        except BlockingIOError:
            return False
        return True


@pytest.fixture(scope="module")
def stalled() -> Iterator[StalledServer]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.setblocking(False)
        server = StalledServer(listener)
        yield server
        for connection in server.connections:
            connection.close()


@pytest.fixture(scope="module")
def served(stalled: StalledServer) -> Iterator[Served]:
    options = {"WEBTMUX_TRANSCRIBE_URL": stalled.url, "WEBTMUX_RECORDINGS_FREE_MB": "0"}
    with served_tmux("--require-token", **options) as served:
        yield served


@pytest.fixture(scope="module")
def sessions(served: Served) -> dict[str, str]:
    return make_sessions(served.env, [*SESSION_ENDINGS, DOWNLOADER])


@pytest.fixture
def token(served: Served) -> Token:
    return make_token(served.env)


def line(served: Served) -> AbstractAsyncContextManager[Line]:
    return raw.line(served.running.address)


def request(served: Served, *parts: Any) -> bytes:
    return raw.request(served.running.address, *parts)


def message(method: str, number: int | None = 1, **params: Any) -> bytes:
    notification: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(notification if number is None else {**notification, "id": number}).encode()


def tool(tool_name: str, **arguments: Any) -> bytes:
    return message("tools/call", name=tool_name, arguments=arguments)


def long_call(served: Served) -> bytes:
    return tool("wait_for", windowId=window(served), text="never printed", seconds=LONG)


def window(served: Served) -> str:
    return served.tmux("list-windows", "-t", "work", "-F", "#{window_id}").split()[0]


async def post(served: Served, token: Token, body: bytes, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        headers = {**JSON, **token.headers, **headers}
        return await http.post("/mcp", content=body, headers=headers)


async def open_session(served: Served, token: Token) -> dict[str, str]:
    """The headers for requests of a new MCP session."""
    params: dict[str, Any] = {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }  # fmt: skip
    response = await post(served, token, message("initialize", **params))
    assert response.status_code == 200, response.text
    session = {"mcp-session-id": response.headers["mcp-session-id"]}
    await post(served, token, message("notifications/initialized", None), **session)
    return {**JSON, **token.headers, **session}


async def call_tool(served: Served, token: Token, body: bytes, **headers: str) -> Any:
    response = await post(served, token, body, **headers)
    assert response.status_code == 200, response.text
    return response.json()["result"]["structuredContent"]


async def call_started(served: Served, token: Token) -> None:
    """Wait until the server works on a call that was sent before: it has answered a later one."""
    await eventually(token.was_used)
    await call_tool(served, token, tool("server_info"))


async def outcome(token: Token, tool_name: str) -> str:
    """The outcome of a call in the audit log, where it is written when the call has ended."""
    statement = "SELECT outcome FROM mcp_gateway_toolcall WHERE tool = ? AND caller = ?"
    caller = f"token {token.name}"
    rows = await eventually(lambda: run(token.database, statement, tool_name, caller))
    return str(rows[0][0])


async def closed(ws: ClientConnection) -> int:
    """Read to the end of a socket, which must come soon. Returns the close code."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(PROMISE + SLACK + WAIT):
            while True:
                await ws.recv()
    except ConnectionClosed as end:
        assert_soon(time.monotonic() - began)
        return end.rcvd.code if end.rcvd is not None else 1006


def assert_soon(seconds: float) -> None:
    assert seconds < PROMISE + SLACK, f"ended only after {seconds:.1f} s"


async def all_of(attacks: dict[K, Coroutine[Any, Any, T]]) -> dict[K, T]:
    """The results of attacks that run at the same time."""
    return dict(zip(attacks, await asyncio.gather(*attacks.values()), strict=True))


# --- sockets -----------------------------------------------------------------------------------


async def test_a_socket_ends_with_its_token(served: Served) -> None:
    async def attack(end: Callable[[Token], None]) -> int:
        token = make_token(served.env)
        async with connect(served.address, additional_headers=token.headers) as ws:
            await ws.send('{"type": "ping", "id": 1}')
            await ws.recv()
            end(token)
            return await closed(ws)

    def expire_later(token: Token) -> None:
        token.set(expires_at=when(1))

    endings = {**ENDINGS, "expires while open": expire_later}
    codes = await all_of({name: attack(end) for name, end in endings.items()})
    assert codes == dict.fromkeys(endings, revocation.REVOKED_CODE)


async def test_a_socket_opened_by_a_token_in_its_address_ends_too(
    served: Served, token: Token
) -> None:
    async with connect(f"{served.address}?token={token.secret}") as ws:
        token.revoke()
        assert await closed(ws) == revocation.REVOKED_CODE


async def test_a_flooded_socket_that_does_not_read_gets_nothing_more(
    served: Served, token: Token
) -> None:
    """Neither what is buffered in the server nor what is buffered in its kernel."""
    pane = served.new_pane("while :; do echo 0123456789012345678901234567890123456789; done")
    subscription = json.dumps({"type": "subscribe-output", "agent": pane}).encode()
    async with line(served) as client:
        await open_socket(served, token, client)
        await client.send(raw.frame(0x1, subscription))
        await eventually(lambda: client.unsent() > 32 * 1024, description="the buffers are full")
        token.revoke()
        began = time.monotonic()
        await eventually(client.is_closed_by_server)
        assert_soon(time.monotonic() - began)
        # The rest is in the client's own buffers: 2 times 2 KB here, and its socket's.
        rest, _ = await client.end()
    served.tmux("kill-pane", "-t", pane)
    assert len(rest) < 64 * 1024


async def open_socket(served: Served, token: Token, client: Line) -> None:
    headers = {
        "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", **token.headers,
    }  # fmt: skip
    await client.send(request(served, "GET", "/ws", headers))
    assert (await client.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")


async def test_keys_of_a_revoked_socket_do_not_reach_a_pane(served: Served, token: Token) -> None:
    """The client ignores the close frame and sends more keys before the connection is cut."""
    pane, other = served.new_pane("exec cat"), make_token(served.env)

    def keys(text: str) -> bytes:
        return raw.frame(0x2, b"\x02" + pane.encode() + b"\0" + text.encode() + b"\r")

    def screen() -> list[str]:
        return served.tmux("capture-pane", "-p", "-t", pane).split()

    async with line(served) as client, line(served) as second:
        await open_socket(served, token, client)
        await open_socket(served, other, second)
        await client.send(keys("early"))
        await eventually(lambda: "early" in screen())
        token.revoke()
        began = time.monotonic()
        await client.until(revocation.REVOKED_CODE.to_bytes(2))
        assert_soon(time.monotonic() - began)
        await client.send(keys("late"))
        await client.end()
        await second.send(keys("marker"))
        await eventually(lambda: "marker" in screen())
    assert "late" not in screen()
    served.tmux("kill-pane", "-t", pane)


async def test_a_socket_ends_with_its_browser_session(
    served: Served, token: Token, sessions: dict[str, str]
) -> None:
    async def attack(user: str, statement: str) -> int:
        async with connect(served.address, **browser(served, sessions[user])) as ws:
            await ws.send('{"type": "ping", "id": 1}')
            await ws.recv()
            run(token.database, statement.format(user=user, key=sessions[user]))
            return await closed(ws)

    codes = await all_of({user: attack(user, text) for user, text in SESSION_ENDINGS.items()})
    assert codes == dict.fromkeys(SESSION_ENDINGS, revocation.REVOKED_CODE)


def cookie(served: Served, key: str) -> str:
    """The name of the cookie contains the port of the server's settings."""
    response = httpx.get(f"{served.running.address}/admin/login/")
    (name,) = (name for name in response.cookies if "csrf" in name)
    return f"{name.replace('csrf', 'session')}={key}"


def browser(served: Served, key: str) -> dict[str, Any]:
    return {
        "additional_headers": {"cookie": cookie(served, key)},
        "origin": served.running.address,
    }


# --- calls -------------------------------------------------------------------------------------


async def test_a_long_call_over_plain_mcp_is_answered_with_401(served: Served) -> None:
    async def attack(end: Callable[[Token], None]) -> tuple[bytes, str]:
        token = make_token(served.env)
        headers = {**JSON, **token.headers}
        async with line(served) as client:
            await client.send(request(served, "POST", "/mcp", headers, long_call(served)))
            await call_started(served, token)
            end(token)
            began = time.monotonic()
            head = await client.until(b"\r\n\r\n")
            assert_soon(time.monotonic() - began)
        return head[:13], await outcome(token, "wait_for")

    endings = {name: ENDINGS[name] for name in ("revoked", "deleted", "expired")}
    results = await all_of({name: attack(end) for name, end in endings.items()})
    assert results == dict.fromkeys(endings, (b"HTTP/1.1 401 ", "cancelled"))


async def test_a_long_call_of_a_session_ends_with_its_stream(served: Served, token: Token) -> None:
    headers = await open_session(served, token)
    async with line(served) as client:
        await client.send(request(served, "POST", "/mcp", headers, long_call(served)))
        await client.until(b"\r\n\r\n")
        await call_started(served, token)
        token.revoke()
        rest, seconds = await client.end()
    assert_soon(seconds)
    assert not rest.endswith(b"0\r\n\r\n"), "a clean end looks like a complete response"
    assert await outcome(token, "wait_for") == "cancelled"


async def test_a_call_is_cancelled_after_its_client_has_left(served: Served, token: Token) -> None:
    """No connection is open any more, and the session still works on the call."""
    headers = await open_session(served, token)
    async with line(served) as client:
        await client.send(request(served, "POST", "/mcp", headers, long_call(served)))
        await client.until(b"\r\n\r\n")
        await call_started(served, token)
    token.revoke()
    began = time.monotonic()
    assert await outcome(token, "wait_for") == "cancelled"
    assert_soon(time.monotonic() - began)


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
    async with line(served) as client:
        await client.send(request(served, "POST", "/mcp", headers, body))
        await call_started(served, token)
        token.revoke()
        began = time.monotonic()
        head = await client.until(b"\r\n\r\n")
        if head.startswith(b"HTTP/1.1 200 "):
            await client.end()
        assert_soon(time.monotonic() - began)
    assert await outcome(token, "wait_for") == "cancelled"


async def test_a_command_is_cancelled_and_its_tab_can_be_used_again(
    served: Served, token: Token, tmp_path: Path
) -> None:
    other, started = make_token(served.env), tmp_path / "started"
    tab = (await call_tool(served, other, tool("create_tab")))["window_id"]
    command = f"touch {started}; sleep 90"
    body = tool("execute_command", window_id=tab, command=command, timeout_ms=LONG * 1000)
    async with line(served) as client:
        await client.send(request(served, "POST", "/mcp", {**JSON, **token.headers}, body))
        await eventually(started.exists)
        token.revoke()
        began = time.monotonic()
        assert (await client.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 401 ")
        assert_soon(time.monotonic() - began)
    assert await outcome(token, "execute_command") == "cancelled"
    await call_tool(served, other, tool("stop_process", window_id=tab))
    body = tool("execute_command", window_id=tab, command="echo free", timeout_ms=15000)
    done = await call_tool(served, other, body)
    assert (done["output"].strip(), done["exit_code"]) == ("free", 0)


async def test_a_long_call_over_rest_is_answered_with_401(
    served: Served, token: Token, stalled: StalledServer
) -> None:
    """A transcription that waits for another server."""
    form = (
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.webm"\r\n'
        b"content-type: audio/webm\r\n\r\nsound\r\n--x--\r\n"
    )
    headers = {"content-type": "multipart/form-data; boundary=x", **token.headers}
    async with line(served) as client:
        await client.send(request(served, "POST", "/api/voice", headers, form))
        await eventually(stalled.accepts)
        token.revoke()
        began = time.monotonic()
        head = await client.until(b"\r\n\r\n")
        assert_soon(time.monotonic() - began)
    assert head.startswith(b"HTTP/1.1 401 "), head
    assert await outcome(token, "transcribe") == "cancelled"


# --- streams, downloads, uploads ---------------------------------------------------------------


async def test_the_event_stream_of_a_session_ends(served: Served) -> None:
    async def attack(end: Callable[[Token], None]) -> None:
        token = make_token(served.env)
        headers = await open_session(served, token)
        async with line(served) as client:
            await client.send(request(served, "GET", "/mcp", headers))
            assert (await client.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            end(token)
            _, seconds = await client.end()
        assert_soon(seconds)

    await all_of({name: attack(end) for name, end in ENDINGS.items()})


async def stream_status(served: Served, headers: dict[str, str]) -> bytes:
    async with line(served) as client:
        await client.send(request(served, "GET", "/mcp", headers))
        return (await client.until(b"\r\n\r\n"))[9:12]


async def test_a_session_ends_with_its_token(served: Served, token: Token) -> None:
    """A new token of the same name cannot continue it either."""
    headers = await open_session(served, token)
    token.delete()
    began = time.monotonic()
    successor = make_token(served.env)
    successor.set(name=token.name)

    async def is_unknown() -> bool:
        return await stream_status(served, {**headers, **successor.headers}) == b"404"

    await eventually(is_unknown)
    assert_soon(time.monotonic() - began)


async def test_another_token_cannot_use_the_session(served: Served, token: Token) -> None:
    headers = await open_session(served, token)
    other = make_token(served.env)
    assert await stream_status(served, {**headers, **other.headers}) == b"404"


@pytest.fixture(scope="module")
def recording(served: Served) -> str:
    """The key of a recording that is larger than all buffers between server and client."""
    owner = make_token(served.env)
    pane = served.new_pane("stty -echo; read x; yes 0123456789abcdef | head -c 24000000; sleep 600")
    address, headers = served.running.address, owner.headers
    with httpx.Client(base_url=address, headers=headers, timeout=WAIT) as http:
        response = http.post(f"/api/panes/{pane[1:]}/recording", json={"title": "large"})
        assert response.status_code == 201, response.text
        key = str(response.json()["key"])
        served.tmux("send-keys", "-t", pane, "Enter")
        folder = served.directory / "data" / "recordings" / key
        wait_until(lambda: sum(file.stat().st_size for file in folder.iterdir()) > 16_000_000, 240)
        http.delete(f"/api/panes/{pane[1:]}/recording")
    served.tmux("kill-pane", "-t", pane)
    return key


async def test_a_download_is_cut(served: Served, token: Token, recording: str) -> None:
    async with line(served) as client:
        path = f"/api/recordings/{recording}/cast"
        await client.send(request(served, "GET", path, token.headers))
        await client.until(b"\r\n\r\n")
        token.revoke()
        rest, seconds = await client.end(pause=0.01)
    assert_soon(seconds)
    assert not rest.endswith(b"0\r\n\r\n")


async def test_a_download_by_a_browser_session_is_cut(
    served: Served, token: Token, recording: str, sessions: dict[str, str]
) -> None:
    headers = {"cookie": cookie(served, sessions[DOWNLOADER])}
    async with line(served) as client:
        await client.send(request(served, "GET", f"/api/recordings/{recording}/cast", headers))
        assert (await client.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        run(token.database, SESSION_ENDINGS["deactivated"].format(user=DOWNLOADER))
        _, seconds = await client.end(pause=0.01)
    assert_soon(seconds)


async def test_a_shared_download_is_cut_with_its_link(
    served: Served, token: Token, recording: str
) -> None:
    async with httpx.AsyncClient(
        base_url=served.running.address, headers=token.headers, timeout=WAIT
    ) as http:
        shares = f"/api/recordings/{recording}/shares"
        share = (await http.post(shares, json={"hours": 1})).json()
        async with line(served) as client:
            path = share["path"].replace("?", "/cast?")
            await client.send(request(served, "GET", path, {}))
            assert (await client.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            assert (await http.delete(f"{shares}/{share['key']}")).status_code == 200
            _, seconds = await client.end(pause=0.01)
    assert_soon(seconds)


async def test_an_upload_is_refused_half_way(served: Served) -> None:
    pane = served.tmux("list-panes", "-t", "work", "-F", "#{pane_id}").split()[0]
    piece = b"x" * 4096

    async def attack(end: Callable[[Token], None], *, chunked: bool) -> bytes:
        token = make_token(served.env)
        length = {"transfer-encoding": "chunked"} if chunked else {"content-length": "9000000"}
        headers = {"content-type": "multipart/form-data; boundary=x", **length, **token.headers}
        data = b"1000\r\n" + piece + b"\r\n" if chunked else piece
        async with line(served) as client:
            await client.send(request(served, "POST", f"/api/panes/{pane[1:]}/uploads", headers))
            for _ in range(40):
                await client.send(data)
            await eventually(token.was_used)
            end(token)
            began = time.monotonic()
            head = asyncio.ensure_future(client.until(b"\r\n\r\n"))
            while not head.done():
                assert_soon(time.monotonic() - began)
                await client.send(data)
                await asyncio.wait({head}, timeout=0.1)
            return (await head)[:13]

    attacks = {
        (name, chunked): attack(ENDINGS[name], chunked=chunked)
        for name in ("revoked", "expired")
        for chunked in (False, True)
    }
    assert set((await all_of(attacks)).values()) == {b"HTTP/1.1 401 "}


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
    codes = await asyncio.gather(*(closed(ws) for ws in sockets))
    assert set(codes) == {revocation.REVOKED_CODE}


# --- the promise, with a simulated clock -------------------------------------------------------

SLOW_CHECK_SECONDS = 0.5  # of a busy database


class SimulatedClock(selectors.DefaultSelector):
    """Where the event loop would sleep until its next timer, the time is advanced instead."""

    seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(timeout if timeout is None else 0)
        if not events and timeout:
            self.seconds += timeout
        return events


@pytest.fixture
def simulated() -> Iterator[asyncio.Runner]:
    clock = SimulatedClock()
    loop = asyncio.SelectorEventLoop(clock)
    loop.time = lambda: clock.seconds  # type: ignore[method-assign]  # there is no option for it
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        yield runner


async def seconds_until_silence(kind: str, *, starts: bool) -> tuple[float, float]:
    """From the revocation to its discovery, and to the last event that the client gets.

    In the worst case: the credential is revoked just after a check.
    """
    loop = asyncio.get_running_loop()
    checks, revoked_at, noticed_at, last_at = 0, 0.0, 0.0, 0.0

    async def check() -> bool:
        nonlocal checks, revoked_at, noticed_at
        checks += 1
        is_valid = checks <= 2
        await asyncio.sleep(SLOW_CHECK_SECONDS)
        if checks == 2:
            revoked_at = loop.time()
        elif checks == 3:
            noticed_at = loop.time()
        return is_valid

    def reaches_client() -> None:
        nonlocal last_at
        last_at = loop.time()

    async def send(event: Any) -> None:
        reaches_client()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        """Sends as much as it can; leaves only if it is cancelled."""
        while True:
            if starts:
                await send({"type": f"{kind}.send"})
            await asyncio.sleep(0.01)

    async def receive() -> Any:
        await asyncio.Event().wait()

    scope: Any = {"type": kind, "headers": [], "path": "/", CUT: reaches_client}
    watched = RevocableRequest(RevocationWatch(), "a test", credential=("token", check))
    # In simulated time, with the time for what is scheduled after the end.
    async with asyncio.timeout(20 * PROMISE):
        await watched.run(application, scope, receive, send)
        await asyncio.sleep(2 * PROMISE)
    return noticed_at - revoked_at, last_at - revoked_at


@pytest.mark.parametrize(
    ("kind", "starts"),
    [("websocket", True), ("http", True), ("http", False)],
    ids=["socket", "response in progress", "response not started"],
)
def test_the_intervals_of_the_watch_fit_the_promise(
    simulated: asyncio.Runner, kind: str, starts: bool
) -> None:
    noticed, silent = simulated.run(seconds_until_silence(kind, starts=starts))
    assert noticed == pytest.approx(revocation.RECHECK_SECONDS + SLOW_CHECK_SECONDS)
    assert noticed <= silent < PROMISE


# --- the watch itself --------------------------------------------------------------------------


async def test_a_thousand_members_cost_one_check_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("config.gate.revocation.RECHECK_SECONDS", 0.05)
    watch, checks, ended, good = RevocationWatch(), 0, 0, True

    async def check() -> bool:
        nonlocal checks
        checks += 1
        return good

    def end() -> None:
        nonlocal ended
        ended += 1

    leaves = [watch.join("token", check, end) for _ in range(1000)]
    await eventually(lambda: checks >= 3)
    assert ended == 0
    leaves[0]()
    good, before = False, checks
    await eventually(lambda: ended == 999)
    assert checks == before + 1


async def test_a_check_that_fails_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.gate.revocation.RECHECK_SECONDS", 0.02)
    watch, ended = RevocationWatch(), asyncio.Event()
    results = iter([OSError("database is locked"), True, False])

    async def check() -> bool:
        result = next(results)
        if isinstance(result, Exception):
            raise result
        assert not ended.is_set()
        return bool(result)

    watch.join("token", check, ended.set)
    await asyncio.wait_for(ended.wait(), WAIT)
    assert next(results, None) is None
