"""The same application under another server: uvicorn, started and stopped by lifespan."""

import json
import re
import signal

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.config.servers import serving
from tests.waiting import LONGEST_SECONDS

FOREIGN = {"Origin": "http://localhost:3000"}
UVICORN = ("-m", "uvicorn", "--port", "0", "--timeout-graceful-shutdown", "3")


def test_the_smoke_flow_under_uvicorn(prepared: dict[str, str]) -> None:
    with serving((*UVICORN, "config.asgi:application"), prepared) as running:
        assert httpx.get(f"{running.address}/healthz").json() == {"ok": True}
        assert httpx.get(f"{running.address}/readyz").status_code == 503
        assert httpx.get(f"{running.address}/no-such-page").status_code == 404
        bad_host = httpx.get(f"{running.address}/healthz", headers={"Host": "evil.example"})
        assert bad_host.status_code == 421
        assert httpx.get(f"{running.address}/x?token=hush-hush").status_code == 401
        with pytest.raises(InvalidStatus, match="404"):
            connect(f"{running.socket_address}/nowhere")
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"{running.socket_address}/ws", additional_headers=FOREIGN)
        with connect(f"{running.socket_address}/ws") as socket:
            socket.send('{"id": 7, "type": "ping"}')
            assert json.loads(socket.recv(timeout=LONGEST_SECONDS)) == {
                "id": 7,
                "type": "ping",
                "ok": True,
            }
        # uvicorn exits by raising the signal again.
        assert running.end(signal.SIGTERM) in (0, -signal.SIGTERM)
        assert "tmux started" in running.output
        assert "hush-hush" not in running.output
        assert "Traceback" not in running.output


def test_without_lifespan_the_first_request_starts_the_services(prepared: dict[str, str]) -> None:
    arguments = (*UVICORN, "--lifespan", "off", "config.asgi:application")
    with serving(arguments, prepared) as running:
        assert "tmux started" not in running.output
        assert "not started" not in httpx.get(f"{running.address}/readyz").json()["error"]
        running.read_until(re.compile("tmux started"))
