"""A sign-in link for another device, such as a phone, with its QR code."""

from dataclasses import dataclass
from urllib.parse import urlsplit

import segno

from config.env import Env
from config.gate.origins import WILDCARDS
from config.sign_in import codes
from core.callers import CallerKind, Principal
from core.errors import Invalid, Refused
from core.hosts import is_loopback

MINUTES = 5
LOCAL_ONLY = (
    "webtmux listens on this machine only, so a phone cannot reach it. Use a tunnel such as"
    " `tailscale serve {port}`, add its name to WEBTMUX_ALLOWED_HOSTS, and open this page at that"
    " address. Or start webtmux with --host and an address of your network."
)
NO_NAME = (
    "webtmux does not know under which name a phone can reach this machine. Add its address in your"
    " network to WEBTMUX_ALLOWED_HOSTS and restart webtmux, or open this page at that address."
)
NEEDS_USER = (
    "A token cannot create sign-in codes. Sign in as a user, or open this page on the server."
)


@dataclass(frozen=True, slots=True)
class SignInLink:
    address: str
    minutes: int
    image: str  # a data: address of an SVG


def create_sign_in_link(*, caller: Principal, origin: str, env: Env, port: int) -> SignInLink:
    """For the user who calls. `origin`: the address of the page, as its browser uses it.

    A token gets none: the session of a user has more rights, and outlives the token.
    """
    if caller.kind not in (CallerKind.SESSION, CallerKind.PEER):
        raise Refused(NEEDS_USER)
    address = reachable_address(origin, env, port)
    # The same user of this machine could run `manage.py sign_in_link` just as well.
    user = codes.default_user(caller.name if caller.kind == CallerKind.SESSION else "")
    link = codes.sign_in_address(address, codes.create_code(user=user, minutes=MINUTES))
    return SignInLink(
        link, MINUTES, segno.make(link, micro=False).svg_data_uri(border=4, light="#fff")
    )


def reachable_address(origin: str, env: Env, port: int) -> str:
    """An address for another device. Raises Invalid with what to do if there is none."""
    if _is_elsewhere(urlsplit(origin).hostname):
        return origin
    if env.host not in WILDCARDS and is_loopback(env.host):
        raise Invalid(LOCAL_ONLY.format(port=port))
    address = codes.own_address(env, port)
    if not _is_elsewhere(urlsplit(address).hostname):
        raise Invalid(NO_NAME)
    return address


def _is_elsewhere(host: str | None) -> bool:
    return bool(host) and not is_loopback(host or "")
