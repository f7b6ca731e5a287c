"""The gate in front of every HTTP request and WebSocket: checks Host, Origin, identity and scope.

What a caller may do with a particular window or note is decided by the services.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    WebSocketScope,
)
from asgiref.typing import Scope as AnyScope

from config.env import Env
from config.gate.admission import Admission, admitted, bounded
from config.gate.client_address import Network, client_address, trusted_networks
from config.gate.identity import Database, Identity, Records
from config.gate.origins import Host, Origin, host_rules, origin_rules, parse_origin
from config.gate.processes import Relays
from config.gate.refusal_log import RefusalLog
from config.gate.refusals import Refusal, answer
from config.gate.request import AsgiScope, Call
from config.gate.revocation import Check, RevocableRequest, RevocationWatch
from config.sign_in.attempts import SignIns, source_of, too_many
from config.sign_in.token_exchange import exchange_query_token, login_address, why_sign_in
from core.callers import CLIENT, PRINCIPAL, WATCH, Caller, CallerKind, Principal, Scope, calling

PUBLIC = Principal(CallerKind.PUBLIC, "public", Scope.READ)
READY_PATH = "/readyz"
OWN_SITES = {"same-origin", "none"}

MISDIRECTED = Refusal(
    421,
    "misdirected",
    "webtmux does not serve this host name. Use 127.0.0.1 or localhost, or add the name to"
    " WEBTMUX_ALLOWED_HOSTS or --allowed-hosts and restart.",
)
FOREIGN_PAGE = Refusal(
    403,
    "forbidden",
    "Pages of this origin may not use webtmux. If you trust the page, add its origin to"
    " WEBTMUX_ALLOWED_ORIGINS or --allowed-origins and restart.",
)
CROSS_SITE = Refusal(
    403,
    "forbidden",
    "Other sites may link to pages of webtmux, but not embed or fetch them. Open the address in a"
    " new tab, or start from the workspace page at /.",
)
NO_SOURCE = Refusal(
    403,
    "forbidden",
    "This browser does not send which page the request comes from. Start from the workspace page"
    " at /, or use a program such as curl with a token.",
)


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings about callers, parsed once."""

    hosts: tuple[Host, ...]
    origins: tuple[Origin, ...] = ()
    auth_token: str = field(default="", repr=False)
    trusts_peers: bool = True
    proxies: tuple[Network, ...] = ()
    forwarders: tuple[str, ...] = ()
    # With --debug-serve-dir: a public path may hold a developer's file, for known callers only.
    has_developer_files: bool = False

    @classmethod
    def of(cls, env: Env) -> "Policy":
        return cls(
            hosts=host_rules(env.host, env.allowed_hosts),
            origins=origin_rules(env.allowed_origins),
            auth_token=env.auth_token,
            trusts_peers=not (env.require_token or env.auth_token),
            proxies=trusted_networks(env.trusted_proxies),
            forwarders=env.forwarders,
            has_developer_files=bool(env.debug_serve_dir),
        )


def check_host(policy: Policy, call: Call) -> Refusal | None:
    """Prevents DNS rebinding: requests under an unknown host name are refused."""
    host = call.host
    if host is not None and any(rule.admits(host) for rule in policy.hosts):
        return None
    return MISDIRECTED


