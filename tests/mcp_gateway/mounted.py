"""The mount in the test's process, and requests to it as they come over HTTP."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

from core.callers import Principal
from mcp_gateway.transport.mount import Mount
from tests.mcp_gateway.fixtures import someone

BOTH = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
INITIALIZE: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Door:
    """Says to the mount who calls, as the gate does."""

    def __init__(self, mount: Mount, principal: Principal) -> None:
        self._mount, self.principal = mount, principal

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._mount.serve(self.principal, scope, receive, send)


class Caller:
    def __init__(self, http: httpx.AsyncClient, door: Door) -> None:
        self.http, self.door = http, door

    async def ask(self, method: str, session: str = "", **params: Any) -> httpx.Response:
        headers = {**BOTH, **({"mcp-session-id": session} if session else {})}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return await self.http.post("/mcp", json=message, headers=headers)

    async def open(self) -> str:
        """A session, as the SDKs open one."""
        answer = await self.ask("initialize", **INITIALIZE)
        assert answer.status_code == 200
        session = str(answer.headers.get("mcp-session-id", ""))
        notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await self.http.post("/mcp", json=notification, headers={**BOTH, "mcp-session-id": session})
        return session


@contextlib.asynccontextmanager
async def mounted(mount: Mount, principal: Principal | None = None) -> AsyncIterator[Caller]:
    await mount.start()
    door = Door(mount, principal or someone().principal)
    transport = httpx.ASGITransport(app=door)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield Caller(http, door)
    finally:
        await mount.stop()


def message_of(answer: httpx.Response) -> dict[str, Any]:
    """The one JSON-RPC message of an answer, plain or as an event."""
    lines = answer.text.splitlines()
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: {")]
    message: dict[str, Any] = json.loads(data[-1] if data else answer.text)
    return message
