"""Limits of sign-in: by address and by account, with growing pauses.

The gate asks for tokens, config/signing_in.py for the form; any other way to sign in calls `begin`
before it looks at the secret and `succeed` afterwards. The pauses of an account are short, and do
not hold for addresses that have signed in to it before: guessing does not lock the owner out.
"""

import math
from collections import OrderedDict
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from config.calls import Call
from config.client_address import client_address, trusted_networks
from config.peers import peer_socket
from config.places import LOCAL, group
from config.refusals import Refusal
from terminals.attempts import Attempts, Pauses

BY_ADDRESS = Pauses(free=5, first=1.0, longest=900.0, forget=3600.0)
# Everybody behind a local proxy that is not in WEBTMUX_TRUSTED_PROXIES has this address.
BY_LOOPBACK = Pauses(free=10, first=1.0, longest=30.0, forget=900.0)
BY_ACCOUNT = Pauses(free=5, first=1.0, longest=30.0, forget=900.0)
KNOWN_LIMIT = 4096  # pairs of an address and an account that has signed in from it


class SignIns:
    def __init__(self) -> None:
        self._addresses, self._loopback = Attempts(BY_ADDRESS), Attempts(BY_LOOPBACK)
        self._accounts = Attempts(BY_ACCOUNT)
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def begin(self, source: str, account: str = "") -> float:
        """Seconds to wait; 0: go on, and call `succeed` if it was right."""
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


# Wrong tokens are counted apart, by the gate: a program with a revoked token must not keep its
# owner from signing in.
sign_ins = SignIns()


def source_of(call: Call | Mapping[str, Any]) -> str:
    """Whom the attempts are counted for: an IPv4 address, an IPv6 /64, or a user of this machine.

    Another user of this machine does not use up the attempts of ours.
    """
    call = call if isinstance(call, Call) else Call.of(call)
    address = client_address(call, trusted_networks(settings.WEBTMUX.trusted_proxies))
    if (place := group(address)) != LOCAL:
        return place
    if call.client is None or call.server is None:
        return LOCAL
    found = peer_socket(call.client, call.server)
    return f"{LOCAL} uid {found.uid if found is not None else None}"


def retry_after(wait: float) -> int:
    return max(1, math.ceil(wait))


def explain(wait: float) -> str:
    seconds = retry_after(wait)
    at = timezone.now() + timedelta(seconds=seconds)
    return f"too many failed attempts: try again in {seconds} s, at {at:%H:%M:%S} UTC"


def too_many(wait: float, *, why: str = "") -> Refusal:
    seconds = str(retry_after(wait)).encode()
    message = f"{why}; {explain(wait)}" if why else explain(wait)
    return Refusal(429, "too_many_attempts", message, ((b"retry-after", seconds),))
