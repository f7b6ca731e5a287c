"""What the gate looks at: one request or handshake, read from its ASGI scope. Pure.

Not the decision about it: config/gate.py.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from django.http import parse_cookie

from config.origins import Host, page_scheme, parse_host
from config.peers import Address
from terminals.access import UNIX_PEER

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
# Readable by anybody and from any page; the rest of the public routes only by pages of ours.
OPEN_PATHS = {"/healthz", "/readyz"}
OPEN_FOLDERS = ("/tmux-adapter-web/",)
# Of the page as an app: the same for everybody, and asked for by browsers without credentials.
PUBLIC_PATHS = {"/manifest.webmanifest", "/sw.js", "/offline"}
# Below /shared/ each view asks for the secret of one recording (terminals/recording_views.py).
SHARED_FOLDER = "/shared/"
PUBLIC_FOLDERS = ("/static/", SHARED_FOLDER)
ADMIN_LOGIN_PATH = "/admin/login/"
LOGIN_PATH = "/login"
LOGIN_PATHS = {LOGIN_PATH, ADMIN_LOGIN_PATH}
# What a link on another site may open. Nothing else is reached by a navigation from there.
PAGE_PATHS = {"/", LOGIN_PATH, "/connect", "/offline", "/api/docs"}
PAGE_FOLDERS = ("/admin/", "/recordings/")
_SHARED_PAGE = re.compile(r"/shared/[^/]+")
# Headers by which proxies, tunnels and content networks say that they pass on a request.
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
)  # fmt: skip
# Where config/serving.py leaves the names of headers that daphne drops: those with underscores.
DROPPED_HEADERS = "webtmux.dropped_headers"


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
    def of(cls, scope: Mapping[str, Any]) -> "Call":
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
        """The value of a header that stands exactly once, else nothing."""
        values = self.headers.get(name, ())
        return values[0] if len(values) == 1 else ""

    @property
    def host(self) -> Host | None:
        return parse_host(self.header("host"), scheme=self.scheme)

    @property
    def acts(self) -> bool:
        """May change something: an unsafe method, or a socket that will carry requests."""
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
        return self._reads and (self.path in PUBLIC_PATHS or self._is_under(PUBLIC_FOLDERS))

    @property
    def is_shared(self) -> bool:
        """A public page that asks for a secret of its own."""
        return self._reads and self.path.startswith(SHARED_FOLDER)

    @property
    def is_page(self) -> bool:
        """A route that shows a page to a person."""
        return self._reads and (
            self.path in PAGE_PATHS
            or self._is_under(PAGE_FOLDERS)
            or _SHARED_PAGE.fullmatch(self.path) is not None
        )

    @property
    def is_top_level(self) -> bool:
        """A person opens it in a tab of its own: no page can read or frame the answer."""
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
        """A person before a browser, and not a program that presented a wrong token."""
        return self.wants_page and not self.header_tokens and (self.is_page or not self.tokens)

    @property
    def is_browser(self) -> bool:
        """By its own words: every browser calls itself Mozilla."""
        return self.header("user-agent").startswith("Mozilla/")

    @property
    def address(self) -> str:
        """Path and query, without a token."""
        kept = [(name, value) for name, value in parse_qsl(self.query, True) if name != "token"]
        return quote(self.path, safe="/:@+,;=~") + (f"?{urlencode(kept)}" if kept else "")

    @property
    def forwarding_header(self) -> str:
        """A header that only a proxy sends, in whatever spelling; empty: there is none."""
        for name in (*self.headers, *self.dropped_headers):
            plain = name.replace("_", "-")
            if plain in FORWARDING_HEADERS or plain.startswith(FORWARDING_PREFIXES):
                return name
        return ""

    @property
    def is_secure(self) -> bool:
        """Whether the browser speaks TLS, to us or to a proxy.

        Only for the cookie's `Secure`: a client that lies makes its own cookie useless.
        """
        said = (self.header("x-forwarded-proto"), self.scheme)
        return "https" in said or self.header("origin").startswith("https://")

    @property
    def tokens(self) -> set[str]:
        """Every token that was presented; an empty `?token=` is none."""
        return self.header_tokens | self.query_tokens

    @property
    def header_tokens(self) -> set[str]:
        words = [value.split(" ", 1) for value in self.headers.get("authorization", ())]
        return {word[-1].strip() for word in words if word[0].lower() == "bearer"}

    @property
    def query_tokens(self) -> set[str]:
        return set(parse_qs(self.query).get("token", ()))

    def cookie(self, name: str) -> str:
        return parse_cookie("; ".join(self.headers.get("cookie", ()))).get(name, "")

    @property
    def _reads(self) -> bool:
        return not self.acts

    def _is_under(self, folders: tuple[str, ...]) -> bool:
        return self.path.startswith(folders) and ".." not in self.path.split("/")


def _address(value: Any) -> Address | None:
    return (str(value[0]), int(value[1])) if value and value[1] else None
