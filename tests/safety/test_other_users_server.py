"""Promise 2: another user gains nothing from the files and sockets that announce a server."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.server.discovery import NotPrivate, ServerEntry, running_servers
from tests.config.servers import environment, manage
from tests.safety.other_user import NOBODY, as_nobody, needs_second_user, python_as_nobody
from tests.terminals.served import Served, served_tmux
from tests.waiting import LONGEST_SECONDS

SECRET = "wtx_this-must-not-leave"
# Answers /healthz like webtmux and prints every byte that it receives.
THIEF = """
import socket, sys
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    data = connection.recv(65536)
    print(repr(data), flush=True)
    body = b'{"ok": true}'
    connection.sendall(b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: "
                       + str(len(body)).encode() + b"\\r\\nconnection: close\\r\\n\\r\\n" + body)
    connection.close()
"""
CONNECT = """
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(b"GET /api/windows HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
print(s.recv(65536).decode())
"""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as running:
        yield running


def socket_of(served: Served) -> Path:
    [path] = (served.directory / "data" / "run").glob("server-*.sock")
    return path


def ask_unix(path: Path, request: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(LONGEST_SECONDS)
        connection.connect(str(path))
        connection.sendall(request.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


GET = "GET /api/windows HTTP/1.1\nHost: localhost\nConnection: close"


def test_the_owner_is_admitted_over_the_unix_socket(served: Served) -> None:
    assert ask_unix(socket_of(served), GET).startswith("HTTP/1.1 200")


@needs_second_user
def test_another_user_cannot_reach_the_unix_socket(served: Served) -> None:
    served.directory.chmod(0o755)
    assert "PermissionError" in python_as_nobody(CONNECT, str(socket_of(served))).stderr


@needs_second_user
def test_another_user_is_refused_even_through_open_directories(served: Served) -> None:
    """The credentials of the peer are checked, not only the mode of the directory."""
    path = socket_of(served)
    opened = [served.directory, served.directory / "data", path.parent, path]
    modes = [entry.stat().st_mode for entry in opened]
    try:
        for entry in opened:
            entry.chmod(0o777)
        done = python_as_nobody(CONNECT, str(path))
    finally:
        for entry, mode in zip(opened, modes, strict=True):
            entry.chmod(mode)
    assert done.stdout.startswith("HTTP/1.1 401"), done


def test_a_required_token_is_required_over_the_unix_socket() -> None:
    with served_tmux("--require-token") as served:
        assert ask_unix(socket_of(served), GET).startswith("HTTP/1.1 401")


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For: 203.0.113.9", "Forwarded: for=203.0.113.9", "Via: 1.1 proxy"]
)
def test_a_proxy_on_the_unix_socket_needs_a_token(served: Served, header: str) -> None:
    assert ask_unix(socket_of(served), f"{GET}\n{header}").startswith("HTTP/1.1 401")


@pytest.mark.skipif(shutil.which("socat") is None, reason="needs socat")
def test_a_relay_to_the_unix_socket_needs_a_token(served: Served) -> None:
    """`socat` or `ssh -R` to the socket would make every caller the owner."""
    command = ["socat", "STDIO", f"UNIX-CONNECT:{socket_of(served)}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as relay:
        assert relay.stdin is not None
        assert relay.stdout is not None
        relay.stdin.write(GET.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        relay.stdin.flush()
        answer = relay.stdout.read()  # until the server closes
    assert answer.startswith(b"HTTP/1.1 401"), answer
    assert b"socat, which forwards connections" in answer


def test_an_unknown_host_is_refused_on_the_unix_socket(served: Served) -> None:
    request = GET.replace("Host: localhost", "Host: evil.example")
    assert ask_unix(socket_of(served), request).startswith("HTTP/1.1 421")


def test_a_page_of_another_origin_is_refused_on_the_unix_socket(served: Served) -> None:
    request = f"{GET}\nOrigin: http://evil.example"
    assert ask_unix(socket_of(served), request).startswith("HTTP/1.1 403")


def test_a_client_cannot_claim_to_be_a_unix_peer(served: Served) -> None:
    """The server sets the peer in the scope; no header reaches that key."""
    host = served.running.address.removeprefix("http://")
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2]))) as connection:
        connection.sendall(
            b"GET /api/windows HTTP/1.1\r\nHost: localhost\r\nVia: 1.1 x\r\n"
            b"Webtmux.unix_peer: 1,0\r\nwebtmux-unix-peer: 1,0\r\nConnection: close\r\n\r\n"
        )
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 4")


def test_files_are_private(served: Served) -> None:
    run = served.directory / "data" / "run"
    assert run.stat().st_mode & 0o777 == 0o700
    for file in run.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


@needs_second_user
def test_the_token_is_not_sent_to_another_user_who_holds_the_port(tmp_path: Path) -> None:
    thief = subprocess.Popen(
        as_nobody(["/usr/bin/python3", "-I", "-u", "-c", THIEF]),
        stdout=subprocess.PIPE, text=True, cwd="/",
    )  # fmt: skip
    assert thief.stdout is not None
    try:
        port = int(thief.stdout.readline())
        env = {**environment(tmp_path / "data"), "WEBTMUX_TOKEN": SECRET}
        done = manage(env, "mcp_stdio", "--url", f"http://127.0.0.1:{port}")
        assert done.returncode == 1
        assert f"runs as another user (uid {NOBODY})" in done.stderr
    finally:
        thief.kill()
    received = thief.stdout.read()
    assert SECRET not in received
    assert "HTTP" not in received  # not even the request that checks for a server


def test_without_an_address_no_port_is_tried(tmp_path: Path) -> None:
    """A listener on the default port receives nothing: only our data directory is searched."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        env = environment(
            tmp_path / "data",
            WEBTMUX_PORT=str(listener.getsockname()[1]),
            WEBTMUX_TOKEN=SECRET,
            WEBTMUX_TMUX_SOCKET=str(tmp_path / "s"),
        )
        process = subprocess.run(
            [sys.executable, "manage.py", "mcp_stdio"], env=env, input="", text=True,
            capture_output=True, timeout=LONGEST_SECONDS, check=False,
            cwd=Path(__file__).resolve().parent.parent.parent,
        )  # fmt: skip
        assert process.returncode == 0, process.stderr
        # The program has ended: any connection that it made is in the backlog now.
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def entry_of(data: Path, name: str, address: str = "http://127.0.0.1:1") -> Path:
    run = data / "run"
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = run / name
    file.write_text(json.dumps({"address": address, "pid": os.getpid()}))
    (run / name).with_suffix(".sock").touch()
    return file


