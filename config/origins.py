"""Hosts and origins as browsers write them, and which of them are ours. Pure.

Not about who is calling: that is config/identity.py.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address

from config.env import SettingError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
# Addresses one may listen on but nobody should ask for: a page can reach 0.0.0.0 as "this machine".
WILDCARDS = {"", "0.0.0.0", "::", "[::]"}  # noqa: S104
DEFAULT_PORTS = {"http": 80, "https": 443}
PAGE_SCHEMES = {"ws": "http", "wss": "https"}

_AUTHORITY = re.compile(
    r"(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}|\*))?"
)
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<authority>.+)")


@dataclass(frozen=True, slots=True)
class Host:
    """A name with or without a port. As a rule, no port means every port."""

    name: str
    port: int | None = None

    def admits(self, other: "Host") -> bool:
        return self.name == other.name and self.port in (None, other.port)


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, name and port of a page. As a rule, no port means every port."""

    scheme: str
    name: str
    port: int | None

    def admits(self, other: "Origin") -> bool:
        return (self.scheme, self.name) == (other.scheme, other.name) and (
            self.port in (None, other.port)
        )


def parse_host(text: str, *, scheme: str = "http") -> Host | None:
    """The Host of a request, its port filled in from the scheme; None for anything odd."""
    found = _split(text)
    if found is None or found[1] == "*":
        return None
    return Host(found[0], int(found[1]) if found[1] else DEFAULT_PORTS[page_scheme(scheme)])


def parse_origin(text: str) -> Origin | None:
    """None for `null`, user names, paths and whatever a browser would not send."""
    match = _ORIGIN.fullmatch(text.lower())
    host = match and parse_host(match["authority"], scheme=match["scheme"])
    return Origin(match["scheme"], host.name, host.port) if match and host else None


def page_scheme(scheme: str) -> str:
    """http or https: what the page of this connection was loaded by."""
    return PAGE_SCHEMES.get(scheme, scheme)


def host_rules(bind: str, allowed: Iterable[str]) -> tuple[Host, ...]:
    """Loopback under every port, the address that we listen on, and what the settings name."""
    named = [*LOOPBACK_NAMES, *allowed]
    if bind not in WILDCARDS:
        named.append(f"[{bind}]" if ":" in bind and not bind.startswith("[") else bind)
    return tuple(dict.fromkeys(_host_rule(text) for text in named))


def origin_rules(allowed: Iterable[str]) -> tuple[Origin, ...]:
    return tuple(rule for text in allowed for rule in _origin_rule(text))


def _host_rule(text: str) -> Host:
    found = _split(text)
    if found is None:
        raise SettingError(f"allowed host {text!r}: use a name or address, with :port or without")
    return Host(found[0], int(found[1]) if found[1].isdigit() else None)


def _origin_rule(text: str) -> list[Origin]:
    """`localhost:*`, `http://localhost:3000`, `https://x.example` or `x.example`."""
    scheme, _, rest = text.lower().rpartition("://")
    found = _split(rest)
    if found is None or scheme not in ("", *DEFAULT_PORTS):
        raise SettingError(
            f"allowed origin {text!r}: use https://name, http://name:port, name or name:*"
        )
    name, port = found
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
    """An IPv6 address in its one short spelling; other names as they are."""
    if not name.startswith("["):
        return name
    try:
        return f"[{IPv6Address(name[1:-1]).compressed}]"
    except ValueError:
        return None
