"""Deliveries in the admin: to look at. What was typed is not there: it is stored nowhere."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from agents.models import Delivery

if TYPE_CHECKING:
    DeliveryBase = admin.ModelAdmin[Delivery]
else:
    DeliveryBase = admin.ModelAdmin


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
