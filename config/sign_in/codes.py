"""One-time sign-in codes: created by `serve` and `sign_in_link`, used by the page at /login.

A code is printed as part of an address, as Jupyter does, and signs one browser in as a user. It
works once and for a few minutes, because addresses stay in scrollback, histories and logs.
"""

import hashlib
import secrets
from datetime import timedelta
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.utils import timezone

from config.env import Env
from config.gate.origins import WILDCARDS
from config.gate.request import LOGIN_PATH
from config.models import SignInCode
from core.errors import Invalid, NotFound, Refused

# Without 0 and O, 1, I and L: the code may be typed on a phone.
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
GROUPS, GROUP_LENGTH = 4, 4  # 79 bits
MAX_LENGTH = 40  # with dashes and blanks; anything longer is a token
MINUTES = 15
# How long a used or expired code is still recognised, for a clear message.
REMEMBERED = timedelta(days=1)

HOW = "`manage.py sign_in_link` on the machine that runs webtmux to get a new one."
USED = f"This code was already used. Each code works once. Run {HOW}"
EXPIRED = f"This code has expired. Run {HOW}"
WRONG = f"This code is not known. Compare it with the printed one, or run {HOW}"


def create_code(*, user: User, minutes: int = MINUTES) -> str:
    """Create a code. It is returned once and cannot be read again."""
    now = timezone.now()
    SignInCode.objects.filter(expires_at__lt=now - REMEMBERED).delete()
    groups = ["".join(secrets.choice(LETTERS) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS)]
    code = "-".join(groups)
    SignInCode.objects.create(
        hash=_hash(code), user=user, expires_at=now + timedelta(minutes=minutes)
    )
    return code


def use_code(*, code: str) -> User:
    """Returns the user to sign in. If two browsers use a code at once, one succeeds."""
    now = timezone.now()
    row = SignInCode.objects.select_related("user").filter(hash=_hash(code)).first()
    if row is None:
        raise NotFound(WRONG)
    if row.used_at is not None:
        raise Refused(USED)
    if row.expires_at <= now:
        raise Refused(EXPIRED)
    if not SignInCode.objects.filter(pk=row.pk, used_at=None).update(used_at=now):
        raise Refused(USED)
    if not row.user.is_active:
        raise Refused(
            f"The account {row.user} is not active. Activate it in the admin, or run {HOW}"
        )
    return row.user


def default_user(name: str = "") -> User:
    """The named user, or the first active superuser: the one of the first start."""
    users = User.objects.filter(is_active=True)
    users = users.filter(username=name) if name else users.filter(is_superuser=True)
    if (user := users.order_by("pk").first()) is None:
        wanted_user = f"active user {name!r}" if name else "active superuser"
        raise Invalid(f"there is no {wanted_user}: create one with `manage.py createsuperuser`")
    return user


def own_address(env: Env, port: int) -> str:
    """The address for a browser on this machine, or with the first configured host name."""
    host = env.host
    if host in WILDCARDS:
        host = env.allowed_hosts[0] if env.allowed_hosts else "127.0.0.1"
    host = f"[{host}]" if ":" in host and host.count(":") > 1 and not host.startswith("[") else host
    return f"http://{host}" if ":" in host.rpartition("]")[2] else f"http://{host}:{port}"


def sign_in_address(address: str, code: str) -> str:
    return f"{address.removesuffix('/')}{LOGIN_PATH}?{urlencode({'code': code})}"


def _plain(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter.isalnum())


def _hash(code: str) -> str:
    # No salt: codes are random and short-lived. Looked up by hash, so timing reveals nothing.
    return hashlib.sha256(_plain(code).encode()).hexdigest()
