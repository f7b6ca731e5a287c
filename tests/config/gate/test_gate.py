"""Who is admitted: the gate compared with an independent oracle, and every route behind it."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.typing import ASGI3Application
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from config import asgi
from config.env import Env
from config.gate.gate import Gate, Policy
from config.gate.identity import Identity
from config.sign_in.attempts import SignIns
from core.callers import PRINCIPAL, CallerKind, Principal, Scope
from tests.config.gate.callers import (
    OUR_UID,
    Direct,
    FakeRecords,
    Outcome,
    knock,
    owned_by,
    scope_of,
)

OTHER_UID = OUR_UID + 1


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix holds hundreds of wrong tokens; their limit is tested in tests/safety."""
    monkeypatch.setattr(SignIns, "begin", lambda self, source, account="": 0.0)


# ---- the tables: the meaning of each row is written down, never computed ----


@dataclass(frozen=True)
class Route:
    kind: str
    method: str
    path: str
    scope: Scope = Scope.READ
    public: bool = False
    open: bool = False
    acts: bool = False
    page: bool = False  # requested by a browser
    ready: bool = False  # open to all; a known caller gets more


ROUTES = (
    Route("http", "GET", "/", page=True),
    Route("http", "GET", "/api/projects"),
    Route("http", "POST", "/api/projects", scope=Scope.WRITE, acts=True),
    Route("http", "DELETE", "/api/projects/1", scope=Scope.WRITE, acts=True),
    Route("http", "GET", "/api/hooks"),
    Route("http", "POST", "/api/hooks/install", scope=Scope.ADMIN, acts=True),
    Route("http", "POST", "/mcp", acts=True),
    Route("http", "POST", "/mcpx", scope=Scope.WRITE, acts=True),
    Route("http", "GET", "/admin/", scope=Scope.ADMIN, page=True),
    Route("http", "POST", "/admin/auth/user/1/", scope=Scope.ADMIN, acts=True),
    Route("http", "GET", "/admin/login/", public=True),
    Route("http", "POST", "/admin/login/", public=True),
    Route("http", "GET", "/static/x.js", public=True),
    Route("http", "GET", "/shared/h4wq8znx2p", public=True),
    Route("http", "POST", "/static/x.js", scope=Scope.WRITE, acts=True),
    Route("http", "GET", "/static/../api/projects"),
    Route("http", "GET", "/sw.js", public=True),
    Route("http", "POST", "/offline", scope=Scope.WRITE, acts=True),
    Route("http", "GET", "/healthz", public=True, open=True),
    Route("http", "HEAD", "/readyz", public=True, open=True, ready=True),
    Route("http", "GET", "/login", public=True),
    Route("http", "POST", "/login", public=True),
    Route("http", "GET", "/connect", page=True),
    Route("http", "GET", "/tmux-adapter-web/x.js", public=True, open=True),
    Route("http", "POST", "/healthz", scope=Scope.WRITE, acts=True),
    Route("http", "GET", "/healthz/x"),
    Route("websocket", "GET", "/ws", acts=True),
    Route("websocket", "GET", "/healthz", acts=True),
    Route("websocket", "GET", "/admin/", scope=Scope.ADMIN, acts=True),
)

# The Host headers of a request, and whether they are ours.
HOSTS: tuple[tuple[tuple[str, ...], bool], ...] = (
    (("127.0.0.1:8080",), True),
    (("LocalHost:9999",), True),
    (("[::1]:8080",), True),
    (("proxy.example",), True),
    (("ported.example:8443",), True),
    (("ported.example:8080",), False),
    (("evil.example",), False),
    (("127.0.0.1.evil.example:8080",), False),
    (("me@127.0.0.1:8080",), False),
    (("127.0.0.1:99999",), False),
    (("0.0.0.0:8080",), False),
    (("127.0.0.1:8080", "127.0.0.1:8080"), False),
    (("127.0.0.1:8080,127.0.0.1:8080",), False),
    (("",), False),
    ((), False),
)
# Those that name the port that we listen on: local trust needs that.
OUR_PORT = (("127.0.0.1:8080",), ("[::1]:8080",))
OURS, LISTED, FOREIGN, NONE = "ours", "listed", "foreign", "none"
# The Origin headers (SELF: of the request's own host), and whose they are.
SELF = "http://{host}"
ORIGINS: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), NONE),
    ((SELF,), OURS),
    (("https://page.example",), LISTED),
    (("http://dev.example:5173",), LISTED),
    (("https://{host}",), FOREIGN),
    (("http://localhost:3000",), FOREIGN),
    (("http://page.example",), FOREIGN),
    (("https://page.example:444",), FOREIGN),
    (("null",), FOREIGN),
    (("http://me@{host}",), FOREIGN),
    (("http://{host}/",), FOREIGN),
    (("http://{host}.evil.example",), FOREIGN),
    (("chrome-extension://abc",), FOREIGN),
    (("",), FOREIGN),
    ((SELF, SELF), FOREIGN),
)


