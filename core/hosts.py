"""Host names of this machine. Pure."""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether a name or address can be reached from this machine only."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
