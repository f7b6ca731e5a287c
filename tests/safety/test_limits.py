"""What callers can use up: memory, connections, sign-in attempts, log lines. And the audit log.

docs/security.md describes these limits.
"""

import asyncio
import json
import logging
import os
import re
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from websockets.asyncio.client import connect

from config import bootstrap
from config.env import Env
from config.gate import refusal_log
from config.gate.refusal_log import RefusalLog
from config.gate.refusals import Refusal
from config.gate.request import Call
from config.server import http_connection
from config.server.connection_limits import Places, group
from config.sign_in.attempts import BY_ACCOUNT, SignIns
from core.backoff import Attempts, Pauses
from core.errors import Invalid
from core.json_limits import check_values
from mcp_gateway.audit import recorder
from mcp_gateway.models import ToolCall
from tests.config.gate.callers import scope_of
from tests.config.servers import ADMIN_PASSWORD, environment, prepare, serving
from tests.safety.credentials import Token, make_token, run
from tests.safety.raw import WAIT, line, request
from tests.terminals.served import Served, served_tmux
from tests.waiting import LONGEST_SECONDS, eventually, remains

MEGABYTE = 1024 * 1024
BODY = 14 * MEGABYTE
MEMORY_LIMIT = 60 * MEGABYTE  # how much the server may grow in an attack
CONNECTIONS = 40
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux("--require-token") as served:
        yield served


@pytest.fixture(scope="module")
def token(served: Served) -> Token:
    return make_token(served.env)


def memory(served: Served) -> int:
    """Bytes that the server keeps in memory and in deleted temporary files."""
    pid = served.running.process.pid
    total: int = psutil.Process(pid).memory_info().rss
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            info = os.stat(entry)
        except OSError:
            continue
        if stat.S_ISREG(info.st_mode) and info.st_nlink == 0:
            total += info.st_size
    return total


# --- bodies of callers that are not admitted -----------------------------------------------------

