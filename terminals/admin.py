"""Projects, windows and recordings in the admin: look, search, rename a project.

What tmux decides is read-only here: changing a row would not change tmux.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from terminals import recordings, services
from terminals.errors import Invalid
from terminals.models import Project, Recording, RecordingShare, Window

if TYPE_CHECKING:
    FormBase = forms.ModelForm[Project]
    ProjectBase = admin.ModelAdmin[Project]
    WindowBase = admin.ModelAdmin[Window]
    RecordingBase = admin.ModelAdmin[Recording]
    InlineBase = admin.TabularInline[Window, Project]
    ShareBase = admin.TabularInline[RecordingShare, Recording]
else:
    FormBase = forms.ModelForm
    ProjectBase = WindowBase = RecordingBase = admin.ModelAdmin
    InlineBase = ShareBase = admin.TabularInline


class FactAdmin:
    """Rows that tmux makes: not added by hand, and removed only once they are gone."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ProjectForm(FormBase):
    def clean_name(self) -> str:
        try:
            return services.project_name(self.cleaned_data["name"])
        except Invalid as failure:
            raise forms.ValidationError(failure.message) from None


class WindowInline(FactAdmin, InlineBase):
    model = Window
    fields = readonly_fields = ("index", "name", "tmux_id", "alive", "last_seen_at")
    ordering = ("-alive", "index")
    can_delete = False
    show_change_link = True
    extra = 0

    def has_change_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        return False


@admin.register(Project)
class ProjectAdmin(FactAdmin, ProjectBase):
    form = ProjectForm
    list_display = ("name", "session", "is_alive", "live_windows", "server", "updated_at")
    list_filter = ("server",)
    search_fields = ("name", "session")
    fields = ("name", "session", "server", "tmux_id", "life", "created_at", "updated_at")
    readonly_fields = fields[1:]
    inlines = (WindowInline,)
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Project]:
        alive = Count("windows", filter=Q(windows__alive=True))
        return super().get_queryset(request).annotate(alive_count=alive)

    @admin.display(boolean=True, description="alive")
    def is_alive(self, row: Project) -> bool:
        return self.live_windows(row) > 0

    @admin.display(description="windows", ordering="alive_count")
    def live_windows(self, row: Project) -> int:
        return int(getattr(row, "alive_count", 0))

    def save_model(self, request: HttpRequest, obj: Project, form: Any, change: bool) -> None:
        """Through the service, so that whoever looks at the project hears of it."""
        row = services.rename_project(project=form.initial["name"], name=obj.name)
        obj.name, obj.version = row.name, row.version

    def has_delete_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        """A project with a live session would come back at once, without its notes."""
        if obj is not None and obj.alive:
            return False
        return super().has_delete_permission(request, obj)


@admin.register(Window)
class WindowAdmin(FactAdmin, WindowBase):
    list_display = ("name", "alive", "project", "index", "tmux_id", "last_seen_at", "key")
    list_filter = ("alive", "project")
    list_select_related = ("project",)
    search_fields = ("name", "key", "tmux_id", "project__name", "project__session")
    ordering = ("-alive", "project__name", "index")
    date_hierarchy = "last_seen_at"
    actions = None

    def has_change_permission(self, request: HttpRequest, obj: Window | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Window | None = None) -> bool:
        return (obj is None or not obj.alive) and super().has_delete_permission(request, obj)


class ShareInline(FactAdmin, ShareBase):
    """Removing one revokes its link."""

    model = RecordingShare
    fields = readonly_fields = ("key", "by", "created_at", "expires_at")
    extra = 0

    def has_change_permission(self, request: HttpRequest, obj: Recording | None = None) -> bool:
        return obj is not None


@admin.register(Recording)
class RecordingAdmin(FactAdmin, RecordingBase):
    list_display = ("title", "state", "window", "started_at", "duration", "size", "by", "key")
    list_filter = ("state", "window__project")
    list_select_related = ("window__project",)
    search_fields = ("title", "key", "window__name", "window__project__name")
    date_hierarchy = "started_at"
    fields = readonly_fields = (
        "title", "state", "problem", "window", "pane", "started_at", "ended_at", "duration", "size",
        "columns", "rows", "by", "key",
    )  # fmt: skip
    inlines = (ShareInline,)
    actions = None

    def has_delete_permission(self, request: HttpRequest, obj: Recording | None = None) -> bool:
        """One that runs is stopped on the page first."""
        runs = obj is not None and obj.state == Recording.State.RECORDING
        return not runs and super().has_delete_permission(request, obj)

    def delete_model(self, request: HttpRequest, obj: Recording) -> None:
        """Through the service, which takes the files along."""
        recordings.remove(key=obj.key)