@dataclass(frozen=True)
class Credential:
    headers: tuple[tuple[str, str], ...] = ()
    query: str = ""
    wrong: bool = False
    caller: Principal | None = None


RECORDS = FakeRecords(
    tokens={
        "reads": Principal(CallerKind.TOKEN, "reader", Scope.READ),
        "writes": Principal(CallerKind.TOKEN, "writer", Scope.WRITE),
        "rules": Principal(CallerKind.TOKEN, "ruler", Scope.ADMIN),
    },
    sessions={
        "staff": Principal(CallerKind.SESSION, "staff", Scope.ADMIN),
        "person": Principal(CallerKind.SESSION, "person", Scope.WRITE),
    },
)


def bearer(secret: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),)


def session(key: str) -> tuple[tuple[str, str], ...]:
    return (("cookie", f"other=1; {settings.SESSION_COOKIE_NAME}={key}"),)


CREDENTIALS = (
    Credential(),
    Credential(query="token="),
    Credential(headers=(("authorization", "Basic eDp5"),)),
    Credential(headers=session("stale")),
    Credential(headers=bearer("wrong"), wrong=True),
    Credential(headers=bearer(""), wrong=True),
    Credential(query="token=wrong", wrong=True),
    Credential(query="token=rules&token=writes", wrong=True),
    Credential(headers=bearer("rules"), query="token=wrong", wrong=True),
    Credential(headers=(*bearer("wrong"), *session("staff")), wrong=True),
    Credential(headers=bearer("reads"), caller=RECORDS.tokens["reads"]),
    Credential(query="a=1&token=writes", caller=RECORDS.tokens["writes"]),
    Credential(headers=bearer("rules"), caller=RECORDS.tokens["rules"]),
    Credential(headers=session("staff"), caller=RECORDS.sessions["staff"]),
    Credential(headers=session("person"), caller=RECORDS.sessions["person"]),
)
# The owner of the peer's socket, proxy headers, and whether that is the same user as ours.
PEERS: tuple[tuple[int | None, tuple[tuple[str, str], ...], bool], ...] = (
    (OUR_UID, (), True),
    (OTHER_UID, (), False),
    (None, (), False),
    (OUR_UID, (("x-forwarded-for", "10.0.0.1"),), False),
    (OUR_UID, (("x_real_ip", "10.0.0.1"),), False),
)
WITH_ALL_HOSTS = (CREDENTIALS[0], CREDENTIALS[4], CREDENTIALS[-3])
WITH_WRONG_HOSTS = ((OUR_UID, CREDENTIALS[0]), (OTHER_UID, CREDENTIALS[-3]))
ENV = Env(
    allowed_hosts=("proxy.example", "ported.example:8443"),
    allowed_origins=("https://page.example", "dev.example:*"),
)
PEER = Principal(CallerKind.PEER, "local", Scope.ADMIN)
RANK = {Scope.READ: 0, Scope.WRITE: 1, Scope.ADMIN: 2}


def expected(
    route: Route, host_ok: bool, origin: str, credential: Credential, peer_ok: bool
) -> Outcome:
    """The oracle: DESIGN §6 once more, in the order of its rules."""
    if not host_ok:
        return 421
    if origin == FOREIGN and not route.open:
        return 403
    caller = credential.caller or (PEER if peer_ok and not credential.wrong else None)
    if route.public:
        gets_more = route.ready and origin != FOREIGN and caller
        return caller if gets_more else Principal(CallerKind.PUBLIC, "public", Scope.READ)
    if caller is None:
        signs_in = route.page and not any(name == "authorization" for name, _ in credential.headers)
        signs_in |= route.page and not credential.wrong
        return 302 if signs_in else 401
    if caller.kind == CallerKind.SESSION and route.acts and origin == NONE:
        return 403
    if RANK[caller.scope] < RANK[route.scope]:
        return 403
    return 303 if route.page and "token=" in credential.query[:-1] else caller


def gate_for(env: Env, uid: int | None) -> Gate:
    policy = Policy.of(env)
    identity = Identity(
        policy.auth_token, policy.trusts_peers, RECORDS, owned_by(uid), relays=Direct()
    )
    return Gate(recording_door, policy, identity=identity)


async def recording_door(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "test.inside", "caller": scope[PRINCIPAL], "root": scope["root_path"]})


