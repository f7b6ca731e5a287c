"""Admin pages of access tokens and of the audit log, which is read-only.

The secret of a token is shown once, its hash never.
"""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from core.callers import Scope
from mcp_gateway import selectors, services
from mcp_gateway.audit import charts
from mcp_gateway.models import AccessToken, ToolCall


@admin.register(AccessToken)
class AccessTokenAdmin(admin.ModelAdmin[AccessToken]):
    list_display = ("name", "scope", "prefix", "last_used_at", "expires_at", "revoked_at")
    list_filter = ("scope",)
    search_fields = ("name",)
    actions = ("revoke",)

    def get_fields(self, request: HttpRequest, obj: AccessToken | None = None) -> tuple[str, ...]:
        editable = ("name", "scope", "expires_at")
        return editable if obj is None else (*editable, *self.get_readonly_fields(request, obj)[3:])

    def get_readonly_fields(
        self, request: HttpRequest, obj: AccessToken | None = None
    ) -> tuple[str, ...]:
        if obj is None:
            return ()
        return ("name", "scope", "expires_at", "prefix", "created_at", "last_used_at", "revoked_at")

    def save_model(
        self, request: HttpRequest, obj: AccessToken, form: ModelForm[AccessToken], change: bool
    ) -> None:
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
class ToolCallAdmin(admin.ModelAdmin[ToolCall]):
    list_display = ("at", "door", "tool", "outcome", "ms", "caller", "target", "length")
    list_filter = ("door", "outcome", "tool", "caller", "at")
    search_fields = ("tool", "target", "caller", "digest")
    date_hierarchy = "at"
    change_list_template = "admin/mcp_gateway/calls.html"
    actions = None

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Adds a chart of the filtered rows."""
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
