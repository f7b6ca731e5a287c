"""Keeps the claims of dedupe.py in memory, so that typing a text does not wait for the database.

For the one server process of an installation with SQLite. A worker stores the claims a moment
later, and a new process begins with those that were stored: a restart forgets nothing. Only a kill
loses the claims of the last STORE_SECONDS. Their texts were typed; a client that repeats one of
them within three seconds of the first attempt, after the new process has started, types it twice.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from core.database import in_db, in_turn
from core.workers import wait_for
from mcp_gateway import dedupe
from mcp_gateway.dedupe import WINDOW
from mcp_gateway.models import RecentSend

log = logging.getLogger(__name__)

STORE_SECONDS = 0.1
IDLE_SECONDS = 60.0
_current: "RecentSends | None" = None


class RecentSends:
    """A service (start, stop) that owns the claims of this process."""

    name = "recent sends"

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._claims: dict[str, float] = {}  # until when, by the monotonic clock; oldest first
        self._stored: set[str] = set()
        self._news, self._stop = asyncio.Event(), asyncio.Event()
        self._storing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Does nothing where several processes may share the database: there it has the claims."""
        global _current
        claims = await in_db(_load)()
        if claims is None:
            return
        now = self._clock()
        self._claims = {digest: now + left for digest, left in claims.items()}
        self._stored = set(claims)
        self._stop.clear()
        self._storing = asyncio.create_task(self._keep_storing(), name=self.name)
        _current = self

    async def stop(self) -> None:
        global _current
        _current = None
        self._stop.set()
        if self._storing is not None:
            await asyncio.wait({self._storing})
            self._storing = None

    def claim(self, digest: str) -> bool:
        now = self._clock()
        self._forget_until(now)
        if digest in self._claims:
            return False
        self._claims[digest] = now + WINDOW.total_seconds()
        self._news.set()
        return True

    def release(self, digest: str) -> None:
        self._claims.pop(digest, None)
        self._news.set()

    def _forget_until(self, now: float) -> None:
        while self._claims and (oldest := next(iter(self._claims.items())))[1] <= now:
            del self._claims[oldest[0]]

    async def _keep_storing(self) -> None:
        while not self._stop.is_set():
            if await wait_for(self._stop, self._news, seconds=IDLE_SECONDS) is self._news:
                await wait_for(self._stop, seconds=STORE_SECONDS)
            await self._store()
        await self._store()

    async def _store(self) -> None:
        self._news.clear()
        now = self._clock()
        self._forget_until(now)
        valid = dict(self._claims)
        new = {key: until - now for key, until in valid.items() if key not in self._stored}
        old = self._stored - valid.keys()
        if not new and not old:
            return
        try:
            await in_turn(_write)(new=new, old=old)
        except DatabaseError:
            # They stay in memory, and the next turn tries again.
            log.exception("could not store the texts that were just sent")
        else:
            self._stored = set(valid)


async def claim(digest: str) -> bool:
    """Whether the caller may send. Of two concurrent callers exactly one gets true."""
    if _current is not None:
        return _current.claim(digest)
    return await in_turn(dedupe.claim)(digest=digest)


async def release(digest: str) -> None:
    """Forget a claim whose text was not sent."""
    if _current is not None:
        _current.release(digest)
    else:
        await in_turn(dedupe.release)(digest=digest)


def _load() -> Mapping[str, float] | None:
    """The claims that are still valid, and for how many seconds; None if they must stay there."""
    if connection.vendor != "sqlite":
        return None
    now = timezone.now()
    rows = RecentSend.objects.filter(sent_at__gt=now - WINDOW).order_by("sent_at")
    return {row.digest: (row.sent_at + WINDOW - now).total_seconds() for row in rows}


def _write(*, new: Mapping[str, float], old: set[str]) -> None:
    now = timezone.now()
    rows = [
        RecentSend(digest=digest, sent_at=now + timedelta(seconds=left) - WINDOW)
        for digest, left in new.items()
    ]
    with transaction.atomic():
        RecentSend.objects.filter(digest__in=old).delete()
        RecentSend.objects.filter(sent_at__lte=now - WINDOW).delete()
        RecentSend.objects.bulk_create(rows, ignore_conflicts=True)
