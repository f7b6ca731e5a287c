"""Notes linked with Notion pages: switching, pulling, pushing, and the state after failures."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core.database import in_db
from core.errors import Invalid, Refused
from notes import selectors, services, workers
from notes.models import NoteChange, NoteSheet, NoteSource
from notes.notion import Notion, NotionFailed, NotionGone, NotionRefused, connection, sync
from notes.notion.client import ROUNDS
from notes.selectors import Owner
from tests.factories import ProjectFactory
from tests.notes.notion.fake_notion import LIMITS, FakeNotion, Fault

pytestmark = pytest.mark.django_db(transaction=True)

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
async def owner() -> Owner:
    project: Owner = await in_db(ProjectFactory.create)(name="main")
    return project


async def write(owner: Owner, notes: str) -> None:
    await in_db(services.write_notes)(owner=owner, notes=notes, actor="tester")


async def sheet_of(owner: Owner) -> NoteSheet:
    return (await in_db(selectors.read_notes)(owner=owner)).sheet


async def switch(owner: Owner, notion: Notion, source: NoteSource = NoteSource.NOTION) -> str:
    notes = await sync.set_source(owner=owner, notion=notion, source=source, actor="tester")
    assert notes.sheet.source == source
    return notes.sheet.body


async def link(owner: Owner, notion: Notion, page: str) -> None:
    await sync.link_notion_page(owner=owner, notion=notion, page=page, actor="tester")


async def sync_once() -> None:
    await workers.sync_all(asyncio.Event())


# --- linking and switching ----------------------------------------------------------------------


async def test_linking_a_page_changes_nothing_else(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await write(owner, "mine")
    await link(owner, notion, fake_notion.add_page("theirs", title="The page"))
    sheet = await sheet_of(owner)
    assert (sheet.source, sheet.body, sheet.notion_title) == (NoteSource.LOCAL, "mine", "The page")
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


async def test_switching_back_and_forth_keeps_edits_of_both_sides(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page(RICH)
    await link(owner, notion, page)
    assert await switch(owner, notion) == RICH
    with pytest.raises(Refused, match="switch the source to local"):
        await write(owner, "mine")
    assert await switch(owner, notion, NoteSource.LOCAL) == RICH
    ids = fake_notion.ids(page)
    await write(owner, RICH.replace("[WIP] Wire", "[BL] Wire"))
    assert (await switch(owner, notion)).startswith("# Plan\n[BL] Wire up **SSE**")
    # One line was changed: the other blocks keep their ids.
    assert len(set(fake_notion.ids(page)) & set(ids)) >= len(ids) - 1


async def test_switching_without_a_linked_page_is_refused(owner: Owner, notion: Notion) -> None:
    with pytest.raises(Refused, match="link or create"):
        await switch(owner, notion)


async def test_a_page_is_created_with_the_current_notes(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await write(owner, RICH)
    parent = fake_notion.add_page(title="Parent")
    created = await sync.create_notion_page(
        owner=owner, notion=notion, parent=parent, title="", actor="tester"
    )
    assert created.sheet.notion_title == "main"
    assert await notion.read(created.sheet.notion_page_id) == RICH
    writes = fake_notion.count("PATCH")
    await switch(owner, notion)
    assert fake_notion.count("PATCH") == writes
    with pytest.raises(Invalid, match="WEBTMUX_NOTION_PARENT"):
        await sync.create_notion_page(
            owner=owner, notion=notion, parent="", title="", actor="tester"
        )


async def test_notes_written_during_the_switch_are_not_lost(
    owner: Owner, notion: Notion, fake_notion: FakeNotion, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = fake_notion.add_page()
    await write(owner, "early")
    await link(owner, notion, page)
    read = notion.read

    async def read_then_write(page_id: str) -> str:
        text = await read(page_id)
        monkeypatch.setattr(notion, "read", read)
        await write(owner, "early\nlate")
        return text

    monkeypatch.setattr(notion, "read", read_then_write)
    assert await switch(owner, notion) == "early\nlate"
    assert await notion.read(page) == "early\nlate"


async def test_another_page_cannot_be_linked_while_the_source_is_notion(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await link(owner, notion, fake_notion.add_page("a"))
    await switch(owner, notion)
    with pytest.raises(Refused, match="PATCH /api/local/projects/main/source"):
        await link(owner, notion, fake_notion.add_page("b"))


# --- the worker ---------------------------------------------------------------------------------


async def test_an_edit_in_notion_is_pulled(
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


async def test_an_unchanged_page_costs_one_request(
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
    ("fault", "kind", "message"),
    [
        ("rate", NotionFailed, "Notion"),
        ("error", NotionFailed, "Notion"),
        ("close", NotionFailed, "Notion"),
        ("trash", NotionGone, "trash"),
        ("forget", NotionGone, "share it with the integration"),
        ("revoke", NotionRefused, "WEBTMUX_NOTION_TOKEN"),
    ],
)
async def test_a_failure_keeps_the_last_copy_and_records_the_reason(
    owner: Owner,
    notion: Notion,
    fake_notion: FakeNotion,
    fault: Any,
    kind: type[NotionFailed],
    message: str,
) -> None:
    page = fake_notion.add_page("the last good copy")
    await link(owner, notion, page)
    await switch(owner, notion)
    if fault == "revoke":
        fake_notion.revoke()
    elif fault in {"trash", "forget"}:
        getattr(fake_notion, fault)(page)
    else:
        fake_notion.fail(*[fault] * LIMITS.tries)
    with pytest.raises(kind):
        await sync.sync_notes(owner=owner, notion=notion)
    sheet = await sheet_of(owner)
    assert sheet.body == "the last good copy"
    assert message in sheet.sync_error
    assert fake_notion.token not in sheet.sync_error
    # The worker continues, and records a lasting failure once.
    version = sheet.version
    if fault in {"trash", "forget", "revoke"}:
        await sync_once()
        assert (await sheet_of(owner)).version == version
    # The copy can be used as local notes.
    assert await switch(owner, notion, NoteSource.LOCAL) == "the last good copy"


async def test_a_successful_sync_clears_the_error(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await link(owner, notion, fake_notion.add_page("text"))
    await switch(owner, notion)
    fake_notion.fail(*[ERROR] * LIMITS.tries)
    await sync_once()
    assert (await sheet_of(owner)).sync_error
    await sync_once()
    assert not (await sheet_of(owner)).sync_error


async def test_a_switch_that_fails_half_way_changes_nothing_locally(
    owner: Owner, notion: Notion, fake_notion: FakeNotion
) -> None:
    await write(owner, "mine")
    page = fake_notion.add_page("theirs")
    await link(owner, notion, page)
    fake_notion.fail(*[ERROR] * 2 * ROUNDS, on="PATCH /v1/blocks")
    with pytest.raises(NotionFailed):
        await switch(owner, notion)
    sheet = await sheet_of(owner)
    assert (sheet.source, sheet.body) == (NoteSource.LOCAL, "mine")
    fake_notion.heal()
    assert await switch(owner, notion) == "theirs\nmine"


async def test_a_missing_token_is_reported_with_instructions(owner: Owner) -> None:
    without_token = connection.NotionConnection(token="")
    await without_token.start()
    try:
        with pytest.raises(NotionRefused, match="my-integrations"):
            await link(owner, connection.current(), "0" * 32)
    finally:
        await without_token.stop()
