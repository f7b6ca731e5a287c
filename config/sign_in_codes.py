"""One-time codes: made by `serve` and `sign_in_link`, used up by the page at /login.

A code is printed in an address, as Jupyter does, and signs one browser in as a user. It works once
and for a few minutes, because addresses stay in scrollback, histories and logs.
"""

import hashlib
import secrets
from datetime import timedelta
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.utils import timezone

from config.calls import LOGIN_PATH
from config.env import Env
from config.models import SignInCode
from config.origins import WILDCARDS
from terminals.errors import Invalid, NotFound, Refused

# Without 0 and O, 1, I and L: a person may type it on a phone.
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
GROUPS, GROUP_LENGTH = 4, 4  # 79 bits
MAX_LENGTH = 40  # with dashes and blanks; what is longer is a token
MINUTES = 15
# For how long a used or expired code is still recognised as one.
REMEMBERED = timedelta(days=1)

HOW = "`manage.py sign_in_link` where webtmux runs to get a new one."
USED = f"This code was used already: each works once. Run {HOW}"
EXPIRED = f"This code has expired. Run {HOW}"
WRONG = f"There is no such code. Compare it with the one that was printed, or run {HOW}"


def create_code(*, user: User) -> str:
    """The code, which is told here once and can never be read again."""
    now = timezone.now()
    SignInCode.objects.filter(expires_at__lt=now - REMEMBERED).delete()
    groups = ["".join(secrets.choice(LETTERS) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS)]
    code = "-".join(groups)
    SignInCode.objects.create(
        hash=_hash(code), user=user, expires_at=now + timedelta(minutes=MINUTES)
    )
    return code


def use_code(*, code: str) -> User:
    """The user whom it signs in. Of two that use it at once, one gets in."""
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
        who = f"active user {name!r}" if name else "active superuser"
        raise Invalid(f"there is no {who}: make one with `manage.py createsuperuser`")
    return user


def own_address(env: Env, port: int) -> str:
    """Where a browser on this machine reaches us, or by the first name that was configured."""
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
    # Random, and good for minutes: nothing to salt. Looked up by hash, so its time says nothing.
    return hashlib.sha256(_plain(code).encode()).hexdigest()
