"""What is kept for how long and how it is removed: rows of each kind in TABLE, and logs of panes.

Not a schedule: `manage.py prune` runs it. An app whose rows should go gets an entry in TABLE.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from agents.models import ChatRecord
from config.env import Env
from mcp_gateway import audit
from terminals import recordings
from terminals.log_care import prune_logs
from terminals.models import Attachment, Recording

PIECE = 2000  # rows in one transaction: others write in between
MEGABYTE = 1_000_000
LOGS = "segments of pane logs"

Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of row: which of them are too old, or too many."""

    name: str
    doomed: Callable[[Env, datetime], Rows]
    remove: Callable[[Rows], object] = lambda rows: rows.delete()


@dataclass(frozen=True, slots=True)
class Progress:
    name: str
    removed: int
    of: int


def prune(env: Env, *, dry_run: bool = False) -> Iterator[Progress]:
    """Removes piece by piece, and tells how far it is."""
    for kept in TABLE:
        rows = kept.doomed(env, timezone.now())
        total, removed = rows.count(), 0
        yield Progress(kept.name, 0, total)
        while not dry_run and (piece := list(rows.values_list("pk", flat=True)[:PIECE])):
            kept.remove(rows.model._default_manager.filter(pk__in=piece))
            removed += len(piece)
            yield Progress(kept.name, removed, max(total, removed))
    doomed = prune_logs(env, dry_run=True)
    yield Progress(LOGS, 0, doomed)
    if doomed and not dry_run:
        removed = prune_logs(env)
        yield Progress(LOGS, removed, max(doomed, removed))


def _chat(env: Env, now: datetime) -> Rows:
    """Rows are numbered in the order they were written: all up to one of them are to go."""
    last = max(_last_old(env, now), _last_too_much(env))
    return ChatRecord.objects.filter(pk__lte=last).order_by("pk")


def _last_old(env: Env, now: datetime) -> int:
    if not env.keep_chat_days:
        return 0
    before = int((now - timedelta(days=env.keep_chat_days)).timestamp() * 1000)
    old = ChatRecord.objects.filter(ts__lt=before).order_by("-ts")
    return old.values_list("pk", flat=True).first() or 0


def _last_too_much(env: Env) -> int:
    """From the newest back until the limit is reached."""
    left = env.keep_chat_mb * MEGABYTE
    if not left:
        return 0
    sizes = ChatRecord.objects.order_by("-pk").values_list("pk", Length("text"))
    for pk, size in sizes.iterator(chunk_size=PIECE):
        left -= size
        if left < 0:
            return int(pk)
    return 0


def _attachments(env: Env, now: datetime) -> Rows:
    """As long as what was said about them."""
    if not env.keep_chat_days:
        return Attachment.objects.none()
    before = now - timedelta(days=env.keep_chat_days)
    return Attachment.objects.filter(at__lt=before).order_by("pk")


def _calls(env: Env, now: datetime) -> Rows:
    """The worker that writes them removes them too; this is for a server that does not run."""
    return audit.outdated()


def _recordings(env: Env, now: datetime) -> Rows:
    """The old, and of the rest the oldest that are too much. One that runs stays."""
    rows = Recording.objects.exclude(state=Recording.State.RECORDING).order_by("pk")
    before = now - timedelta(days=env.keep_recordings_days)
    left = env.recordings_max_mb * MEGABYTE
    last = 0
    if left:
        for pk, size in rows.order_by("-pk").values_list("pk", "size"):
            left -= size
            if left < 0:
                last = pk
                break
    old = Q(ended_at__lt=before) if env.keep_recordings_days else Q(pk__in=())
    return rows.filter(old | Q(pk__lte=last))


def _remove_recordings(rows: Rows) -> None:
    """With their files."""
    for row in rows:
        recordings.remove(key=row.key)


TABLE: tuple[Kept, ...] = (
    Kept("chat records", _chat),
    Kept("attachments", _attachments),
    Kept("audit rows", _calls),
    Kept("recordings", _recordings, _remove_recordings),
)
