"""A client that does not read costs one named limit, and holds nobody."""

import os
import signal
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psutil
import pytest

from config.connections import READ_LIMIT, WRITE_LIMIT
from tests.config.sample_server import CHUNK
from tests.config.servers import Running, serving

SAMPLE = ("-m", "tests.config.sample_server")
FRAME_HEADER = 10
ENOUGH = 64 * 1024 * 1024
SETTLE_SECONDS = 20.0
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
GOODBYE = b"\x88\x82" + bytes(4) + struct.pack("!H", 1000)
REQUEST = "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"


@pytest.fixture
def running(prepared: dict[str, str]) -> Iterator[Running]:
    with serving(SAMPLE, prepared) as running:
        yield running


@contextmanager
def deaf(running: Running, request: str, path: str) -> Iterator[socket.socket]:
    """A client that asks, and reads no more than the first bytes of the answer."""
    host, port = running.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as client:
        client.sendall(request.format(path=path, port=port).encode())
        assert client.recv(12).startswith(b"HTTP/1.1 ")
        yield client


def state(running: Running) -> dict[str, int]:
    answer = httpx.get(f"{running.address}/state", timeout=30)
    assert answer.status_code == 200, answer.text
    counts: dict[str, int] = answer.json()
    return counts


def settled(running: Running) -> dict[str, int]:
    """What the server says once a flood has stopped getting on, which it must."""
    deadline = time.monotonic() + SETTLE_SECONDS
    before, same = state(running), 0
    while same < 5:
        assert time.monotonic() < deadline, f"the flood goes on: {before}"
        time.sleep(0.02)
        now = state(running)
        same = same + 1 if now["handed"] == before["handed"] > 0 else 0
        before = now
    return before


@pytest.mark.parametrize("request_", [HANDSHAKE, REQUEST], ids=["websocket", "http"])
def test_a_flood_waits_for_its_reader_and_stays_within_the_limit(
    running: Running, request_: str
) -> None:
    with deaf(running, request_, "/flood") as client:
        first = settled(running)
        assert 0 < first["peak"] <= WRITE_LIMIT + len(CHUNK) + FRAME_HEADER
        rss = psutil.Process(running.process.pid).memory_info().rss
        # Read some, and it goes on; stop reading, and it waits again.
        wanted = 4 * first["handed"]
        while wanted > 0:
            wanted -= len(client.recv(1 << 20))
        again = settled(running)
        assert again["handed"] > first["handed"]
        assert again["peak"] <= WRITE_LIMIT + len(CHUNK) + FRAME_HEADER
        grown = psutil.Process(running.process.pid).memory_info().rss - rss
        assert grown < 8 * 1024 * 1024
    # The client is gone in the middle of it: the others are still answered.
    assert state(running)["handed"] > 0
    assert running.end(signal.SIGTERM) == 0


@pytest.mark.parametrize("request_", [HANDSHAKE, REQUEST], ids=["websocket", "http"])
def test_a_client_that_never_reads_does_not_hold_the_stop(running: Running, request_: str) -> None:
    with deaf(running, request_, "/flood"):
        settled(running)
        assert running.end(signal.SIGTERM) == 0
    assert "Traceback" not in running.output


def test_a_flood_ends_when_its_client_leaves(running: Running) -> None:
    with deaf(running, HANDSHAKE, "/flood"):
        assert settled(running)["floods"] == 1
    deadline = time.monotonic() + SETTLE_SECONDS
    while state(running)["floods"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_is_sent_after_the_clients_goodbye_is_dropped(running: Running) -> None:
    with deaf(running, HANDSHAKE, "/flood") as client:
        settled(running)
        client.sendall(GOODBYE)
        deadline = time.monotonic() + SETTLE_SECONDS
        while state(running)["floods"]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    assert state(running)["broken"] == 0


def test_an_application_that_is_busy_stops_its_client_from_sending(running: Running) -> None:
    payload = os.urandom(64 * 1024)
    frame = b"\x82\xff" + struct.pack("!Q", len(payload)) + bytes(4) + payload
    rss = psutil.Process(running.process.pid).memory_info().rss
    with deaf(running, HANDSHAKE, "/slow") as client:
        client.settimeout(1)
        sent, rest = 0, b""
        try:
            while sent < ENOUGH:
                rest = rest or frame
                rest = rest[client.send(rest) :]
                sent += 0 if rest else len(payload)
        except TimeoutError:
            pass
        assert sent < ENOUGH
        grown = psutil.Process(running.process.pid).memory_info().rss - rss
        assert grown < 8 * READ_LIMIT
        httpx.get(f"{running.address}/release")
        client.settimeout(10)
        client.sendall(rest)
        sent += len(payload)
        told = b""
        while str(sent).encode() not in told:
            told = told[-100:] + client.recv(65536)
