"""Notes linked with pages of Notion: switched, pulled, pushed, and what failures leave behind."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from notes import linking, runtime, selectors, services, workers
from notes.models import NoteChange, NoteSheet, Source
from notes.notion import Limits, Notion, NotionFailed, NotionGone, NotionRefused
from notes.notion.client import ROUNDS
from notes.selectors import Owner
from terminals.db import in_db
from terminals.errors import Invalid, Refused
from tests.factories import ProjectFactory
from tests.notes.fake_notion import FakeNotion, Fault

pytestmark = pytest.mark.django_db(transaction=True)

QUICK = Limits(timeout=0.5, rate=1000, tries=3, pause=0.01, total=5)
ERROR: Fault = "error"
RICH = """# Plan
[WIP] Wire up **SSE**
- [ ] a `box`
- [x] ticked
1. one
2. two
> quoted
```python
print("[BL] no task")
```
[CM] [docs](https://example.com/a)"""


@pytest.fixture
async def notion(fake_notion: FakeNotion) -> AsyncIterator[Notion]:
    notion = Notion(token=fake_notion.token, url=fake_notion.url, limits=QUICK)
    runtime._current = notion
    yield notion
    runtime._current = None
    await notion.close()


@pytest.fixture
async def owner() -> Owner:
    made: Owner = await in_db(ProjectFactory.create)(name="main")
    return made


async def write(owner: Owner, notes: str) -> None:
    await in_db(services.write_notes)(owner=owner, notes=notes, by="tester")


async def sheet_of(owner: Owner) -> NoteSheet:
    return (await in_db(selectors.read_notes)(owner=owner)).sheet


async def switch(owner: Owner, notion: Notion, source: Source = Source.NOTION) -> str:
    notes = await linking.set_source(owner=owner, notion=notion, source=source, by="tester")
    assert notes.sheet.source == source
    return notes.sheet.body


async def link(owner: Owner, notion: Notion, page: str) -> None:
    await linking.link_notion_page(owner=owner, notion=notion, page=page, by="tester")


async def sync_once() -> None:
    await workers.sync_all(asyncio.Event())


# --- linking and switching ----------------------------------------------------------------------


async def test_a_linked_page_is_known_and_nothing_else_changes(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await write(owner, "mine")
    await link(owner, notion, fake_notion.add_page("theirs", title="The page"))
    sheet = await sheet_of(owner)
    assert (sheet.source, sheet.body, sheet.notion_title) == (Source.LOCAL, "mine", "The page")
    assert sheet.notion_url.startswith("http")


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [
        ("", "theirs", "theirs"),
        ("mine", "", "mine"),
        ("same", "same", "same"),
        ("[WIP] mine\nshared", "shared\ntheirs", "shared\ntheirs\n[WIP] mine"),
    ],
)
async def test_switching_to_notion_loses_no_line_of_either_side(
    owner: Owner, notion: Notion, fake_notion: FakeNotion, ours: str, theirs: str, both: str
) -> None:
    page = fake_notion.add_page(theirs)
    if ours:
        await write(owner, ours)
    await link(owner, notion, page)
    assert await switch(owner, notion) == both
    assert await notion.read(page) == both


async def test_back_and_forth_carries_each_sides_edits_over(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page(RICH)
    await link(owner, notion, page)
    assert await switch(owner, notion) == RICH
    with pytest.raises(Refused, match="switch the source to local"):
        await write(owner, "mine")
    assert await switch(owner, notion, Source.LOCAL) == RICH
    ids = fake_notion.ids(page)
    await write(owner, RICH.replace("[WIP] Wire", "[BL] Wire"))
    assert (await switch(owner, notion)).startswith("# Plan\n[BL] Wire up **SSE**")
    # One line was changed: the other blocks are still the same.
    assert len(set(fake_notion.ids(page)) & set(ids)) >= len(ids) - 1


async def test_who_switches_without_a_page_is_told_to_link_one(
    owner: Owner, notion: Notion
) -> None:
    with pytest.raises(Refused, match="link or create"):
        await switch(owner, notion)


async def test_a_page_is_created_with_what_the_notes_are(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await write(owner, RICH)
    parent = fake_notion.add_page(title="Parent")
    made = await linking.create_notion_page(
        owner=owner, notion=notion, parent=parent, title="", by="tester"
    )
    assert made.sheet.notion_title == "main"
    assert await notion.read(made.sheet.notion_page_id) == RICH
    writes = fake_notion.count("PATCH")
    await switch(owner, notion)
    assert fake_notion.count("PATCH") == writes
    with pytest.raises(Invalid, match="WEBTMUX_NOTION_PARENT"):
        await linking.create_notion_page(
            owner=owner, notion=notion, parent="", title="", by="tester"
        )


async def test_what_is_written_during_the_switch_is_not_lost(
    owner: Owner, notion: Notion, fake_notion: FakeNotion, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = fake_notion.add_page()
    await write(owner, "early")
    await link(owner, notion, page)
    read = notion.read

    async def slowly(page_id: str) -> str:
        text = await read(page_id)
        monkeypatch.setattr(notion, "read", read)
        await write(owner, "early\nlate")
        return text

    monkeypatch.setattr(notion, "read", slowly)
    assert await switch(owner, notion) == "early\nlate"
    assert await notion.read(page) == "early\nlate"


async def test_another_page_is_not_linked_under_a_source(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await link(owner, notion, fake_notion.add_page("a"))
    await switch(owner, notion)
    with pytest.raises(Refused, match="PATCH /api/local/projects/main/source"):
        await link(owner, notion, fake_notion.add_page("b"))


# --- the worker -------------------------------------------------------------------------------


async def test_an_edit_in_notion_arrives(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page("before")
    await link(owner, notion, page)
    await switch(owner, notion)
    await notion.write(page, "[CM] after")
    await sync_once()
    sheet = await sheet_of(owner)
    assert sheet.body == "[CM] after"
    newest = await NoteChange.objects.afirst()
    assert newest is not None
    assert (newest.by, newest.action, newest.lines) == (
        "Notion", "sync_notes", "- before\n+ [CM] after",
    )  # fmt: skip


async def test_a_page_that_nobody_edited_costs_one_request(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page("text")
    await link(owner, notion, page)
    await switch(owner, notion)
    # As if the copy had been read long after the last edit.
    later = timezone.now() + timedelta(hours=1)
    await NoteSheet.objects.aupdate(pulled_at=later)
    version = (await sheet_of(owner)).version
    before = fake_notion.count()
    await sync_once()
    assert fake_notion.count() == before + 1
    sheet = await sheet_of(owner)
    assert sheet.version == version
    assert sheet.synced_at is not None


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        ("rate", NotionFailed, "Notion"),
        ("error", NotionFailed, "Notion"),
        ("hang", NotionFailed, "Notion"),
        ("close", NotionFailed, "Notion"),
        ("trash", NotionGone, "trash"),
        ("forget", NotionGone, "share it with the integration"),
        ("revoke", NotionRefused, "WEBTMUX_NOTION_TOKEN"),
    ],
)
async def test_a_failure_keeps_the_last_copy_and_says_why(
    owner: Owner,
    notion: Notion,
    fake_notion: FakeNotion,
    fault: Any,
    kind: type[NotionFailed],
    said: str,
) -> None:
    page = fake_notion.add_page("the last good copy")
    await link(owner, notion, page)
    await switch(owner, notion)
    if fault == "revoke":
        fake_notion.revoke()
    elif fault in {"trash", "forget"}:
        getattr(fake_notion, fault)(page)
    else:
        fake_notion.fail(*[fault] * QUICK.tries)
    with pytest.raises(kind):
        await linking.sync_notes(owner=owner, notion=notion)
    sheet = await sheet_of(owner)
    assert sheet.body == "the last good copy"
    assert said in sheet.sync_error
    assert fake_notion.token not in sheet.sync_error
    # The worker goes on, and a failure that lasts is told once.
    version = sheet.version
    if fault in {"trash", "forget", "revoke"}:
        await sync_once()
        assert (await sheet_of(owner)).version == version
    # And whoever has had enough gets the copy for themselves.
    assert await switch(owner, notion, Source.LOCAL) == "the last good copy"


async def test_notion_that_is_back_says_so(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await link(owner, notion, fake_notion.add_page("text"))
    await switch(owner, notion)
    fake_notion.fail(*[ERROR] * QUICK.tries)
    await sync_once()
    assert (await sheet_of(owner)).sync_error
    await sync_once()
    assert not (await sheet_of(owner)).sync_error


async def test_a_switch_that_fails_half_way_changes_nothing_here(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await write(owner, "mine")
    page = fake_notion.add_page("theirs")
    await link(owner, notion, page)
    fake_notion.fail(*[ERROR] * 2 * ROUNDS, on="PATCH /v1/blocks")
    with pytest.raises(NotionFailed):
        await switch(owner, notion)
    sheet = await sheet_of(owner)
    assert (sheet.source, sheet.body) == (Source.LOCAL, "mine")
    fake_notion.heal()
    assert await switch(owner, notion) == "theirs\nmine"


async def test_without_a_token_the_way_to_one_is_told(owner: Owner) -> None:
    connection = runtime.NotionConnection(token="")
    await connection.start()
    try:
        with pytest.raises(NotionRefused, match="my-integrations"):
            await link(owner, runtime.current(), "0" * 32)
    finally:
        await connection.stop()
