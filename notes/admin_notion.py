"""What the admin does with Notion: one deed, for one sheet or for each of the chosen ones.

What a deed means is in linking.py. Never called inside a transaction: Notion may take its time.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from django.conf import settings

from notes import linking, runtime
from notes.models import NoteSheet, Source
from notes.selectors import Notes, Owner
from terminals.errors import WebtmuxError

# A browser waits for the answer. The deed under way has limits of its own.
TOTAL_SECONDS = 60.0

Deed = Callable[[Owner, str], Awaitable[Notes]]  # the owner of the notes, and who asks


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many went well, and a line for each that did not."""

    done: int
    failures: list[str]


async def use_notion(owner: Owner, by: str) -> Notes:
    notion = runtime.current()
    return await linking.set_source(owner=owner, notion=notion, source=Source.NOTION, by=by)


async def use_local(owner: Owner, by: str) -> Notes:
    notion = runtime.current()
    return await linking.set_source(owner=owner, notion=notion, source=Source.LOCAL, by=by)


async def sync_now(owner: Owner, by: str) -> Notes:
    """The history names Notion: the text is what somebody wrote there."""
    return await linking.sync_notes(owner=owner, notion=runtime.current())


async def create_page(owner: Owner, by: str) -> Notes:
    parent = settings.WEBTMUX.notion_parent
    return await linking.create_notion_page(
        owner=owner, notion=runtime.current(), parent=parent, title="", by=by
    )


def link_page(page: str) -> Deed:
    async def link(owner: Owner, by: str) -> Notes:
        notion = runtime.current()
        return await linking.link_notion_page(owner=owner, notion=notion, page=page, by=by)

    return link


async def for_each(
    sheets: Sequence[NoteSheet], deed: Deed, *, by: str, seconds: float = TOTAL_SECONDS
) -> Outcome:
    """One after the other, as Notion wants it. Past `seconds` no other sheet is begun."""
    done, failures, end = 0, list[str](), time.monotonic() + seconds
    for sheet in sheets:
        if time.monotonic() > end:
            failures.append(f"{sheet}: not tried, the others took too long; choose it again")
            continue
        try:
            await deed(sheet.owner, by)
            done += 1
        except WebtmuxError as failure:
            failures.append(f"{sheet}: {failure.message}")
    return Outcome(done, failures)
