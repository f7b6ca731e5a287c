"""The Content-Security-Policy of our pages: what a page may load and run.

Who may request a page is decided by config/gate.
"""

import secrets
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Response = TypeVar("Response", bound=HttpResponseBase)
AsyncView = Callable[..., Coroutine[object, None, Response]]

# xterm.js draws true colour with style attributes, and creates <style> elements with the nonce.
DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self' 'nonce-{nonce}'",
    "style-src-elem 'self' 'nonce-{nonce}'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self' ws://{host} wss://{host}",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types webtmux lit-html",
)
# asciinema-player compiles WebAssembly and sets its own templates as HTML: the Trusted Types policy
# named `default` lets only templates without executable content through (player-policy.js).
PLAYER_DIRECTIVES = tuple(
    {
        "script-src 'self' 'nonce-{nonce}'": "script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'",
        "trusted-types webtmux lit-html": "trusted-types lit-html default",
    }.get(directive, directive)
    for directive in DIRECTIVES
)
# For pages without inline scripts: the admin, the API documentation, sign-in, errors. The admin's
# libraries do not support Trusted Types.
PLAIN_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src-elem 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# For responses that are not pages: if a browser renders one as a page, it can do nothing.
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
HEADER = "Content-Security-Policy"
# What the page itself uses; frames get none of it.
PERMISSIONS = "camera=(), geolocation=(), payment=(), usb=(), microphone=(self)"


def add_default_policy(response: HttpResponseBase) -> None:
    """For responses without a policy. Scripts get none: a worker would apply it to itself."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind in {"text/html", "application/xhtml+xml"}:
        response.headers.setdefault(HEADER, PLAIN_POLICY)
    elif kind not in {"text/javascript", "application/javascript", "text/css"}:
        response.headers.setdefault(HEADER, DATA_POLICY)


def strict(view: AsyncView[Response]) -> AsyncView[Response]:
    """Decorates a view that renders a page. The template uses `request.csp_nonce`."""
    return _with_policy(DIRECTIVES, view)


def playing(view: AsyncView[Response]) -> AsyncView[Response]:
    """Decorates the view of the recording player."""
    return _with_policy(PLAYER_DIRECTIVES, view)


def _with_policy(directives: Sequence[str], view: AsyncView[Response]) -> AsyncView[Response]:
    @wraps(view)
    async def with_policy(request: HttpRequest, *args: object, **kwargs: object) -> Response:
        nonce = secrets.token_urlsafe(16)
        vars(request)["csp_nonce"] = nonce  # for the templates
        response = await view(request, *args, **kwargs)
        response[HEADER] = policy(nonce, request.get_host(), directives)
        response["Permissions-Policy"] = PERMISSIONS
        return response

    return with_policy


def policy(nonce: str, host: str, directives: Sequence[str] = DIRECTIVES) -> str:
    if settings.WEBTMUX.vite_server:
        directives = [
            _with_vite(directive, settings.WEBTMUX.vite_server) for directive in directives
        ]
    return "; ".join(directives).format(nonce=nonce, host=host)


def _with_vite(directive: str, address: str) -> str:
    """`make dev`: scripts, styles and reload messages come from the server of Vite."""
    match directive.partition(" ")[0]:
        case "script-src" | "style-src-elem" | "font-src" | "img-src":
            return f"{directive} {address}"
        case "connect-src":
            return f"{directive} {address} {address.replace('http', 'ws', 1)}"
        case _:
            return directive
