"""Promise 6: local trust is for direct callers.

Every relay here runs under our own uid and says nothing about itself; every caller chooses the
Host of the server and sends no Origin. All of them were admitted before.
"""

import contextlib
import http.client
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.config.servers import environment, manage, serving
from tests.safety.other_user import needs_second_user, python_as_nobody
from tests.safety.relays import (
    NODE_RELAY,
    POOLING_PROXY,
    PYTHON_RELAY,
    STDIO_CLIENT,
    free_port,
    nginx,
    program,
    running,
    script_relay,
    socat,
)
from tests.terminals.served import served_tmux

Answer = tuple[int, str]
TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
# A caller of another user: `PORT HOST`, one request, prints the status and the answer.
STRANGER = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
connection.request("GET", "/api/windows", headers={"Host": sys.argv[2]})
answer = connection.getresponse()
print(answer.status, answer.read().decode())
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("trust")) as port:
        yield port


@contextlib.contextmanager
def served(directory: Path, *flags: str, **settings: str) -> Iterator[int]:
    env = environment(directory / "data", **settings)
    done = manage(env, "migrate", "--verbosity", "0")
    assert done.returncode == 0, done.stderr
    with serving(["manage.py", "serve", "--port", "0", *flags], env) as process:
        yield int(process.address.rpartition(":")[2])


def ask(port: int, server: int, path: str = "/api/projects", **headers: str) -> Answer:
    """One request over a connection of its own, under the server's own Host."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    with contextlib.closing(connection):
        return asked(connection, server, path, **headers)


def asked(
    connection: http.client.HTTPConnection, server: int, path: str = "/api/projects", **headers: str
) -> Answer:
    connection.request("GET", path, headers={"Host": f"127.0.0.1:{server}", **headers})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def raw(port: int, text: str) -> str:
    """Whatever the server answers to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(text.replace("\n", "\r\n").encode())
        return connection.makefile("rb").readline().decode()


def refused(answer: Answer, *words: str) -> None:
    """With a reason, and with what to do."""
    status, text = answer
    assert status == 401, text
    for word in ("Local trust is for direct callers only", "create_token", *words):
        assert word in text


def copied(directory: Path, name: str, to: str) -> str:
    """A program under a name that says nothing."""
    path = directory / to
    shutil.copy(program(name), path)
    return str(path)


# ---- those who call directly keep working without a token ----


def test_curl_needs_no_token(server: int) -> None:
    argv = ["curl", "-s", f"http://127.0.0.1:{server}/api/projects"]
    assert "error" not in json.loads(subprocess.check_output(argv, text=True, timeout=60))


def test_node_needs_no_token(server: int) -> None:
    code = f"fetch('http://localhost:{server}/api/projects').then((a) => console.log(a.status))"
    told = subprocess.check_output([program("node"), "-e", code], text=True, timeout=60)
    assert told.strip() == "200"


def test_python_needs_no_token_and_may_listen_on_loopback(server: int) -> None:
    with socket.create_server(("127.0.0.1", 0)):
        assert ask(server, server)[0] == 200


