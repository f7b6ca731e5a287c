"""Rate limits for sign-in: growing pauses by address and by account.

The gate uses it for tokens, config/sign_in/limits.py for the forms; any other way to sign in calls
`begin` before it checks the secret and `succeed` afterwards. The pauses of an account are short and
do not apply to addresses that have signed in to it before, so guessing does not lock the owner out.
"""

import math
from collections import OrderedDict
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from config.gate.client_address import client_address, trusted_networks
from config.gate.peers import peer_socket
from config.gate.refusals import Refusal
from config.gate.request import AsgiScope, Call
from config.server.connection_limits import LOCAL, group
from core.backoff import Attempts, Pauses

BY_ADDRESS = Pauses(free=5, first=1.0, longest=900.0, forget=3600.0)
# All clients behind a local proxy that is not in WEBTMUX_TRUSTED_PROXIES have this address.
BY_LOOPBACK = Pauses(free=10, first=1.0, longest=30.0, forget=900.0)
BY_ACCOUNT = Pauses(free=5, first=1.0, longest=30.0, forget=900.0)
KNOWN_LIMIT = 4096  # pairs of an address and an account that signed in from it


class SignIns:
    def __init__(self) -> None:
        self._addresses, self._loopback = Attempts(BY_ADDRESS), Attempts(BY_LOOPBACK)
        self._accounts = Attempts(BY_ACCOUNT)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def begin(self, source: str, account: str = "") -> float:
        """Seconds to wait. 0: check the secret, and call `succeed` if it was right."""
        if wait := self._of(source).wait(source):
            return wait
        is_known = not account or (source, account) in self._known
        if not is_known and (wait := self._accounts.begin(account)):
            return wait
        return self._of(source).begin(source)

    def wait(self, source: str) -> float:
        return self._of(source).wait(source)

    def succeed(self, source: str, account: str = "") -> None:
        self._of(source).succeed(source)
        if account:
            self._accounts.succeed(account)
            self._known[source, account] = None
            self._known.move_to_end((source, account))
            while len(self._known) > KNOWN_LIMIT:
                self._known.popitem(last=False)

    def _of(self, source: str) -> Attempts:
        return self._loopback if source.startswith(LOCAL) else self._addresses


# The gate counts wrong tokens separately: a program with a revoked token must not prevent its owner
# from signing in.
sign_ins = SignIns()


def source_of(call: Call | AsgiScope) -> str:
    """The key to count attempts by: an IPv4 address, an IPv6 /64, or a user of this machine.

    Other users of this machine are counted separately.
    """
    call = call if isinstance(call, Call) else Call.of(call)
    address = client_address(call, trusted_networks(settings.WEBTMUX.trusted_proxies))
    if (place := group(address)) != LOCAL:
        return place
    if call.client is None or call.server is None:
        return LOCAL
    peer = peer_socket(call.client, call.server)
    return f"{LOCAL} uid {peer.uid if peer is not None else None}"


def retry_after(wait: float) -> int:
    return max(1, math.ceil(wait))


def explain(wait: float) -> str:
    seconds = retry_after(wait)
    allowed_at = timezone.now() + timedelta(seconds=seconds)
    return f"too many failed attempts: try again in {seconds} s, at {allowed_at:%H:%M:%S} UTC"


def too_many(wait: float, *, reason: str = "") -> Refusal:
    seconds = str(retry_after(wait)).encode()
    message = f"{reason}; {explain(wait)}" if reason else explain(wait)
    return Refusal(429, "too_many_attempts", message, ((b"retry-after", seconds),))
