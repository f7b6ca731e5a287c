"""Bridges standard input and output to a running server; messages pass unchanged.

All checks, the audit log and the state stay in the server process. If no server runs,
`manage.py mcp_stdio` serves by itself.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio._backends._asyncio  # noqa: F401 - anyio would import it on the event loop
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp.types import PROTOCOL_VERSION_META_KEY, JSONRPCRequest, JSONRPCResponse

from terminals.tmux.sockets import socket_path
from terminals.windows.targets import is_id

log = logging.getLogger(__name__)

PANE_HEADER = "x-webtmux-pane"
CONNECT_SECONDS = 30.0
ANSWER_SECONDS = 3600.0  # longer than any tool waits
PROBE_SECONDS = 2.0
# httpcore's events for a new connection; their value is its network stream.
CONNECTED = ("connection.connect_tcp.complete", "connection.connect_unix_socket.complete")


def own_pane(environ: Mapping[str, str], *, tmux_socket: str) -> str:
    """The pane of this process, if it belongs to the tmux server that webtmux controls."""
    path, pane = environ.get("TMUX", "").split(",")[0], environ.get("TMUX_PANE", "")
    if not path or not is_id(pane, "%"):
        return ""
    return pane if Path(path).resolve() == socket_path(tmux_socket, environ).resolve() else ""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """`check` is called with each new connection before anything is sent over it."""

    url: str  # without a path
    check: Callable[[socket.socket], None]
    unix_socket: str = ""

    def client(
        self, *, timeout: float | httpx2.Timeout, headers: Mapping[str, str] | None = None
    ) -> httpx2.AsyncClient:
        # Reading the machine's certificates takes 50 ms of the event loop; plain HTTP needs none.
        is_secure = self.url.startswith("https:")
        verify = True if is_secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        transport = httpx2.AsyncHTTPTransport(
            verify=verify, trust_env=False, uds=self.unix_socket or None
        )
        hooks = {"request": [self._watch_connections]}
        return httpx2.AsyncClient(
            transport=transport, event_hooks=hooks, timeout=timeout, headers=headers
        )

    async def _watch_connections(self, request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, "trace": self._trace}

    async def _trace(self, event: str, info: Mapping[str, Any]) -> None:  # as httpcore documents
        if event in CONNECTED:
            self.check(info["return_value"].get_extra_info("socket"))


async def answers(server: ServerAddress) -> bool:
    """Whether a webtmux server answers at this address."""
    try:
        async with server.client(timeout=PROBE_SECONDS) as http:
            health: object = (await http.get(f"{server.url}/healthz")).json()
    except (httpx2.HTTPError, ValueError):
        return False
    return health == {"ok": True}


async def bridge(server: ServerAddress, path: str, headers: Mapping[str, str]) -> None:
    """Forward messages until standard input ends."""
    limits = httpx2.Timeout(CONNECT_SECONDS, read=ANSWER_SECONDS)
    version = ""

    async with (
        server.client(headers=dict(headers), timeout=limits) as http,
        streamable_http_client(server.url + path, http_client=http) as (responses, requests),
        stdio_server() as (stdin, stdout),
    ):

        async def back() -> None:
            nonlocal version
            async for message in responses:
                if isinstance(message, SessionMessage):
                    version = negotiated(message) or version
                    await stdout.send(message)

        returning = asyncio.create_task(back(), name="responses")
        try:
            async for message in stdin:
                if isinstance(message, SessionMessage):
                    await requests.send(addressed(message, version))
                else:
                    log.warning("skipped a line that is not a message")
        finally:
            returning.cancel()
            # The other ends wait for this.
            await requests.aclose()
            await stdout.aclose()


def negotiated(message: SessionMessage) -> str:
    """The protocol version in a response to `initialize`."""
    response = message.message
    result = response.result if isinstance(response, JSONRPCResponse) else {}
    return str(result.get("protocolVersion", "")) if "serverInfo" in result else ""


def addressed(message: SessionMessage, version: str) -> SessionMessage:
    """Add the headers that HTTP requires and standard input does not have."""
    request = message.message
    params = (request.params or {}) if isinstance(request, JSONRPCRequest) else {}
    modern = (params.get("_meta") or {}).get(PROTOCOL_VERSION_META_KEY)
    headers = {MCP_PROTOCOL_VERSION_HEADER: str(modern or version)} if modern or version else {}
    if modern and isinstance(request, JSONRPCRequest):
        headers[MCP_METHOD_HEADER] = request.method
        if name := params.get(NAME_BEARING_METHODS.get(request.method, "")):
            headers[MCP_NAME_HEADER] = encode_header_value(str(name))
    return SessionMessage(request, ClientMessageMetadata(headers=headers or None))
