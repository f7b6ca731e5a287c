"""Deliveries and chat in the admin: to look at, chat also to search and to delete.

Nothing is edited here: both are records of what happened.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from agents import search
from agents.models import ChatRecord, Delivery
from terminals.errors import Invalid

SHOWN_LENGTH = 120  # characters of a record in the list

if TYPE_CHECKING:
    DeliveryBase = admin.ModelAdmin[Delivery]
    ChatBase = admin.ModelAdmin[ChatRecord]
else:
    DeliveryBase = ChatBase = admin.ModelAdmin


@admin.register(Delivery)
class DeliveryAdmin(DeliveryBase):
    list_display = ("receipt_id", "agent", "length", "submitted", "attempts", "ms", "created_at")
    search_fields = ("receipt_id", "agent", "key")
    date_hierarchy = "created_at"
    fields = readonly_fields = (
        "receipt_id", "agent", "key", "digest", "length", "outcome", "created_at",
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Delivery | None = None) -> bool:
        return False

    @admin.display(boolean=True)
    def submitted(self, row: Delivery) -> bool | None:
        return row.outcome["submitted"] if row.outcome else None

    @admin.display
    def attempts(self, row: Delivery) -> int | None:
        return row.outcome["attempts"] if row.outcome else None

    @admin.display
    def ms(self, row: Delivery) -> int | None:
        return row.outcome["ms"] if row.outcome else None


@admin.register(ChatRecord)
class ChatRecordAdmin(ChatBase):
    list_display = ("at", "role", "window", "beginning")
    list_filter = ("role", "window__project")
    list_select_related = ("window__project",)
    search_fields = ("text",)  # shows the box; the search itself is below
    search_help_text = 'words, "phrases", the beginning of a wor*'
    ordering = ("-id",)
    show_full_result_count = False  # of a million rows nobody needs to know how many
    fields = readonly_fields = ("window", "pane", "at", "role", "text", "runtime", "full")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ChatRecord | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[ChatRecord]", search_term: str
    ) -> "tuple[QuerySet[ChatRecord], bool]":
        """By the index of words, as the other doors do."""
        if not search_term.strip():
            return queryset, False
        try:
            found = search.search(search.parse(search_term), search.Filters())
        except Invalid:
            return queryset.none(), False
        return queryset.filter(pk__in=found.order_by().values("pk")), False

    @admin.display(ordering="ts")
    def at(self, row: ChatRecord) -> datetime:
        return datetime.fromtimestamp(row.ts / 1000, UTC)

    @admin.display(description="text")
    def beginning(self, row: ChatRecord) -> str:
        return " ".join(row.text.split())[:SHOWN_LENGTH]