def test_a_client_that_an_own_program_is_connected_to_needs_no_token(server: int) -> None:
    """As an editor with its helpers: everybody in the chain is the same user."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()),
    ):
        accepted, _ = listener.accept()
        with accepted:
            assert ask(server, server)[0] == 200


def test_a_kept_connection_is_trusted_for_all_its_requests(server: int) -> None:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server)) as connection:
        assert [asked(connection, server)[0] for _ in range(5)] == [200] * 5


def test_a_token_works_through_a_relay(tmp_path: Path) -> None:
    with served(tmp_path, WEBTMUX_AUTH_TOKEN="hush") as server, socat(server) as port:
        assert ask(port, server, Authorization="Bearer hush")[0] == 200


# ---- relays, by their name ----


def test_socat_is_refused(server: int) -> None:
    with socat(server) as port:
        refused(ask(port, server), "socat")


def test_ncat_is_refused(server: int) -> None:
    port = free_port()
    argv = [program("ncat"), "-lk", "127.0.0.1", str(port), "-c", f"ncat 127.0.0.1 {server}"]
    with running(argv, port):
        refused(ask(port, server), "ncat")


def test_nginx_is_refused(server: int, tmp_path: Path) -> None:
    with nginx(tmp_path, server) as port:
        refused(ask(port, server), "nginx")


def test_socat_that_calls_itself_curl_is_refused(server: int) -> None:
    port = free_port()
    argv = ["curl", f"TCP-LISTEN:{port},bind=127.0.0.1,fork", f"TCP:127.0.0.1:{server}"]
    with running(argv, port, executable=program("socat")):
        refused(ask(port, server), "socat")


def test_a_socat_whose_file_was_deleted_is_refused(server: int, tmp_path: Path) -> None:
    file = copied(tmp_path, "socat", "socat")
    port = free_port()
    argv = [file, f"TCP-LISTEN:{port},bind=127.0.0.1,fork", f"TCP:127.0.0.1:{server}"]
    with running(argv, port):
        Path(file).unlink()
        refused(ask(port, server), "socat")


def test_a_script_called_like_a_forwarder_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, bind="127.0.0.1", name="websockify.py") as port:
        refused(ask(port, server), "websockify")


def test_a_program_below_a_forwarder_is_refused(server: int, tmp_path: Path) -> None:
    """socat starts a program for each connection, and only the program is connected to us."""
    (tmp_path / "client.py").write_text(STDIO_CLIENT)
    starter = tmp_path / "start"
    starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" client.py {server}\n')
    starter.chmod(0o700)
    with socat(server, to="EXEC:./start", cwd=tmp_path) as port:
        refused(ask(port, server), "socat")


def test_the_setting_names_more_forwarders(tmp_path: Path) -> None:
    with (
        served(tmp_path, WEBTMUX_FORWARDERS="helper,other") as server,
        script_relay(tmp_path, server, bind="127.0.0.1") as port,
    ):
        assert ask(server, server)[0] == 200
        refused(ask(port, server), "helper")


# ---- relays, by what they do ----


def test_a_renamed_socat_is_refused(server: int, tmp_path: Path) -> None:
    with socat(server, file=copied(tmp_path, "socat", "helper"), bind="0.0.0.0") as port:
        refused(ask(port, server), "helper")


def test_a_python_relay_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server) as port:
        refused(ask(port, server), "other machines")


def test_a_node_relay_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, source=NODE_RELAY, name="helper.js") as port:
        refused(ask(port, server), "other machines")


def test_a_relay_on_ipv6_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, source=NODE_RELAY, name="helper.js", bind="::") as port:
        refused(ask(port, server), "other machines")


def test_a_chain_of_relays_is_refused(server: int, tmp_path: Path) -> None:
    """The one next to us listens on loopback only, for another one that does not."""
    (tmp_path / "inner").mkdir()
    with (
        script_relay(tmp_path / "inner", server, bind="127.0.0.1") as inner,
        script_relay(tmp_path, inner) as port,
    ):
        refused(ask(port, server), "serves another caller")


def test_a_relay_behind_a_forwarder_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, bind="127.0.0.1") as inner, socat(inner) as port:
        refused(ask(port, server), "socat")


def test_a_socket_of_ours_goes_through_a_relay_neither(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server) as port:
        with pytest.raises(InvalidStatus) as failure:
            connect(
                f"ws://127.0.0.1:{server}/ws",
                sock=socket.create_connection(("127.0.0.1", port)),
                open_timeout=30,
            )
        response = failure.value.response
        refused((response.status_code, response.body.decode()), "other machines")


def test_mcp_goes_through_a_relay_neither(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        with contextlib.closing(connection):
            headers = {
                "Host": f"127.0.0.1:{server}",
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            }
            connection.request("POST", "/mcp", json.dumps(TOOLS), headers)
            answer = connection.getresponse()
            refused((answer.status, answer.read().decode()), "other machines")


def test_an_inherited_socket_is_refused_for_any_holder(server: int) -> None:
    """The opener is direct, but a forwarder holds the same socket."""
    connection = http.client.HTTPConnection("127.0.0.1", server, timeout=30)
    with contextlib.closing(connection):
        connection.connect()
        holder = subprocess.Popen(
            ["ssh", "300"], executable=program("sleep"), pass_fds=[connection.sock.fileno()]
        )
        try:
            refused(asked(connection, server), "ssh")
        finally:
            holder.kill()
            holder.wait()


def test_a_relay_on_the_port_of_a_trusted_client_is_refused(server: int) -> None:
    """What was found out about a connection ends with it, not with its port."""
    source = free_port()
    first = http.client.HTTPConnection(
        "127.0.0.1", server, timeout=30, source_address=("127.0.0.1", source)
    )
    first.connect()
    # Reset at the end: a port in TIME_WAIT could not be used again at once.
    first.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert asked(first, server)[0] == 200
    first.close()
    to = f"TCP:127.0.0.1:{server},bind=127.0.0.1:{source},reuseaddr"
    with socat(server, to=to) as port:
        refused(ask(port, server), "socat")


@needs_second_user
@pytest.mark.parametrize("kind", ["python", "node", "socat"])
def test_another_user_gains_nothing_by_a_relay_on_loopback(
    server: int, tmp_path: Path, kind: str
) -> None:
    """It listens for this machine only and has no name that anyone knows."""
    if kind == "socat":
        relay = socat(server, file=copied(tmp_path, "socat", "helper"))
    elif kind == "node":
        relay = script_relay(
            tmp_path, server, bind="127.0.0.1", source=NODE_RELAY, name="helper.js"
        )
    else:
        relay = script_relay(tmp_path, server, bind="127.0.0.1")
    with relay as port:
        refused(as_stranger(port, server), "another user of this machine")
        assert ask(port, server)[0] == 200  # its own user does


@needs_second_user
def test_another_user_gains_nothing_by_a_connection_that_was_trusted(
    server: int, tmp_path: Path
) -> None:
    """A proxy of ours keeps one connection to us, and uses it for everybody."""
    with script_relay(tmp_path, server, bind="127.0.0.1", source=POOLING_PROXY) as port:
        assert ask(port, server)[0] == 200
        refused(as_stranger(port, server), "another user of this machine")
        assert ask(port, server)[0] == 200


# A caller of another user who asks for a session and is gone: `PORT HOST ENDING`.
HIT_AND_RUN = """
import random, socket, struct, sys, time
body = b'{"name": "stolen"}'
head = (
    f"POST /api/sessions HTTP/1.1\\r\\nHost: {sys.argv[2]}\\r\\n"
    f"Content-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
)
for _ in range(20):
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    connection.sendall(head.encode() + body)
    if sys.argv[3] == "reset":
        time.sleep(random.uniform(0, 0.03))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
