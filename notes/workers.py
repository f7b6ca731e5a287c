"""The worker that keeps the copies of Notion's pages fresh.

Not what a pull does: linking.py. It is started and supervised by config/process.py.
"""

import asyncio
import logging

from notes import linking, runtime, selectors
from notes.models import NoteSheet, Source
from notes.notion import NotionFailed
from terminals.db import in_db
from terminals.workers import wait_for

log = logging.getLogger(__name__)

SYNC_SECONDS = 60.0


async def sync_notion(*, stop: asyncio.Event, seconds: float = SYNC_SECONDS) -> None:
    """Until `stop`. A page that fails is told in its sheet and does not hold up the others."""
    while not stop.is_set():
        await sync_all(stop)
        await wait_for(stop, seconds=seconds)


async def sync_all(stop: asyncio.Event) -> None:
    for sheet in await in_db(_linked)():
        if stop.is_set():
            return
        try:
            await linking.pull(sheet=sheet, notion=runtime.current())
        except NotionFailed as failure:
            await in_db(linking.note_failure)(sheet=sheet, error=failure.message)
            log.warning("the notes of %s were not synced: %s", sheet, failure.code)


def _linked() -> list[NoteSheet]:
    return list(selectors.sheets().filter(source=Source.NOTION))