def request_scope(
    route: Route,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    credential: Credential,
    extra: tuple[tuple[str, str], ...],
) -> dict[str, Any]:
    host = hosts[0] if hosts else "127.0.0.1:8080"
    headers = [
        *(("host", value) for value in hosts),
        *(("origin", value.format(host=host.lower())) for value in origins),
        *credential.headers,
        *extra,
    ]
    if route.page:
        headers.append(("accept", "text/html,*/*;q=0.8"))
    return scope_of(route.kind, route.method, route.path, headers, query=credential.query)


async def test_routes_hosts_origins_tokens_and_peers_have_the_expected_outcome() -> None:
    wrong = []
    for uid, proxy, same_user in PEERS:
        gate = gate_for(ENV, uid)
        for route, (hosts, host_ok), (origins, owner), credential in itertools.product(
            ROUTES, HOSTS, ORIGINS, CREDENTIALS
        ):
            # Not all combinations: they would take 13 s. A wrong host is refused before anything
            # else is read, a known caller needs no peer, and of the right hosts only the first
            # meets every credential.
            if not host_ok and (uid, credential) not in WITH_WRONG_HOSTS:
                continue
            if hosts != HOSTS[0][0] and credential not in WITH_ALL_HOSTS:
                continue
            if credential.caller and uid != OTHER_UID:
                continue
            outcome = await knock(gate, request_scope(route, hosts, origins, credential, proxy))
            direct = same_user and hosts in OUR_PORT
            wanted = expected(route, host_ok, owner, credential, direct)
            if outcome != wanted:
                wrong.append((route, hosts, origins, credential, uid, proxy, outcome, wanted))
    assert wrong[:5] == []


@pytest.mark.parametrize(
    "env",
    [ENV.model_copy(update={"require_token": True}), ENV.model_copy(update={"auth_token": "tok"})],
)
async def test_a_required_token_is_required_from_the_same_user_too(env: Env) -> None:
    gate = gate_for(env, OUR_UID)
    for route, (origins, owner), credential in itertools.product(ROUTES, ORIGINS, CREDENTIALS):
        outcome = await knock(
            gate, request_scope(route, ("localhost:8080",), origins, credential, ())
        )
        assert outcome == expected(route, True, owner, credential, False), (route, credential)


async def test_the_configured_token_has_all_permissions() -> None:
    gate = gate_for(ENV.model_copy(update={"auth_token": "tök"}), OTHER_UID)
    for query in ("token=t%C3%B6k",):
        scope = scope_of("http", "POST", "/admin/x", [("host", "localhost")], query=query)
        assert await knock(gate, scope) == Principal(CallerKind.TOKEN, "auth-token", Scope.ADMIN)
    assert await knock(gate, scope_of("http", "GET", "/", [("host", "localhost")])) == 401


# Sec-Fetch-Site, Sec-Fetch-Mode, and whether a page of another site sends the request (other than
# by opening our page).
FETCHES: tuple[tuple[str, str, bool], ...] = (
    ("same-origin", "cors", False),
    ("none", "navigate", False),
    ("cross-site", "no-cors", True),
    ("same-site", "no-cors", True),
    ("same-site", "websocket", True),
    ("rubbish", "cors", True),
)


@pytest.mark.parametrize(
    "route", ROUTES, ids=lambda route: f"{route.kind} {route.method} {route.path}"
)
async def test_a_foreign_page_is_recognised_by_fetch_metadata_without_an_origin(
    route: Route,
) -> None:
    gate = gate_for(ENV, OUR_UID)
    for site, mode, is_foreign in FETCHES:
        extra = (("sec-fetch-site", site), ("sec-fetch-mode", mode))
        scope = request_scope(route, ("localhost:8080",), (), Credential(), extra)
        wanted = expected(route, True, FOREIGN if is_foreign else NONE, Credential(), True)
        assert await knock(gate, scope) == wanted


async def test_another_site_may_open_our_page_but_not_act_through_it() -> None:
    gate = gate_for(ENV, OUR_UID)
    opened = [
        ("host", "localhost:8080"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    ]
    assert await knock(gate, scope_of("http", "GET", "/", opened)) == PEER
    assert await knock(gate, scope_of("http", "POST", "/api/x", opened)) == 403
    assert await knock(gate, scope_of("websocket", "GET", "/ws", opened)) == 403


async def test_a_root_path_from_the_client_does_not_reach_the_router() -> None:
    """daphne takes it from a header; Django would then serve /api/x for /static/api/x."""
    requests: list[str] = []

    async def door(scope: Any, receive: Any, send: Any) -> None:
        requests.append(scope["root_path"])

    scope = scope_of("http", "GET", "/static/api/projects", [("host", "localhost")])
    await knock(Gate(door, Policy.of(ENV)), {**scope, "root_path": "/static"})
    assert requests == [""]


async def test_refusals_are_short_json_that_is_not_cached() -> None:
    gate = gate_for(ENV, OTHER_UID)
    sent = await knock(gate, scope_of("http", "GET", "/api/x", [("host", "localhost")]), raw=True)
    headers = dict(sent[0]["headers"])
    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"www-authenticate"] == b'Bearer realm="webtmux"'
    assert headers[b"content-type"] == b"application/json"
    assert sent[1]["body"].startswith(b'{"error": {"code": "unauthorized", "message": "')


