"""The Content-Security-Policy of our pages: what a page may load and run, and nothing else.

Not who may ask for a page: that is the gate's.
"""

import secrets
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

Response = TypeVar("Response", bound=HttpResponseBase)
AsyncView = Callable[..., Coroutine[Any, Any, Response]]

# xterm.js paints true colour by style attributes, and makes <style> elements, which get the nonce.
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
# asciinema-player is WebAssembly, which must be compiled, and sets its own templates as HTML: a
# policy named `default` lets through those without anything that could run (player-policy.js).
PLAYER_DIRECTIVES = tuple(
    {
        "script-src 'self' 'nonce-{nonce}'": "script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'",
        "trusted-types webtmux lit-html": "trusted-types lit-html default",
    }.get(directive, directive)
    for directive in DIRECTIVES
)
# For pages that need no script of ours: the admin, the documentation of the interface, sign-in,
# errors. Their scripts are files. The admin's libraries do not know Trusted Types.
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
# For what is no page: should a browser ever take it for one, it can do nothing.
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
HEADER = "Content-Security-Policy"
# What the page itself uses; nothing of it reaches a frame.
PERMISSIONS = "camera=(), geolocation=(), payment=(), usb=(), microphone=(self)"


def add_default_policy(response: HttpResponseBase) -> None:
    """For an answer without a policy of its own. Scripts have none: a worker would obey it."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind in {"text/html", "application/xhtml+xml"}:
        response.headers.setdefault(HEADER, PLAIN_POLICY)
    elif kind not in {"text/javascript", "application/javascript", "text/css"}:
        response.headers.setdefault(HEADER, DATA_POLICY)


def strict(view: AsyncView[Response]) -> AsyncView[Response]:
    """For a view that renders a page; the template reads `request.csp_nonce`."""
    return _under(DIRECTIVES, view)


def playing(view: AsyncView[Response]) -> AsyncView[Response]:
    """For the page of the recordings' player."""
    return _under(PLAYER_DIRECTIVES, view)


def _under(directives: Sequence[str], view: AsyncView[Response]) -> AsyncView[Response]:
    @wraps(view)
    async def guarded(request: HttpRequest, *args: object, **kwargs: object) -> Response:
        nonce = secrets.token_urlsafe(16)
        setattr(request, "csp_nonce", nonce)  # noqa: B010
        response = await view(request, *args, **kwargs)
        response[HEADER] = written(nonce, request.get_host(), directives)
        response["Permissions-Policy"] = PERMISSIONS
        return response

    return guarded


def written(nonce: str, host: str, directives: Sequence[str] = DIRECTIVES) -> str:
    return "; ".join(directives).format(nonce=nonce, host=host)
