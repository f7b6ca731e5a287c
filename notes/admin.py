"""Note sheets in the admin: found, read, edited, switched between local and Notion.

Every change goes through the services. Sheets come with their owners: none is added here, and one
is removed only once its owner is gone.
"""

from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString

from notes import admin_display, admin_notion, selectors, services
from notes.admin_filters import AgeFilter, ProjectFilter, SyncStateFilter, TaskStatusFilter
from notes.admin_forms import EITHER, SheetForm, TaskForm, changes_of, update_tasks
from notes.admin_notion import Deed
from notes.admin_pages import SheetPages
from notes.models import NoteSheet, Source, Task
from terminals.errors import Invalid, WebtmuxError

if TYPE_CHECKING:
    InlineBase = admin.TabularInline[Task, NoteSheet]
else:
    InlineBase = admin.TabularInline

CHANGES_SHOWN = 20  # on the sheet's own page
# Each is four fields, and Django takes 1,000 in one form. Beyond, the text is what is edited.
TASKS_IN_FORM = 200
FAILURES_TOLD = 20


def is_shown_only(request: HttpRequest, sheet: NoteSheet | None) -> bool:
    """Notion's notes are read here. What was typed before they were switched is refused by the
    service, which says why and leaves it in the form: a bare 403 would lose it."""
    return sheet is not None and sheet.source == Source.NOTION and request.method != "POST"


class SheetList(ChangeList):
    """The rows of the list: with their tasks counted, and without the texts, which may be long."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> Any:
        rows: QuerySet[NoteSheet] = super().get_queryset(request, exclude_parameters)
        return rows.defer("body", "task_keys", "notion_text")

    def get_results(self, request: HttpRequest) -> None:
        """Counted for the page that is shown: as a column, SQLite would count for every row."""
        super().get_results(request)
        self.result_list: Any = list(self.result_list)
        counts = selectors.count_tasks(self.result_list)
        for row in self.result_list:
            row.task_counts = counts[row.pk]


class TaskInline(InlineBase):
    model = Task
    form = TaskForm
    fields = ("position", "status", "text")
    readonly_fields = ("position",)
    ordering = ("position",)
    extra = 1

    def has_add_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_shown_only(request, obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_shown_only(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_shown_only(request, obj) and super().has_delete_permission(request, obj)


@admin.register(NoteSheet)
class NoteSheetAdmin(SheetPages):
    form = SheetForm
    list_display = ("notes_of", "tasks_by_status", "sync", "changed", "version", "source")
    list_filter = (TaskStatusFilter, SyncStateFilter, "source", AgeFilter, ProjectFilter)
    search_fields = (
        "body", "project__name", "project__session", "window__name", "window__key",
        "window__project__name", "window__project__session",
    )  # fmt: skip
    search_help_text = "Words of the notes, or names of their project, session or window"
    actions = ("use_notion", "use_local", "sync_now")
    change_form_template = "admin/notes/notesheet/change_form.html"

    # --- the list -----------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[NoteSheet]:
        return selectors.sheets()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SheetList

    @admin.display(description="notes of")
    def notes_of(self, row: NoteSheet) -> SafeString:
        return admin_display.owner_label(row)

    @admin.display(description="sync")
    def sync(self, row: NoteSheet) -> SafeString:
        return admin_display.sync_badge(row)

    @admin.display(description="tasks")
    def tasks_by_status(self, row: NoteSheet) -> SafeString:
        return admin_display.task_counts(row.task_counts)  # type: ignore[attr-defined]

    @admin.display(description="changed", ordering="updated_at")
    def changed(self, row: NoteSheet) -> str:
        return f"{timezone.localtime(row.updated_at):%Y-%m-%d %H:%M}" if row.updated_at else "never"

    @admin.action(description="Switch to Notion", permissions=("change",))
    def use_notion(self, request: HttpRequest, queryset: QuerySet[NoteSheet]) -> None:
        self._do_each(request, queryset, admin_notion.use_notion, "Switched to Notion")

    @admin.action(description="Switch to local", permissions=("change",))
    def use_local(self, request: HttpRequest, queryset: QuerySet[NoteSheet]) -> None:
        self._do_each(request, queryset, admin_notion.use_local, "Switched to local")

    @admin.action(description="Sync now", permissions=("change",))
    def sync_now(self, request: HttpRequest, queryset: QuerySet[NoteSheet]) -> None:
        self._do_each(request, queryset, admin_notion.sync_now, "Synced with Notion")

    def _do_each(
        self, request: HttpRequest, rows: QuerySet[NoteSheet], deed: Deed, words: str
    ) -> None:
        by = request.user.get_username()
        outcome = async_to_sync(admin_notion.for_each)(list(rows), deed, by=by)
        if outcome.done:
            self.message_user(request, f"{words}: {outcome.done}.", messages.SUCCESS)
        for failure in outcome.failures[:FAILURES_TOLD]:
            self.message_user(request, failure, messages.ERROR)
        if (more := len(outcome.failures) - FAILURES_TOLD) > 0:
            self.message_user(request, f"… and {more} others failed.", messages.ERROR)

    # --- one sheet ----------------------------------------------------------------------------

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        return not is_shown_only(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: NoteSheet | None = None) -> bool:
        """Not from the list, and not while a live window or project has them."""
        if obj is None or obj.owner.alive:
            return False
        return super().has_delete_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: NoteSheet | None = None) -> Any:
        editable = self.has_change_permission(request, obj)
        return ("body", "read_version") if editable else ("body",)

    def get_inlines(self, request: HttpRequest, obj: NoteSheet | None) -> Any:
        return () if obj is None or obj.tasks.count() > TASKS_IN_FORM else (TaskInline,)

    def get_form(
        self,
        request: HttpRequest,
        obj: NoteSheet | None = None,
        change: bool = False,
        **kwargs: Any,
    ) -> Any:
        form: Any = super().get_form(request, obj, change, **kwargs)
        form.refusal = getattr(request, "refusal", "")  # the class is made for this request
        return form

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """What a service refuses is undone as a whole, and the form shown again with it."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except WebtmuxError as failure:
            request.refusal = failure.message  # type: ignore[attr-defined]
            return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: NoteSheet, form: Any, change: bool) -> None:
        if "body" in form.changed_data:
            services.write_notes(
                owner=obj.owner,
                notes=form.cleaned_data["body"],
                by=request.user.get_username(),
                expected_version=form.cleaned_data["read_version"],
            )

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        changes = changes_of(formset)
        if changes and "body" in form.changed_data:
            raise Invalid(EITHER)
        update_tasks(
            owner=form.instance.owner,
            changes=changes,
            by=request.user.get_username(),
            version=form.cleaned_data["read_version"],
        )

    def render_change_form(
        self,
        request: HttpRequest,
        context: Any,
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        changes = obj.changes.all()[:CHANGES_SHOWN]
        context |= {
            "sheet": obj,
            "sync": admin_display.sync_state(obj),
            "changes": [admin_display.shown(change) for change in changes],
            "can_act": super().has_change_permission(request, obj),
            "can_create": bool(settings.WEBTMUX.notion_parent),
            "task_count": obj.tasks.count(),
            "task_limit": TASKS_IN_FORM,
        }
        return super().render_change_form(request, context, add, change, form_url, obj)
