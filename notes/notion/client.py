"""Pages of Notion as Markdown: read, written as a difference, created.

Not when that happens (workers.py), nor who may (services.py). A write that fails half way leaves
the old and some of the new, never less than the old; writing again finishes it. What takes time
to compute runs in a thread: the loop carries people's keys.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from notes.notion import edits, payloads
from notes.notion.blocks import DEPTH_LIMIT, Block, markdown
from notes.notion.calls import (
    IN_TRASH,
    Calls,
    InDoubt,
    Limits,
    NotionFailed,
    NotionGone,
    NotionTooLarge,
)
from notes.notion.marks import Span

ROUNDS = 5  # of comparing and writing, when answers get lost
OPERATION_SECONDS = 1800.0  # 5,000 blocks, one request each at three a second
TITLE_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Page:
    id: str
    url: str
    title: str
    edited_at: datetime


class Notion:
    """One integration's view of Notion. Close it."""

    def __init__(self, *, token: str, url: str = "", limits: Limits | None = None) -> None:
        self._calls = Calls(token=token, url=url, limits=limits or Limits())
        self._client = self._calls.client

    async def close(self) -> None:
        await self._calls.close()

    async def page(self, page_id: str) -> Page:
        found = await self._calls.ask(self._client.pages.retrieve, page_id)
        if found.get("in_trash") or found.get("archived"):
            raise NotionGone(IN_TRASH)
        return _page(found)

    async def read(self, page_id: str) -> str:
        async with _bounded():
            return await asyncio.to_thread(markdown, await self._tree(page_id))

    async def write(self, page_id: str, text: str) -> None:
        wanted = await asyncio.to_thread(payloads.checked, text)
        async with _bounded():
            await self._written(page_id, wanted)

    async def create(self, *, parent_id: str, title: str, text: str) -> Page:
        wanted = await asyncio.to_thread(payloads.checked, text)
        async with _bounded():
            made = await self._created(parent_id, title[:TITLE_LIMIT])
            try:
                await self._written(made.id, wanted)
            except NotionFailed as error:
                begun = f"{error.message}; the page was begun: link {made.url}, or delete it"
                raise type(error)(begun) from None
        return await self.page(made.id)

    # --- reading ------------------------------------------------------------------------------

    async def _tree(self, page_id: str) -> list[Block]:
        found = await self._below(page_id, _Count(), 0)
        return await asyncio.to_thread(payloads.tree, found)

    async def _below(self, parent: str, count: "_Count", depth: int) -> list[payloads.Payload]:
        found = await self._children(parent, count)
        for each in filter(payloads.is_read_through, found):
            if depth == DEPTH_LIMIT:
                raise NotionTooLarge(f"the page is nested over {DEPTH_LIMIT} deep: flatten it")
            each["children"] = await self._below(each["id"], count, depth + 1)
        return found

    async def _children(self, parent: str, count: "_Count") -> list[payloads.Payload]:
        found: list[payloads.Payload] = []
        asked: dict[str, Any] = {"page_size": payloads.CHILDREN_LIMIT}
        while True:
            listed = await self._calls.ask(self._client.blocks.children.list, parent, **asked)
            found += listed["results"]
            count.add(len(listed["results"]))
            if not listed.get("has_more"):
                return found
            asked["start_cursor"] = listed["next_cursor"]

    # --- writing ------------------------------------------------------------------------------

    async def _written(self, page_id: str, wanted: Sequence[Block]) -> None:
        """After a lost answer the page is read and compared again, until nothing differs."""
        doubt = False
        for _ in range(ROUNDS):
            there = await self._tree(page_id)
            todo = await asyncio.to_thread(edits.plan, page_id, there, wanted)
            try:
                for edit in todo:
                    await self._apply(edit)
            except InDoubt:
                doubt = True
                await asyncio.sleep(self._calls.limits.pause)
                continue
            if not doubt or not todo:
                return
        raise NotionFailed("Notion loses our requests: nothing is lost here, it is tried again")

    async def _apply(self, edit: edits.Edit) -> None:
        match edit:
            case edits.Insert(parent, after, new):
                await self._insert(parent, after, new)
            case edits.Update(before, after_block):
                body = {after_block.kind.value: payloads.changes(before, after_block)}
                await self._calls.ask(self._client.blocks.update, before.id, **body)
            case edits.Delete(block_id):
                await self._delete(block_id)

    async def _insert(self, parent: str, after: str, new: Sequence[Block]) -> None:
        for batch in await asyncio.to_thread(list, payloads.batches(new)):
            made = await self._calls.ask_once(
                self._client.blocks.children.append,
                parent,
                children=[payload for _, payload in batch],
                position=_position(after),
            )
            for (block, _), result in zip(batch, made["results"], strict=False):
                after = result["id"]
                if block.children and not payloads.fits(block):
                    await self._insert(after, "", block.children)

    async def _delete(self, block_id: str) -> None:
        try:
            await self._calls.ask(self._client.blocks.delete, block_id)
        except NotionGone:
            return  # somebody else was faster, or we were and the answer got lost

    async def _created(self, parent_id: str, title: str) -> Page:
        before = await self._pages_below(parent_id)
        try:
            made = await self._calls.ask_once(
                self._client.pages.create,
                parent={"type": "page_id", "page_id": parent_id},
                properties={"title": {"title": payloads.rich_text([Span(title)])}},
            )
        except InDoubt:
            return await self._found(parent_id, title, before)
        return _page(made)

    async def _found(self, parent_id: str, title: str, before: dict[str, str]) -> Page:
        """The page that a request without an answer has made, if it has."""
        await asyncio.sleep(self._calls.limits.pause)
        for made, name in (await self._pages_below(parent_id)).items():
            if made not in before and name == title:
                return await self.page(made)
        raise NotionFailed("Notion did not answer and made no page: try again")

    async def _pages_below(self, parent_id: str) -> dict[str, str]:
        children = await self._children(parent_id, _Count())
        pages = (child for child in children if child["type"] == "child_page")
        return {child["id"]: child["child_page"]["title"] for child in pages}


@dataclass(slots=True)
class _Count:
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


def _page(found: dict[str, Any]) -> Page:
    titles = [each["title"] for each in found["properties"].values() if each["type"] == "title"]
    title = "".join(text["plain_text"] for text in titles[0]) if titles else ""
    edited = datetime.fromisoformat(found["last_edited_time"])
    return Page(found["id"], found["url"], title, edited)
