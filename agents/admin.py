"""Deliveries and chat in the admin: read-only, because both are records of what happened.

Chat can also be searched and deleted.
"""

from datetime import UTC, datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from agents.chat import search as chat_search
from agents.models import ChatRecord, Delivery
from core.errors import Invalid

SHOWN_LENGTH = 120  # characters of a record in the list


@admin.register(Delivery)
class DeliveryAdmin(admin.ModelAdmin[Delivery]):
    list_display = ("receipt_id", "agent", "length", "submitted", "attempts", "ms", "created_at")
    search_fields = ("receipt_id", "agent", "key")
    date_hierarchy = "created_at"
    fields = readonly_fields = (
        "receipt_id",
        "agent",
        "key",
        "digest",
        "length",
        "outcome",
        "created_at",
    )

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
class ChatRecordAdmin(admin.ModelAdmin[ChatRecord]):
    list_display = ("at", "role", "window", "beginning")
    list_filter = ("role", "window__project")
    list_select_related = ("window__project",)
    search_fields = ("text",)  # shows the search box; get_search_results does the search
    search_help_text = 'Words, "phrases", or the beginning of a wor*'
    ordering = ("-id",)
    show_full_result_count = False  # counting a million rows is slow
    fields = readonly_fields = ("window", "pane", "at", "role", "text", "runtime", "full")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ChatRecord | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[ChatRecord]", search_term: str
    ) -> "tuple[QuerySet[ChatRecord], bool]":
        """With the full-text index, as REST and MCP do."""
        if not search_term.strip():
            return queryset, False
        try:
            matches = chat_search.search(
                chat_search.parse(search_term), chat_search.SearchFilters(), ChatRecord
            )
        except Invalid:
            return queryset.none(), False
        return queryset.filter(pk__in=matches.order_by().values("pk")), False

    @admin.display(ordering="ts")
    def at(self, row: ChatRecord) -> datetime:
        return datetime.fromtimestamp(row.ts / 1000, UTC)

    @admin.display(description="text")
    def beginning(self, row: ChatRecord) -> str:
        return " ".join(row.text.split())[:SHOWN_LENGTH]
