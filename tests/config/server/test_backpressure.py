"""A client that does not read costs limited memory and delays no other client."""

import json
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from config.server.transport import WRITE_LIMIT
from config.server.websocket_connection import READ_LIMIT
from tests.config.conftest import SAMPLE
from tests.config.server.sample_server import CHUNK
from tests.config.servers import Running, serving
from tests.waiting import LONGEST_SECONDS, wait_until

FRAME_HEADER = 10
MORE_THAN_BUFFERS = 64 * 1024 * 1024
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
CLOSE_FRAME = b"\x88\x82" + bytes(4) + struct.pack("!H", 1000)
REQUEST = "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"


@contextmanager
def unread(running: Running, request: str, path: str) -> Iterator[socket.socket]:
    """A client that sends a request and reads only the first bytes of the response."""
    host, port = running.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=LONGEST_SECONDS) as client:
        client.sendall(request.format(path=path, port=port).encode())
        assert client.recv(12).startswith(b"HTTP/1.1 ")
        yield client


def get(running: Running, path: str) -> str:
    """Requested by another process. This one has connections that the server has closed, and may
    listen for other tests, so that the gate would take it for a relay."""
    url = f"{running.address}{path}"
    command = ["curl", "--silent", "--show-error", "--fail-with-body", url]
    curl = subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False
    )
    assert curl.returncode == 0, curl.stdout + curl.stderr
    return curl.stdout


def state(running: Running) -> dict[str, int]:
    counts: dict[str, int] = json.loads(get(running, "/state"))
    return counts


def settled(running: Running, sent: int) -> dict[str, int]:
    """The state of the server once it has sent more than this, and then nothing for a while."""
    states: list[dict[str, int]] = []

    def stopped() -> bool:
        states.append(state(running))
        last = {each["sent"] for each in states[-6:]}
        return len(states) > 5 and len(last) == 1 and min(last) > sent

    wait_until(stopped, description="the flood waits for its reader")
    return states[-1]


def no_flood(running: Running) -> bool:
    return state(running)["floods"] == 0


@pytest.mark.parametrize("request_", [HANDSHAKE, REQUEST], ids=["websocket", "http"])
def test_a_flood_waits_for_its_reader_and_stays_within_the_limit(
    sample: Running, request_: str
) -> None:
    before = state(sample)["sent"]
    with unread(sample, request_, "/flood") as client:
        first = settled(sample, before)
        assert 0 < first["peak"] <= WRITE_LIMIT + len(CHUNK) + FRAME_HEADER
        rss = psutil.Process(sample.process.pid).memory_info().rss
        # Read some, and it continues; stop reading, and it waits again.
        wanted = 4 * (first["sent"] - before)
        while wanted > 0:
            wanted -= len(client.recv(1 << 20))
        again = settled(sample, first["sent"])
        assert again["peak"] <= WRITE_LIMIT + len(CHUNK) + FRAME_HEADER
        grown = psutil.Process(sample.process.pid).memory_info().rss - rss
        assert grown < 8 * 1024 * 1024
    wait_until(lambda: no_flood(sample))


def test_clients_that_never_read_do_not_delay_the_stop(prepared: dict[str, str]) -> None:
    with serving(SAMPLE, prepared) as running:
        with unread(running, HANDSHAKE, "/flood"), unread(running, REQUEST, "/endless"):
            sent = settled(running, 0)["sent"]
            with unread(running, REQUEST, "/endless"):
                settled(running, sent)
            # This application goes on after its client has left. Others are still answered.
            assert state(running)["sent"] > sent
            assert running.end(signal.SIGTERM) == 0
        assert "Traceback" not in running.output


def test_a_flood_ends_when_its_client_leaves(sample: Running) -> None:
    before = state(sample)["sent"]
    with unread(sample, HANDSHAKE, "/flood"):
        assert settled(sample, before)["floods"] == 1
    wait_until(lambda: no_flood(sample))


def test_output_after_the_clients_close_frame_is_dropped(sample: Running) -> None:
    before = state(sample)["sent"]
    with unread(sample, HANDSHAKE, "/flood") as client:
        settled(sample, before)
        client.sendall(CLOSE_FRAME)
        wait_until(lambda: no_flood(sample))
    assert state(sample)["failed"] == 0


def test_an_application_that_is_busy_stops_its_client_from_sending(sample: Running) -> None:
    payload = os.urandom(64 * 1024)
    frame = b"\x82\xff" + struct.pack("!Q", len(payload)) + bytes(4) + payload
    rss = psutil.Process(sample.process.pid).memory_info().rss
    with unread(sample, HANDSHAKE, "/slow") as client:
        client.settimeout(1)
        sent, rest = 0, b""
        try:
            while sent < MORE_THAN_BUFFERS:
                rest = rest or frame
                rest = rest[client.send(rest) :]
                sent += 0 if rest else len(payload)
        except TimeoutError:
            pass
        assert sent < MORE_THAN_BUFFERS
        grown = psutil.Process(sample.process.pid).memory_info().rss - rss
        assert grown < 8 * READ_LIMIT
        get(sample, "/release")
        client.settimeout(10)
        client.sendall(rest)
        sent += len(payload)
        received = b""
        while str(sent).encode() not in received:
            received = received[-100:] + client.recv(65536)


def test_the_head_of_an_event_stream_is_sent_before_its_first_event(sample: Running) -> None:
    with unread(sample, REQUEST, "/events") as client:  # waits for the head
        get(sample, "/end-events")
        received = b""
        while not received.endswith(b"0\r\n\r\n"):
            received += client.recv(65536)
    assert received.partition(b"\r\n\r\n")[2].endswith(b"}\r\n0\r\n\r\n")
