"""Who is calling: a token, a signed-in browser, or the same user of this machine.

Not whether they may do it: config/gate.py asks that afterwards.
"""

import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.http import HttpRequest

from config.calls import Call
from config.peers import Address, uid_of_peer
from config.refusals import Refusal
from mcp_gateway.services import SECRET_START, find_token
from terminals.access import Kind, Principal, Scope
from terminals.db import in_db

STRONG_LENGTH = 32  # characters of an auth token that nobody guesses
CHALLENGE = (b"www-authenticate", b'Bearer realm="webtmux"')
UNKNOWN = Refusal(
    401, "unauthorized", "sign in, or send a token as Authorization: Bearer", (CHALLENGE,)
)
BAD_TOKEN = Refusal(401, "unauthorized", "this token is not valid", (CHALLENGE,))
COOKIE_ALONE = Refusal(403, "forbidden", "a browser session acts only with an Origin of ours")


class Records(Protocol):
    """Where callers are looked up."""

    async def by_token(self, secret: str) -> Principal | None: ...
    async def by_session(self, key: str) -> Principal | None: ...


class Database:
    """The tokens and sessions in the database."""

    async def by_token(self, secret: str) -> Principal | None:
        row = await in_db(find_token)(secret=secret)
        return Principal(Kind.TOKEN, row.name, Scope(row.scope)) if row else None

    async def by_session(self, key: str) -> Principal | None:
        user = await in_db(_user_of)(key)
        if user is None:
            return None
        scope = Scope.ADMIN if user.is_staff else Scope.WRITE
        return Principal(Kind.SESSION, user.get_username(), scope)


def _user_of(key: str) -> User | None:
    """The active user of a session, checked as Django does (also for a changed password)."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return user if user.is_authenticated else None


@dataclass(frozen=True, slots=True)
class Identity:
    """The order of the ways to be known, and what each needs."""

    auth_token: str
    trusts_peers: bool
    records: Records
    owner: Callable[[Address, Address], int | None] = uid_of_peer

    async def of(self, call: Call) -> Principal | Refusal:
        if call.tokens:
            return await self._by_token(call.tokens) or BAD_TOKEN
        if caller := await self._by_session(call):
            return COOKIE_ALONE if call.acts and not call.header("origin") else caller
        return self._by_peer(call) or UNKNOWN

    def is_strong(self, secret: str) -> bool:
        """Whether a token of this form cannot be guessed: ours are 256 random bits."""
        return secret.startswith(SECRET_START) or len(self.auth_token) >= STRONG_LENGTH

    async def _by_token(self, tokens: set[str]) -> Principal | None:
        """Two different tokens in one request are as bad as a wrong one."""
        if len(tokens) != 1:
            return None
        (secret,) = tokens
        if self.auth_token and same(secret, self.auth_token):
            return Principal(Kind.TOKEN, "auth-token", Scope.ADMIN)
        return await self.records.by_token(secret)

    async def _by_session(self, call: Call) -> Principal | None:
        key = call.cookie(settings.SESSION_COOKIE_NAME)
        return await self.records.by_session(key) if key else None

    def _by_peer(self, call: Call) -> Principal | None:
        """As tmux's own socket would admit: another process of the same user, and no proxy."""
        if not self.trusts_peers or call.is_proxied or not call.client or not call.server:
            return None
        if self.owner(call.client, call.server) != os.geteuid():
            return None
        return Principal(Kind.PEER, "local", Scope.ADMIN)


def same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
