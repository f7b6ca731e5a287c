"""The worker that keeps our copies of Notion pages current.

What a pull does is in notion/sync.py. Started and supervised by config/server/lifecycle.py.
"""

import asyncio
import logging

from core.database import in_db
from core.workers import wait_for
from notes import selectors
from notes.models import NoteSheet, NoteSource
from notes.notion import NotionFailed, connection, sync

log = logging.getLogger(__name__)

SYNC_SECONDS = 60.0


async def sync_notion(*, stop: asyncio.Event, seconds: float = SYNC_SECONDS) -> None:
    """Runs until `stop`. A page that fails has the error in its sheet and does not delay others."""
    while not stop.is_set():
        await sync_all(stop)
        await wait_for(stop, seconds=seconds)


async def sync_all(stop: asyncio.Event) -> None:
    for sheet in await in_db(_linked)():
        if stop.is_set():
            return
        try:
            await sync.pull(sheet=sheet, notion=connection.current())
        except NotionFailed as failure:
            await in_db(sync.record_failure)(sheet=sheet, error=failure.message)
            log.warning("could not sync the notes of %s with Notion: %s", sheet, failure.code)


def _linked() -> list[NoteSheet]:
    return list(selectors.sheets().filter(source=NoteSource.NOTION))
