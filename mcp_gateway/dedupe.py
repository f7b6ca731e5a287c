"""The same text to the same window twice within moments is once, in every process alike.

Kept in the database, so that it also holds across a restart. Never the text: a keyed hash.
"""

from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from mcp_gateway.models import RecentSend

WINDOW = timedelta(seconds=3)
IGNORED: Final = "duplicate_ignored"


def digest(*, life: str, window: str, text: str, submit: bool) -> str:
    said = "\0".join((life, window, str(submit), text))
    return salted_hmac("mcp_gateway.dedupe", said, algorithm="sha256").hexdigest()


def claim(*, digest: str) -> bool:
    """Whether it is the caller's turn to send; of two at once, one is told so."""
    now = timezone.now()
    try:
        with transaction.atomic():
            RecentSend.objects.filter(sent_at__lte=now - WINDOW).delete()
            RecentSend.objects.create(digest=digest, sent_at=now)
    except IntegrityError:
        return False
    return True


def release(*, digest: str) -> None:
    """It was not sent after all."""
    RecentSend.objects.filter(digest=digest).delete()
