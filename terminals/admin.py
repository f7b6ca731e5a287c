"""Projects, windows and recordings in the admin: view, search, rename a project.

What tmux decides is read-only here: changing a row would not change tmux.
"""

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from core.actors import display_name
from core.errors import Invalid
from terminals import services
from terminals.models import Project, Recording, RecordingShare, RecordingState, Window
from terminals.recordings import services as recordings


class TmuxRowAdmin:
    """Rows that are created from tmux: not added by hand, deleted only when they have ended."""

    def has_add_permission(
        self, request: HttpRequest, obj: Project | Window | Recording | None = None
    ) -> bool:
        return False

    @admin.display(description="tmux server run")
    def server_run(self, row: Project | Window) -> str:
        return row.life


class ProjectForm(forms.ModelForm[Project]):
    def clean_name(self) -> str:
        try:
            return services.project_name(self.cleaned_data["name"])
        except Invalid as failure:
            raise forms.ValidationError(failure.message) from None


class WindowInline(TmuxRowAdmin, admin.TabularInline[Window, Project]):
    model = Window
    fields = readonly_fields = ("index", "name", "tmux_id", "alive", "last_seen_at")
    ordering = ("-alive", "index")
    can_delete = False
    show_change_link = True
    extra = 0

    def has_change_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        return False


@admin.register(Project)
class ProjectAdmin(TmuxRowAdmin, admin.ModelAdmin[Project]):
    form = ProjectForm
    list_display = ("name", "session", "is_alive", "live_windows", "server", "updated_at")
    list_filter = ("server",)
    search_fields = ("name", "session")
    fields = ("name", "session", "server", "tmux_id", "server_run", "created_at", "updated_at")
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

    def save_model(
        self, request: HttpRequest, obj: Project, form: forms.ModelForm[Project], change: bool
    ) -> None:
        """Through the service, so that open pages are updated."""
        row = services.rename_project(project=form.initial["name"], name=obj.name)
        obj.name, obj.version = row.name, row.version

    def has_delete_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        """A project with a live session would reappear at once, without its notes."""
        if obj is not None and obj.alive:
            return False
        return super().has_delete_permission(request, obj)


@admin.register(Window)
class WindowAdmin(TmuxRowAdmin, admin.ModelAdmin[Window]):
    list_display = ("name", "alive", "project", "index", "tmux_id", "last_seen_at", "key")
    list_filter = ("alive", "project")
    list_select_related = ("project",)
    search_fields = ("name", "key", "tmux_id", "project__name", "project__session")
    ordering = ("-alive", "project__name", "index")
    date_hierarchy = "last_seen_at"
    fields = readonly_fields = (
        "project",
        "tmux_id",
        "server_run",
        "index",
        "name",
        "active",
        "alive",
        "pinned",
        "closed_at",
        "version",
        "last_seen_at",
    )
    actions = None

    def has_change_permission(self, request: HttpRequest, obj: Window | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Window | None = None) -> bool:
        return (obj is None or not obj.alive) and super().has_delete_permission(request, obj)


class ShareInline(TmuxRowAdmin, admin.TabularInline[RecordingShare, Recording]):
    """Deleting a share revokes its link."""

    model = RecordingShare
    fields = readonly_fields = ("key", "author", "created_at", "expires_at")
    extra = 0

    @admin.display(description="made by")
    def author(self, row: RecordingShare) -> str:
        return display_name(row.by)

    def has_change_permission(self, request: HttpRequest, obj: Recording | None = None) -> bool:
        return obj is not None


@admin.register(Recording)
class RecordingAdmin(TmuxRowAdmin, admin.ModelAdmin[Recording]):
    list_display = ("title", "state", "window", "started_at", "duration", "size", "author", "key")
    list_filter = ("state", "window__project")
    list_select_related = ("window__project",)
    search_fields = ("title", "key", "window__name", "window__project__name")
    date_hierarchy = "started_at"
    fields = readonly_fields = (
        "title",
        "state",
        "problem",
        "window",
        "pane",
        "started_at",
        "ended_at",
        "duration",
        "size",
        "columns",
        "rows",
        "author",
        "key",
    )
    inlines = (ShareInline,)
    actions = None

    @admin.display(description="started by", ordering="by")
    def author(self, row: Recording) -> str:
        return display_name(row.by)

    def has_delete_permission(self, request: HttpRequest, obj: Recording | None = None) -> bool:
        """A running recording has to be stopped first."""
        running = obj is not None and obj.state == RecordingState.RECORDING
        return not running and super().has_delete_permission(request, obj)

    def delete_model(self, request: HttpRequest, obj: Recording) -> None:
        """Through the service, which also deletes the files."""
        recordings.remove(key=obj.key)
