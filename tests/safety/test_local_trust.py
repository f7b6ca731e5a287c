"""Promise 6: only programs that connect directly are trusted without a token.

Every relay here runs under our own uid and adds no headers; every caller sends the Host of the
server and no Origin.
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

from tests.config.servers import environment, prepare, serving
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
from tests.waiting import LONGEST_SECONDS

Answer = tuple[int, str]
TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
# Run as another user: `PORT HOST`. Makes one request, and prints the status and the body.
OTHER_USER = """
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
    prepare(env)
    with serving(["manage.py", "serve", "--port", "0", *flags], env) as process:
        yield int(process.address.rpartition(":")[2])


def ask(port: int, server: int, path: str = "/api/projects", **headers: str) -> Answer:
    """One request over a connection of its own, under the server's own Host."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_SECONDS)
    with contextlib.closing(connection):
        return ask_on(connection, server, path, **headers)


def ask_on(
    connection: http.client.HTTPConnection, server: int, path: str = "/api/projects", **headers: str
) -> Answer:
    connection.request("GET", path, headers={"Host": f"127.0.0.1:{server}", **headers})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def raw(port: int, text: str) -> str:
    """The first line of the answer to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=LONGEST_SECONDS) as connection:
        connection.sendall(text.replace("\n", "\r\n").encode())
        return connection.makefile("rb").readline().decode()


def require_refused(answer: Answer, *words: str) -> None:
    """The message has a reason and says what to do."""
    status, text = answer
    assert status == 401, text
    for word in ("Only programs that connect directly are trusted", "create_token", *words):
        assert word in text


def copy_program(directory: Path, name: str, to: str) -> str:
    """A copy of a program under another name."""
    path = directory / to
    shutil.copy(program(name), path)
    return str(path)


# ---- direct callers need no token ----


def test_curl_needs_no_token(server: int) -> None:
    argv = ["curl", "-s", f"http://127.0.0.1:{server}/api/projects"]
    assert "error" not in json.loads(
        subprocess.check_output(argv, text=True, timeout=LONGEST_SECONDS)
    )


def test_node_needs_no_token(server: int) -> None:
    code = f"fetch('http://localhost:{server}/api/projects').then((a) => console.log(a.status))"
    result = subprocess.check_output(
        [program("node"), "-e", code], text=True, timeout=LONGEST_SECONDS
    )
    assert result.strip() == "200"


def test_python_needs_no_token_and_may_listen_on_loopback(server: int) -> None:
    with socket.create_server(("127.0.0.1", 0)):
        assert ask(server, server)[0] == 200


