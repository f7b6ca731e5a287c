"""Entries of a file become notes, and notes become entries: for import_notes and export_notes.

Not how a file looks: exchange.py. Nothing is asked of Notion; its worker reads the pages later.
"""

from collections.abc import Iterable
from enum import StrEnum

from django.db import transaction

from notes import placing, selectors, services
from notes.entries import Entry, WindowName
from notes.models import NoteSheet, Source
from terminals.errors import Invalid, Refused
from terminals.models import KEY_LENGTH, KEY_LETTERS, Window

IMPORTED_BY = "import_notes"


class Outcome(StrEnum):
    IMPORTED = "imported"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"


# --- in ---------------------------------------------------------------------------------------


def import_notes(*, entry: Entry, replace: bool = False) -> Outcome:
    """Notes that differ from those that are here are refused, unless `replace`."""
    services.check_body(entry.notes)
    _check_key(entry.window)
    with transaction.atomic():
        sheet = services.lock(placing.place(entry))
        is_new = not sheet.version
        if not is_new and _is_same(sheet, entry):
            return Outcome.UNCHANGED
        if not is_new and not replace:
            raise Refused(_differs(sheet, entry))
        _write(sheet, entry)
        return Outcome.IMPORTED if is_new else Outcome.REPLACED


def _write(sheet: NoteSheet, entry: Entry) -> None:
    """The text, where it comes from and the time that the file tells, in one change."""
    _link(sheet, entry)
    if sheet.body != entry.notes or not sheet.version:
        services.store(sheet, entry.notes, by=IMPORTED_BY, action=IMPORTED_BY)
    else:
        lines = f"source {entry.source} {entry.page}".rstrip()
        services.touch(sheet, by=IMPORTED_BY, action=IMPORTED_BY, lines=lines)
    if entry.updated_at is not None:
        sheet.updated_at = entry.updated_at
        sheet.save(update_fields=["updated_at"])


def _link(sheet: NoteSheet, entry: Entry) -> None:
    if sheet.notion_page_id != entry.page:
        sheet.notion_title = sheet.notion_url = ""
    sheet.source, sheet.notion_page_id = Source(entry.source), entry.page
    # Of a page that is the truth, this was its text; the next sync reads it whatever its time.
    sheet.notion_text = entry.notes if entry.source == Source.NOTION else ""
    sheet.notion_edited_at = sheet.pulled_at = None
    sheet.sync_error = ""


def _is_same(sheet: NoteSheet, entry: Entry) -> bool:
    here = (sheet.body, sheet.source, sheet.notion_page_id)
    return here == (entry.notes, entry.source, entry.page)


def _differs(sheet: NoteSheet, entry: Entry) -> str:
    if sheet.body == entry.notes:
        return "the same text comes from elsewhere here: pass --replace to take the file's source"
    return (
        f"there are other notes here ({len(sheet.body):,} characters, {len(entry.notes):,} in the"
        " file): pass --replace to overwrite them; their lines stay in the history"
    )


def _check_key(window: WindowName | None) -> None:
    key = window.key if window else ""
    if key and (len(key) != KEY_LENGTH or set(key) - set(KEY_LETTERS)):
        raise Invalid("windowKey is none of webtmux's: leave it out")


# --- out --------------------------------------------------------------------------------------


def export_notes(*, sessions: Iterable[str] = ()) -> list[Entry]:
    """Of all that was ever written, or of some sessions; always in the same order."""
    wanted = set(sessions)
    sheets = [sheet for sheet in selectors.sheets().filter(version__gt=0)
              if not wanted or wanted & {sheet.session, sheet.project_name}]  # fmt: skip
    return [_entry(sheet) for sheet in sorted(sheets, key=_order)]


def _order(sheet: NoteSheet) -> tuple[str, int, str, str]:
    owner = sheet.owner
    if not isinstance(owner, Window):
        return sheet.project_name, -1, "", ""
    return sheet.project_name, owner.index, owner.name, owner.key


def _entry(sheet: NoteSheet) -> Entry:
    return Entry(
        place="",
        session=sheet.session,
        project=sheet.project_name,
        window=_window(sheet.window),
        notes=sheet.body,
        source=sheet.source,
        page=sheet.notion_page_id,
        updated_at=sheet.updated_at,
    )


def _window(row: Window | None) -> WindowName | None:
    if row is None:
        return None
    index = None if row.index == placing.NO_INDEX else row.index
    return WindowName(key=row.key, index=index, name=row.name)
