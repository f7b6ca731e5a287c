"""Suppresses the same text sent to the same window twice within three seconds.

The database holds a keyed hash, never the text, so that this works across processes and restarts.
recent_sends.py keeps the claims in memory where only one process has them.
"""

from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from mcp_gateway.models import RecentSend

WINDOW = timedelta(seconds=3)
IGNORED: Final = "duplicate_ignored"


def digest(*, server_run: str, window: str, text: str, submit: bool) -> str:
    message = "\0".join((server_run, window, str(submit), text))
    return salted_hmac("mcp_gateway.dedupe", message, algorithm="sha256").hexdigest()


def claim(*, digest: str) -> bool:
    """Whether the caller may send. Of two concurrent callers exactly one gets true."""
    now = timezone.now()
    try:
        with transaction.atomic():
            RecentSend.objects.filter(sent_at__lte=now - WINDOW).delete()
            RecentSend.objects.create(digest=digest, sent_at=now)
    except IntegrityError:
        return False
    return True


def release(*, digest: str) -> None:
    """Forget a claim whose text was not sent."""
    RecentSend.objects.filter(digest=digest).delete()
