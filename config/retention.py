"""How long data is kept, and how it is removed: the kinds of rows in TABLE, and logs of panes.

`manage.py prune` runs it; there is no schedule. A new kind of rows gets an entry in TABLE.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from agents.models import ChatMessage, ChatRecord
from config.env import Env
from mcp_gateway.audit import recorder
from terminals.logs.worker import prune_logs
from terminals.models import Attachment, Recording, RecordingState
from terminals.recordings import services as recordings

PIECE = 2000  # rows per transaction, so that others can write in between
MEGABYTE = 1_000_000
LOGS = "segments of pane logs"

Rows = QuerySet[Any]  # of different models; QuerySet is invariant


@dataclass(frozen=True, slots=True)
class Kept:
    """One kind of rows: which are too old or too many, and how to remove them."""

    name: str
    expired: Callable[[Env, datetime], Rows]
    remove: Callable[[Rows], object] = lambda rows: rows.delete()


@dataclass(frozen=True, slots=True)
class PruneProgress:
    name: str
    removed: int
    of: int


def prune(env: Env, *, dry_run: bool = False) -> Iterator[PruneProgress]:
    """Remove rows piece by piece, yielding the progress."""
    for kept in TABLE:
        rows = kept.expired(env, timezone.now())
        total, removed = rows.count(), 0
        yield PruneProgress(kept.name, 0, total)
        while not dry_run and (piece := list(rows.values_list("pk", flat=True)[:PIECE])):
            kept.remove(rows.model._default_manager.filter(pk__in=piece))
            removed += len(piece)
            yield PruneProgress(kept.name, removed, max(total, removed))
    expired = prune_logs(env, dry_run=True)
    yield PruneProgress(LOGS, 0, expired)
    if expired and not dry_run:
        removed = prune_logs(env)
        yield PruneProgress(LOGS, removed, max(expired, removed))


def _chat(env: Env, now: datetime) -> Rows:
    """Rows are numbered in the order of writing: all up to a certain one are removed."""
    last = max(_last_old(env, now), _last_too_much(env))
    return ChatRecord.objects.filter(pk__lte=last).order_by("pk")


def _messages(env: Env, now: datetime) -> Rows:
    """Messages of journals are kept as long as the chat."""
    if not env.keep_chat_days:
        return ChatMessage.objects.none()
    before = int((now - timedelta(days=env.keep_chat_days)).timestamp() * 1000)
    return ChatMessage.objects.filter(ts__lt=before).order_by("pk")


def _last_old(env: Env, now: datetime) -> int:
    if not env.keep_chat_days:
        return 0
    before = int((now - timedelta(days=env.keep_chat_days)).timestamp() * 1000)
    old = ChatRecord.objects.filter(ts__lt=before).order_by("-ts")
    return old.values_list("pk", flat=True).first() or 0


def _last_too_much(env: Env) -> int:
    """The newest row beyond the size limit, counted from the newest."""
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
    """Kept as long as the chat."""
    if not env.keep_chat_days:
        return Attachment.objects.none()
    before = now - timedelta(days=env.keep_chat_days)
    return Attachment.objects.filter(at__lt=before).order_by("pk")


def _calls(env: Env, now: datetime) -> Rows:
    """The worker that writes them also removes them; this is for when no server runs."""
    return recorder.outdated()


def _recordings(env: Env, now: datetime) -> Rows:
    """Those that are too old, and the oldest beyond the size limit. Running ones are kept."""
    rows = Recording.objects.exclude(state=RecordingState.RECORDING).order_by("pk")
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
    """Remove the rows with their files."""
    for row in rows:
        recordings.remove(key=row.key)


TABLE: tuple[Kept, ...] = (
    Kept("chat records", _chat),
    Kept("chat messages", _messages),
    Kept("attachments", _attachments),
    Kept("audit rows", _calls),
    Kept("recordings", _recordings, _remove_recordings),
)
