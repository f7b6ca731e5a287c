"""Texts and small pieces of HTML for the admin pages of notes."""

from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.timesince import timesince

from core.actors import display_name
from notes.models import NoteChange, NoteSheet, NoteSource
from notes.tasklist import LABELS, Status
from terminals.models import Project

NAME_LENGTH = 60  # characters shown; a program may choose a window's name, of any length


@dataclass(frozen=True, slots=True)
class SyncState:
    """`kind` selects the CSS class; `label` says the same in words."""

    kind: str
    label: str


def sync_state(sheet: NoteSheet) -> SyncState:
    if sheet.source == NoteSource.LOCAL:
        label = "local, a page is linked" if sheet.notion_page_id else "local"
        return SyncState("local", label)
    if sheet.sync_error:
        return SyncState("away", f"not in sync: {sheet.sync_error}")
    if sheet.synced_at is None:
        return SyncState("away", "not in sync: Notion was never reached")
    return SyncState(
        "in-step", f"in sync with Notion, last reached {timesince(sheet.synced_at)} ago"
    )


def sync_badge(sheet: NoteSheet) -> SafeString:
    state = sync_state(sheet)
    return format_html('<span class="sync sync-{}">{}</span>', state.kind, state.label)


def owner_label(sheet: NoteSheet) -> SafeString:
    owner = sheet.owner
    if isinstance(owner, Project):
        return _label(owner.name, "project")
    return _label(f"{owner.index} {owner.name}", f"window of {owner.project.name}")


def _label(name: str, detail: str) -> SafeString:
    cut = Truncator(name).chars
    return format_html('{} <span class="quiet">{}</span>', cut(NAME_LENGTH), detail)


def task_counts(counts: dict[Status, int]) -> SafeString:
    """The number of tasks in each column that is not empty."""
    columns = [(status.value, LABELS[status], count) for status, count in counts.items() if count]
    if not columns:
        return format_html('<span class="quiet">{}</span>', "none")
    chip = '<span class="chip chip-{0}" title="{1}: {2}"><b>{2}</b> {0}</span>'
    return format_html_join(" ", chip, columns)


@dataclass(frozen=True, slots=True)
class DisplayedChange:
    """A change for the template: each line with its CSS class."""

    change: NoteChange
    author: str
    label: str
    lines: list[tuple[str, str]]


LINE_CLASSES = {"+ ": "came", "- ": "went"}
ACTION_LABELS = {
    "write_notes": "wrote the notes",
    "add": "added a task",
    "set_status": "changed a task's status",
    "set_text": "changed a task's text",
    "set_description": "changed a task's description",
    "remove": "removed a task",
    "move": "moved a task",
    "hand_task": "handed a task to",
    "judge_task": "judged a task",
    "link_notion_page": "linked a Notion page",
    "create_notion_page": "created a Notion page",
    "set_source": "switched the source",
    "sync_notes": "updated the notes from the page",
}


def displayed(change: NoteChange) -> DisplayedChange:
    lines = change.lines.split("\n") if change.lines else []
    classed = [(LINE_CLASSES.get(line[:2], "said"), line) for line in lines]
    label = ACTION_LABELS.get(change.action, change.action)
    return DisplayedChange(change, display_name(change.by), label, classed)