LENGTH = {"content-length": str(BODY)}
CHUNKED = {"transfer-encoding": "chunked"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/api/sessions", LENGTH, 401),
        ("POST", "/api/sessions", CHUNKED, 401),
        ("POST", "/mcp", {**JSON, **LENGTH}, 401),
        ("POST", "/mcp", {**LENGTH, "authorization": "Bearer wtx_" + "x" * 43}, 401),
        ("POST", "/api/sessions", {**LENGTH, "host": "evil.example"}, 421),
        ("POST", "/api/sessions", {**LENGTH, "origin": "http://evil.example"}, 403),
        ("POST", "/admin/login/", {**FORM, **LENGTH}, 413),
        ("POST", "/admin/login/", {**FORM, **CHUNKED}, 413),
        ("GET", "/healthz", LENGTH, 413),
        ("GET", "/static/x.js", CHUNKED, 413),
    ],
)
async def test_a_large_body_is_not_kept_before_its_sender_is_admitted(
    served: Served, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    address = served.running.address
    piece = b"x" * 65536
    framed = b"10000\r\n" + piece + b"\r\n" if headers.keys() & CHUNKED.keys() else piece

    async def attack() -> tuple[bytes, int]:
        async with line(address) as connection:
            await connection.send(request(address, method, path, headers))
            answer = asyncio.ensure_future(connection.until(b"\r\n\r\n"))
            try:
                for _ in range(BODY // len(piece) - 1):
                    if answer.done():
                        break
                    await connection.send(framed)
            except ConnectionError:
                pass
            used = memory(served)
            return (await answer), used

    before = memory(served)
    results = await asyncio.gather(*(attack() for _ in range(CONNECTIONS)))
    assert {int(head.split()[1]) for head, _ in results} <= {status, 429}
    assert max(used for _, used in results) - before < MEMORY_LIMIT


async def test_a_body_that_stops_half_way_is_not_kept_either(served: Served) -> None:
    """40 connections that send all but the last bytes and stay open."""
    address, before = served.running.address, memory(served)

    async def attack() -> None:
        connection = await connections.enter_async_context(line(address))
        await connection.send(request(address, "POST", "/api/sessions", LENGTH))
        try:
            for _ in range(BODY // 65536 - 1):
                await asyncio.wait_for(connection.send(b"x" * 65536), LONGEST_SECONDS)
        except ConnectionError:
            pass

    def is_small() -> bool:
        return memory(served) - before < MEMORY_LIMIT

    async with AsyncExitStack() as connections:
        attacks = asyncio.gather(*(attack() for _ in range(CONNECTIONS)))
        while not attacks.done():
            await remains(is_small, 0.1)
        await attacks
        await remains(is_small, 0.5)


async def test_the_refusal_of_an_upload_reaches_a_client_that_sends_on(served: Served) -> None:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        response = await http.post("/api/sessions", content=b"x" * BODY)
    assert response.status_code == 401
    assert "token" in response.json()["error"]["message"]


async def test_a_body_is_requested_only_after_the_caller_is_admitted(
    served: Served, token: Token
) -> None:
    address, expects = served.running.address, {"expect": "100-continue"}
    async with line(address) as connection:
        await connection.send(request(address, "POST", "/api/sessions", {**LENGTH, **expects}))
        assert (await connection.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 401 ")
    headers = {**JSON, **expects, **token.headers, "content-length": "100000"}
    async with line(address) as connection:
        await connection.send(request(address, "POST", "/mcp", headers))
        assert await connection.until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        await connection.send(b" " * 100_000)
        assert (await connection.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


async def test_what_an_admitted_caller_uploads_arrives_whole(served: Served, token: Token) -> None:
    pane, content = served.new_pane("exec cat"), os.urandom(7 * MEGABYTE)
    async with httpx.AsyncClient(base_url=served.running.address, timeout=LONGEST_SECONDS) as http:
        response = await http.post(
            f"/api/panes/{pane[1:]}/uploads",
            files={"file": ("a.bin", content)},
            headers=token.headers,
        )
    assert response.status_code == 201, response.text
    assert Path(response.json()["path"]).read_bytes() == content
    served.tmux("kill-pane", "-t", pane)


async def test_a_body_of_unknown_length_arrives_whole(served: Served, token: Token) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": {"x": "'
        for _ in range(30):
            yield b"y" * 100_000
        yield b'"}}}'

    async with httpx.AsyncClient(base_url=served.running.address, timeout=LONGEST_SECONDS) as http:
        headers = {**JSON, **token.headers}
        response = await http.post("/mcp", content=pieces(), headers=headers)
    assert response.status_code == 200, response.text
    assert response.json()["result"] == {}


async def test_a_body_over_the_limit_is_refused_even_with_a_token(
    served: Served, token: Token
) -> None:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        response = await http.post("/mcp", content=b"x" * (17 * MEGABYTE), headers=token.headers)
    assert response.status_code == 413


async def test_an_admission_cannot_be_forged(served: Served) -> None:
    forged = {
        "webtmux.admission": "admin", "webtmux.principal": "admin", "daphne-root-path": "/admin",
        "x-webtmux-admission": "admin",
    }  # fmt: skip
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        response = await http.post("/api/sessions", content=b"x" * 100_000, headers=forged)
    assert response.status_code == 401


# --- connections ---------------------------------------------------------------------------------


async def test_slow_headers_and_slow_bodies_have_an_end(tmp_path: Path) -> None:
    """A byte now and then does not keep a connection open. The real limits would take 30 s."""
    assert max(http_connection.HEADER_SECONDS, http_connection.BODY_SECONDS) <= 30
    limits = {
        f"config.server.http_connection.{name}": 0.5
        for name in ("HEADER_SECONDS", "BODY_SECONDS", "GOODBYE_SECONDS")
    }
    env = environment(tmp_path / "data")
    prepare(env)
    arguments = ["-m", "tests.safety.with_constants", json.dumps(limits), "serve", "--port", "0"]
    with serving([*arguments, "--require-token"], env) as server:
        address = server.address

        async def drip(first: bytes) -> None:
            async with line(address) as connection, asyncio.timeout(LONGEST_SECONDS):
                await connection.send(first)
                end = asyncio.ensure_future(connection.reader.read())
                while not end.done():
                    try:
                        await connection.send(b"x")
                    except ConnectionError:
                        break
                    await asyncio.wait({end}, timeout=0.05)

        headers = request(address, "POST", "/api/sessions", {})[:-2] + b"x-slow: "
        body = request(address, "POST", "/api/sessions", {"content-length": "60000"})
        chunked = request(address, "POST", "/admin/login/", CHUNKED) + b"fff\r\n"
        await asyncio.gather(drip(b""), drip(headers), drip(body), drip(chunked))


async def test_the_number_of_connections_is_limited() -> None:
    with served_tmux(WEBTMUX_MAX_CONNECTIONS="30") as served:
        address = served.running.address
        async with AsyncExitStack() as connections:
            for _ in range(30):
                await connections.enter_async_context(line(address))
            async with line(address) as connection:
                await connection.send(request(address, "GET", "/healthz", {}))
                response, _ = await connection.end()
            assert not response or response.startswith(b"HTTP/1.1 503 ")

        async def is_served() -> bool:
            try:
                return httpx.get(f"{address}/healthz").status_code == 200
            except httpx.HTTPError:
                return False

        await eventually(is_served)
        # A WebSocket counts until it is closed, and no longer.
        for _ in range(40):
            async with connect(served.address) as ws:
                await ws.send('{"type": "ping", "id": 1}')
                await ws.recv()
        served.running.read_until(re.compile("refused 1 connections"), LONGEST_SECONDS)


def test_connections_are_counted_by_address() -> None:
    places = Places(total=10, per_address=3)
    groups = [places.enter("203.0.113.9") for _ in range(4)]
    assert groups == ["203.0.113.9"] * 3 + [None]
    assert places.enter("203.0.113.10") is not None
    local = [places.enter("127.0.0.1") for _ in range(7)]
    assert [group is None for group in local] == [False] * 6 + [True]
    places.leave("203.0.113.9")
    assert places.enter("203.0.113.9") is not None


def test_an_ipv6_network_counts_as_one_address() -> None:
    assert group("2001:db8::1") == group("2001:db8::ffff:1") != group("2001:db8:0:1::1")
    assert group("::ffff:203.0.113.9") == "203.0.113.9"
    assert group("::1") == group("127.0.0.1") == group("") == "local"


async def test_messages_sent_before_the_upgrade_is_answered_are_read_once(
    served: Served, token: Token
) -> None:
    address = served.running.address
    headers = {
        "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", **token.headers,
    }  # fmt: skip
    ping = json.dumps({"type": "ping", "id": 7}).encode()
    frame = bytes((0x81, 0x80 | len(ping))) + b"\0\0\0\0" + ping
    async with line(address) as connection:
        await connection.send(request(address, "GET", "/ws", headers) + frame)
        await connection.send(frame)
        assert (await connection.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        read = b""
        async with asyncio.timeout(WAIT):
            while read.count(b'"id":7') < 2:
                read += await connection.reader.read(1000)
        await connection.send(frame)
        async with asyncio.timeout(WAIT):
            while read.count(b'"id":7') < 3:
                read += await connection.reader.read(1000)
    assert read.count(b"HTTP/1.1") == 0


# --- attempts to sign in -------------------------------------------------------------------------


async def submit_form(http: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    page = await http.get(path)
    csrf = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert csrf is not None
    data = {"csrfmiddlewaretoken": csrf[1], **fields}
    return await http.post(path, data=data, headers={"origin": str(http.base_url).rstrip("/")})


async def test_passwords_and_codes_cannot_be_guessed_in_a_row(served: Served) -> None:
    admin = bootstrap.ADMIN_NAME
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:

        async def sign_in(password: str) -> httpx.Response:
            return await submit_form(http, "/admin/login/", username=admin, password=password)

        assert [(await sign_in(f"wrong {number}")).status_code for number in range(3)] == [200] * 3
        refusals: list[httpx.Response] = []

        async def refused_for_seconds() -> bool:
            """Pauses grow with every wrong password."""
            if (response := await sign_in(f"wrong {len(refusals)}")).status_code == 429:
                refusals.append(response)
            return response.status_code == 429 and int(response.headers["retry-after"]) >= 4

        await eventually(refused_for_seconds)
        refused_at = time.monotonic()
        assert "try again in" in refusals[-1].text
        # The correct password is not checked either, until the pause is over.
        status = (await sign_in(ADMIN_PASSWORD)).status_code
        assert status == 429 or time.monotonic() - refused_at > 3

        async def signed_in() -> bool:
            response = await sign_in(ADMIN_PASSWORD)
            assert response.status_code in {302, 429}
            return response.status_code == 302

        await eventually(signed_in)
    # That has reset everything: codes have a few attempts of their own.
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        statuses: list[int] = []
        while 429 not in statuses and len(statuses) < 30:
            code = f"AAAA-AAAA-AAAA-AA{len(statuses):02}"
            statuses.append((await submit_form(http, "/login", code=code)).status_code)
    assert statuses[0] == 400
    assert statuses[-1] == 429
    served.running.read_until(re.compile("failed sign-in from local uid"), LONGEST_SECONDS)
    served.running.read_until(re.compile(f"'{admin}' signed in from local uid"), LONGEST_SECONDS)
    assert ADMIN_PASSWORD not in served.running.output
    assert "wrong 1" not in served.running.output


async def test_many_passwords_at_the_same_time_gain_nothing() -> None:
    sign_ins = SignIns()
    waits = [sign_ins.begin("203.0.113.9", f"user {number}") for number in range(100)]
    assert waits.count(0.0) == 5


def test_guessing_does_not_lock_the_owner_out() -> None:
    sign_ins = SignIns()
    assert sign_ins.begin("198.51.100.7", "ada") == 0
    sign_ins.succeed("198.51.100.7", "ada")
    waits = [sign_ins.begin(f"203.0.113.{number}", "ada") for number in range(200)]
    assert max(waits) > 0
    assert max(waits) <= BY_ACCOUNT.longest <= 30
    assert sign_ins.begin("198.51.100.7", "ada") == 0
    # Attempts of another user of this machine do not count for ours.
    for _ in range(100):
        sign_ins.begin("local uid 65534", "ada")
    assert sign_ins.begin("local uid 1000", "") == 0


def test_pauses_grow_up_to_a_limit_and_end_with_a_success() -> None:
    now = [0.0]
    attempts = Attempts(Pauses(free=3, first=1, longest=900, forget=3600), clock=lambda: now[0])
    pauses = []
    for _ in range(16):
        now[0] += attempts.wait("a")
        assert attempts.begin("a") == 0
        pauses.append(attempts.wait("a"))
    assert pauses == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]
    assert attempts.wait("b") == 0
    attempts.succeed("a")
    assert attempts.wait("a") == 0


def test_attempts_are_kept_for_a_limited_number_of_keys() -> None:
    attempts = Attempts(Pauses(free=1, first=60, longest=60, forget=60), most_keys=10)
    for number in range(1000):
        attempts.begin(str(number))
    assert len(attempts._failed) == 10


async def test_wrong_tokens_cause_a_pause_and_correct_ones_do_not(
    served: Served, token: Token
) -> None:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
        statuses = []
        for number in range(14):
            wrong = {"authorization": f"Bearer wtx_{number:043}"}
            statuses.append((await http.get("/api/sessions", headers=wrong)).status_code)
        assert statuses[-1] == 429
        assert set(statuses) == {401, 429} or set(statuses) == {429}
        assert (await http.get("/api/sessions", headers=token.headers)).status_code == 200


async def test_a_token_from_the_settings_cannot_be_guessed() -> None:
    with served_tmux(WEBTMUX_AUTH_TOKEN="hush") as served:
        async with httpx.AsyncClient(base_url=served.running.address, timeout=WAIT) as http:
            for number in range(20):
                wrong = {"authorization": f"Bearer {number}"}
                response = await http.get("/api/sessions", headers=wrong)
            assert response.status_code == 429
            correct = {"authorization": "Bearer hush"}
            # During the pause not even the correct token is compared.
            assert (await http.get("/api/sessions", headers=correct)).status_code == 429

            async def is_admitted() -> bool:
                response = await http.get("/api/sessions", headers=correct)
                return response.status_code == 200

            await eventually(is_admitted)


def test_a_flood_of_refusals_is_a_few_log_lines(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = RefusalLog(clock=lambda: now[0])
    call = Call.of(scope_of("http", "POST", "/api/x\n2026 forged", [], query="token=wtx_secret"))
    with caplog.at_level(logging.WARNING):
        for number in range(50_000):
            log.note(call, Refusal(401, "unauthorized", "no"), f"address {number % 5000}")
        now[0] = refusal_log.WINDOW_SECONDS
        log.note(call, Refusal(401, "unauthorized", "no"), "address 1")
    assert len(caplog.records) < refusal_log.LINES * (refusal_log.MOST_KEYS + 10)
    assert any("more requests" in record.getMessage() for record in caplog.records)
    assert "wtx_secret" not in caplog.text
    assert "\n2026 forged" not in caplog.text


# --- the audit log -------------------------------------------------------------------------------


async def test_every_write_over_every_interface_is_logged(served: Served) -> None:
    token, pane = make_token(served.env), served.new_pane("exec cat")
    secret = "a confidential text"
    async with httpx.AsyncClient(
        base_url=served.running.address, headers=token.headers, timeout=WAIT
    ) as http:
        text = {"text": secret}
        assert (await http.post(f"/api/panes/{pane[1:]}/send", json=text)).status_code == 200
        assert (await http.post("/api/panes/9999/send", json=text)).status_code == 404
        assert (await http.get("/api/sessions")).status_code == 200
        files = {"file": ("a.txt", b"text of a file")}
        assert (await http.post(f"/api/panes/{pane[1:]}/uploads", files=files)).status_code == 201
        call = {"name": "send_to_window", "arguments": {"windowId": "@9999", "text": secret}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        await http.post("/mcp", json=body, headers=JSON)
    columns = "door, tool, outcome, length, digest, target"
    expected = [
        ("mcp", "send_to_window"), ("rest", "save_upload"), ("rest", "send_text"),
        ("rest", "send_text"), ("socket", "answer-agent"), ("socket", "input"),
        ("socket", "send-prompt"), ("socket", "upload"),
    ]  # fmt: skip
    async with connect(served.address, additional_headers=token.headers) as ws:
        for _ in range(50):
            await ws.send(b"\x02" + pane.encode() + b"\0k")
        await ws.send(b"\x03" + pane.encode() + b"\x0080:24")
        await ws.send(b"\x04" + pane.encode() + b"\0a.txt\0text/plain\0content")
        for kind, field in {"send-prompt": "prompt", "answer-agent": "answer", "ping": "x"}.items():
            await ws.send(json.dumps({"type": kind, "id": kind, "agent": "nobody", field: secret}))
            while json.loads(await asyncio.wait_for(ws.recv(), WAIT)).get("id") != kind:
                pass

        def all_rows() -> list[Any]:
            rows = run(
                token.database,
                f"SELECT {columns} FROM mcp_gateway_toolcall WHERE caller = ?",
                f"token {token.name}",
            )
            return rows if len(rows) >= len(expected) else []

        rows = await eventually(all_rows)
    assert sorted((door, name) for door, name, *_ in rows) == expected
    sent = [row for row in rows if row[1] == "send_text"]
    assert sorted(row[2] for row in sent) == ["not_found", "ok"]
    # The same text has the same digest over every interface, and is never stored.
    assert len({row[4] for row in rows if row[3] == len(secret)}) == 1
    assert sum(row[3] == len(secret) for row in rows) == 5
    assert secret not in str(rows)
    assert any(pane[1:] in row[5] for row in sent)
    served.tmux("kill-pane", "-t", pane)


@pytest.mark.django_db(transaction=True)
def test_rows_of_the_previous_version_are_calls_over_mcp() -> None:
    executor = MigrationExecutor(connection)
    try:
        executor.migrate([("mcp_gateway", "0003_call_places")])
        old = executor.loader.project_state([("mcp_gateway", "0003_call_places")]).apps
        model = old.get_model("mcp_gateway", "ToolCall")
        row = model.objects.create(
            at=timezone.now(), tool="list_windows", caller="peer local", ms=3, outcome="ok"
        )
    finally:
        call_command("migrate", "mcp_gateway", verbosity=0)
    assert ToolCall.objects.get(pk=row.pk).door == "mcp"


@pytest.mark.django_db
def test_the_number_of_rows_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "MOST_ROWS", 10)
    now = timezone.now()
    for number in range(25):
        ToolCall.objects.create(tool=str(number), at=now, caller="x", ms=1, outcome="ok")
    call_command("prune", verbosity=0)
    kept = list(ToolCall.objects.order_by("pk").values_list("tool", flat=True))
    assert kept == [str(number) for number in range(15, 25)]


# --- hostile JSON --------------------------------------------------------------------------------

DEEP = b"[" * 100_000 + b"]" * 100_000
HOSTILE = {
    "deep arrays": DEEP,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep and never closed": b"[" * 100_000,
    "deep params of initialize": b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
    + DEEP + b"}",
    "deep text": b'{"text":' + DEEP + b"}",
    "huge number": b'{"jsonrpc":"2.0","method":"initialize","id":' + b"9" * 1_000_000 + b"}",
    "huge number as text": b'{"text":' + b"9" * 100_000 + b"}",
    "not a number": b'{"jsonrpc":"2.0","method":"initialize","id":NaN,"text":NaN}',
    "infinity": b'{"jsonrpc":"2.0","id":1e999,"method":"tools/list","text":-Infinity}',
    "half a character": b'{"text":"\\ud800","id":"\\ud800","method":"\\udfff","jsonrpc":"2.0"}',
    "half a character in a call": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
    b'{"name":"list_windows","arguments":{"session":"\\ud800"}}}',
    "a key twice": b'{"text":"a","text":"b","id":1,"id":2,"jsonrpc":"2.0","method":"ping"}',
    "no UTF-8": b'{"text":"\xff\xfe"}',
    "nothing": b" " * 70_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
async def test_no_json_crashes_a_request(served: Served, token: Token, name: str) -> None:
    body = HOSTILE[name]
    async with httpx.AsyncClient(
        base_url=served.running.address, headers=token.headers, timeout=WAIT
    ) as http:
        for path in ("/mcp", "/api/panes/0/send", "/api/sessions"):
            response = await http.post(path, content=body, headers=JSON)
            assert response.status_code < 500, f"{path}: {response.text[:300]}"
        session = {"mcp-protocol-version": "2026-07-28", "mcp-method": "initialize"}
        response = await http.post("/mcp", content=body, headers={**JSON, **session})
        assert response.status_code < 500, response.text[:300]
    async with connect(served.address, additional_headers=token.headers) as ws:
        await ws.send(body.decode("utf-8", "replace"))
        for kind in ("ping", "send-prompt", "subscribe-output", "subscribe-chat"):
            surrogate = '{"type": "%s", "id": "\\ud800", "agent": "\\ud800", "prompt": "\\ud800"}'
            await ws.send(surrogate % kind)
        await ws.send('{"type": "ping", "id": "last"}')
        messages: list[Any] = []
        async with asyncio.timeout(WAIT):
            while not messages or messages[-1].get("id") != "last":
                messages.append(json.loads(await ws.recv()))
    assert "internal error" not in str(messages)


WIDE = {
    "lists": b"[" + b"[]," * 1_300_000 + b"1]",
    "numbers": b"[" + b"1," * 2_000_000 + b"1]",
    "objects": b'{"text":[' + b'{"a":1},' * 450_000 + b"1]}",
    "strings": b'{"text":[' + b'"",' * 1_300_000 + b"1]}",
    "keys": b"{" + b",".join(b'"%d":1' % number for number in range(300_000)) + b"}",
    "behind escapes": rb'{"a":"\\\"",' + b'"b":[' + b"[]," * 1_000_000 + b"1]}",
}


@pytest.mark.parametrize("name", WIDE)
async def test_json_with_too_many_values_is_refused_before_it_is_parsed(
    served: Served, token: Token, name: str
) -> None:
    """Each takes a parser up to a second, on the event loop."""
    with pytest.raises(Invalid):
        check_values(WIDE[name])
    async with httpx.AsyncClient(
        base_url=served.running.address, headers=token.headers, timeout=WAIT
    ) as http:
        modern = {**JSON, "mcp-protocol-version": "2026-07-28"}
        for path, headers in (("/mcp", JSON), ("/mcp", modern), ("/api/sessions", JSON)):
            response = await http.post(path, content=WIDE[name], headers=headers)
            assert response.status_code in {400, 413, 422}, f"{path}: {response.text[:300]}"


def test_long_texts_with_any_characters_are_accepted() -> None:
    for text in ('[{,"' * 100_000, "\\" * 300_000, '\\"' * 200_000, "," * 1_000_000):
        check_values(json.dumps({"text": text}).encode())


def test_no_setting_that_may_hold_a_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        "AUTH_TOKEN", "TOKEN", "NOTION_TOKEN", "LLM_KEY", "TRANSCRIBE_KEY", "REDIS_URL", "LLM_URL",
        "TRANSCRIBE_URL", "NOTION_URL",
    }  # fmt: skip
    for name in names:
        monkeypatch.setenv(f"WEBTMUX_{name}", f"hidden-{name}")
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hidden-password@host/name")
    env = Env.read()
    assert (env.auth_token, env.redis_url) == ("hidden-AUTH_TOKEN", "hidden-REDIS_URL")
    assert "hidden" not in repr(env)
    assert "hidden" not in f"{env!s} {[env]!r}"
