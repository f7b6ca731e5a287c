"""The admin of note sheets: list, search, edit, switch between local and Notion.

Every change goes through the services. Sheets are created with their owners, so none is added
here, and one can be deleted only after its owner is gone.
"""

from typing import Any, TypedDict, cast

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django_stubs_ext import WithAnnotations

from core.errors import Invalid, WebtmuxError
from notes import selectors, services
from notes.admin import display, notion
from notes.admin.filters import AgeFilter, ProjectFilter, SyncStateFilter, TaskStatusFilter
from notes.admin.forms import (
    TEXT_AND_TASKS_CHANGED,
    SheetForm,
    TaskForm,
    TaskRows,
    changes_of,
    update_tasks,
)
from notes.admin.notion import NotionAction
from notes.admin.pages import SheetPages
from notes.models import NoteSheet, NoteSource, Task
from notes.notion import connection as notion_connection
from notes.tasklist import Status

CHANGES_SHOWN = 20  # on the page of a sheet
# Each task has four fields, and Django accepts 1,000 in a form. Longer lists are edited as text.
TASKS_IN_FORM = 200
FAILURES_SHOWN = 20


def is_read_only(request: HttpRequest, sheet: NoteSheet | None) -> bool:
    """Notes from Notion cannot be edited. A POST is let through to the service, which refuses it
    with a reason and keeps the user's input in the form: a plain 403 would lose it."""
    return sheet is not None and sheet.source == NoteSource.NOTION and request.method != "POST"


class TaskCounts(TypedDict):
    """What SheetList adds to each row."""

    task_counts: dict[Status, int]


class SheetList(ChangeList):
    """The list of sheets: with the number of tasks, without the texts, which may be long."""

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: list[str | None] | None = None
    ) -> QuerySet[NoteSheet]:
        rows: QuerySet[NoteSheet] = super().get_queryset(request, exclude_parameters)
        return rows.defer("body", "task_keys", "notion_text")

    def get_results(self, request: HttpRequest) -> None:
        """Counts tasks for the displayed page only: as a column, SQLite would count every row."""
        super().get_results(request)
        self.result_list = list(self.result_list)
        counts = selectors.count_tasks(self.result_list)
        for row in self.result_list:
            row.task_counts = counts[row.pk]


