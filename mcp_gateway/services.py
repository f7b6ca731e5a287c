"""The verbs of access tokens: create, revoke, find.

Not the decision what a token may do: that is its scope, checked by the gate and the doors.
"""

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from mcp_gateway.models import AccessToken
from terminals.access import Scope
from terminals.errors import Invalid

# A word of our own in front, so that a leaked token is recognised and redacted anywhere.
SECRET_START = "wtx_"  # noqa: S105
SECRET_BYTES = 32
PREFIX_LENGTH = 12
# Writing the time of every call would turn each read into a write.
LAST_USED_STEP = timedelta(minutes=1)


def create_token(
    *, name: str, scope: Scope = Scope.WRITE, expires_at: datetime | None = None
) -> tuple[AccessToken, str]:
    """The row and its secret, which is told here once and can never be read again."""
    if not name.strip():
        raise Invalid("a token needs a name")
    secret = SECRET_START + secrets.token_urlsafe(SECRET_BYTES)
    try:
        with transaction.atomic():
            row = AccessToken.objects.create(
                name=name.strip(),
                prefix=secret[:PREFIX_LENGTH],
                hash=_hash(secret),
                scope=scope.value,
                expires_at=expires_at,
            )
    except IntegrityError:
        raise Invalid(
            f"there is already a token named {name.strip()!r}: use another name"
        ) from None
    return row, secret


def revoke_token(*, token: AccessToken) -> AccessToken:
    """Its sockets are closed by the gate within seconds. Revoking twice keeps the first time."""
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
    return token


def find_token(*, secret: str) -> AccessToken | None:
    """The usable token with this secret, if there is one; notes that it was used."""
    wanted = _hash(secret)
    for row in AccessToken.objects.filter(prefix=secret[:PREFIX_LENGTH]):
        if hmac.compare_digest(row.hash, wanted) and row.is_usable(timezone.now()):
            _note_use(row)
            return row
    return None


def has_usable_token() -> bool:
    now = timezone.now()
    return any(row.is_usable(now) for row in AccessToken.objects.filter(revoked_at=None))


def _note_use(row: AccessToken) -> None:
    now = timezone.now()
    if row.last_used_at is None or now - row.last_used_at >= LAST_USED_STEP:
        row.last_used_at = now
        row.save(update_fields=["last_used_at"])


def _hash(secret: str) -> str:
    # 256 random bits need no salt and no slow hash: there is nothing to guess.
    return hashlib.sha256(secret.encode()).hexdigest()
