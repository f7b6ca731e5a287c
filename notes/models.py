"""The tables of notes: sheets, their tasks, and the history of changes.

The body of a sheet is authoritative. Task rows are derived from it (task_rows.py), for search,
filters and links.
"""

from typing import Literal

from django.db import models
from django.db.models import Q
from django.utils import timezone

from notes.tasklist import LABELS, Status
from terminals.models import NAME_LIMIT, Project, Window, new_key

ScopeName = Literal["project", "window"]


class NoteSource(models.TextChoices):
    LOCAL = "local", "local"
    NOTION = "notion", "Notion"


class NoteSheet(models.Model):
    """The notes of one project or of one window."""

    project = models.OneToOneField(
        Project, on_delete=models.CASCADE, null=True, blank=True, related_name="notes"
    )
    window = models.OneToOneField(
        Window, on_delete=models.CASCADE, null=True, blank=True, related_name="notes"
    )
    body = models.TextField("notes", blank=True)
    source = models.CharField(max_length=8, choices=NoteSource.choices, default=NoteSource.LOCAL)
    # The keys of its tasks, in order. In the same row as the body, so that one read returns both
    # in the same state.
    task_keys = models.TextField(blank=True, editable=False)
    # Task key → the window that works on it. Here for the same reason. Written by handoff.py.
    handed = models.JSONField(default=dict, blank=True, editable=False)
    # 0 means never written.
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(null=True, blank=True)
    notion_page_id = models.CharField("Notion page", max_length=36, blank=True)
    notion_title = models.CharField(max_length=NAME_LIMIT, blank=True)
    notion_url = models.URLField(max_length=1000, blank=True)
    # When the page was last edited, at the time of our copy.
    notion_edited_at = models.DateTimeField(null=True, blank=True)
    # The text when page and body were last equal: shows which of the two has changed since.
    notion_text = models.TextField(blank=True)
    pulled_at = models.DateTimeField("last read from Notion", null=True, blank=True)
    synced_at = models.DateTimeField("last reached Notion", null=True, blank=True)
    sync_error = models.TextField(blank=True)

    class Meta:
        ordering = ("-updated_at",)
        constraints = (
            models.CheckConstraint(
                condition=Q(project=None) ^ Q(window=None), name="notes_of_a_project_or_a_window"
            ),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.owner}"

    @property
    def owner(self) -> Project | Window:
        owner = self.project or self.window
        assert owner is not None  # guaranteed by the constraint
        return owner

    def set_owner(self, owner: Project | Window) -> None:
        """Attaches an owner that is already loaded, to save the query."""
        if isinstance(owner, Project):
            self.project = owner
        else:
            self.window = owner

    @property
    def scope(self) -> ScopeName:
        return "project" if self.window is None else "window"

    @property
    def session(self) -> str:
        return self._project.session

    @property
    def project_name(self) -> str:
        return self._project.name

    @property
    def _project(self) -> Project:
        owner = self.owner
        return owner if isinstance(owner, Project) else owner.project


class Task(models.Model):
    """One task of a sheet's body. `key` survives moves, renames and changes of status."""

    sheet = models.ForeignKey(NoteSheet, on_delete=models.CASCADE, related_name="tasks")
    key = models.CharField(max_length=16, default=new_key, editable=False)
    position = models.PositiveIntegerField()
    status = models.CharField(max_length=3, choices=[(each.value, LABELS[each]) for each in Status])
    text = models.TextField()
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("sheet", "position")
        constraints = (models.UniqueConstraint(fields=("sheet", "key"), name="one_task_per_key"),)
        indexes = (
            models.Index(fields=("sheet", "position"), name="task_place"),
            models.Index(fields=("status", "-changed_at"), name="task_status"),
        )

    def __str__(self) -> str:
        return f"[{self.status}] {self.text}"


class NoteChange(models.Model):
    """One change of a sheet: who, when, and the removed and added lines."""

    sheet = models.ForeignKey(NoteSheet, on_delete=models.CASCADE, related_name="changes")
    version = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.CharField(max_length=NAME_LIMIT)
    action = models.CharField(max_length=32)
    lines = models.TextField("what changed", blank=True)
    # Task key → what changed about that task (task_history.py). Empty in older rows.
    tasks = models.JSONField(default=dict, blank=True, editable=False)

    class Meta:
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("sheet", "-version"), name="change_of_sheet"),)

    def __str__(self) -> str:
        return f"{self.action} by {self.by}"
