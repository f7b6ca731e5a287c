"""The address of the client that sent a request, also behind trusted reverse proxies. Pure.

Used for limits and logs, never for trust: config/gate/identity.py decides who is calling.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from config.env import SettingError
from config.gate.request import AsgiScope, Call

Network = IPv4Network | IPv6Network
# A caller on a unix socket has no address.
UNIX = "unix"


def trusted_networks(proxies: Iterable[str]) -> tuple[Network, ...]:
    """WEBTMUX_TRUSTED_PROXIES: addresses or networks such as 127.0.0.1 or 10.0.0.0/8."""
    try:
        return tuple(ip_network(text, strict=False) for text in proxies)
    except ValueError as error:
        raise SettingError(
            f"WEBTMUX_TRUSTED_PROXIES: {error}: use addresses or networks, such as 127.0.0.1"
        ) from None


def client_address(call: Call | AsgiScope, trusted: Sequence[Network] = ()) -> str:
    """The rightmost address of the chain that is not one of our proxies.

    A proxy appends the address of its client to X-Forwarded-For, so only what is to the right of
    the last trusted proxy is reliable; what the client itself wrote further left is ignored.
    """
    call = call if isinstance(call, Call) else Call.of(call)
    if call.client is None:
        return UNIX
    address = _parsed(call.client[0])
    if address is None:
        return call.client[0]
    chain = [word for line in call.headers.get("x-forwarded-for", ()) for word in line.split(",")]
    while _is_trusted(address, trusted) and chain:
        previous = _parsed(chain.pop())
        if previous is None:
            break
        address = previous
    return str(address)


def _is_trusted(address: IPv4Address | IPv6Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address with or without a port. IPv4 mapped into IPv6 becomes IPv4."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
