"""The parts of a request or handshake that the gate examines, read from its ASGI scope. Pure.

config/gate/gate.py decides.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from config.gate.origins import Host, page_scheme, parse_host
from core.callers import UNIX_PEER

Address = tuple[str, int]  # host and port
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
# Readable by everyone and from any page; the other public routes only from our own pages.
OPEN_PATHS = {"/healthz", "/readyz"}
OPEN_FOLDERS = ("/tmux-adapter-web/",)
# For installing the page as an app: browsers request these without credentials.
PUBLIC_PATHS = {"/manifest.webmanifest", "/sw.js", "/offline"}
# Below /shared/ each view requires the secret of a recording (terminals/recordings/views.py).
SHARED_FOLDER = "/shared/"
PUBLIC_FOLDERS = ("/static/", SHARED_FOLDER)
ADMIN_LOGIN_PATH = "/admin/login/"
LOGIN_PATH = "/login"
LOGIN_PATHS = {LOGIN_PATH, ADMIN_LOGIN_PATH}
# Links on other sites may open these, and nothing else.
PAGE_PATHS = {"/", LOGIN_PATH, "/connect", "/offline", "/api/docs"}
PAGE_FOLDERS = ("/admin/", "/recordings/")
_SHARED_PAGE = re.compile(r"/shared/[^/]+")
# Headers that proxies, tunnels and content delivery networks add to forwarded requests.
FORWARDING_HEADERS = {
    "forwarded",
    "via",
    "client-ip",
    "true-client-ip",
    "incap-client-ip",
    "max-forwards",
    "remote-addr",
    "remote-user",
    "x-arr-log-id",
    "x-arr-ssl",
    "x-client-ip",
    "x-cloud-trace-context",
    "x-cluster-client-ip",
    "x-coming-from",
    "x-host",
    "x-originating-ip",
    "x-remote-ip",
    "x-remote-addr",
    "x-remote-user",
    "x-request-start",
    "x-scheme",
    "x-ssl",
    "x-url-scheme",
    "x-varnish",
}
FORWARDING_PREFIXES = (
    "akamai-", "cdn-", "cf-", "cloudfront-", "fastly-", "fly-", "forwarded-", "ngrok-", "proxy-",
    "tailscale-", "x-akamai-", "x-amz-cf-", "x-amzn-", "x-appengine-", "x-azure-", "x-bluecoat-",
    "x-cdn", "x-envoy-", "x-fd-", "x-fastly", "x-forward", "x-goog-iap-", "x-heroku-", "x-nf-",
    "x-nginx-", "x-ngrok-", "x-original-", "x-proxied", "x-proxy", "x-railway-", "x-real-",
    "x-render-", "x-squid-", "x-sucuri-", "x-traefik-", "x-tunnel", "x-vercel-",
)  # fmt: skip  # a list of words
# The key in the scope under which config/server/serving.py stores the names of headers that
# daphne drops: those with underscores.
DROPPED_HEADERS = "webtmux.dropped_headers"
AsgiScope = Mapping[str, Any]  # also has our own keys, which asgiref's types do not allow
AsgiEvent = Mapping[str, Any]  # of more kinds than asgiref has types for
AsgiAny = Any  # a part of ASGI that is passed on: asgiref, Django and daphne type it differently


@dataclass(frozen=True, slots=True)
class Call:
    kind: Literal["http", "websocket"]
    method: str
    scheme: str
    path: str
    query: str
    headers: Mapping[str, tuple[str, ...]]
    client: Address | None
    server: Address | None
    http_version: str = "1.1"
    dropped_headers: tuple[str, ...] = ()
    unix_peer: tuple[int, int] | None = None  # pid and uid of a caller on our unix socket

    @classmethod
    def of(cls, scope: AsgiScope) -> "Call":
        headers: dict[str, tuple[str, ...]] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            headers[key] = (*headers.get(key, ()), value.decode("latin-1"))
        return cls(
            kind=scope["type"],
            method=scope.get("method", "GET"),
            scheme=page_scheme(scope.get("scheme") or "http"),
            path=scope["path"],
            query=scope.get("query_string", b"").decode("latin-1"),
            headers=headers,
            client=_address(scope.get("client")),
            server=_address(scope.get("server")),
            http_version=scope.get("http_version") or "1.1",
            dropped_headers=tuple(scope.get(DROPPED_HEADERS, ())),
            unix_peer=scope.get(UNIX_PEER),
        )

    def header(self, name: str) -> str:
        """The value of a header that occurs exactly once, else an empty string."""
        values = self.headers.get(name, ())
        return values[0] if len(values) == 1 else ""

    @property
    def host(self) -> Host | None:
        return parse_host(self.header("host"), scheme=self.scheme)

    @property
    def acts(self) -> bool:
        """Whether it may change something: an unsafe method, or a socket."""
        return self.kind == "websocket" or self.method not in SAFE_METHODS

    @property
    def is_open(self) -> bool:
        return self._reads and (self.path in OPEN_PATHS or self._is_under(OPEN_FOLDERS))

    @property
    def is_public(self) -> bool:
        if self.kind == "http" and self.path in LOGIN_PATHS:
            return True
        if self.is_open:
            return True
        return self.is_public_file

    @property
    def is_public_file(self) -> bool:
        """Public, and neither the document's nor for signing in."""
        return self._reads and (self.path in PUBLIC_PATHS or self._is_under(PUBLIC_FOLDERS))

    @property
    def is_shared(self) -> bool:
        """A public page that requires a secret itself."""
        return self._reads and self.path.startswith(SHARED_FOLDER)

    @property
    def is_page(self) -> bool:
        """A route that shows a page."""
        return self._reads and (
            self.path in PAGE_PATHS
            or self._is_under(PAGE_FOLDERS)
            or _SHARED_PAGE.fullmatch(self.path) is not None
        )

    @property
    def is_top_level(self) -> bool:
        """A navigation of a whole tab: no other page can read or frame the response."""
        return (
            self.method == "GET"
            and self.header("sec-fetch-mode") == "navigate"
            and self.header("sec-fetch-dest") == "document"
        )

    @property
    def wants_page(self) -> bool:
        return self._reads and self.method == "GET" and "text/html" in self.header("accept")

    @property
    def may_sign_in(self) -> bool:
        """A user with a browser, and not a program that sent a wrong token."""
        return self.wants_page and not self.header_tokens and (self.is_page or not self.tokens)

    @property
    def is_browser(self) -> bool:
        """By its user agent: every browser calls itself Mozilla."""
        return self.header("user-agent").startswith("Mozilla/")

    @property
    def address(self) -> str:
        """Path and query, without a token."""
        kept = [(name, value) for name, value in parse_qsl(self.query, True) if name != "token"]
        return quote(self.path, safe="/:@+,;=~") + (f"?{urlencode(kept)}" if kept else "")

    @property
    def forwarding_header(self) -> str:
        """The name of a header that only proxies send, with - or _; empty if there is none."""
        for name in (*self.headers, *self.dropped_headers):
            plain = name.replace("_", "-")
            if plain in FORWARDING_HEADERS or plain.startswith(FORWARDING_PREFIXES):
                return name
        return ""

    @property
    def is_secure(self) -> bool:
        """Whether the browser uses TLS, to us or to a proxy.

        Only for `Secure` of the cookie: a client that lies makes only its own cookie useless.
        """
        schemes = (self.header("x-forwarded-proto"), self.scheme)
        return "https" in schemes or self.header("origin").startswith("https://")

    @property
    def tokens(self) -> set[str]:
        """All tokens in the request; an empty `?token=` is none."""
        return self.header_tokens | self.query_tokens

    @property
    def header_tokens(self) -> set[str]:
        words = [value.split(" ", 1) for value in self.headers.get("authorization", ())]
        return {word[-1].strip() for word in words if word[0].lower() == "bearer"}

    @property
    def query_tokens(self) -> set[str]:
        return set(parse_qs(self.query).get("token", ()))

    @property
    def _reads(self) -> bool:
        return not self.acts

    def _is_under(self, folders: tuple[str, ...]) -> bool:
        return self.path.startswith(folders) and ".." not in self.path.split("/")


def _address(value: Sequence[str | int] | None) -> Address | None:
    return (str(value[0]), int(value[1])) if value and value[1] else None
