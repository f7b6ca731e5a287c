"""Notes and their pages in Notion: link, create, switch the source, pull. For every door.

The network is never waited for inside a transaction: what was read there is stored only if the
sheet is still the one it was read for. Nothing that either side holds is lost on the way.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from notes import selectors, services
from notes.merging import merge
from notes.models import NoteSheet, Source
from notes.notion import Notion, NotionFailed, Page, page_id
from notes.selectors import Notes, Owner
from terminals.db import in_db
from terminals.errors import Conflict, Invalid, Refused
from terminals.models import NAME_LIMIT

TRIES = 5  # of switching, while somebody else writes
# Notion tells the time of an edit by the minute, and its clock is not ours.
EDIT_MARGIN = timedelta(minutes=2)
PULLED_BY = "Notion"


async def link_notion_page(*, owner: Owner, notion: Notion, page: str, by: str) -> Notes:
    """The page must be there and shared with us. What the notes come from does not change."""
    found = await notion.page(page_id(page))
    return await in_db(_link)(owner=owner, page=found, text="", by=by, action="link_notion_page")


async def create_notion_page(
    *, owner: Owner, notion: Notion, parent: str, title: str, by: str
) -> Notes:
    """A new page below `parent` with what the notes are now, linked to them."""
    if not parent.strip():
        raise Invalid(
            "name the page to put it under: pass parent (an id or address), or set"
            " WEBTMUX_NOTION_PARENT; share that page with the integration"
        )
    sheet = (await in_db(selectors.read_notes)(owner=owner)).sheet
    _need_other_source(sheet, "")
    name = title.strip() or _name(owner)
    made = await notion.create(parent_id=page_id(parent), title=name, text=sheet.body)
    text = await notion.read(made.id)
    return await in_db(_link)(owner=owner, page=made, text=text, by=by, action="create_notion_page")


async def set_source(*, owner: Owner, notion: Notion, source: Source, by: str) -> Notes:
    """To Notion: what both sides hold is on the page first. To local: the last copy stays."""
    if source is Source.LOCAL:
        return await in_db(_use_local)(owner=owner, by=by)
    for _ in range(TRIES):
        sheet = (await in_db(selectors.read_notes)(owner=owner)).sheet
        if sheet.source == Source.NOTION:
            return await sync_notes(owner=owner, notion=notion)
        _need_link(sheet)
        page, text = await _pushed(notion, sheet)
        if (
            notes := await in_db(_use_notion)(sheet=sheet, page=page, text=text, by=by)
        ) is not None:
            return notes
    raise Conflict("the notes change all the time: try again when nobody writes them")


async def sync_notes(*, owner: Owner, notion: Notion) -> Notes:
    """Read the page anew, whether it has changed or not."""
    sheet = (await in_db(selectors.read_notes)(owner=owner)).sheet
    if sheet.source != Source.NOTION:
        raise Refused("these notes are local: switch the source to notion first")
    return await pull(sheet=sheet, notion=notion, always=True)


async def pull(*, sheet: NoteSheet, notion: Notion, always: bool = False) -> Notes:
    """`last_edited_time` first: a page that nobody edited costs one request."""
    try:
        page = await notion.page(sheet.notion_page_id)
        if not always and _is_known(sheet, page):
            return await in_db(_reached)(sheet=sheet)
        text = await notion.read(sheet.notion_page_id)
    except NotionFailed as failure:
        await in_db(note_failure)(sheet=sheet, error=failure.message)
        raise
    return await in_db(_pulled)(sheet=sheet, page=page, text=text)


async def _pushed(notion: Notion, sheet: NoteSheet) -> tuple[Page, str]:
    """The page once it holds what both sides held, and what it says then."""
    text = await notion.read(sheet.notion_page_id)
    wanted = merge(base=sheet.notion_text, ours=sheet.body, theirs=text)
    if wanted != text:
        await notion.write(sheet.notion_page_id, wanted)
        text = await notion.read(sheet.notion_page_id)
    return await notion.page(sheet.notion_page_id), text


def _is_known(sheet: NoteSheet, page: Page) -> bool:
    """Whether no edit can have happened since the copy here was read."""
    if sheet.sync_error or sheet.pulled_at is None or sheet.notion_edited_at != page.edited_at:
        return False
    return sheet.pulled_at - page.edited_at > EDIT_MARGIN


# --- rows ---------------------------------------------------------------------------------------


def _link(*, owner: Owner, page: Page, text: str, by: str, action: str) -> Notes:
    with transaction.atomic():
        sheet = services.lock(owner)
        _need_other_source(sheet, page.id)
        sheet.notion_page_id, sheet.notion_text = page.id, text
        _take(sheet, page)
        return services.touch(sheet, by=by, action=action, lines=page.url)


def _use_local(*, owner: Owner, by: str) -> Notes:
    with transaction.atomic():
        sheet = services.lock(owner)
        if sheet.source == Source.LOCAL:
            return selectors.read_sheet(sheet)
        sheet.source, sheet.sync_error = Source.LOCAL, ""
        return services.touch(sheet, by=by, action="set_source", lines="Notion → local")


def _use_notion(*, sheet: NoteSheet, page: Page, text: str, by: str) -> Notes | None:
    """None: somebody wrote while we talked with Notion, and that is not on the page yet."""
    with transaction.atomic():
        now = services.lock(sheet.owner)
        if now.version != sheet.version:
            return None
        now.source, now.notion_text = Source.NOTION, text
        _take(now, page)
        return _settle(now, text, by=by, action="set_source", lines="local → Notion")


def _pulled(*, sheet: NoteSheet, page: Page, text: str) -> Notes:
    with transaction.atomic():
        now = services.lock(sheet.owner)
        if now.source != Source.NOTION or now.notion_page_id != sheet.notion_page_id:
            return selectors.read_sheet(now)  # switched meanwhile: what was read is not wanted
        is_news = text != now.body or bool(now.sync_error)
        now.notion_text = text
        _take(now, page)
        if is_news:
            return _settle(now, text, by=PULLED_BY, action="sync_notes", lines="Notion is back")
        now.save()
        return selectors.read_sheet(now)


def _settle(sheet: NoteSheet, text: str, *, by: str, action: str, lines: str) -> Notes:
    """`lines`: what the history tells where the text itself stays the same."""
    if text == sheet.body:
        return services.touch(sheet, by=by, action=action, lines=lines)
    return services.store(sheet, text, by=by, action=action)


def _reached(*, sheet: NoteSheet) -> Notes:
    NoteSheet.objects.filter(pk=sheet.pk).update(synced_at=timezone.now())
    return selectors.read_notes(owner=sheet.owner)


def note_failure(*, sheet: NoteSheet, error: str) -> None:
    """Told once: the copy here stays readable, and says why it may be old."""
    with transaction.atomic():
        now = services.lock(sheet.owner)
        if now.source != Source.NOTION or now.sync_error == error:
            return
        now.sync_error = error
        services.touch(now, by=PULLED_BY, action="sync_notes", lines=error)


def _take(sheet: NoteSheet, page: Page) -> None:
    sheet.notion_title, sheet.notion_url = page.title[:NAME_LIMIT], page.url
    sheet.notion_edited_at = page.edited_at
    sheet.pulled_at = sheet.synced_at = timezone.now()
    sheet.sync_error = ""


def _need_other_source(sheet: NoteSheet, page: str) -> None:
    if sheet.source == Source.NOTION and sheet.notion_page_id != page:
        raise Refused(
            "these notes come from another page: switch the source to local first"
            f" (PATCH {services.source_path(sheet)})"
        )


def _need_link(sheet: NoteSheet) -> None:
    if not sheet.notion_page_id:
        raise Refused("no page is linked: link or create a Notion page first")


def _name(owner: Owner) -> str:
    return owner.name or str(owner)