def check_origin(policy: Policy, call: Call, *, open_to_all: bool = True) -> Refusal | None:
    """Only our own pages and those that the settings list can use webtmux through a browser.

    Every other page may link to our pages, and nothing else: no frame, image, script or fetch.
    Pages on other ports of this machine are "same-site", so "same-site" is treated as foreign.
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
    """For programs, and for browsers that send no fetch metadata: old browsers, and all browsers
    over plain HTTP to a name other than localhost. For those the Referer names the page.
    """
    if call.is_public or call.header_tokens or not call.is_browser:
        return None
    if "referer" in call.headers:
        referer = parse_origin("/".join(call.header("referer").split("/", 3)[:3]))
        if _is_own_origin(policy, call, referer):
            return None
        return None if call.is_page and call.wants_page else CROSS_SITE
    # Only the user agent shows that this is a browser: it may not open or frame what is not a page.
    # What it loads in other ways cannot be read by the page that loads it.
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
        f"This needs the scope {wanted}, but {caller.name} has {caller.scope}."
        f" Create a token that has it: `manage.py create_token NAME --scope {wanted}`.",
    )


def wanted_scope(call: Call) -> Scope:
    """/mcp and the sockets carry many kinds of requests and check the scope of each themselves."""
    if _is_at("/admin", call.path):
        return Scope.ADMIN
    # Installing hooks edits settings of other programs.
    if _is_at("/api/hooks", call.path) and call.acts:
        return Scope.ADMIN
    if call.kind == "http" and call.acts and not _is_at("/mcp", call.path):
        return Scope.WRITE
    return Scope.READ


def _is_at(root: str, path: str) -> bool:
    return path == root or path.startswith(root + "/")


def sign_in(call: Call, refusal: Refusal) -> Refusal:
    """A user who opened a page is redirected to the sign-in page, and back afterwards."""
    place = login_address(call.address, reason=why_sign_in(call, refusal)).encode()
    return Refusal(302, refusal.code, refusal.message, ((b"location", place),))


class Gate:
    """ASGI middleware. Sets scope["webtmux.principal"] to the Principal of the caller."""

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
        self._watch = RevocationWatch()
        self._refusals, self._tokens = RefusalLog(), SignIns()

    async def __call__(
        self,
        scope: HTTPScope | WebSocketScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        call = Call.of(cast(AsgiScope, scope))
        caller = admitted(cast(AsgiScope, scope), call) or await self.decide(call)
        if isinstance(caller, Refusal):
            await answer(scope, send, caller)
            return
        if moved := await exchange_query_token(call, caller, self._identity.records):
            await answer(scope, send, moved)
            return
        if call.is_open:
            send = _readable_by_all(send)
        if scope["type"] == "http" and caller.kind is CallerKind.PUBLIC:
            receive, send = bounded(scope, receive, send)
        served = self._served(call, caller)
        # A client can send daphne a root path, and Django would route by the rest of the path,
        # after we judged the whole path.
        address = client_address(call, self._policy.proxies)
        own_keys = {PRINCIPAL: caller, CLIENT: address, WATCH: served}
        inner = cast(AnyScope, {**scope, "root_path": "", **own_keys})
        with calling(Caller(caller)):
            if served is not None:
                await served.run(self._application, inner, receive, send)
            else:
                await self._application(inner, receive, send)

    async def admit(self, scope: AsgiScope) -> Admission | Refusal:
        """For a server that calls this before it reads the body."""
        call = Call.of(scope)
        caller = await self.decide(call)
        if isinstance(caller, Refusal):
            return caller
        if not _is_revocable(caller):
            return Admission(call, caller, _never)
        return Admission(call, caller, partial(self._watch.join, *self._credential(call, caller)))

    async def decide(self, call: Call) -> Principal | Refusal:
        """`judge`, with a rate limit for wrong tokens and a log line for every refusal."""
        caller = await self._judge_limited(call)
        if isinstance(caller, Refusal):
            self._refusals.note(call, caller, client_address(call, self._policy.proxies))
        return caller

    async def _judge_limited(self, call: Call) -> Principal | Refusal:
        if not call.tokens:
            return await self.judge(call)
        # A token that was chosen by hand can be guessed: while limited, it is not even compared.
        can_guess = not all(map(self._identity.is_strong, call.tokens))
        if can_guess and (wait := self._tokens.wait(source_of(call))):
            return too_many(wait)
        caller = await self.judge(call)
        if not isinstance(caller, Refusal) or caller.code != "unauthorized":
            return caller
        wait = self._tokens.begin(source_of(call))
        return too_many(wait, reason=caller.message) if wait else caller

    def _served(self, call: Call, caller: Principal) -> RevocableRequest | None:
        caller_name = f"{caller.kind} {caller.name!r}"
        if _is_revocable(caller):
            return RevocableRequest(
                self._watch, caller_name, credential=self._credential(call, caller)
            )
        return RevocableRequest(self._watch, caller_name) if call.is_shared else None

    def _credential(self, call: Call, caller: Principal) -> tuple[Hashable, Check]:
        """All calls with the same credential share one check."""
        headers = (call.headers.get("authorization"), call.headers.get("cookie"))
        key = (caller, headers, frozenset(call.tokens))
        return key, partial(self.still, call, caller)

    async def judge(self, call: Call) -> Principal | Refusal:
        refusal = check_host(self._policy, call) or check_origin(self._policy, call)
        if refusal is not None:
            return refusal
        if call.is_public:
            return await self._admitted(call) if self._differs_by_caller(call) else PUBLIC
        caller = await self._identity.of(call)
        if isinstance(caller, Refusal):
            return sign_in(call, caller) if caller.status == 401 and call.may_sign_in else caller
        return check_scope(call, caller) or caller

    async def _admitted(self, call: Call) -> Principal:
        """The caller of a public route, whose response may contain more for a known caller."""
        if check_origin(self._policy, call, open_to_all=False) is not None:
            return PUBLIC
        caller = await self._identity.of(call)
        if not isinstance(caller, Refusal):
            return caller
        if call.tokens and caller.code == "unauthorized":
            # The answer shows whether a token is right, so it counts as an attempt.
            self._tokens.begin(source_of(call))
        return PUBLIC

    def _differs_by_caller(self, call: Call) -> bool:
        """Of the routes that are open to all, those that answer a known caller differently."""
        if call.path == READY_PATH:
            return True
        return self._policy.has_developer_files and call.is_public_file

    async def still(self, call: Call, caller: Principal) -> bool:
        """Whether this caller would still be admitted."""
        return await self.judge(call) == caller


def _is_revocable(caller: Principal) -> bool:
    return caller.kind not in {CallerKind.PEER, CallerKind.PUBLIC}


def _never(end: Callable[[], None]) -> Callable[[], None]:
    """`Admission.watch` of a caller that cannot be revoked."""
    return lambda: None


def _readable_by_all(send: ASGISendCallable) -> ASGISendCallable:
    async def send_with_header(event: ASGISendEvent) -> None:
        if event["type"] == "http.response.start":
            headers = [*event.get("headers", ()), (b"access-control-allow-origin", b"*")]
            event = {**event, "headers": headers}
        await send(event)

    return send_with_header