def test_a_client_that_an_own_program_is_connected_to_needs_no_token(server: int) -> None:
    """Like an editor with its helpers: all of them are the same user."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()),
    ):
        accepted, _ = listener.accept()
        with accepted:
            assert ask(server, server)[0] == 200


def test_a_connection_is_trusted_for_all_its_requests(server: int) -> None:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server)) as connection:
        assert [ask_on(connection, server)[0] for _ in range(5)] == [200] * 5


def test_a_token_works_through_a_relay(tmp_path: Path) -> None:
    with served(tmp_path, WEBTMUX_AUTH_TOKEN="hush") as server, socat(server) as port:
        assert ask(port, server, Authorization="Bearer hush")[0] == 200


# ---- relays that are recognised by their name ----


def test_socat_is_refused(server: int) -> None:
    with socat(server) as port:
        require_refused(ask(port, server), "socat")


def test_ncat_is_refused(server: int) -> None:
    port = free_port()
    argv = [program("ncat"), "-lk", "127.0.0.1", str(port), "-c", f"ncat 127.0.0.1 {server}"]
    with running(argv, port):
        require_refused(ask(port, server), "ncat")


def test_nginx_is_refused(server: int, tmp_path: Path) -> None:
    with nginx(tmp_path, server) as port:
        require_refused(ask(port, server), "nginx")


def test_socat_under_the_name_of_curl_is_refused(server: int) -> None:
    port = free_port()
    argv = ["curl", f"TCP-LISTEN:{port},bind=127.0.0.1,fork", f"TCP:127.0.0.1:{server}"]
    with running(argv, port, executable=program("socat")):
        require_refused(ask(port, server), "socat")


def test_a_socat_whose_file_was_deleted_is_refused(server: int, tmp_path: Path) -> None:
    file = copy_program(tmp_path, "socat", "socat")
    port = free_port()
    argv = [file, f"TCP-LISTEN:{port},bind=127.0.0.1,fork", f"TCP:127.0.0.1:{server}"]
    with running(argv, port):
        Path(file).unlink()
        require_refused(ask(port, server), "socat")


def test_a_script_named_like_a_forwarder_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, bind="127.0.0.1", name="websockify.py") as port:
        require_refused(ask(port, server), "websockify")


def test_a_program_that_a_forwarder_starts_is_refused(server: int, tmp_path: Path) -> None:
    """socat starts a program for each connection, and only the program is connected to us."""
    (tmp_path / "client.py").write_text(STDIO_CLIENT)
    starter = tmp_path / "start"
    starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" client.py {server}\n')
    starter.chmod(0o700)
    with socat(server, to="EXEC:./start", cwd=tmp_path) as port:
        require_refused(ask(port, server), "socat")


def test_the_setting_names_more_forwarders(tmp_path: Path) -> None:
    with (
        served(tmp_path, WEBTMUX_FORWARDERS="helper,other") as server,
        script_relay(tmp_path, server, bind="127.0.0.1") as port,
    ):
        assert ask(server, server)[0] == 200
        require_refused(ask(port, server), "helper")


# ---- relays that are recognised by what they do ----


def test_a_renamed_socat_is_refused(server: int, tmp_path: Path) -> None:
    with socat(server, file=copy_program(tmp_path, "socat", "helper"), bind="0.0.0.0") as port:
        require_refused(ask(port, server), "helper")


def test_a_python_relay_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server) as port:
        require_refused(ask(port, server), "other machines")


def test_a_node_relay_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, source=NODE_RELAY, name="helper.js") as port:
        require_refused(ask(port, server), "other machines")


def test_a_relay_on_ipv6_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, source=NODE_RELAY, name="helper.js", bind="::") as port:
        require_refused(ask(port, server), "other machines")


def test_a_chain_of_relays_is_refused(server: int, tmp_path: Path) -> None:
    """The relay that connects to us listens on loopback only, for another one that does not."""
    (tmp_path / "inner").mkdir()
    with (
        script_relay(tmp_path / "inner", server, bind="127.0.0.1") as inner,
        script_relay(tmp_path, inner) as port,
    ):
        require_refused(ask(port, server), "serves another caller")


def test_a_relay_behind_a_forwarder_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server, bind="127.0.0.1") as inner, socat(inner) as port:
        require_refused(ask(port, server), "socat")


def test_a_websocket_through_a_relay_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server) as port:
        with pytest.raises(InvalidStatus) as failure:
            connect(
                f"ws://127.0.0.1:{server}/ws",
                sock=socket.create_connection(("127.0.0.1", port)),
                open_timeout=30,
            )
        response = failure.value.response
        require_refused((response.status_code, response.body.decode()), "other machines")


def test_mcp_through_a_relay_is_refused(server: int, tmp_path: Path) -> None:
    with script_relay(tmp_path, server) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_SECONDS)
        with contextlib.closing(connection):
            headers = {
                "Host": f"127.0.0.1:{server}",
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            }
            connection.request("POST", "/mcp", json.dumps(TOOLS), headers)
            answer = connection.getresponse()
            require_refused((answer.status, answer.read().decode()), "other machines")


def test_a_connection_that_a_forwarder_inherited_is_refused(server: int) -> None:
    """It was opened by a direct caller, but a forwarder has the same socket."""
    connection = http.client.HTTPConnection("127.0.0.1", server, timeout=LONGEST_SECONDS)
    with contextlib.closing(connection):
        connection.connect()
        holder = subprocess.Popen(
            ["ssh", "300"], executable=program("sleep"), pass_fds=[connection.sock.fileno()]
        )
        try:
            require_refused(ask_on(connection, server), "ssh")
        finally:
            holder.kill()
            holder.wait()


def test_a_relay_on_the_port_of_a_trusted_client_is_refused(server: int) -> None:
    """The result for a connection is not used for a later connection from the same port."""
    source = free_port()
    first = http.client.HTTPConnection(
        "127.0.0.1", server, timeout=LONGEST_SECONDS, source_address=("127.0.0.1", source)
    )
    first.connect()
    # Reset at the end: a port in TIME_WAIT could not be used again at once.
    first.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert ask_on(first, server)[0] == 200
    first.close()
    to = f"TCP:127.0.0.1:{server},bind=127.0.0.1:{source},reuseaddr"
    with socat(server, to=to) as port:
        require_refused(ask(port, server), "socat")


@needs_second_user
@pytest.mark.parametrize("kind", ["python", "node", "socat"])
def test_another_user_gains_nothing_by_a_relay_on_loopback(
    server: int, tmp_path: Path, kind: str
) -> None:
    """It listens on loopback only, and its name is not one of a known forwarder."""
    if kind == "socat":
        relay = socat(server, file=copy_program(tmp_path, "socat", "helper"))
    elif kind == "node":
        relay = script_relay(
            tmp_path, server, bind="127.0.0.1", source=NODE_RELAY, name="helper.js"
        )
    else:
        relay = script_relay(tmp_path, server, bind="127.0.0.1")
    with relay as port:
        require_refused(ask_as_other_user(port, server), "another user of this machine")
        assert ask(port, server)[0] == 200  # our own user is admitted


@needs_second_user
def test_another_user_gains_nothing_by_a_connection_that_was_trusted(
    server: int, tmp_path: Path
) -> None:
    """Our own proxy uses one connection for all of its callers."""
    with script_relay(tmp_path, server, bind="127.0.0.1", source=POOLING_PROXY) as port:
        assert ask(port, server)[0] == 200
        require_refused(ask_as_other_user(port, server), "another user of this machine")
        assert ask(port, server)[0] == 200


# Run as another user: `PORT HOST ENDING`. Requests sessions and disconnects at once.
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
def test_another_user_who_disconnects_at_once_gains_nothing(tmp_path: Path) -> None:
    """The sender of the request can no longer be found: the relay keeps its side open."""
    careless = PYTHON_RELAY.replace("        b.shutdown(socket.SHUT_WR)\n", "")
    assert careless != PYTHON_RELAY
    with served_tmux() as with_tmux:
        server = int(with_tmux.running.address.rpartition(":")[2])
        with script_relay(tmp_path, server, bind="127.0.0.1", source=careless) as port:
            for ending in ("close", "reset"):
                done = python_as_nobody(HIT_AND_RUN, str(port), f"127.0.0.1:{server}", ending)
                assert done.returncode == 0, done.stderr
            # After these answers the earlier requests have been decided.
            for _ in range(3):
                assert ask(server, server)[0] == 200
            assert "stolen" not in with_tmux.tmux("list-sessions", "-F", "#{session_name}")


def ask_as_other_user(port: int, server: int) -> Answer:
    done = python_as_nobody(OTHER_USER, str(port), f"127.0.0.1:{server}")
    status, _, text = done.stdout.partition(" ")
    assert status, done.stderr
    return int(status), text


# ---- requests with signs of forwarding ----

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
    require_refused(ask(server, server, **{name: "x"}), name.lower())


@pytest.mark.parametrize("name", ["X_Forwarded_For", "x_real_ip", "CF_Connecting-IP", "X-Real_IP"])
def test_forwarding_headers_with_underscores_are_refused(server: int, name: str) -> None:
    require_refused(ask(server, server, **{name: "x"}), name.lower())
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
    require_refused(ask(server, server, Host=host), f"port {server}")
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
