"""Who is calling: a token, a signed-in browser, or the same user of this machine.

Not whether they may do it: config/gate.py asks that afterwards.
"""

import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from django.conf import settings

from config import sessions
from config.calls import Call
from config.peers import Address, Socket, peer_socket
from config.processes import Peer, Relays, TcpPeer, unix_peer
from config.refusals import Refusal
from config.relays import Verdict
from config.sessions import AUTH_TOKEN_CALLER
from mcp_gateway.services import SECRET_START, find_token
from terminals.access import Kind, Principal, Scope
from terminals.db import in_db

LOCAL_CALLER = Principal(Kind.PEER, "local", Scope.ADMIN)
OLD_VERSIONS = {"0.9", "1.0"}
STRONG_LENGTH = 32  # characters of an auth token that nobody guesses
CHALLENGE = (b"www-authenticate", b'Bearer realm="webtmux"')
HOW_TO = (
    "Make a token with `manage.py create_token NAME` and send it as `Authorization: Bearer TOKEN`;"
    " in a browser, open the address that `manage.py sign_in_link` prints."
)
UNKNOWN = Refusal(401, "unauthorized", f"webtmux does not know you. {HOW_TO}", (CHALLENGE,))
BAD_TOKEN = Refusal(
    401,
    "unauthorized",
    "This token is not valid: it is misspelt, revoked or expired."
    " Make another one with `manage.py create_token NAME`.",
    (CHALLENGE,),
)
COOKIE_ALONE = Refusal(
    403,
    "forbidden",
    "A browser session acts only with the Origin header of our own page."
    " Programs send a token instead: `manage.py create_token NAME` makes one.",
)


def not_direct(reason: str) -> Refusal:
    """A caller on this machine who would be trusted if it called directly."""
    return Refusal(
        401,
        "unauthorized",
        f"Local trust is for direct callers only, and {reason}. {HOW_TO}",
        (CHALLENGE,),
    )


class Records(Protocol):
    """Where callers are looked up."""

    async def by_token(self, secret: str) -> Principal | None: ...
    async def by_session(self, key: str) -> Principal | None: ...
    async def exchange(self, secret: str) -> str | None: ...


class Judge(Protocol):
    """Whether the peer of a connection passes on the calls of others."""

    async def judge(self, peer: Peer) -> Verdict: ...


class Database:
    """The tokens and sessions in the database."""

    async def by_token(self, secret: str) -> Principal | None:
        row = await in_db(find_token)(secret=secret)
        return Principal(Kind.TOKEN, row.name, Scope(row.scope)) if row else None

    async def by_session(self, key: str) -> Principal | None:
        return await in_db(sessions.caller_of)(key)

    async def exchange(self, secret: str) -> str | None:
        return await in_db(sessions.exchange_token)(secret)


@dataclass(frozen=True, slots=True)
class Identity:
    """The order of the ways to be known, and what each needs."""

    auth_token: str
    trusts_peers: bool
    records: Records
    owner: Callable[[Address, Address], Socket | None] = peer_socket
    relays: Judge = field(default_factory=Relays)

    async def of(self, call: Call) -> Principal | Refusal:
        if call.tokens:
            return await self._by_token(call.tokens) or BAD_TOKEN
        if caller := await self._by_session(call):
            return COOKIE_ALONE if call.acts and not call.header("origin") else caller
        return await self._by_peer(call)

    def is_strong(self, secret: str) -> bool:
        """Whether a token of this form cannot be guessed: ours are 256 random bits."""
        return secret.startswith(SECRET_START) or len(self.auth_token) >= STRONG_LENGTH

    async def _by_token(self, tokens: set[str]) -> Principal | None:
        """Two different tokens in one request are as bad as a wrong one."""
        if len(tokens) != 1:
            return None
        (secret,) = tokens
        if self.auth_token and same(secret, self.auth_token):
            return AUTH_TOKEN_CALLER
        return await self.records.by_token(secret)

    async def _by_session(self, call: Call) -> Principal | None:
        key = call.cookie(settings.SESSION_COOKIE_NAME)
        return await self.records.by_session(key) if key else None

    async def _by_peer(self, call: Call) -> Principal | Refusal:
        """As tmux's own socket would admit: another process of the same user, calling directly."""
        peer = self._peer(call) if self.trusts_peers else None
        if peer is None:
            return UNKNOWN
        if reason := indirect(call):
            return not_direct(reason)
        verdict = await self.relays.judge(peer)
        return not_direct(verdict.problem) if verdict.problem else LOCAL_CALLER

    def _peer(self, call: Call) -> Peer | None:
        """The process at the other end, if it runs as our own user."""
        if call.unix_peer is not None:
            pid, uid = call.unix_peer
            return unix_peer(pid) if uid == os.geteuid() else None
        if not call.client or not call.server:
            return None
        found = self.owner(call.client, call.server)
        if found is None or found.uid != os.geteuid():
            return None
        return TcpPeer(call.client, call.server, found)


def indirect(call: Call) -> str:
    """What in a request shows that it did not come directly from its caller."""
    if name := call.forwarding_header:
        return f"the header {name} shows that this call was forwarded"
    if call.http_version in OLD_VERSIONS:
        return f"this call came by HTTP/{call.http_version}, as proxies send it"
    if call.unix_peer is not None:
        return ""  # a unix socket has no port that Host could name
    port = call.server[1] if call.server else None
    if call.host is None or call.host.port != port:
        return f"the Host header does not name our port {port}"
    return ""


def same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
