"""Secret links to one recording each: made, listed, revoked, checked. Read-only, and they expire.

A secret opens what the views of /shared/ show, and nothing else: it is no access token.
"""

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from terminals import recordings
from terminals.attempts import Pauses
from terminals.errors import NotFound
from terminals.models import Recording, RecordingShare

# The word in front is the one that config/logs.py hides wherever it appears.
SECRET_START = "wtx_"  # noqa: S105
SECRET_BYTES = 32
GONE = "this link has expired, was revoked, or never was: ask for a new one"
# For wrong secrets of one address.
PAUSES = Pauses(free=30, first=2.0, longest=60.0, forget=600.0)


def list_shares(*, key: str) -> QuerySet[RecordingShare]:
    """Those that still open something."""
    recording = recordings.get_recording(key=key)
    return recording.shares.filter(expires_at__gt=timezone.now())


def share_recording(*, key: str, hours: float, by: str = "") -> tuple[RecordingShare, str]:
    """The row and its secret, which is told here once and can never be read again."""
    recording = recordings.get_recording(key=key)
    recording.shares.filter(expires_at__lte=timezone.now()).delete()
    secret = SECRET_START + secrets.token_urlsafe(SECRET_BYTES)
    expires = timezone.now() + timedelta(hours=hours)
    row = recording.shares.create(hash=_hash(secret), by=by, expires_at=expires)
    return row, secret


def revoke_share(*, key: str, share: str) -> RecordingShare:
    row = list_shares(key=key).filter(key=share).first()
    if row is None:
        raise NotFound(f"there is no share {share!r} of this recording")
    row.delete()
    return row


def opened(*, key: str, secret: str) -> Recording:
    """The recording that a secret opens; the same words whatever is wrong."""
    wanted, found = _hash(secret), False
    rows = RecordingShare.objects.filter(recording__key=key, expires_at__gt=timezone.now())
    for row in rows:  # all of them: the time says nothing about which one fits
        found |= hmac.compare_digest(row.hash, wanted)
    if not found:
        raise NotFound(GONE)
    return recordings.get_recording(key=key)


def is_open(*, key: str, secret: str) -> bool:
    try:
        return bool(opened(key=key, secret=secret))
    except NotFound:
        return False


def _hash(secret: str) -> str:
    # 256 random bits need no salt and no slow hash: there is nothing to guess.
    return hashlib.sha256(secret.encode()).hexdigest()
