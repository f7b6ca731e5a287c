"""A bridge from standard input and output to a running server: messages pass as they are.

So that every check, the audit and what is remembered stay in one process. Not the server itself:
where none runs, `manage.py mcp_stdio` serves by itself.
"""

import asyncio
import logging
from collections.abc import Mapping
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


def own_pane(environ: Mapping[str, str], *, socket: str) -> str:
    """The pane that we were started in, if it belongs to the tmux that the server drives."""
    place, pane = environ.get("TMUX", "").split(",")[0], environ.get("TMUX_PANE", "")
    if not place or not is_id(pane, "%"):
        return ""
    return pane if Path(place).resolve() == socket_path(socket, environ).resolve() else ""


async def answers(address: str) -> bool:
    """Whether a webtmux is there."""
    try:
        async with httpx2.AsyncClient(timeout=PROBE_SECONDS, trust_env=False) as http:
            told: Any = (await http.get(f"{address}/healthz")).json()
    except (httpx2.HTTPError, ValueError):
        return False
    return bool(told == {"ok": True})


async def bridge(url: str, headers: Mapping[str, str]) -> None:
    """Until standard input ends."""
    limits = httpx2.Timeout(CONNECT_SECONDS, read=ANSWER_SECONDS)
    version = ""

    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=limits, trust_env=False) as http,
        streamable_http_client(url, http_client=http) as (answered, ask),
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
