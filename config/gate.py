"""Who may talk to us: Host, Origin, identity, scope, in front of http and websocket alike.

Not what a caller may do with one window or note: the doors know those.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any, cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    WebSocketScope,
)
from asgiref.typing import Scope as AnyScope

from config.calls import Call
from config.client_address import Network, client_address, trusted_networks
from config.env import Env
from config.identity import Database, Identity, Records
from config.origins import Host, Origin, host_rules, origin_rules, parse_origin
from config.processes import Relays
from config.refusals import Refusal, answer
from config.token_exchange import exchange_query_token, login_address, why_sign_in
from terminals.access import CLIENT, PRINCIPAL, Kind, Principal, Scope, calling

logger = logging.getLogger(__name__)

PUBLIC = Principal(Kind.PUBLIC, "public", Scope.READ)
# A revoked token or a signed-out person keeps an open socket for at most about this long.
RECHECK_SECONDS = 3.0
# What the door gets to end by itself after its caller was turned away.
LEAVE_SECONDS = 5.0
REVOKED_CODE = 4401
READY_PATH = "/readyz"
OWN_SITES = {"same-origin", "none"}

MISDIRECTED = Refusal(
    421,
    "misdirected",
    "webtmux does not answer under this name. Open it under 127.0.0.1 or localhost,"
    " or add the name to WEBTMUX_ALLOWED_HOSTS or --allowed-hosts and restart.",
)
FOREIGN_PAGE = Refusal(
    403,
    "forbidden",
    "Pages of this origin may not use webtmux. If the page is yours, add its origin to"
    " WEBTMUX_ALLOWED_ORIGINS or --allowed-origins and restart.",
)
CROSS_SITE = Refusal(
    403,
    "forbidden",
    "Another site may only link to a page of webtmux. Open the address in a tab of its own,"
    " or start from the workspace page at /.",
)
NO_SOURCE = Refusal(
    403,
    "forbidden",
    "This browser does not say which page the request comes from. Start from the workspace page"
    " at /, or use a program such as curl with a token.",
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What the settings say about callers, parsed once."""

    hosts: tuple[Host, ...]
    origins: tuple[Origin, ...] = ()
    auth_token: str = field(default="", repr=False)
    trusts_peers: bool = True
    proxies: tuple[Network, ...] = ()
    forwarders: tuple[str, ...] = ()

    @classmethod
    def of(cls, env: Env) -> "Policy":
        return cls(
            hosts=host_rules(env.host, env.allowed_hosts),
            origins=origin_rules(env.allowed_origins),
            auth_token=env.auth_token,
            trusts_peers=not (env.require_token or env.auth_token),
            proxies=trusted_networks(env.trusted_proxies),
            forwarders=env.forwarders,
        )


def check_host(policy: Policy, call: Call) -> Refusal | None:
    """DNS rebinding ends here: a page reached under a strange name is not answered."""
    host = call.host
    if host is not None and any(rule.admits(host) for rule in policy.hosts):
        return None
    return MISDIRECTED


def check_origin(policy: Policy, call: Call, *, open_to_all: bool = True) -> Refusal | None:
    """Only our own pages, and those that the settings name, reach us through a browser.

    Every other page may link to one of ours, and nothing else: no frame, image, script or fetch.
    Pages on other ports of this machine count as "same-site", so that is as foreign as any.
    """
    if call.is_open and open_to_all:
        return None
    if "origin" in call.headers:
        return None if _is_ours(policy, call) else FOREIGN_PAGE
    if "sec-fetch-site" in call.headers:
        is_own = call.header("sec-fetch-site") in OWN_SITES
        return None if is_own or (call.is_page and call.is_top_level) else CROSS_SITE
    return _check_without_metadata(policy, call)


def _check_without_metadata(policy: Policy, call: Call) -> Refusal | None:
    """Programs, and browsers that send no fetch metadata: old ones, and all over plain http
    to a name other than localhost. Those tell by the Referer which page asks.
    """
    if call.is_public or call.header_tokens or not call.is_browser:
        return None
    if "referer" in call.headers:
        referer = parse_origin("/".join(call.header("referer").split("/", 3)[:3]))
        if _is_own_origin(policy, call, referer):
            return None
        return None if call.is_page and call.wants_page else CROSS_SITE
    return None if call.is_page and call.wants_page else NO_SOURCE


def _is_ours(policy: Policy, call: Call) -> bool:
    return _is_own_origin(policy, call, parse_origin(call.header("origin")))


def _is_own_origin(policy: Policy, call: Call, origin: Origin | None) -> bool:
    host = call.host
    if origin is None or host is None:
        return False
    own = Origin(call.scheme, host.name, host.port)
    return origin == own or any(rule.admits(origin) for rule in policy.origins)


def check_scope(call: Call, caller: Principal) -> Refusal | None:
    wanted = wanted_scope(call)
    if caller.scope.includes(wanted):
        return None
    return Refusal(
        403,
        "forbidden",
        f"This needs the scope {wanted}, and {caller.name} has {caller.scope}."
        f" `manage.py create_token NAME --scope {wanted}` makes a token that has it.",
    )


