"""Access tokens: create, revoke, find. The gate and the doors check their scope."""

import hmac
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from core.callers import Scope
from core.errors import Invalid
from core.secret_tokens import hash_secret, new_secret
from mcp_gateway.models import AccessToken

PREFIX_LENGTH = 12  # characters of a secret that are stored, to find its row
# Storing the time of every call would turn each read into a write.
LAST_USED_STEP = timedelta(minutes=1)


def create_token(
    *, name: str, scope: Scope = Scope.WRITE, expires_at: datetime | None = None
) -> tuple[AccessToken, str]:
    """The row and its secret, which is not stored and cannot be shown again."""
    if not name.strip():
        raise Invalid("a token needs a name")
    secret = new_secret()
    try:
        with transaction.atomic():
            row = AccessToken.objects.create(
                name=name.strip(),
                prefix=secret[:PREFIX_LENGTH],
                hash=hash_secret(secret),
                scope=scope.value,
                expires_at=expires_at,
            )
    except IntegrityError:
        raise Invalid(
            f"there is already a token named {name.strip()!r}: use another name"
        ) from None
    return row, secret


def revoke_token(*, token: AccessToken) -> AccessToken:
    """The gate closes its connections within seconds. A second call keeps the first time."""
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
    return token


def find_token(*, secret: str) -> AccessToken | None:
    """The usable token with this secret, if there is one. Records that it was used."""
    wanted = hash_secret(secret)
    for row in AccessToken.objects.filter(prefix=secret[:PREFIX_LENGTH]):
        if hmac.compare_digest(row.hash, wanted) and row.is_usable(timezone.now()):
            _record_use(row)
            return row
    return None


def has_usable_token() -> bool:
    now = timezone.now()
    return any(row.is_usable(now) for row in AccessToken.objects.filter(revoked_at=None))


def _record_use(row: AccessToken) -> None:
    now = timezone.now()
    if row.last_used_at is None or now - row.last_used_at >= LAST_USED_STEP:
        row.last_used_at = now
        row.save(update_fields=["last_used_at"])
