"""Parses hosts and origins as browsers send them, and the rules for which are allowed. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address

from config.env import SettingError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
# Addresses to listen on that are no valid Host: a page can reach 0.0.0.0 as "this machine".
WILDCARDS = {"", "0.0.0.0", "::", "[::]"}  # noqa: S104  # compared with, not listened on
DEFAULT_PORTS = {"http": 80, "https": 443}
PAGE_SCHEMES = {"ws": "http", "wss": "https"}

_AUTHORITY = re.compile(
    r"(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}|\*))?"
)
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<authority>.+)")


@dataclass(frozen=True, slots=True)
class Host:
    """A name with or without a port. In a rule, no port means every port."""

    name: str
    port: int | None = None

    def admits(self, requested: "Host") -> bool:
        return self.name == requested.name and self.port in (None, requested.port)


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, name and port of a page. In a rule, no port means every port."""

    scheme: str
    name: str
    port: int | None

    def admits(self, requested: "Origin") -> bool:
        return (self.scheme, self.name) == (requested.scheme, requested.name) and (
            self.port in (None, requested.port)
        )


def parse_host(text: str, *, scheme: str = "http") -> Host | None:
    """The Host of a request, with the default port of the scheme; None if it is invalid."""
    parts = _split(text)
    if parts is None or parts[1] == "*":
        return None
    name, port = parts
    return Host(name, int(port) if port else DEFAULT_PORTS[page_scheme(scheme)])


def parse_origin(text: str) -> Origin | None:
    """None for `null`, user names, paths and anything else that a browser would not send."""
    match = _ORIGIN.fullmatch(text.lower())
    host = match and parse_host(match["authority"], scheme=match["scheme"])
    return Origin(match["scheme"], host.name, host.port) if match and host else None


def page_scheme(scheme: str) -> str:
    """http or https: the scheme of the page that uses this connection."""
    return PAGE_SCHEMES.get(scheme, scheme)


def host_rules(bind: str, allowed: Iterable[str]) -> tuple[Host, ...]:
    """Loopback with every port, the address that we listen on, and the names of the settings."""
    named = [*LOOPBACK_NAMES, *allowed]
    if bind not in WILDCARDS:
        named.append(f"[{bind}]" if ":" in bind and not bind.startswith("[") else bind)
    return tuple(dict.fromkeys(_host_rule(text) for text in named))


def origin_rules(allowed: Iterable[str]) -> tuple[Origin, ...]:
    return tuple(rule for text in allowed for rule in _origin_rule(text))


def _host_rule(text: str) -> Host:
    parts = _split(text)
    if parts is None:
        raise SettingError(
            f"WEBTMUX_ALLOWED_HOSTS or --allowed-hosts contains {text!r}:"
            " use names or addresses, with or without :port"
        )
    name, port = parts
    return Host(name, int(port) if port.isdigit() else None)


def _origin_rule(text: str) -> list[Origin]:
    """`localhost:*`, `http://localhost:3000`, `https://x.example` or `x.example`."""
    scheme, _, rest = text.lower().rpartition("://")
    parts = _split(rest)
    if parts is None or scheme not in ("", *DEFAULT_PORTS):
        raise SettingError(
            f"WEBTMUX_ALLOWED_ORIGINS or --allowed-origins contains {text!r}:"
            " use https://name, http://name:port, name or name:*"
        )
    name, port = parts
    return [
        Origin(each, name, None if port == "*" else int(port or DEFAULT_PORTS[each]))
        for each in ([scheme] if scheme else DEFAULT_PORTS)
    ]


def _split(text: str) -> tuple[str, str] | None:
    match = _AUTHORITY.fullmatch(text.lower())
    if match is None:
        return None
    name, port = _plain_name(match["name"]), match["port"] or ""
    if name is None or (port.isdigit() and not 0 < int(port) < 65536):
        return None
    return name, port


def _plain_name(name: str) -> str | None:
    """The canonical form of an IPv6 address; other names unchanged."""
    if not name.startswith("["):
        return name
    try:
        return f"[{IPv6Address(name[1:-1]).compressed}]"
    except ValueError:
        return None
