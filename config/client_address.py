"""The address of the client that made a request, behind trusted reverse proxies too. Pure.

Used for limits and logs, never for trust: config/identity.py decides who is calling.
"""

from collections.abc import Iterable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from config.calls import Call
from config.env import SettingError

Network = IPv4Network | IPv6Network
# A caller without an address: it came over a unix socket.
UNIX = "unix"


def trusted_networks(proxies: Iterable[str]) -> tuple[Network, ...]:
    """WEBTMUX_TRUSTED_PROXIES: addresses or networks such as 127.0.0.1 or 10.0.0.0/8."""
    try:
        return tuple(ip_network(text, strict=False) for text in proxies)
    except ValueError as problem:
        raise SettingError(
            f"WEBTMUX_TRUSTED_PROXIES: {problem}: use addresses or networks, such as 127.0.0.1"
        ) from None


def client_address(call: Call | Mapping[str, Any], trusted: Sequence[Network] = ()) -> str:
    """The rightmost address of the chain that is not one of our proxies.

    A proxy appends the address it saw to X-Forwarded-For, so only what stands right of the last
    trusted proxy is known; whatever the client wrote further left is ignored.
    """
    call = call if isinstance(call, Call) else Call.of(call)
    if call.client is None:
        return UNIX
    found = _parsed(call.client[0])
    if found is None:
        return call.client[0]
    chain = [word for line in call.headers.get("x-forwarded-for", ()) for word in line.split(",")]
    while _is_trusted(found, trusted) and chain:
        before = _parsed(chain.pop())
        if before is None:
            break
        found = before
    return str(found)


def _is_trusted(address: IPv4Address | IPv6Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address, with or without a port; IPv4 that is mapped into IPv6 as IPv4."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
