"""Tokens in the admin: list, issue, revoke. The secret is shown once, the hash never."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from mcp_gateway import services
from mcp_gateway.models import AccessToken
from terminals.access import Scope

if TYPE_CHECKING:
    TokenAdmin = admin.ModelAdmin[AccessToken]
else:
    TokenAdmin = admin.ModelAdmin


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