def wanted_scope(call: Call) -> Scope:
    """/mcp and sockets carry many kinds of request: there the door asks for more."""
    if _is_at("/admin", call.path):
        return Scope.ADMIN
    if call.kind == "http" and call.acts and not _is_at("/mcp", call.path):
        return Scope.WRITE
    return Scope.READ


def _is_at(root: str, path: str) -> bool:
    return path == root or path.startswith(root + "/")


def sign_in(call: Call, refusal: Refusal) -> Refusal:
    """A person who opened a page is led to the sign-in page, and back to the page afterwards."""
    place = login_address(call.address, why=why_sign_in(call, refusal)).encode()
    return Refusal(302, refusal.code, refusal.message, ((b"location", place),))


class Gate:
    """ASGI middleware. Every door behind it finds a Principal in scope["webtmux.principal"]."""

    def __init__(
        self,
        application: ASGI3Application,
        policy: Policy,
        *,
        records: Records | None = None,
        identity: Identity | None = None,
    ) -> None:
        self._application = application
        self._policy = policy
        self._identity = identity or Identity(
            policy.auth_token,
            policy.trusts_peers,
            records or Database(),
            relays=Relays(policy.forwarders),
        )

    async def __call__(
        self,
        scope: HTTPScope | WebSocketScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        call = Call.of(cast(dict[str, Any], scope))
        caller = await self.judge(call)
        if isinstance(caller, Refusal):
            await answer(scope, send, caller)
            return
        if moved := await exchange_query_token(call, caller, self._identity.records):
            await answer(scope, send, moved)
            return
        # A client can name a root path to daphne, and Django would route by what is left of the
        # path, after we judged the whole of it.
        address = client_address(call, self._policy.proxies)
        inner = cast(AnyScope, {**scope, "root_path": "", PRINCIPAL: caller, CLIENT: address})
        if call.is_open:
            send = _readable_by_all(send)
        with calling(caller):
            if call.kind == "websocket" and caller.kind in {Kind.TOKEN, Kind.SESSION}:
                await _Watched(self, call, caller).run(self._application, inner, receive, send)
            else:
                await self._application(inner, receive, send)

    async def judge(self, call: Call) -> Principal | Refusal:
        refusal = check_host(self._policy, call) or check_origin(self._policy, call)
        if refusal is not None:
            return refusal
        if call.is_public:
            return await self._admitted(call) if call.path == READY_PATH else PUBLIC
        caller = await self._identity.of(call)
        if isinstance(caller, Refusal):
            return sign_in(call, caller) if caller.status == 401 and call.may_sign_in else caller
        return check_scope(call, caller) or caller

    async def _admitted(self, call: Call) -> Principal:
        """Who asks a route that is open to all: its answer may tell more to a known caller."""
        if check_origin(self._policy, call, open_to_all=False) is not None:
            return PUBLIC
        caller = await self._identity.of(call)
        return PUBLIC if isinstance(caller, Refusal) else caller

    async def still(self, call: Call, caller: Principal) -> bool:
        """Whether this caller would be let in again; a database in trouble changes nothing."""
        try:
            return await self.judge(call) == caller
        except Exception:
            logger.exception("could not look up %s %r again", caller.kind, caller.name)
            return True


class _Watched:
    """One socket whose caller can lose the right to it. Owns the door's task and the watcher."""

    def __init__(self, gate: Gate, call: Call, caller: Principal) -> None:
        self._gate, self._call, self._caller = gate, call, caller
        self._revoked = False

    async def run(
        self,
        door: ASGI3Application,
        scope: AnyScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        served = asyncio.ensure_future(door(scope, self._muted(receive), self._silenced(send)))
        watcher = asyncio.ensure_future(self._lose_right())
        try:
            await asyncio.wait({served, watcher}, return_when=asyncio.FIRST_COMPLETED)
            if not served.done():
                await self._show_out(send)
                await asyncio.wait({served}, timeout=LEAVE_SECONDS)
        finally:
            watcher.cancel()
            served.cancel()
            await asyncio.wait({served, watcher}, timeout=LEAVE_SECONDS)
        if served.done() and not served.cancelled():
            served.result()

    async def _lose_right(self) -> None:
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            if not await self._gate.still(self._call, self._caller):
                return

    async def _show_out(self, send: ASGISendCallable) -> None:
        self._revoked = True
        logger.info("closing the socket of %s %r", self._caller.kind, self._caller.name)
        await send({"type": "websocket.close", "code": REVOKED_CODE, "reason": "signed out"})

    def _muted(self, receive: ASGIReceiveCallable) -> ASGIReceiveCallable:
        async def heard() -> ASGIReceiveEvent:
            while (event := await receive())["type"] != "websocket.disconnect":
                if not self._revoked:
                    break
            return event

        return heard

    def _silenced(self, send: ASGISendCallable) -> ASGISendCallable:
        async def said(event: ASGISendEvent) -> None:
            if not self._revoked:
                await send(event)

        return said


def _readable_by_all(send: ASGISendCallable) -> ASGISendCallable:
    async def said(event: ASGISendEvent) -> None:
        if event["type"] == "http.response.start":
            headers = [*event.get("headers", ()), (b"access-control-allow-origin", b"*")]
            event = {**event, "headers": headers}
        await send(event)

    return said
