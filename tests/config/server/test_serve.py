"""`manage.py serve` as a user runs it: first start, second start, refusals, and stops."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from config.env import Env
from config.management.commands.serve import refuse_public_bind
from mcp_gateway.models import AccessToken
from mcp_gateway.services import create_token
from tests.config.conftest import SAMPLE
from tests.config.servers import Running, environment, manage, prepare, serving, started
from tests.terminals.served import Served
from tests.waiting import LONGEST_SECONDS

SERVE = ("manage.py", "serve", "--port", "0")
SIGN_IN = re.compile(r"Sign in to \S+ as admin with (\S+)")


def sign_in(client: httpx.Client, address: str, password: str) -> httpx.Response:
    client.get(f"{address}/admin/login/")
    form = {
        "username": "admin",
        "password": password,
        "csrfmiddlewaretoken": client.cookies[f"webtmux_csrf_{address.rpartition(':')[2]}"],
        "next": "/admin/",
    }
    return client.post(f"{address}/admin/login/", data=form, headers={"Origin": address})


def test_an_empty_directory_is_enough_and_the_second_start_prints_no_password(
    empty: dict[str, str],
) -> None:
    data_dir = Path(empty["WEBTMUX_DATA_DIR"])
    with serving(SERVE, empty) as running:
        assert httpx.get(f"{running.address}/healthz").json() == {"ok": True}
        not_ready = httpx.get(f"{running.address}/readyz")
        assert (not_ready.status_code, not_ready.json()["ok"]) == (503, False)
        assert data_dir.stat().st_mode & 0o777 == 0o700
        password = running.read_until(SIGN_IN)[1]
        with httpx.Client() as client:
            assert sign_in(client, running.address, password).headers["location"] == "/admin/"
            page = client.get(f"{running.address}/admin/")
            assert page.status_code == 200
            style = re.search(r'href="(/static/admin/css/base\.\w+\.css)"', page.text)
            assert style is not None
            assert httpx.get(running.address + style[1]).status_code == 200
        assert running.end(signal.SIGTERM) == 0
    with serving(SERVE, empty) as running:
        assert httpx.get(f"{running.address}/healthz").status_code == 200
        children = running.children()
        assert running.end(signal.SIGINT) == 0
        assert SIGN_IN.search(running.output) is None
        assert "Traceback" not in running.output
    assert [child for child in children if child.is_running()] == []  # none outlives the server


def test_a_port_in_use_is_reported(prepared: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = manage(prepared, "serve", "--port", str(port))
    assert done.returncode == 1
    assert f"CommandError: cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_public_address_is_refused_without_a_token_or_account(
    empty: dict[str, str],
) -> None:
    for _ in range(2):  # the first must not create the account that permits the second
        done = manage(empty, "serve", "--port", "0", "--host", "0.0.0.0")
        assert done.returncode == 1
        for remedy in ("WEBTMUX_AUTH_TOKEN", "create_token", "createsuperuser", "127.0.0.1"):
            assert remedy in done.stderr


@pytest.mark.django_db
@pytest.mark.parametrize(
    "host", ["::", "192.0.2.1", "some-name", "127.0.0.1.example", "localhost."]
)
def test_every_address_except_loopback_is_public(host: str) -> None:
    with pytest.raises(CommandError, match="reachable from other machines"):
        refuse_public_bind(Env(host=host))
    refuse_public_bind(Env(host=host, auth_token="x"))
    User.objects.create_user("gone", is_active=False)
    create_token(name="gone", expires_at=timezone.now())
    with pytest.raises(CommandError):
        refuse_public_bind(Env(host=host))
    create_token(name="good")
    refuse_public_bind(Env(host=host))
    AccessToken.objects.all().delete()
    User.objects.create_user("here")
    refuse_public_bind(Env(host=host))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"])
def test_loopback_needs_no_token(host: str) -> None:
    refuse_public_bind(Env(host=host))


def test_a_public_address_is_served_with_a_token(tmp_path: Path) -> None:
    env = environment(tmp_path / "data")
    prepare(env)
    secret = manage(env, "create_token", "public", "--scope", "read").stdout.strip()
    flags = ("--host", "0.0.0.0", "--allowed-hosts", "box.example")
    with serving((*SERVE, *flags), env) as running:
        port = running.address.rsplit(":", 1)[1]
        headers = {"Host": "box.example", "Authorization": f"Bearer {secret}"}
        address = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{address}/no-such-page", headers=headers).status_code == 404
        assert httpx.post(f"{address}/no-such-page", headers=headers).status_code == 403
        assert httpx.get(f"{address}/", headers={"Host": "0.0.0.0"}).status_code == 421
        assert running.end(signal.SIGTERM) == 0
        assert secret not in running.output


def test_an_invalid_origin_pattern_is_reported(prepared: dict[str, str]) -> None:
    done = manage(prepared, "serve", "--allowed-origins", "*")
    assert (done.returncode, "--allowed-origins contains '*'" in done.stderr) == (1, True)


def test_flags_override_the_settings(prepared: dict[str, str], strict: Served) -> None:
    with serving((*SERVE, "--auth-token", "hush-hush"), prepared) as running:
        page = f"{running.address}/no-such-page"
        assert httpx.get(page).status_code == 401
        assert httpx.get(f"{page}?token=hush-hush").status_code == 404
        assert running.end(signal.SIGTERM) == 0
        assert "hush-hush" not in running.output
    assert httpx.get(f"{strict.running.address}/no-such-page").status_code == 401


def test_a_handshake_is_refused_with_a_status(sample: Running) -> None:
    cases = [
        ("/nowhere", {}, 404),
        ("/ws", {"Authorization": "Bearer wrong"}, 401),
        ("/ws", {"Origin": "http://localhost:3000"}, 403),
        ("/ws", {"X-Forwarded-For": "10.0.0.1"}, 401),
    ]
    for path, headers, status in cases:
        with pytest.raises(InvalidStatus) as refused:
            connect(sample.socket_address + path, additional_headers=headers)
        response = refused.value.response
        assert response.status_code == status
        assert b'{"error": {"code": ' in (response.body or b"")
    port = int(sample.address.rsplit(":", 1)[1])
    with pytest.raises(InvalidStatus, match="421"):
        connect(f"ws://evil.example:{port}/ws", address=("127.0.0.1", port))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_of_this_machine_needs_a_token(served: Served) -> None:
    script = (
        "import encodings.idna, os, socket, sys\n"
        "os.setgid(65534), os.setuid(65534)\n"
        "s = socket.create_connection((sys.argv[1], int(sys.argv[2])))\n"
        "s.sendall(b'GET /no-such-page HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n')\n"
        "print(s.recv(100).split()[1].decode())\n"
    )
    host, port = served.running.address.removeprefix("http://").split(":")
    argv = [sys.executable, "-c", script, host, port]
    printed = subprocess.run(
        argv, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=True
    )
    assert printed.stdout.strip() == "401"
    assert httpx.get(f"{served.running.address}/no-such-page").status_code == 404


def test_sockets_are_closed_with_1001_when_the_server_stops(prepared: dict[str, str]) -> None:
    with serving(SAMPLE, prepared) as running, ExitStack() as stack:
        address = f"{running.socket_address}/ws"
        sockets = [stack.enter_context(connect(address)) for _ in range(5)]
        for each in sockets:
            each.send("hello")
            assert each.recv(timeout=LONGEST_SECONDS) == "hello"
        # One that has sent nothing: daphne's own stop crashed then.
        sockets.append(stack.enter_context(connect(address)))
        running.process.send_signal(signal.SIGTERM)
        for each in sockets:
            with pytest.raises(ConnectionClosed) as closed:
                each.recv(timeout=LONGEST_SECONDS)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1001
        assert running.wait() == 0
        assert "Traceback" not in running.output


def test_the_second_signal_does_not_wait_for_a_stuck_service(prepared: dict[str, str]) -> None:
    with serving(SAMPLE, {**prepared, "SAMPLE_STUCK": "1"}) as running:
        running.process.send_signal(signal.SIGTERM)
        running.read_until(re.compile("stopping"))
        assert running.end(signal.SIGTERM) == 0
        assert "did not stop within" not in running.output


def test_a_message_over_the_limit_is_answered_with_1009(sample: Running) -> None:
    with connect(f"{sample.socket_address}/slow") as fits:
        httpx.get(f"{sample.address}/release")
        fits.send(b"x" * (8 * 1024 * 1024 + 64 * 1024))
        assert fits.recv(timeout=LONGEST_SECONDS) == str(8 * 1024 * 1024 + 64 * 1024)
    with connect(f"{sample.socket_address}/ws") as large:
        with suppress(ConnectionClosed):  # the close frame may arrive while it is still sending
            large.send(b"x" * (8 * 1024 * 1024 + 64 * 1024 + 1))
        with pytest.raises(ConnectionClosed) as closed:
            large.recv(timeout=LONGEST_SECONDS)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_an_application_may_close_with_any_code(sample: Running) -> None:
    with connect(f"{sample.socket_address}/close") as client:
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=LONGEST_SECONDS)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1011, "sample")


def test_a_huge_request_is_refused_before_it_fills_the_disk(sample: Running) -> None:
    host, port = sample.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=LONGEST_SECONDS) as raw:
        raw.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n")
        assert raw.recv(100).startswith(b"HTTP/1.1 413 ")
    assert httpx.get(f"{sample.address}/").status_code == 200


def test_a_signal_during_the_start_ends_it(prepared: dict[str, str]) -> None:
    slow_start = (
        "import django; django.setup()\n"
        "import asyncio, sys, config.server.serving as serving\n"
        "class Lifecycle:\n"
        "    async def start(self):\n"
        "        print('starting', flush=True)\n"
        "        await asyncio.Event().wait()\n"
        "    async def stop(self): print('stopped', flush=True)\n"
        "class Application:\n"
        "    lifecycle = Lifecycle()\n"
        "serving.serve(Application(), host='127.0.0.1', port=0, announce=print)\n"
    )
    with started(("-c", slow_start), prepared) as running:
        running.read_until(re.compile("starting"))
        assert running.end(signal.SIGTERM) == 0
        assert "stopped" in running.output
