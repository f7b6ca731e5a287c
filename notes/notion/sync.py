"""Links notes with Notion pages, switches their source, and pulls changes of a page.

Called by REST, the admin, the worker and `manage.py sync_notion`. Notion is never awaited inside a
transaction: its text is stored only if the sheet is still in the state it was requested for. No
line of either side is lost on the way.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from core.database import in_db
from core.errors import Conflict, Invalid, Refused
from notes import selectors, writing
from notes.models import NoteSheet, NoteSource
from notes.notion import Notion, NotionFailed, NotionPage, connection, page_id
from notes.notion.append_missing import append_missing
from notes.selectors import Notes, Owner
from terminals.models import NAME_LIMIT

SWITCH_TRIES = 5  # while others write the same notes
# Notion rounds the time of an edit to the minute, and its clock may differ from ours.
EDIT_MARGIN = timedelta(minutes=2)
NOTION_ACTOR = "Notion"  # the author of pulled changes in the history


def notion_status() -> str:
    """What to do before Notion can be used; empty if a token is configured."""
    return connection.missing_token()


async def link_notion_page(*, owner: Owner, notion: Notion, page: str, actor: str) -> Notes:
    """Links a page that exists and is shared with the integration. Does not change the source."""
    notion.require_token()
    linked = await notion.page(page_id(page))
    return await in_db(_link)(
        owner=owner, page=linked, text="", actor=actor, action="link_notion_page"
    )


async def create_notion_page(
    *, owner: Owner, notion: Notion, parent: str, title: str, actor: str
) -> Notes:
    """Creates a page below `parent` with the current notes and links it."""
    notion.require_token()
    if not parent.strip():
        raise Invalid(
            "no parent page: pass parent (an id or address) or set WEBTMUX_NOTION_PARENT, and share"
            " that page with the integration"
        )
    sheet = (await in_db(selectors.read_notes)(owner=owner)).sheet
    _require_other_source(sheet, "")
    name = title.strip() or _name(owner)
    created = await notion.create(parent_id=page_id(parent), title=name, text=sheet.body)
    text = await notion.read(created.id)
    return await in_db(_link)(
        owner=owner, page=created, text=text, actor=actor, action="create_notion_page"
    )


async def set_source(*, owner: Owner, notion: Notion, source: NoteSource, actor: str) -> Notes:
    """To Notion: first writes the lines of both sides to the page. To local: keeps our copy."""
    if source is NoteSource.LOCAL:
        return await in_db(_use_local)(owner=owner, actor=actor)
    notion.require_token()
    for _ in range(SWITCH_TRIES):
        sheet = (await in_db(selectors.read_notes)(owner=owner)).sheet
        if sheet.source == NoteSource.NOTION:
            return await sync_notes(owner=owner, notion=notion)
        _require_link(sheet)
        page, text = await _push(notion, sheet)
        notes = await in_db(_use_notion)(sheet=sheet, page=page, text=text, actor=actor)
        if notes is not None:
            return notes
    raise Conflict("the notes keep changing: try again when no one is editing them")


async def sync_notes(*, owner: Owner, notion: Notion) -> Notes:
    """Reads the page again, whether it has changed or not."""
    sheet = (await in_db(selectors.read_notes)(owner=owner)).sheet
    if sheet.source != NoteSource.NOTION:
        raise Refused("these notes are local: switch the source to notion first")
    return await pull(sheet=sheet, notion=notion, always=True)


async def pull(*, sheet: NoteSheet, notion: Notion, always: bool = False) -> Notes:
    """Updates our copy. Checks `last_edited_time` first: an unchanged page costs one request."""
    try:
        page = await notion.page(sheet.notion_page_id)
        if not always and _is_current(sheet, page):
            return await in_db(_confirm)(sheet=sheet)
        text = await notion.read(sheet.notion_page_id)
    except NotionFailed as failure:
        await in_db(record_failure)(sheet=sheet, error=failure.message)
        raise
    return await in_db(_store_pulled)(sheet=sheet, page=page, text=text)


async def _push(notion: Notion, sheet: NoteSheet) -> tuple[NotionPage, str]:
    """Writes the lines of both sides to the page. Returns the page and its text afterwards."""
    text = await notion.read(sheet.notion_page_id)
    wanted = append_missing(base=sheet.notion_text, ours=sheet.body, theirs=text)
    if wanted != text:
        await notion.write(sheet.notion_page_id, wanted)
        text = await notion.read(sheet.notion_page_id)
    return await notion.page(sheet.notion_page_id), text


def _is_current(sheet: NoteSheet, page: NotionPage) -> bool:
    """Whether the page cannot have been edited since our copy was read."""
    if sheet.sync_error or sheet.pulled_at is None or sheet.notion_edited_at != page.edited_at:
        return False
    return sheet.pulled_at - page.edited_at > EDIT_MARGIN


# --- rows ---------------------------------------------------------------------------------------


def _link(*, owner: Owner, page: NotionPage, text: str, actor: str, action: str) -> Notes:
    with transaction.atomic():
        sheet = writing.lock(owner)
        _require_other_source(sheet, page.id)
        sheet.notion_page_id, sheet.notion_text = page.id, text
        _set_page(sheet, page)
        return writing.touch(sheet, actor=actor, action=action, lines=page.url)


def _use_local(*, owner: Owner, actor: str) -> Notes:
    with transaction.atomic():
        sheet = writing.lock(owner)
        if sheet.source == NoteSource.LOCAL:
            return selectors.read_sheet(sheet)
        sheet.source, sheet.sync_error = NoteSource.LOCAL, ""
        return writing.touch(sheet, actor=actor, action="set_source", lines="Notion → local")


def _use_notion(*, sheet: NoteSheet, page: NotionPage, text: str, actor: str) -> Notes | None:
    """None if the notes were written during the requests to Notion: that is not on the page yet."""
    with transaction.atomic():
        now = writing.lock(sheet.owner)
        if now.version != sheet.version:
            return None
        now.source, now.notion_text = NoteSource.NOTION, text
        _set_page(now, page)
        return _store(now, text, actor=actor, action="set_source", lines="local → Notion")


def _store_pulled(*, sheet: NoteSheet, page: NotionPage, text: str) -> Notes:
    with transaction.atomic():
        now = writing.lock(sheet.owner)
        if now.source != NoteSource.NOTION or now.notion_page_id != sheet.notion_page_id:
            return selectors.read_sheet(now)  # switched during the request: discard the text
        is_change = text != now.body or bool(now.sync_error)
        now.notion_text = text
        _set_page(now, page)
        if is_change:
            return _store(
                now,
                text,
                actor=NOTION_ACTOR,
                action="sync_notes",
                lines="Notion is reachable again",
            )
        now.save()
        return selectors.read_sheet(now)


def _store(sheet: NoteSheet, text: str, *, actor: str, action: str, lines: str) -> Notes:
    """`lines` is for the history if the text itself has not changed."""
    if text == sheet.body:
        return writing.touch(sheet, actor=actor, action=action, lines=lines)
    return writing.store(sheet, text, actor=actor, action=action)


def _confirm(*, sheet: NoteSheet) -> Notes:
    NoteSheet.objects.filter(pk=sheet.pk).update(synced_at=timezone.now())
    return selectors.read_notes(owner=sheet.owner)


def record_failure(*, sheet: NoteSheet, error: str) -> None:
    """Shows the error with our copy, which stays readable. The same error is recorded once."""
    with transaction.atomic():
        now = writing.lock(sheet.owner)
        if now.source != NoteSource.NOTION or now.sync_error == error:
            return
        now.sync_error = error
        writing.touch(now, actor=NOTION_ACTOR, action="sync_notes", lines=error)


def _set_page(sheet: NoteSheet, page: NotionPage) -> None:
    sheet.notion_title, sheet.notion_url = page.title[:NAME_LIMIT], page.url
    sheet.notion_edited_at = page.edited_at
    sheet.pulled_at = sheet.synced_at = timezone.now()
    sheet.sync_error = ""


def _require_other_source(sheet: NoteSheet, page: str) -> None:
    if sheet.source == NoteSource.NOTION and sheet.notion_page_id != page:
        raise Refused(
            "these notes come from another Notion page: switch the source to local first"
            f" (PATCH {writing.source_path(sheet)})"
        )


def _require_link(sheet: NoteSheet) -> None:
    if not sheet.notion_page_id:
        raise Refused("no page is linked: link or create a Notion page first")


def _name(owner: Owner) -> str:
    return owner.name or str(owner)
