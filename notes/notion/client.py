"""Reads, writes and creates Notion pages as Markdown.

Called by sync.py. A write sends only the difference. One that fails half way leaves the old text
and some of the new, never less than the old; writing again completes it. Slow computations run in
a thread, because the event loop carries the users' keys.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from notes.notion import edits, payloads
from notes.notion.blocks import DEPTH_LIMIT, Block, markdown
from notes.notion.calls import (
    IN_TRASH,
    Calls,
    NotionFailed,
    NotionGone,
    NotionRefused,
    NotionTooLarge,
    OutcomeUnknown,
    RequestLimits,
)
from notes.notion.inline import Span

ROUNDS = 5  # of comparing and writing, when responses get lost
OPERATION_SECONDS = 1800.0  # 5,000 blocks, one request each at three per second
TITLE_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class NotionPage:
    id: str
    url: str
    title: str
    edited_at: datetime


class Notion:
    """A client with the token of one integration. Must be closed."""

    def __init__(self, *, token: str, url: str = "", limits: RequestLimits | None = None) -> None:
        self._calls = Calls(token=token, url=url, limits=limits or RequestLimits())
        self._client = self._calls.client

    @property
    def missing_token(self) -> str:
        """What to do if there is no token; empty if there is one."""
        return self._calls.missing_token

    def require_token(self) -> None:
        """Called before anything else is checked, so that the first error is the one to fix."""
        if self.missing_token:
            raise NotionRefused(self.missing_token)

    async def close(self) -> None:
        await self._calls.close()

    async def page(self, page_id: str) -> NotionPage:
        payload = await self._calls.send(self._client.pages.retrieve, page_id)
        if payload.get("in_trash") or payload.get("archived"):
            raise NotionGone(IN_TRASH)
        return _page(payload)

    async def read(self, page_id: str) -> str:
        async with _bounded():
            return await asyncio.to_thread(markdown, await self._tree(page_id))

    async def write(self, page_id: str, text: str) -> None:
        wanted = await asyncio.to_thread(payloads.checked_blocks, text)
        async with _bounded():
            await self._write_blocks(page_id, wanted)

    async def create(self, *, parent_id: str, title: str, text: str) -> NotionPage:
        wanted = await asyncio.to_thread(payloads.checked_blocks, text)
        async with _bounded():
            created = await self._create_empty(parent_id, title[:TITLE_LIMIT])
            try:
                await self._write_blocks(created.id, wanted)
            except NotionFailed as error:
                raise type(error)(
                    f"{error.message}; the new page is incomplete: link {created.url}, or delete it"
                ) from None
        return await self.page(created.id)

    # --- reading --------------------------------------------------------------------------------

    async def _tree(self, page_id: str) -> list[Block]:
        nested = await self._descendants(page_id, _BlockCount(), 0)
        return await asyncio.to_thread(payloads.tree, nested)

    async def _descendants(
        self, parent: str, count: "_BlockCount", depth: int
    ) -> list[payloads.Payload]:
        children = await self._children(parent, count)
        for child in filter(payloads.has_readable_children, children):
            if depth == DEPTH_LIMIT:
                raise NotionTooLarge(
                    f"the page is nested more than {DEPTH_LIMIT} levels deep: flatten it"
                )
            child["children"] = await self._descendants(child["id"], count, depth + 1)
        return children

    async def _children(self, parent: str, count: "_BlockCount") -> list[payloads.Payload]:
        children: list[payloads.Payload] = []
        query: dict[str, int | str] = {"page_size": payloads.CHILDREN_LIMIT}
        while True:
            listing = await self._calls.send(self._client.blocks.children.list, parent, **query)
            children += listing["results"]
            count.add(len(listing["results"]))
            if not listing.get("has_more"):
                return children
            query["start_cursor"] = listing["next_cursor"]

    # --- writing --------------------------------------------------------------------------------

    async def _write_blocks(self, page_id: str, wanted: Sequence[Block]) -> None:
        """After a lost response the page is read and compared again, until nothing differs."""
        is_uncertain = False
        for _ in range(ROUNDS):
            existing = await self._tree(page_id)
            plan = await asyncio.to_thread(edits.plan, page_id, existing, wanted)
            try:
                for edit in plan:
                    await self._apply(edit)
            except OutcomeUnknown:
                is_uncertain = True
                await asyncio.sleep(self._calls.limits.pause)
                continue
            if not is_uncertain or not plan:
                return
        raise NotionFailed(
            "Notion did not confirm our requests: the notes here are complete, try again later"
        )

    async def _apply(self, edit: edits.Edit) -> None:
        match edit:
            case edits.InsertBlocks(parent, after, new):
                await self._insert(parent, after, new)
            case edits.UpdateBlock(before, after_block):
                body = {after_block.kind.value: payloads.changes(before, after_block)}
                await self._calls.send(self._client.blocks.update, before.id, **body)
            case edits.DeleteBlock(block_id):
                await self._delete(block_id)

    async def _insert(self, parent: str, after: str, new: Sequence[Block]) -> None:
        for batch in await asyncio.to_thread(list, payloads.batches(new)):
            response = await self._calls.send_once(
                self._client.blocks.children.append,
                parent,
                children=[payload for _, payload in batch],
                position=_position(after),
            )
            for (block, _), result in zip(batch, response["results"], strict=False):
                after = result["id"]
                if block.children and not payloads.fits(block):
                    await self._insert(after, "", block.children)

    async def _delete(self, block_id: str) -> None:
        try:
            await self._calls.send(self._client.blocks.delete, block_id)
        except NotionGone:
            return  # deleted by someone else, or by us in a request whose response got lost

    async def _create_empty(self, parent_id: str, title: str) -> NotionPage:
        before = await self._child_pages(parent_id)
        try:
            payload = await self._calls.send_once(
                self._client.pages.create,
                parent={"type": "page_id", "page_id": parent_id},
                properties={"title": {"title": payloads.rich_text([Span(title)])}},
            )
        except OutcomeUnknown:
            return await self._find_created(parent_id, title, before)
        return _page(payload)

    async def _find_created(self, parent_id: str, title: str, before: dict[str, str]) -> NotionPage:
        """The page that a request without a response has created, if it has."""
        await asyncio.sleep(self._calls.limits.pause)
        for page_id, name in (await self._child_pages(parent_id)).items():
            if page_id not in before and name == title:
                return await self.page(page_id)
        raise NotionFailed("Notion did not respond and created no page: try again")

    async def _child_pages(self, parent_id: str) -> dict[str, str]:
        children = await self._children(parent_id, _BlockCount())
        pages = (child for child in children if child["type"] == "child_page")
        return {child["id"]: child["child_page"]["title"] for child in pages}


@dataclass(slots=True)
class _BlockCount:
    blocks: int = 0

    def add(self, more: int) -> None:
        self.blocks += more
        if self.blocks > payloads.BLOCKS_LIMIT:
            raise NotionTooLarge(f"the page has over {payloads.BLOCKS_LIMIT} blocks: split it")


@asynccontextmanager
async def _bounded() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(OPERATION_SECONDS):
            yield
    except TimeoutError:
        raise NotionFailed(
            f"Notion took over {OPERATION_SECONDS / 60:g} minutes: split the page"
        ) from None


def _position(after: str) -> payloads.Payload:
    if after:
        return {"type": "after_block", "after_block": {"id": after}}
    return {"type": "start"}


def _page(payload: payloads.Payload) -> NotionPage:
    titles = [
        value["title"] for value in payload["properties"].values() if value["type"] == "title"
    ]
    title = "".join(text["plain_text"] for text in titles[0]) if titles else ""
    edited_at = datetime.fromisoformat(payload["last_edited_time"])
    return NotionPage(payload["id"], payload["url"], title, edited_at)