"""


@needs_second_user
@pytest.mark.parametrize("ending", ["close", "reset"])
def test_another_user_who_hangs_up_at_once_gains_nothing(tmp_path: Path, ending: str) -> None:
    """Who sent the request can no longer be asked. The relay does not pass the end on."""
    careless = PYTHON_RELAY.replace("        b.shutdown(socket.SHUT_WR)\n", "")
    assert careless != PYTHON_RELAY
    with served_tmux() as served_here:
        server = int(served_here.running.address.rpartition(":")[2])
        with script_relay(tmp_path, server, bind="127.0.0.1", source=careless) as port:
            done = python_as_nobody(HIT_AND_RUN, str(port), f"127.0.0.1:{server}", ending)
            assert done.returncode == 0, done.stderr
            # The server works on: what they asked for is judged by now.
            for _ in range(3):
                assert ask(server, server)[0] == 200
            assert "stolen" not in served_here.tmux("list-sessions", "-F", "#{session_name}")


def as_stranger(port: int, server: int) -> Answer:
    done = python_as_nobody(STRANGER, str(port), f"127.0.0.1:{server}")
    status, _, text = done.stdout.partition(" ")
    assert status, done.stderr
    return int(status), text


# ---- requests that say themselves that they were forwarded ----

FORWARDING = (
    "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
    "X-Forwarded-User", "X-Forwarded", "X-Forward-For", "X-Real-IP", "X-Client-IP", "Client-IP",
    "True-Client-IP", "X-Cluster-Client-IP", "X-Original-Forwarded-For", "X-Original-Host",
    "X-Original-URL", "X-Envoy-External-Address", "X-Envoy-Internal", "CF-Connecting-IP", "CF-Ray",
    "CDN-Loop", "Fastly-Client-IP", "Fly-Client-IP", "Fly-Region", "Tailscale-User-Login",
    "Tailscale-Headers-Info", "X-Azure-ClientIP", "X-Azure-FDID", "X-ARR-LOG-ID",
    "X-AppEngine-User-IP", "X-Amzn-Trace-Id", "X-Amz-Cf-Id", "X-Vercel-Id", "X-Railway-Edge",
    "X-ProxyUser-Ip", "Proxy-Connection", "X-Ngrok-Id", "Ngrok-Skip-Browser-Warning",
    "X-Goog-IAP-JWT-Assertion", "X-Cloud-Trace-Context", "X-NF-Client-Connection-IP",
    "X-Request-Start", "X-Varnish", "Max-Forwards", "X-Remote-User",
)  # fmt: skip


@pytest.mark.parametrize("name", FORWARDING)
def test_every_forwarding_header_is_refused(server: int, name: str) -> None:
    refused(ask(server, server, **{name: "x"}), name.lower())


@pytest.mark.parametrize("name", ["X_Forwarded_For", "x_real_ip", "CF_Connecting-IP", "X-Real_IP"])
def test_forwarding_headers_with_underscores_are_refused(server: int, name: str) -> None:
    refused(ask(server, server, **{name: "x"}), name.lower())
    with pytest.raises(InvalidStatus) as failure:
        connect(
            f"ws://127.0.0.1:{server}/ws", additional_headers={name: "192.0.2.7"}, open_timeout=30
        )
    assert failure.value.response.status_code == 401


def test_http_1_0_is_refused(server: int) -> None:
    head = f"GET /api/projects HTTP/1.0\nHost: 127.0.0.1:{server}\n\n"
    assert " 401 " in raw(server, head)
    upgrade = (
        f"GET /ws HTTP/1.0\nHost: 127.0.0.1:{server}\nUpgrade: websocket\nConnection: Upgrade\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\nSec-WebSocket-Version: 13\n\n"
    )
    assert " 401 " in raw(server, upgrade)
    assert " 101 " in raw(server, upgrade.replace("HTTP/1.0", "HTTP/1.1"))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "localhost:80", "localhost:1"])
def test_a_host_that_does_not_name_our_port_is_refused(server: int, host: str) -> None:
    refused(ask(server, server, Host=host), f"port {server}")
    with pytest.raises(InvalidStatus) as failure:
        connect(
            f"ws://{host.removesuffix(':80').removesuffix(':1')}/ws",
            sock=socket.create_connection(("127.0.0.1", server)),
            open_timeout=30,
        )
    assert failure.value.response.status_code == 401


def test_a_required_token_is_required_of_direct_callers_too(tmp_path: Path) -> None:
    with served(tmp_path, "--require-token") as server:
        status, text = ask(server, server)
        assert status == 401
        assert "create_token" in text
