"""Identifies the caller: by a token, by a browser session, or as the same user of this machine.

Whether the caller may do it is checked afterwards, in config/gate/gate.py.
"""

import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from django.conf import settings
from django.http import parse_cookie

from config.gate.peers import PeerSocket, peer_socket
from config.gate.processes import Peer, Relays, TcpPeer, unix_peer
from config.gate.refusals import NOT_DIRECT, Refusal
from config.gate.relays import RelayVerdict
from config.gate.request import Address, Call
from config.sign_in import sessions
from config.sign_in.sessions import AUTH_TOKEN_CALLER
from core import secret_tokens
from core.callers import CallerKind, Principal, Scope
from core.database import in_db
from mcp_gateway.services import find_token

LOCAL_CALLER = Principal(CallerKind.PEER, "local", Scope.ADMIN)
OLD_VERSIONS = {"0.9", "1.0"}
STRONG_LENGTH = 32  # characters from which an auth token cannot be guessed
CHALLENGE = (b"www-authenticate", b'Bearer realm="webtmux"')
HOW_TO = (
    "Create a token with `manage.py create_token NAME` and send it as"
    " `Authorization: Bearer TOKEN`."
    " In a browser, open the address that `manage.py sign_in_link` prints."
)
UNKNOWN = Refusal(401, "unauthorized", f"Sign in first. {HOW_TO}", (CHALLENGE,))
BAD_TOKEN = Refusal(
    401,
    "unauthorized",
    "This token is not valid: it is wrong, revoked or expired."
    " Create a new one with `manage.py create_token NAME`.",
    (CHALLENGE,),
)
COOKIE_ALONE = Refusal(
    403,
    "forbidden",
    "A browser session can change something only from a page of webtmux (with its Origin header)."
    " Programs send a token instead: create one with `manage.py create_token NAME`.",
)


def not_direct(reason: str) -> Refusal:
    """For a caller on this machine that would be trusted if it called directly."""
    return Refusal(
        401,
        "unauthorized",
        f"{NOT_DIRECT}, and {reason}. {HOW_TO}",
        (CHALLENGE,),
    )


class Records(Protocol):
    """Looks callers up."""

    async def by_token(self, secret: str) -> Principal | None: ...
    async def by_session(self, key: str) -> Principal | None: ...
    async def exchange(self, secret: str) -> str | None: ...


class Judge(Protocol):
    """Decides whether the peer of a connection forwards the calls of others."""

    async def judge(self, peer: Peer) -> RelayVerdict: ...


class Database:
    """The tokens and sessions in the database."""

    async def by_token(self, secret: str) -> Principal | None:
        row = await in_db(find_token)(secret=secret)
        return Principal(CallerKind.TOKEN, row.name, Scope(row.scope)) if row else None

    async def by_session(self, key: str) -> Principal | None:
        return await in_db(sessions.caller_of)(key)

    async def exchange(self, secret: str) -> str | None:
        return await in_db(sessions.exchange_token)(secret)


@dataclass(frozen=True, slots=True)
class Identity:
    """Tries the ways to identify a caller, in this order: token, session, local process."""

    auth_token: str
    trusts_peers: bool
    records: Records
    owner: Callable[[Address, Address], PeerSocket | None] = peer_socket
    relays: Judge = field(default_factory=Relays)

    async def of(self, call: Call) -> Principal | Refusal:
        if call.tokens:
            return await self._by_token(call.tokens) or BAD_TOKEN
        if caller := await self._by_session(call):
            return COOKIE_ALONE if call.acts and not call.header("origin") else caller
        return await self._by_peer(call)

    def is_strong(self, secret: str) -> bool:
        """Whether a token of this form cannot be guessed: ours are 256 random bits."""
        return secret.startswith(secret_tokens.PREFIX) or len(self.auth_token) >= STRONG_LENGTH

    async def _by_token(self, tokens: set[str]) -> Principal | None:
        """Two different tokens in one request count as a wrong one."""
        if len(tokens) != 1:
            return None
        (secret,) = tokens
        if self.auth_token and same(secret, self.auth_token):
            return AUTH_TOKEN_CALLER
        return await self.records.by_token(secret)

    async def _by_session(self, call: Call) -> Principal | None:
        cookies = parse_cookie("; ".join(call.headers.get("cookie", ())))
        key = cookies.get(settings.SESSION_COOKIE_NAME, "")
        return await self.records.by_session(key) if key else None

    async def _by_peer(self, call: Call) -> Principal | Refusal:
        """As tmux's own socket does: admit another process of the same user that calls directly."""
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
        peer = self.owner(call.client, call.server)
        if peer is None or peer.uid != os.geteuid():
            return None
        return TcpPeer(call.client, call.server, peer)


def indirect(call: Call) -> str:
    """What shows that a request did not come directly from its caller; empty if nothing does."""
    if name := call.forwarding_header:
        return f"the header {name} shows that this call was forwarded"
    if call.http_version in OLD_VERSIONS:
        return f"this call used HTTP/{call.http_version}, as proxies do"
    if call.unix_peer is not None:
        return ""  # a unix socket has no port to compare with Host
    port = call.server[1] if call.server else None
    if call.host is None or call.host.port != port:
        return f"the Host header does not name our port {port}"
    return ""


def same(first: str, second: str) -> bool:
    return hmac.compare_digest(first.encode(), second.encode())
