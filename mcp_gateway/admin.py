"""Tokens and calls in the admin: issue, revoke; look and search.

A token's secret is shown once, its hash never. What was called is only for reading.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from mcp_gateway import charts, selectors, services
from mcp_gateway.models import AccessToken, ToolCall
from terminals.access import Scope

if TYPE_CHECKING:
    TokenAdmin = admin.ModelAdmin[AccessToken]
    CallAdmin = admin.ModelAdmin[ToolCall]
else:
    TokenAdmin = CallAdmin = admin.ModelAdmin


@admin.register(AccessToken)
class AccessTokenAdmin(TokenAdmin):
    list_display = ("name", "scope", "prefix", "last_used_at", "expires_at", "revoked_at")
    list_filter = ("scope",)
    search_fields = ("name",)
    actions = ("revoke",)

    def get_fields(self, request: HttpRequest, obj: AccessToken | None = None) -> Any:
        asked = ("name", "scope", "expires_at")
        return asked if obj is None else (*asked, *self.get_readonly_fields(request, obj)[3:])

    def get_readonly_fields(self, request: HttpRequest, obj: AccessToken | None = None) -> Any:
        if obj is None:
            return ()
        told = ("prefix", "created_at", "last_used_at", "revoked_at")
        return ("name", "scope", "expires_at", *told)

    def save_model(self, request: HttpRequest, obj: AccessToken, form: Any, change: bool) -> None:
        if change:
            return
        row, secret = services.create_token(
            name=obj.name, scope=Scope(obj.scope), expires_at=obj.expires_at
        )
        obj.pk, obj.prefix, obj.hash = row.pk, row.prefix, row.hash
        self.message_user(
            request, f"Copy the token now, it is not shown again: {secret}", messages.WARNING
        )

    @admin.action(description="Revoke the selected tokens")
    def revoke(self, request: HttpRequest, queryset: QuerySet[AccessToken]) -> None:
        for token in queryset:
            services.revoke_token(token=token)
        self.message_user(request, "Revoked. Open connections end within seconds.")


@admin.register(ToolCall)
class ToolCallAdmin(CallAdmin):
    list_display = ("at", "door", "tool", "outcome", "ms", "caller", "target", "length")
    list_filter = ("door", "outcome", "tool", "caller", "at")
    search_fields = ("tool", "target", "caller", "digest")
    date_hierarchy = "at"
    change_list_template = "admin/mcp_gateway/calls.html"
    actions = None

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With a chart of the rows that the filters leave."""
        page = super().changelist_view(request, extra_context)
        if context := getattr(page, "context_data", None):
            now = timezone.now()
            hours = selectors.calls_per_hour(rows=context["cl"].queryset, now=now)
            context["chart"] = charts.draw(hours)
        return page

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ToolCall | None = None) -> bool:
        return False
