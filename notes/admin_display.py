"""Notes in words and a little markup, for the admin's pages. Reads and writes nothing."""

from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.timesince import timesince

from notes.models import NoteChange, NoteSheet, Source
from notes.tasklist import LABELS, Status
from terminals.models import Project

NAME_SHOWN = 60  # characters; a program may choose a window's name, of any length


@dataclass(frozen=True, slots=True)
class SyncState:
    """`kind` is the name of a style; the words say the same without it."""

    kind: str
    words: str


def sync_state(sheet: NoteSheet) -> SyncState:
    if sheet.source == Source.LOCAL:
        words = "local, a page is linked" if sheet.notion_page_id else "local"
        return SyncState("local", words)
    if sheet.sync_error:
        return SyncState("away", f"not in step: {sheet.sync_error}")
    if sheet.synced_at is None:
        return SyncState("away", "not in step: Notion was never reached")
    return SyncState("in-step", f"in step with Notion, reached {timesince(sheet.synced_at)} ago")


def sync_badge(sheet: NoteSheet) -> SafeString:
    state = sync_state(sheet)
    return format_html('<span class="sync sync-{}">{}</span>', state.kind, state.words)


def owner_label(sheet: NoteSheet) -> SafeString:
    owner = sheet.owner
    if isinstance(owner, Project):
        return _label(owner.name, "project")
    return _label(f"{owner.index} {owner.name}", f"window of {owner.project.name}")


def _label(name: str, quiet: str) -> SafeString:
    cut = Truncator(name).chars
    return format_html('{} <span class="quiet">{}</span>', cut(NAME_SHOWN), quiet)


def task_counts(counts: dict[Status, int]) -> SafeString:
    """Only the columns that hold any."""
    shown = [(each.value, LABELS[each], count) for each, count in counts.items() if count]
    if not shown:
        return format_html('<span class="quiet">{}</span>', "none")
    chip = '<span class="chip chip-{0}" title="{1}: {2}"><b>{2}</b> {0}</span>'
    return format_html_join(" ", chip, shown)


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A change with its lines apart, each with the style that it has."""

    change: NoteChange
    words: str
    lines: list[tuple[str, str]]


STYLES = {"+ ": "came", "- ": "went"}
WORDS = {
    "write_notes": "wrote the notes",
    "add": "added a task",
    "set_status": "changed a task's status",
    "set_text": "changed a task's text",
    "remove": "removed a task",
    "move": "moved a task",
    "hand_task": "handed a task to",
    "judge_task": "judged a task",
    "link_notion_page": "linked a page",
    "create_notion_page": "made a page",
    "set_source": "switched the source",
    "sync_notes": "sync",
}


def shown(change: NoteChange) -> ChangeShown:
    lines = change.lines.split("\n") if change.lines else []
    styled = [(STYLES.get(line[:2], "said"), line) for line in lines]
    return ChangeShown(change, WORDS.get(change.action, change.action), styled)
