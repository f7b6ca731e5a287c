"""Exchanges a token in the address of a page for a cookie, so that no address keeps a token.

Addresses are stored in the browser's history and in the logs of proxies, and are visible on the
screen. Sockets and REST keep `?token=`, as the document of tmux-adapter demands.
"""

from typing import Protocol
from urllib.parse import urlencode

from django.conf import settings
from django.utils.http import url_has_allowed_host_and_scheme

from config.gate.refusals import NOT_DIRECT, Refusal
from config.gate.request import LOGIN_PATH, Call
from core.callers import Principal

# Why the sign-in page is shown (REASONS in views.py).
BAD_TOKEN, FORWARDED = "token", "forwarded"


class Sessions(Protocol):
    async def exchange(self, secret: str) -> str | None:
        """The key of a new session that has the rights of a token."""
        ...


async def exchange_query_token(call: Call, caller: Principal, sessions: Sessions) -> Refusal | None:
    """A redirect to the same page without its token, with a session in a cookie.

    Not for /shared/, whose secret is not an access token.
    """
    if not (call.is_page and call.wants_page and call.query_tokens) or call.is_public:
        return None
    (secret,) = call.query_tokens
    key = await sessions.exchange(secret)
    if key is None:  # revoked in the meantime
        return None
    headers = (
        (b"location", call.address.encode()),
        (b"set-cookie", _cookie(call, key).encode()),
        (b"referrer-policy", b"no-referrer"),
    )
    return Refusal(303, "moved", f"{caller.name} is signed in", headers)


def _cookie(call: Call, key: str) -> str:
    parts = [
        f"{settings.SESSION_COOKIE_NAME}={key}",
        f"Max-Age={settings.SESSION_COOKIE_AGE}",
        "Path=/",
        "HttpOnly",
        f"SameSite={settings.SESSION_COOKIE_SAMESITE}",
    ]
    return "; ".join([*parts, "Secure"] if call.is_secure else parts)


def login_address(target: str, *, reason: str = "") -> str:
    parameters = {"next": target} if target != "/" else {}
    if reason:
        parameters["why"] = reason
    return LOGIN_PATH + (f"?{urlencode(parameters)}" if parameters else "")


def why_sign_in(call: Call, refusal: Refusal) -> str:
    if call.tokens:
        return BAD_TOKEN
    return FORWARDED if refusal.message.startswith(NOT_DIRECT) else ""


def safe_target(text: str) -> str:
    """The path on this server to open after signing in; / for anything else."""
    is_path = text.startswith("/") and url_has_allowed_host_and_scheme(text, allowed_hosts=None)
    return text if is_path else "/"
