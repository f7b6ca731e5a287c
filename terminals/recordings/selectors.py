"""Reads of recordings: lists, one by its key, its events, a search in it, and its shares.

Used by REST, the socket and the pages of shared links. Files are read in threads and piece by
piece, never whole.
"""

import asyncio
import hmac
from collections.abc import AsyncIterator

from django.db.models import QuerySet
from django.utils import timezone

from core.errors import Invalid, NotFound
from core.secret_tokens import hash_secret
from terminals.models import Recording, RecordingShare, RecordingState
from terminals.recordings.asciicast import CastMatch
from terminals.recordings.files import files_of

QUERY_LIMIT = 200
INVALID_LINK = "this link is invalid, expired or revoked: ask for a new one"
# A search reads a whole file: more searches at once would only slow each other down.
_searching = asyncio.Semaphore(2)


def recordings(*, window: str = "", project: str = "") -> QuerySet[Recording]:
    """Of a window (its key), of a project (its name), or all."""
    rows = Recording.objects.select_related("window__project")
    if window:
        rows = rows.filter(window__key=window)
    if project:
        rows = rows.filter(window__project__name=project)
    return rows


def running() -> QuerySet[Recording]:
    return recordings().filter(state=RecordingState.RECORDING)


def get_recording(*, key: str) -> Recording:
    row = recordings().filter(key=key).first()
    if row is None:
        raise NotFound(f"there is no recording {key!r}")
    return row


async def download_recording(*, recording: Recording) -> AsyncIterator[bytes]:
    """As asciicast v2. A running recording is sent as far as it is written."""
    pieces = files_of(recording).pieces()
    while piece := await asyncio.to_thread(next, pieces, b""):
        yield piece


async def search_recording(*, recording: Recording, query: str) -> tuple[list[CastMatch], bool]:
    """The first matches, and whether these are all."""
    if not query.strip() or len(query) > QUERY_LIMIT:
        raise Invalid(f"search for 1 to {QUERY_LIMIT} characters")
    async with _searching:
        return await asyncio.to_thread(files_of(recording).search, query)


# --- shares -----------------------------------------------------------------------------------


def list_shares(*, key: str) -> QuerySet[RecordingShare]:
    """The shares that have not expired."""
    recording = get_recording(key=key)
    return recording.shares.filter(expires_at__gt=timezone.now())


def shared_recording(*, key: str, secret: str) -> Recording:
    """The recording that a share's secret opens. The error is the same whatever is wrong."""
    wanted, matches = hash_secret(secret), False
    rows = RecordingShare.objects.filter(recording__key=key, expires_at__gt=timezone.now())
    for row in rows:  # all of them, so that the time does not reveal which one matches
        matches |= hmac.compare_digest(row.hash, wanted)
    if not matches:
        raise NotFound(INVALID_LINK)
    return get_recording(key=key)


def is_shared(*, key: str, secret: str) -> bool:
    try:
        return bool(shared_recording(key=key, secret=secret))
    except NotFound:
        return False