def test_a_directory_open_to_others_is_ignored(tmp_path: Path) -> None:
    entry_of(tmp_path, f"server-{os.getpid()}.json")
    assert running_servers(tmp_path)
    (tmp_path / "run").chmod(0o777)
    assert running_servers(tmp_path) == []


def test_a_link_in_place_of_the_directory_is_ignored(tmp_path: Path) -> None:
    entry_of(tmp_path / "real", f"server-{os.getpid()}.json")
    (tmp_path / "run").symlink_to(tmp_path / "real" / "run")
    assert running_servers(tmp_path) == []
    with pytest.raises(NotPrivate, match="is a symbolic link"):
        ServerEntry(tmp_path)


@needs_second_user
def test_a_directory_of_another_user_is_ignored(tmp_path: Path) -> None:
    entry_of(tmp_path, f"server-{os.getpid()}.json")
    os.chown(tmp_path / "run", NOBODY, NOBODY)
    assert running_servers(tmp_path) == []
    with pytest.raises(NotPrivate):
        ServerEntry(tmp_path)


def test_a_linked_entry_is_not_read(tmp_path: Path) -> None:
    file = entry_of(tmp_path, f"server-{os.getpid()}.json")
    shutil.move(file, tmp_path / "elsewhere.json")
    file.symlink_to(tmp_path / "elsewhere.json")
    assert running_servers(tmp_path) == []


@pytest.mark.parametrize("content", ["", "[]", "{}", "null", "\0", "[" * 4096, '{"address": '])
def test_an_invalid_entry_is_ignored(tmp_path: Path, content: str) -> None:
    entry_of(tmp_path, f"server-{os.getpid()}.json").write_text(content)
    assert running_servers(tmp_path) == []


def test_a_pipe_in_place_of_an_entry_does_not_hang(tmp_path: Path) -> None:
    file = entry_of(tmp_path, f"server-{os.getpid()}.json")
    file.unlink()
    os.mkfifo(file)
    assert running_servers(tmp_path) == []


def test_an_entry_cannot_name_a_socket_elsewhere(tmp_path: Path) -> None:
    file = entry_of(tmp_path, f"server-{os.getpid()}.json")
    file.write_text(json.dumps({"address": "http://x", "pid": 1, "socket": "/tmp/evil.sock"}))
    [server] = running_servers(tmp_path)
    assert server.socket == file.with_suffix(".sock")
    assert server.pid == os.getpid()
