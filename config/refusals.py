"""How a request is turned away, before any door has seen it.

Not the reasons: they are in config/gate.py and config/identity.py.
"""

import json
from dataclasses import dataclass
from typing import cast

from asgiref.typing import ASGISendCallable, ASGISendEvent, HTTPScope, WebSocketScope

DENIAL = "websocket.http.response"
# For a server that cannot answer a handshake with a status: 4000 + the status.
CLOSE_BASE = 4000


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    code: str
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def body(self) -> bytes:
        return json.dumps({"error": {"code": self.code, "message": self.message}}).encode()

    def all_headers(self, body: bytes) -> list[tuple[bytes, bytes]]:
        return [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            *self.headers,
        ]


async def answer(
    scope: HTTPScope | WebSocketScope, send: ASGISendCallable, refusal: Refusal
) -> None:
    """A plain HTTP answer, for a websocket too: it is given before the upgrade."""
    if scope["type"] == "http":
        await _respond(send, refusal, kind="http.response")
    elif DENIAL in (scope.get("extensions") or {}):
        await _respond(send, refusal, kind=DENIAL)
    else:
        await send(
            {
                "type": "websocket.close",
                "code": CLOSE_BASE + refusal.status,
                "reason": refusal.message,
            }
        )


async def _respond(send: ASGISendCallable, refusal: Refusal, *, kind: str) -> None:
    body = refusal.body()
    headers = refusal.all_headers(body)
    start = {"type": f"{kind}.start", "status": refusal.status, "headers": headers}
    # Cast: asgiref spells every message out, and both kinds have the same fields.
    await send(cast(ASGISendEvent, start))
    await send(cast(ASGISendEvent, {"type": f"{kind}.body", "body": body, "more_body": False}))