async def test_only_the_open_routes_are_readable_by_other_pages() -> None:
    async def door(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    for route in ROUTES:
        if route.kind == "websocket":
            continue
        identity = Identity("", True, RECORDS, owned_by(OUR_UID), relays=Direct())
        gate = Gate(door, Policy.of(ENV), identity=identity)
        scope = scope_of("http", route.method, route.path, [("host", "localhost")])
        sent = await knock(gate, scope, raw=True)
        allowed = dict(sent[0]["headers"]).get(b"access-control-allow-origin")
        assert allowed == (b"*" if route.open else None), route


async def test_a_user_is_redirected_to_the_form_and_back_to_the_page() -> None:
    gate = gate_for(ENV, OTHER_UID)
    headers = [("host", "localhost"), ("accept", "text/html")]
    sent = await knock(gate, scope_of("http", "GET", "/w/a b", headers, query="x=1&y=2"), raw=True)
    place = dict(sent[0]["headers"])[b"location"]
    assert (sent[0]["status"], place) == (302, b"/login?next=%2Fw%2Fa%2520b%3Fx%3D1%26y%3D2")


async def test_a_server_without_the_denial_extension_closes_the_socket() -> None:
    gate = gate_for(ENV, OTHER_UID)
    scope = scope_of("websocket", "GET", "/ws", [("host", "localhost")])
    sent = await knock(gate, {**scope, "extensions": {}}, raw=True)
    assert [(event["type"], event["code"]) for event in sent] == [("websocket.close", 4401)]


# ---- every route that exists is behind the gate ----

# What everyone may read. All other routes of the URLconf must identify the caller. The manifest,
# the worker and the offline page contain only names of static files.
SHARED = {"/shared/<str:key>" + part for part in ("", "/detail", "/cast", "/search")}
MAY_BE_PUBLIC = {
    "/healthz",
    "/readyz",
    "/login",
    "/admin/login/",
    "/tmux-adapter-web/<path:name>",
    "/manifest.webmanifest",
    "/sw.js",
    "/offline",
    *SHARED,  # each needs the secret of its recording: tests/terminals/recordings
}


def paths_of(patterns: list[Any], start: str = "/") -> Iterator[str]:
    for pattern in patterns:
        path = start + str(pattern.pattern).lstrip("^").rstrip("$")
        if isinstance(pattern, URLResolver):
            yield from paths_of(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            yield path


async def test_every_route_and_socket_identifies_the_caller() -> None:
    entered: list[str] = []

    async def door(scope: Any, receive: Any, send: Any) -> None:
        entered.append(scope["path"])

    sockets: Mapping[str, ASGI3Application] = dict.fromkeys([*asgi.SOCKETS, "/ws"], door)
    doors: Mapping[str, ASGI3Application] = dict.fromkeys([*asgi.application.doors, "/mcp"], door)
    application = asgi.Application(Env(), services=[], sockets=sockets, doors=doors, http=door)
    stranger = {"client": ("192.0.2.7", 4000), "server": ("192.0.2.1", 8080)}
    walked = [*paths_of(get_resolver().url_patterns), *doors, *(path + "/" for path in doors)]
    assert len(walked) > 10
    for method, path in itertools.product(("GET", "POST", "PUT", "DELETE"), walked):
        scope = scope_of("http", method, path, [("host", "localhost")])
        outcome = await knock(application, {**scope, **stranger})
        assert outcome == 401 or path in MAY_BE_PUBLIC, (method, path, outcome)
    for path in sockets:
        scope = scope_of("websocket", "GET", path, [("host", "localhost")])
        assert await knock(application, {**scope, **stranger}) == 401
    assert set(entered) <= MAY_BE_PUBLIC


def test_our_own_forms_send_their_origin() -> None:
    """Under `no-referrer` browsers send `Origin: null` with a form, and the gate refuses that."""
    assert settings.SECURE_REFERRER_POLICY == "same-origin"
