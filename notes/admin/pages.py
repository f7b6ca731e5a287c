"""The other admin views of a note sheet: its history, and the buttons for Notion.

What the buttons do is in notion.py.
"""

from asgiref.sync import async_to_sync
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from notes.admin import display, notion
from notes.admin.notion import NotionAction
from notes.models import NoteSheet

CHANGES_PER_PAGE = 50

# The value of a button → its action, and the message after a success.
BUTTONS: dict[str, tuple[NotionAction, str]] = {
    "use_notion": (notion.use_notion, "These notes now come from Notion."),
    "use_local": (notion.use_local, "These notes are now local: you can edit them here."),
    "sync_now": (notion.sync_now, "These notes are up to date with the page."),
    "create": (notion.create_page, "A page was created in Notion and linked."),
}
LINKED = "The page is linked. Switch to Notion to use it."


def _pressed_button(request: HttpRequest) -> tuple[NotionAction, str] | None:
    name = request.POST.get("do", "")
    if name == "link":
        return notion.link_page(request.POST.get("page", "")), LINKED
    return BUTTONS.get(name)


class SheetPages(admin.ModelAdmin[NoteSheet]):
    """The base of NoteSheetAdmin (sheets.py)."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.notion_view)
        return [path("<path:object_id>/notion/", view, name="notes_notion"), *super().get_urls()]

    @method_decorator(require_POST)
    def notion_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Runs the action of a button and returns to the page with a message."""
        sheet = self._get_sheet(request, object_id)
        if not self.has_change_permission(request, sheet):
            raise PermissionDenied
        button = _pressed_button(request)
        if button is None:
            return HttpResponseBadRequest("unknown button")
        self._run(request, sheet, *button)
        return HttpResponseRedirect(reverse("admin:notes_notesheet_change", args=[sheet.pk]))

    def _run(
        self, request: HttpRequest, sheet: NoteSheet, action: NotionAction, success: str
    ) -> None:
        actor = request.user.get_username()
        result = async_to_sync(notion.for_each)([sheet], action, actor=actor)
        for failure in result.failures:
            self.message_user(request, failure, messages.ERROR)
        if result.succeeded:
            self.message_user(request, success, messages.SUCCESS)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """All changes of the notes, not only those from the admin."""
        sheet = self._get_sheet(request, object_id)
        if not self.has_view_or_change_permission(request, sheet):
            raise PermissionDenied
        page = Paginator(sheet.changes.all(), CHANGES_PER_PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "title": f"Changes of the notes of {sheet}",
            "opts": self.opts,
            "object": sheet,
            "page": page,
            "changes": [display.displayed(change) for change in page],
        }
        return TemplateResponse(request, "admin/notes/notesheet/object_history.html", context)

    def _get_sheet(self, request: HttpRequest, object_id: str) -> NoteSheet:
        sheet = self.get_object(request, unquote(object_id))
        if sheet is None:
            raise Http404("these notes do not exist any more")
        return sheet
