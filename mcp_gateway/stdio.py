"""A bridge from standard input and output to a running server: messages pass as they are.

So that every check, the audit and what is remembered stay in one process. Not the server itself:
where none runs, `manage.py mcp_stdio` serves by itself.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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

from terminals.targets import is_id
from terminals.tmux.sockets import socket_path

log = logging.getLogger(__name__)

PANE_HEADER = "x-webtmux-pane"
CONNECT_SECONDS = 30.0
ANSWER_SECONDS = 3600.0  # a tool may wait long for a window; its own limit is shorter
PROBE_SECONDS = 2.0
# httpcore's events for a new connection; their value is its network stream.
CONNECTED = ("connection.connect_tcp.complete", "connection.connect_unix_socket.complete")


def own_pane(environ: Mapping[str, str], *, tmux_socket: str) -> str:
    """The pane that we were started in, if it belongs to the tmux that the server drives."""
    place, pane = environ.get("TMUX", "").split(",")[0], environ.get("TMUX_PANE", "")
    if not place or not is_id(pane, "%"):
        return ""
    return pane if Path(place).resolve() == socket_path(tmux_socket, environ).resolve() else ""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is. `check` gets each new connection before anything is sent over it."""

    url: str  # without a path
    check: Callable[[socket.socket], None]
    unix_socket: str = ""

    def client(self, **options: Any) -> httpx2.AsyncClient:
        transport = httpx2.AsyncHTTPTransport(trust_env=False, uds=self.unix_socket or None)
        hooks = {"request": [self._watch_connections]}
        return httpx2.AsyncClient(transport=transport, event_hooks=hooks, **options)

    async def _watch_connections(self, request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, "trace": self._trace}

    async def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event in CONNECTED:
            self.check(info["return_value"].get_extra_info("socket"))


async def answers(server: Server) -> bool:
    """Whether a webtmux is there."""
    try:
        async with server.client(timeout=PROBE_SECONDS) as http:
            health: Any = (await http.get(f"{server.url}/healthz")).json()
    except (httpx2.HTTPError, ValueError):
        return False
    return bool(health == {"ok": True})


async def bridge(server: Server, path: str, headers: Mapping[str, str]) -> None:
    """Until standard input ends."""
    limits = httpx2.Timeout(CONNECT_SECONDS, read=ANSWER_SECONDS)
    version = ""

    async with (
        server.client(headers=dict(headers), timeout=limits) as http,
        streamable_http_client(server.url + path, http_client=http) as (answered, ask),
        stdio_server() as (asked, answer),
    ):

        async def back() -> None:
            nonlocal version
            async for message in answered:
                if isinstance(message, SessionMessage):
                    version = negotiated(message) or version
                    await answer.send(message)

        returning = asyncio.create_task(back(), name="answers")
        try:
            async for message in asked:
                if isinstance(message, SessionMessage):
                    await ask.send(addressed(message, version))
                else:
                    log.warning("a line that is no message was left out")
        finally:
            returning.cancel()
            # Their other ends wait for it.
            await ask.aclose()
            await answer.aclose()


def negotiated(message: SessionMessage) -> str:
    """The version that an answer to `initialize` names."""
    told = message.message
    result = told.result if isinstance(told, JSONRPCResponse) else {}
    return str(result.get("protocolVersion", "")) if "serverInfo" in result else ""


def addressed(message: SessionMessage, version: str) -> SessionMessage:
    """With the headers that HTTP wants beside a message and standard input does not have."""
    asked = message.message
    params = (asked.params or {}) if isinstance(asked, JSONRPCRequest) else {}
    modern = (params.get("_meta") or {}).get(PROTOCOL_VERSION_META_KEY)
    headers = {MCP_PROTOCOL_VERSION_HEADER: str(modern or version)} if modern or version else {}
    if modern and isinstance(asked, JSONRPCRequest):
        headers[MCP_METHOD_HEADER] = asked.method
        if name := params.get(NAME_BEARING_METHODS.get(asked.method, "")):
            headers[MCP_NAME_HEADER] = encode_header_value(str(name))
    return SessionMessage(asked, ClientMessageMetadata(headers=headers or None))
