"""The Notion actions of the admin, for one sheet or for several selected ones.

The operations themselves are in notion/sync.py. Never call these inside a transaction: a request
to Notion may be slow.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from django.conf import settings

from core.errors import WebtmuxError
from notes.models import NoteSheet, NoteSource
from notes.notion import connection, sync
from notes.selectors import Notes, Owner

# A browser waits for the response. A single action has its own limits.
TOTAL_SECONDS = 60.0

NotionAction = Callable[[Owner, str], Awaitable[Notes]]  # the owner of the notes, and the actor


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The number of successes, and a message for each failure."""

    succeeded: int
    failures: list[str]


async def use_notion(owner: Owner, actor: str) -> Notes:
    notion = connection.current()
    return await sync.set_source(owner=owner, notion=notion, source=NoteSource.NOTION, actor=actor)


async def use_local(owner: Owner, actor: str) -> Notes:
    notion = connection.current()
    return await sync.set_source(owner=owner, notion=notion, source=NoteSource.LOCAL, actor=actor)


async def sync_now(owner: Owner, actor: str) -> Notes:
    """`actor` is unused: the history names Notion as the author of the text."""
    return await sync.sync_notes(owner=owner, notion=connection.current())


async def create_page(owner: Owner, actor: str) -> Notes:
    parent = settings.WEBTMUX.notion_parent
    return await sync.create_notion_page(
        owner=owner, notion=connection.current(), parent=parent, title="", actor=actor
    )


def link_page(page: str) -> NotionAction:
    async def link(owner: Owner, actor: str) -> Notes:
        notion = connection.current()
        return await sync.link_notion_page(owner=owner, notion=notion, page=page, actor=actor)

    return link


async def for_each(
    sheets: Sequence[NoteSheet], action: NotionAction, *, actor: str, seconds: float = TOTAL_SECONDS
) -> BatchResult:
    """Runs one sheet at a time, as Notion requires. Starts no other sheet after `seconds`."""
    succeeded, failures, end = 0, list[str](), time.monotonic() + seconds
    for sheet in sheets:
        if time.monotonic() > end:
            failures.append(f"{sheet}: not tried because the others took too long; select it again")
            continue
        try:
            await action(sheet.owner, actor)
            succeeded += 1
        except WebtmuxError as failure:
            failures.append(f"{sheet}: {failure.message}")
    return BatchResult(succeeded, failures)
