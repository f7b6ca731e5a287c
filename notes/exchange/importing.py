"""Imports entries of a file as notes, and exports notes as entries.

Called by `manage.py import_notes` and `export_notes`. The format of files is in files.py. Sends no
request to Notion; the worker reads linked pages later.
"""

from collections.abc import Iterable
from enum import StrEnum

from django.db import transaction

from core.errors import Invalid, Refused
from notes import selectors, services, writing
from notes.exchange import owners
from notes.exchange.records import NotesEntry, WindowName
from notes.models import NoteSheet, NoteSource
from terminals.models import KEY_LENGTH, KEY_LETTERS, Window

ACTOR = ACTION = "import_notes"  # in the history


class ImportOutcome(StrEnum):
    IMPORTED = "imported"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"


# --- import -------------------------------------------------------------------------------------


def import_notes(*, entry: NotesEntry, replace: bool = False) -> ImportOutcome:
    """Existing notes that differ are kept and the entry is refused, unless `replace`."""
    services.check_body(entry.notes)
    _check_key(entry.window)
    with transaction.atomic():
        sheet = writing.lock(owners.find_or_create(entry))
        is_new = not sheet.version
        if not is_new and _is_same(sheet, entry):
            return ImportOutcome.UNCHANGED
        if not is_new and not replace:
            raise Refused(_differs(sheet, entry))
        _write(sheet, entry)
        return ImportOutcome.IMPORTED if is_new else ImportOutcome.REPLACED


def _write(sheet: NoteSheet, entry: NotesEntry) -> None:
    """Writes the text, its source and the time given in the file, as one change."""
    _link(sheet, entry)
    if sheet.body != entry.notes or not sheet.version:
        writing.store(sheet, entry.notes, actor=ACTOR, action=ACTION)
    else:
        lines = f"source {entry.source} {entry.page}".rstrip()
        writing.touch(sheet, actor=ACTOR, action=ACTION, lines=lines)
    if entry.updated_at is not None:
        sheet.updated_at = entry.updated_at
        sheet.save(update_fields=["updated_at"])


def _link(sheet: NoteSheet, entry: NotesEntry) -> None:
    if sheet.notion_page_id != entry.page:
        sheet.notion_title = sheet.notion_url = ""
    sheet.source, sheet.notion_page_id = NoteSource(entry.source), entry.page
    # For notes from Notion this is the text of the page. Without `pulled_at` the next sync reads
    # the page whatever its time of edit.
    sheet.notion_text = entry.notes if entry.source == NoteSource.NOTION else ""
    sheet.notion_edited_at = sheet.pulled_at = None
    sheet.sync_error = ""


def _is_same(sheet: NoteSheet, entry: NotesEntry) -> bool:
    existing = (sheet.body, sheet.source, sheet.notion_page_id)
    return existing == (entry.notes, entry.source, entry.page)


def _differs(sheet: NoteSheet, entry: NotesEntry) -> str:
    if sheet.body == entry.notes:
        return "the same text has a different source here: pass --replace to use the file's source"
    return (
        f"there are different notes here ({len(sheet.body):,} characters, {len(entry.notes):,} in"
        " the file): pass --replace to overwrite them; their lines stay in the history"
    )


def _check_key(window: WindowName | None) -> None:
    key = window.key if window else ""
    if key and (len(key) != KEY_LENGTH or set(key) - set(KEY_LETTERS)):
        raise Invalid("windowKey is not a key of webtmux: leave it out")


# --- export -------------------------------------------------------------------------------------


def export_notes(*, sessions: Iterable[str] = ()) -> list[NotesEntry]:
    """All notes that were ever written, or those of some sessions, always in the same order."""
    wanted = set(sessions)
    sheets = [
        sheet
        for sheet in selectors.sheets().filter(version__gt=0)
        if not wanted or wanted & {sheet.session, sheet.project_name}
    ]
    return [_entry(sheet) for sheet in sorted(sheets, key=_order)]


def _order(sheet: NoteSheet) -> tuple[str, int, str, str]:
    owner = sheet.owner
    if not isinstance(owner, Window):
        return sheet.project_name, -1, "", ""
    return sheet.project_name, owner.index, owner.name, owner.key


def _entry(sheet: NoteSheet) -> NotesEntry:
    return NotesEntry(
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
    index = None if row.index == owners.NO_INDEX else row.index
    return WindowName(key=row.key, index=index, name=row.name)
