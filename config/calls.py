"""What the gate looks at: one request or handshake, read from its ASGI scope. Pure.

Not the decision about it: config/gate.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qs

from django.http import parse_cookie

from config.origins import Host, page_scheme, parse_host
from config.peers import Address

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
# Readable by anybody and from any page; the rest of the public routes only by pages of ours.
OPEN_PATHS = {"/healthz", "/readyz"}
OPEN_FOLDERS = ("/tmux-adapter-web/",)
# Of the page as an app: the same for everybody, and asked for by browsers without credentials.
PUBLIC_PATHS = {"/manifest.webmanifest", "/sw.js", "/offline"}
# Below /shared/ each view asks for the secret of one recording (terminals/recording_views.py).
SHARED_FOLDER = "/shared/"
PUBLIC_FOLDERS = ("/static/", SHARED_FOLDER)
LOGIN_PATH = "/admin/login/"
PROXY_HEADERS = {
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-envoy-external-address",
    "true-client-ip",
    "fastly-client-ip",
}
PROXY_PREFIXES = ("x-forwarded", "cf-")


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
        if self.kind == "http" and self.path == LOGIN_PATH:
            return True
        if self.is_open:
            return True
        return self._reads and (self.path in PUBLIC_PATHS or self._is_under(PUBLIC_FOLDERS))

    @property
    def is_shared(self) -> bool:
        """A public page that asks for a secret of its own."""
        return self._reads and self.path.startswith(SHARED_FOLDER)

    @property
    def is_navigation(self) -> bool:
        """A person who opens a page: nothing can be read from it by another one."""
        return self._reads and self.header("sec-fetch-mode") == "navigate"

    @property
    def wants_page(self) -> bool:
        return self._reads and self.method == "GET" and "text/html" in self.header("accept")

    @property
    def is_proxied(self) -> bool:
        names = {name.replace("_", "-") for name in self.headers}
        return bool(names & PROXY_HEADERS) or any(n.startswith(PROXY_PREFIXES) for n in names)

    @property
    def tokens(self) -> set[str]:
        """Every token that was presented; an empty `?token=` is none."""
        words = [value.split(" ", 1) for value in self.headers.get("authorization", ())]
        bearers = {word[-1].strip() for word in words if word[0].lower() == "bearer"}
        return bearers | set(parse_qs(self.query).get("token", ()))

    def cookie(self, name: str) -> str:
        return parse_cookie("; ".join(self.headers.get("cookie", ()))).get(name, "")

    @property
    def _reads(self) -> bool:
        return not self.acts

    def _is_under(self, folders: tuple[str, ...]) -> bool:
        return self.path.startswith(folders) and ".." not in self.path.split("/")


def _address(value: Any) -> Address | None:
    return (str(value[0]), int(value[1])) if value and value[1] else None