class TaskInline(admin.TabularInline[Task, NoteSheet]):
    model = Task
    form = TaskForm
    fields = ("position", "status", "text")
    readonly_fields = ("position",)
    ordering = ("position",)
    extra = 1

    def has_add_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_read_only(request, obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_read_only(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_read_only(request, obj) and super().has_delete_permission(request, obj)


@admin.register(NoteSheet)
class NoteSheetAdmin(SheetPages):
    form = SheetForm
    list_display = ("notes_of", "tasks_by_status", "sync", "changed", "version", "source")
    list_filter = (TaskStatusFilter, SyncStateFilter, "source", AgeFilter, ProjectFilter)
    search_fields = (
        "body",
        "project__name",
        "project__session",
        "window__name",
        "window__key",
        "window__project__name",
        "window__project__session",
    )
    search_help_text = "Words in the notes, or the name of their project, session or window"
    actions = ("use_notion", "use_local", "sync_now")
    change_form_template = "admin/notes/notesheet/change_form.html"

    # --- the list -------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[NoteSheet]:
        return selectors.sheets()

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:
        return SheetList

    @admin.display(description="notes of")
    def notes_of(self, row: NoteSheet) -> SafeString:
        return display.owner_label(row)

    @admin.display(description="sync")
    def sync(self, row: NoteSheet) -> SafeString:
        return display.sync_badge(row)

    @admin.display(description="tasks")
    def tasks_by_status(self, row: "WithAnnotations[NoteSheet, TaskCounts]") -> SafeString:
        return display.task_counts(row.task_counts)

    @admin.display(description="changed", ordering="updated_at")
    def changed(self, row: NoteSheet) -> str:
        return f"{timezone.localtime(row.updated_at):%Y-%m-%d %H:%M}" if row.updated_at else "never"

    @admin.action(description="Switch to Notion", permissions=("change",))
    def use_notion(self, request: HttpRequest, queryset: QuerySet[NoteSheet]) -> None:
        self._run_each(request, queryset, notion.use_notion, "Switched to Notion")

    @admin.action(description="Switch to local", permissions=("change",))
    def use_local(self, request: HttpRequest, queryset: QuerySet[NoteSheet]) -> None:
        self._run_each(request, queryset, notion.use_local, "Switched to local")

    @admin.action(description="Sync now", permissions=("change",))
    def sync_now(self, request: HttpRequest, queryset: QuerySet[NoteSheet]) -> None:
        self._run_each(request, queryset, notion.sync_now, "Synced with Notion")

    def _run_each(
        self, request: HttpRequest, rows: QuerySet[NoteSheet], action: NotionAction, success: str
    ) -> None:
        actor = request.user.get_username()
        result = async_to_sync(notion.for_each)(list(rows), action, actor=actor)
        if result.succeeded:
            self.message_user(request, f"{success}: {result.succeeded}.", messages.SUCCESS)
        for failure in result.failures[:FAILURES_SHOWN]:
            self.message_user(request, failure, messages.ERROR)
        if (more := len(result.failures) - FAILURES_SHOWN) > 0:
            self.message_user(request, f"… and {more} more failed.", messages.ERROR)

    # --- one sheet ------------------------------------------------------------------------------

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_read_only(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        """Not from the list, and not while the window or project is alive."""
        if obj is None or obj.owner.alive:
            return False
        return super().has_delete_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: NoteSheet | None = None) -> tuple[str, ...]:
        editable = self.has_change_permission(request, obj)
        return ("body", "read_version") if editable else ("body",)

    def get_inlines(
        self, request: HttpRequest, obj: NoteSheet | None
    ) -> tuple[type[TaskInline], ...]:
        return () if obj is None or obj.tasks.count() > TASKS_IN_FORM else (TaskInline,)

    def get_form(
        self,
        request: HttpRequest,
        obj: NoteSheet | None = None,
        change: bool = False,
        **kwargs: Any,  # as Django declares it
    ) -> type[SheetForm]:
        form = cast("type[SheetForm]", super().get_form(request, obj, change, **kwargs))
        form.refusal = getattr(request, "refusal", "")  # the class is created for this request
        return form

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """If a service refuses, everything is rolled back and the form is shown with the reason."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except WebtmuxError as failure:
            # A request-wide attribute: get_form has no other way to receive it.
            vars(request)["refusal"] = failure.message
            return super().changeform_view(request, object_id, form_url, extra_context)

    def save_model(
        self, request: HttpRequest, obj: NoteSheet, form: ModelForm[NoteSheet], change: bool
    ) -> None:
        if "body" in form.changed_data:
            services.write_notes(
                owner=obj.owner,
                notes=form.cleaned_data["body"],
                actor=request.user.get_username(),
                expected_version=form.cleaned_data["read_version"],
            )

    def save_formset(
        self, request: HttpRequest, form: ModelForm[NoteSheet], formset: TaskRows, change: bool
    ) -> None:
        changes = changes_of(formset)
        if changes and "body" in form.changed_data:
            raise Invalid(TEXT_AND_TASKS_CHANGED)
        update_tasks(
            owner=form.instance.owner,
            changes=changes,
            actor=request.user.get_username(),
            version=form.cleaned_data["read_version"],
        )

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, object],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: NoteSheet | None = None,
    ) -> HttpResponse:
        if obj is None:  # no sheet is added here
            return super().render_change_form(request, context, add, change, form_url, obj)
        changes = obj.changes.all()[:CHANGES_SHOWN]
        context |= {
            "sheet": obj,
            "sync": display.sync_state(obj),
            "changes": [display.displayed(change) for change in changes],
            "can_act": super().has_change_permission(request, obj),
            "notion_problem": notion_connection.missing_token(),
            "can_create": bool(settings.WEBTMUX.notion_parent),
            "task_count": obj.tasks.count(),
            "task_limit": TASKS_IN_FORM,
        }
        return super().render_change_form(request, context, add, change, form_url, obj)
