"""One HTTP request to /mcp, parsed as far as mount.py needs to route it."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from core.errors import Invalid
from core.json_limits import check_values
from terminals.windows.targets import is_id

Message = MutableMapping[str, Any]  # an ASGI scope or event, as the SDK types them
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

BODY_LIMIT = 3 * 1024 * 1024  # of one call; fits the longest text of a tool, also escaped
OPENING_LIMIT = 64 * 1024  # of a message that opens a session
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class ClientLeft(Exception):
    """The client disconnected before its request was complete."""


class TooLarge(Exception):
    """The body is larger than BODY_LIMIT."""


@dataclass(frozen=True, slots=True)
class McpRequest:
    """What the headers and the address contain."""

    method: str
    version: str
    session: str
    tools: str
    pane: str

    @classmethod
    def of(cls, scope: Message) -> "McpRequest":
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
        """A revision without sessions, or an unknown one: the SDK distinguishes them."""
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
            if len(body) > OPENING_LIMIT:
                check_message(bytes(body))
            return bytes(body)


def check_message(body: bytes) -> None:
    """Refuse what is not a JSON-RPC message before the SDK validates it.

    The SDK tries every kind of message and formats all errors, which blocked the event loop for
    60 ms with 3 MiB, while parsing alone takes less than 10 ms.
    """
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise Invalid("the body is not valid JSON") from None
    is_message = (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("id", 0), str | int)
        and isinstance(message.get("method", ""), str)
        and isinstance(message.get("params", {}), dict)
        and not message.keys().isdisjoint({"method", "result", "error"})
    )
    if not is_message:
        raise Invalid("the body is not a JSON-RPC 2.0 message")


def replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body again, then further messages."""
    replayed = False

    async def again() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def opens_session(body: bytes) -> bool:
    if b"initialize" not in body or len(body) > OPENING_LIMIT:
        return False
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False  # the SDK answers with the error
    return isinstance(message, dict) and message.get("method") == "initialize"


async def answer_error(send: Send, status: int, code: int, message: str) -> None:
    """Send a JSON-RPC error without a request id, as the SDK does before it has read a request."""
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if status == 405:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(error).encode()})
