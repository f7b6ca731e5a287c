"""Limits the number of open connections, in total and by address. Pure.

Counted by the peer of the TCP connection. All clients behind a proxy have the proxy's address, so
loopback, where proxies run, is limited by the total only.
"""

import logging
import resource
import time
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from config.env import Env

logger = logging.getLogger(__name__)

LOCAL = "local"
# Files that the server needs besides connections: tmux, the database, logs, recordings.
OTHER_FILES = 128
LOG_SECONDS = 60.0


class Places:
    def __init__(
        self, *, total: int, per_address: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """0: no limit."""
        self._total, self._per_address, self._clock = total, per_address, clock
        self._open: Counter[str] = Counter()
        self._refused, self._logged_at = 0, -LOG_SECONDS

    @classmethod
    def of(cls, env: Env) -> "Places":
        total, (files, _) = env.max_connections, resource.getrlimit(resource.RLIMIT_NOFILE)
        if total and files != resource.RLIM_INFINITY:
            total = max(min(total, files - OTHER_FILES), 1)
        return cls(total=total, per_address=env.max_connections_per_address)

    def enter(self, host: str) -> str | None:
        """The place, for `leave`; None: there is no room."""
        place = group(host)
        if self._is_full(place):
            self._note_refusal(host)
            return None
        self._open[place] += 1
        return place

    def leave(self, place: str) -> None:
        self._open[place] -= 1
        if self._open[place] <= 0:
            del self._open[place]

    def _is_full(self, place: str) -> bool:
        if self._total and self._open.total() >= self._total:
            return True
        return place != LOCAL and 0 < self._per_address <= self._open[place]

    def _note_refusal(self, host: str) -> None:
        self._refused += 1
        if (now := self._clock()) - self._logged_at >= LOG_SECONDS:
            logger.warning(
                "refused %d connections, the last from %s: %d are open; see"
                " WEBTMUX_MAX_CONNECTIONS and WEBTMUX_MAX_CONNECTIONS_PER_ADDRESS",
                self._refused,
                host,
                self._open.total(),
            )
            self._refused, self._logged_at = 0, now


def group(host: str) -> str:
    """An IPv4 address, the /64 of an IPv6 address, or `local` for loopback and unix sockets."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return LOCAL
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return LOCAL
    return str(address) if address.version == 4 else str(ip_network((address, 64), strict=False))
