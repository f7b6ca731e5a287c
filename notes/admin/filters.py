"""The filters of the list of note sheets in the admin."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib.admin import SimpleListFilter
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from notes.models import NoteSheet, NoteSource, Task
from notes.tasklist import LABELS, Status
from terminals.models import Project

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

PROJECTS_LISTED = 100  # others can be found with the search field
Sheets = QuerySet[NoteSheet]
Choices = Sequence[tuple[str, str]]


class TaskStatusFilter(SimpleListFilter):
    title = "tasks"
    parameter_name = "tasks"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Model]") -> Choices:
        return [(status.value, f"some {LABELS[status].lower()}") for status in Status]

    def queryset(self, request: HttpRequest, queryset: Sheets) -> Sheets:
        if self.value() not in set(Status):
            return queryset
        # Not with EXISTS: SQLite would scan all tasks of that status for each sheet.
        return queryset.filter(pk__in=Task.objects.filter(status=self.value()).values("sheet"))


class ProjectFilter(SimpleListFilter):
    """Selects the notes of a project and of its windows."""

    title = "project"
    parameter_name = "project"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Model]") -> Choices:
        with_notes = Project.objects.filter(
            Q(notes__isnull=False) | Q(windows__notes__isnull=False)
        )
        rows = with_notes.distinct().values_list("pk", "name")[:PROJECTS_LISTED]
        return [(str(key), name) for key, name in rows]

    def queryset(self, request: HttpRequest, queryset: Sheets) -> Sheets:
        key = self.value() or ""
        if not key.isdecimal():
            return queryset
        return queryset.filter(Q(project=int(key)) | Q(window__project=int(key)))


def _since(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def _midnight() -> datetime:
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


AGES: dict[str, tuple[str, Callable[[], Q]]] = {
    "today": ("today", lambda: Q(updated_at__gte=_midnight())),
    "week": ("in the last 7 days", lambda: Q(updated_at__gte=_since(7))),
    "month": ("in the last 30 days", lambda: Q(updated_at__gte=_since(30))),
    "older": ("more than 30 days ago", lambda: Q(updated_at=None) | Q(updated_at__lt=_since(30))),
}


class AgeFilter(SimpleListFilter):
    title = "last change"
    parameter_name = "changed"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Model]") -> Choices:
        return [(name, label) for name, (label, _) in AGES.items()]

    def queryset(self, request: HttpRequest, queryset: Sheets) -> Sheets:
        chosen = AGES.get(self.value() or "")
        return queryset if chosen is None else queryset.filter(chosen[1]())


STATES: dict[str, tuple[str, Q]] = {
    "local": ("local", Q(source=NoteSource.LOCAL)),
    "in-step": ("in sync with Notion", Q(source=NoteSource.NOTION, sync_error="")),
    "away": ("not in sync", Q(source=NoteSource.NOTION) & ~Q(sync_error="")),
}


class SyncStateFilter(SimpleListFilter):
    title = "sync"
    parameter_name = "sync"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Model]") -> Choices:
        return [(name, label) for name, (label, _) in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: Sheets) -> Sheets:
        chosen = STATES.get(self.value() or "")
        return queryset if chosen is None else queryset.filter(chosen[1])
