"""The pages of a note sheet in the admin beside its form: its history, and Notion's buttons.

Not what the buttons do: admin_notion.py.
"""

from typing import TYPE_CHECKING, Any

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

from notes import admin_display, admin_notion
from notes.admin_notion import Deed
from notes.models import NoteSheet

if TYPE_CHECKING:
    SheetAdminBase = admin.ModelAdmin[NoteSheet]
else:
    SheetAdminBase = admin.ModelAdmin

CHANGES_PER_PAGE = 50

# What a button asks for, and what is said once it is done.
BUTTONS: dict[str, tuple[Deed, str]] = {
    "use_notion": (admin_notion.use_notion, "These notes come from Notion now."),
    "use_local": (admin_notion.use_local, "These notes are local now: they may be edited here."),
    "sync_now": (admin_notion.sync_now, "These notes are what the page says."),
    "create": (admin_notion.create_page, "A page was made in Notion, and linked."),
}
LINKED = "The page is linked. Switch to Notion to use it."


def _asked(request: HttpRequest) -> tuple[Deed, str] | None:
    do = request.POST.get("do", "")
    if do == "link":
        return admin_notion.link_page(request.POST.get("page", "")), LINKED
    return BUTTONS.get(do)


class SheetPages(SheetAdminBase):
    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.notion_view)
        return [path("<path:object_id>/notion/", view, name="notes_notion"), *super().get_urls()]

    @method_decorator(require_POST)
    def notion_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A button was pressed: done, told, and back to the page."""
        sheet = self._found(request, object_id)
        if not self.has_change_permission(request, sheet):
            raise PermissionDenied
        asked = _asked(request)
        if asked is None:
            return HttpResponseBadRequest("no such button")
        self._do(request, sheet, *asked)
        return HttpResponseRedirect(reverse("admin:notes_notesheet_change", args=[sheet.pk]))

    def _do(self, request: HttpRequest, sheet: NoteSheet, deed: Deed, words: str) -> None:
        by = request.user.get_username()
        outcome = async_to_sync(admin_notion.for_each)([sheet], deed, by=by)
        for failure in outcome.failures:
            self.message_user(request, failure, messages.ERROR)
        if outcome.done:
            self.message_user(request, words, messages.SUCCESS)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """What was changed in the notes through any door, not only what was done in the admin."""
        sheet = self._found(request, object_id)
        if not self.has_view_or_change_permission(request, sheet):
            raise PermissionDenied
        page = Paginator(sheet.changes.all(), CHANGES_PER_PAGE).get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "title": f"Changes of the notes of {sheet}",
            "opts": self.opts,
            "object": sheet,
            "page": page,
            "changes": [admin_display.shown(change) for change in page],
        }
        return TemplateResponse(request, "admin/notes/notesheet/object_history.html", context)

    def _found(self, request: HttpRequest, object_id: str) -> NoteSheet:
        sheet = self.get_object(request, unquote(object_id))
        if sheet is None:
            raise Http404("these notes are gone")
        return sheet
