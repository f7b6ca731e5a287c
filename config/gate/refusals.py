"""Responses to refused requests: JSON for programs, a page for browsers.

The reasons are in config/gate/gate.py and config/gate/identity.py.
"""

import json
from dataclasses import dataclass
from typing import cast

from asgiref.typing import ASGISendCallable, ASGISendEvent, HTTPScope, WebSocketScope
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from terminals.page.csp import DATA_POLICY, PLAIN_POLICY

DENIAL = "websocket.http.response"
# The beginning of the refusal of a caller on this machine that does not call directly.
NOT_DIRECT = "Only programs that connect directly are trusted without a token"
# For servers that cannot respond to a handshake with a status: close with 4000 + the status.
CLOSE_BASE = 4000


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    code: str
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def body(self) -> bytes:
        return json.dumps({"error": {"code": self.code, "message": self.message}}).encode()

    def all_headers(self, body: bytes, *, page: bool = False) -> list[tuple[bytes, bytes]]:
        content, policy = (
            ("text/html; charset=utf-8", PLAIN_POLICY)
            if page
            else ("application/json", DATA_POLICY)
        )
        return [
            (b"content-type", content.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            *self.headers,
        ]


async def answer(
    scope: HTTPScope | WebSocketScope, send: ASGISendCallable, refusal: Refusal
) -> None:
    """Send a plain HTTP response, also to a WebSocket: it is sent before the upgrade."""
    if scope["type"] == "http":
        await _respond(send, refusal, kind="http.response", page=_shows_pages(scope))
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


def _shows_pages(scope: HTTPScope) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


async def _respond(
    send: ASGISendCallable, refusal: Refusal, *, kind: str, page: bool = False
) -> None:
    body = written_page(refusal) if page else refusal.body()
    headers = refusal.all_headers(body, page=page)
    start = {"type": f"{kind}.start", "status": refusal.status, "headers": headers}
    # Cast: asgiref types every message separately, and both kinds have the same fields.
    await send(cast(ASGISendEvent, start))
    await send(cast(ASGISendEvent, {"type": f"{kind}.body", "body": body, "more_body": False}))


def written_page(refusal: Refusal) -> bytes:
    """The page for browsers, with the same message."""
    return render_to_string("refused.html", {"message": with_code(refusal.message)}).encode()


def with_code(text: str) -> SafeString:
    """A message as HTML. Text between backticks is a command or a setting."""
    parts = (
        (("code" if number % 2 else "span"), part) for number, part in enumerate(text.split("`"))
    )
    return format_html_join("", "<{0}>{1}</{0}>", parts)
