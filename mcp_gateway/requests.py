"""One HTTP request to /mcp, read as far as the choice of its way needs it.

Not the way itself: mount.py.
"""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from terminals.json_limits import check_values
from terminals.targets import is_id

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BODY_LIMIT = 3 * 1024 * 1024  # one call; the longest text that a tool takes fits, also escaped
OPENING_LIMIT = 64 * 1024  # bytes of a message that opens a session
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602


class ClientLeft(Exception):
    """Before its request was whole: there is nobody to answer."""


class TooLarge(Exception):
    """More than one call may hold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the headers and the address say."""

    method: str
    version: str
    session: str
    tools: str
    pane: str

    @classmethod
    def of(cls, scope: MutableMapping[str, Any]) -> "Asked":
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        pane = headers.get(b"x-webtmux-pane", "")
        return cls(
            method=scope["method"],
            version=headers.get(b"mcp-protocol-version", ""),
            session=headers.get(b"mcp-session-id", ""),
            tools=",".join(query.get("tools", ())),
            pane=pane if is_id(pane, "%") else "",
        )

    @property
    def is_modern(self) -> bool:
        """Of a revision without sessions, or one that nobody knows: the SDK tells them apart."""
        return bool(self.version) and self.version not in HANDSHAKE_PROTOCOL_VERSIONS


async def read_body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientLeft
        body += message.get("body", b"")
        if len(body) > BODY_LIMIT:
            raise TooLarge
        if not message.get("more_body", False):
            check_values(bytes(body))
            return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    """The body once more, then whatever else comes."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def opens_session(body: bytes) -> bool:
    if b"initialize" not in body or len(body) > OPENING_LIMIT:
        return False
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False  # the SDK answers what is wrong with it
    return isinstance(message, dict) and message.get("method") == "initialize"


async def answer_error(send: Send, status: int, code: int, message: str) -> None:
    """A JSON-RPC error to no request in particular, as the SDK does it before it has read one."""
    told = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if status == 405:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})
