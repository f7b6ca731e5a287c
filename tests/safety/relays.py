"""Relays that run under our own uid in front of a real server, to attack promise 6."""

import contextlib
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import LONGEST_SECONDS, wait_until

WAIT_SECONDS = LONGEST_SECONDS
# `relay.py BIND PORT TARGET`: copies bytes in both directions.
PYTHON_RELAY = """
import socket, sys, threading
def carry(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass
listener = socket.create_server((sys.argv[1], int(sys.argv[2])))
while True:
    near, _ = listener.accept()
    far = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
    for pair in ((near, far), (far, near)):
        threading.Thread(target=carry, args=pair, daemon=True).start()
"""
NODE_RELAY = """
const net = require('net')
const [bind, port, target] = process.argv.slice(2)
net.createServer((near) => {
  const far = net.connect(+target, '127.0.0.1')
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
}).listen(+port, bind)
"""
# A program that a relay starts for each connection, as inetd does.
STDIO_CLIENT = """
import os, socket, sys, threading
far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def up():
    while data := os.read(0, 65536):
        far.sendall(data)
threading.Thread(target=up, daemon=True).start()
while data := far.recv(65536):
    os.write(1, data)
"""
# A web proxy that keeps one connection to its target for all of its callers.
POOLING_PROXY = """
import http.client, http.server, sys
target = http.client.HTTPConnection("127.0.0.1", int(sys.argv[3]))
class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        target.request("GET", self.path, headers={"Host": self.headers["Host"]})
        answer = target.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Source", str(target.sock.getsockname()[1]))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), Proxy).serve_forever()
"""


def program(name: str) -> str:
    """The path of a program that `make test` installs."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        pytest.skip(f"no {name}: apt-get install {name}")
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextlib.contextmanager
def running(argv: Sequence[str], port: int, **options: Any) -> Iterator[int]:
    """A relay, once it listens."""
    process = subprocess.Popen(
        argv,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **options,
    )
    try:
        wait_until_listening(port, process)
        yield port
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(WAIT_SECONDS)
        process.kill()
        process.wait(WAIT_SECONDS)


def wait_until_listening(port: int, process: subprocess.Popen[Any]) -> None:
    address = f":{port:04X} "

    def listens() -> bool:
        assert process.poll() is None, "the relay has ended"
        return any(
            address in line.split(" 0A ")[0]
            for table in ("tcp", "tcp6")
            for line in Path(f"/proc/net/{table}").read_text().splitlines()
            if " 0A " in line
        )

    wait_until(listens)


@contextlib.contextmanager
def script_relay(
    directory: Path, target: int, *, bind: str = "0.0.0.0", source: str = PYTHON_RELAY,
    name: str = "helper.py",
) -> Iterator[int]:  # fmt: skip
    """A relay in Python or node. Its default name does not say that it is one."""
    path = directory / name
    path.write_text(source)
    interpreter = program("node") if name.endswith("js") else sys.executable
    port = free_port()
    with running([interpreter, str(path), bind, str(port), str(target)], port):
        yield port


@contextlib.contextmanager
def socat(
    target: int,
    *,
    bind: str = "127.0.0.1",
    file: str = "",
    to: str = "",
    cwd: Path | None = None,
) -> Iterator[int]:
    """`file`: a copy of socat under another name. `to`: what socat connects each caller to."""
    port = free_port()
    destination = to or f"TCP:127.0.0.1:{target}"
    listen = f"TCP-LISTEN:{port},bind={bind},fork,reuseaddr"
    with running([file or program("socat"), listen, destination], port, cwd=cwd):
        yield port


@contextlib.contextmanager
def nginx(directory: Path, target: int) -> Iterator[int]:
    """Adds no header that shows that it is a proxy."""
    port = free_port()
    (directory / "nginx.conf").write_text(f"""
daemon off; master_process off; pid {directory}/pid; error_log {directory}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path "{directory}/body"; proxy_temp_path "{directory}/proxy";
  fastcgi_temp_path "{directory}/fcgi"; uwsgi_temp_path "{directory}/uwsgi";
  scgi_temp_path "{directory}/scgi";
  server {{ listen 127.0.0.1:{port};
    location / {{ proxy_pass http://127.0.0.1:{target}; proxy_http_version 1.1;
      proxy_set_header Host $http_host; proxy_set_header Connection ""; }} }}
}}
""")
    argv = [program("nginx"), "-p", str(directory), "-c", str(directory / "nginx.conf")]
    with running(argv, port):
        yield port
