"""Who may talk to us: Host, Origin, identity, scope, in front of http and websocket alike.

Not what a caller may do with one window or note: the doors know those.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    WebSocketScope,
)
from asgiref.typing import Scope as AnyScope

from config.admission import Admission, admitted, bounded
from config.attempts import SignIns, source_of, too_many
from config.calls import Call
from config.client_address import Network, client_address, trusted_networks
from config.env import Env
from config.identity import Database, Identity, Records
from config.origins import Host, Origin, host_rules, origin_rules, parse_origin
from config.processes import Relays
from config.refusal_log import RefusalLog
from config.refusals import Refusal, answer
from config.token_exchange import exchange_query_token, login_address, why_sign_in
from config.watch import Check, Served, Watch
from terminals.access import CLIENT, PRINCIPAL, WATCH, Kind, Principal, Scope, calling

PUBLIC = Principal(Kind.PUBLIC, "public", Scope.READ)
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
    # Nothing but its name shows a browser: it may not open or frame what is no page. What it loads
    # in other ways cannot be read by the page that asks.
    return NO_SOURCE if call.wants_page and not call.is_page else None


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
        self._watch = Watch()
        self._refusals, self._tokens = RefusalLog(), SignIns()

    async def __call__(
        self,
        scope: HTTPScope | WebSocketScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        call = Call.of(cast(dict[str, Any], scope))
        caller = admitted(cast(dict[str, Any], scope), call) or await self.decide(call)
        if isinstance(caller, Refusal):
            await answer(scope, send, caller)
            return
        if moved := await exchange_query_token(call, caller, self._identity.records):
            await answer(scope, send, moved)
            return
        if call.is_open:
            send = _readable_by_all(send)
        if scope["type"] == "http" and caller.kind is Kind.PUBLIC:
            receive, send = bounded(scope, receive, send)
        served = self._served(call, caller)
        # A client can name a root path to daphne, and Django would route by what is left of the
        # path, after we judged the whole of it.
        address = client_address(call, self._policy.proxies)
        known = {PRINCIPAL: caller, CLIENT: address, WATCH: served}
        inner = cast(AnyScope, {**scope, "root_path": "", **known})
        with calling(caller):
            if served is not None:
                await served.run(self._application, inner, receive, send)
            else:
                await self._application(inner, receive, send)

    async def admit(self, scope: Mapping[str, Any]) -> Admission | Refusal:
        """For a server that asks before it reads the body."""
        call = Call.of(scope)
        caller = await self.decide(call)
        if isinstance(caller, Refusal):
            return caller
        if not _is_revocable(caller):
            return Admission(call, caller, _never)
        return Admission(call, caller, partial(self._watch.join, *self._credential(call, caller)))

    async def decide(self, call: Call) -> Principal | Refusal:
        """`judge`, with the limit of wrong tokens and with a log line for every refusal."""
        caller = await self._judge_limited(call)
        if isinstance(caller, Refusal):
            self._refusals.note(call, caller, client_address(call, self._policy.proxies))
        return caller

    async def _judge_limited(self, call: Call) -> Principal | Refusal:
        if not call.tokens:
            return await self.judge(call)
        # A token that a person made up can be guessed: then it is not even compared.
        can_guess = not all(map(self._identity.is_strong, call.tokens))
        if can_guess and (wait := self._tokens.wait(source_of(call))):
            return too_many(wait)
        caller = await self.judge(call)
        if not isinstance(caller, Refusal) or caller.code != "unauthorized":
            return caller
        wait = self._tokens.begin(source_of(call))
        return too_many(wait, why=caller.message) if wait else caller

    def _served(self, call: Call, caller: Principal) -> Served | None:
        who = f"{caller.kind} {caller.name!r}"
        if _is_revocable(caller):
            return Served(self._watch, who, credential=self._credential(call, caller))
        return Served(self._watch, who) if call.is_shared else None

    def _credential(self, call: Call, caller: Principal) -> tuple[Hashable, Check]:
        """What admits the caller is checked once for all calls that show the same."""
        shown = (call.headers.get("authorization"), call.headers.get("cookie"))
        key = (caller, shown, frozenset(call.tokens))
        return key, partial(self.still, call, caller)

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
        """Whether this caller would be admitted again."""
        return await self.judge(call) == caller


def _is_revocable(caller: Principal) -> bool:
    return caller.kind not in {Kind.PEER, Kind.PUBLIC}


def _never(end: Callable[[], None]) -> Callable[[], None]:
    """The watch of a caller that cannot be revoked."""
    return lambda: None


def _readable_by_all(send: ASGISendCallable) -> ASGISendCallable:
    async def said(event: ASGISendEvent) -> None:
        if event["type"] == "http.response.start":
            headers = [*event.get("headers", ()), (b"access-control-allow-origin", b"*")]
            event = {**event, "headers": headers}
        await send(event)

    return said
