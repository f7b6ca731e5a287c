"""Access tokens, recently sent texts (for dedupe), and the audit log.

Tokens and texts themselves are never stored, only their hashes.
"""

from datetime import datetime

from django.db import models
from django.utils import timezone

from core.callers import Scope
from terminals.models import Project, Window


class AccessToken(models.Model):
    name = models.CharField(max_length=100, unique=True)
    prefix = models.CharField("begins with", max_length=16, db_index=True, editable=False)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    scope = models.CharField(
        max_length=8,
        choices=[(scope.value, scope.value) for scope in Scope],
        default=Scope.WRITE.value,
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="empty: never")
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def is_usable(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class RecentSend(models.Model):
    """A text that was just sent to a window. Rows live for seconds (dedupe.py)."""

    digest = models.CharField("HMAC of window and text", max_length=64, unique=True)
    sent_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.digest[:8]}… at {self.sent_at:%H:%M:%S}"


class Door(models.TextChoices):
    MCP = "mcp", "MCP"
    REST = "rest", "REST"
    SOCKET = "socket", "socket"


class ToolCall(models.Model):
    """One call over MCP, or one write over REST or the socket, with its outcome."""

    door = models.CharField(max_length=8, choices=Door.choices, default=Door.MCP)
    at = models.DateTimeField(db_index=True)
    tool = models.CharField(max_length=64)
    target = models.CharField(max_length=200, blank=True)
    caller = models.CharField(max_length=120)
    ms = models.PositiveIntegerField("ms")
    outcome = models.CharField(max_length=16)  # ok, the code of a WebtmuxError, crashed, cancelled
    digest = models.CharField("HMAC of the text", max_length=64, blank=True)
    length = models.PositiveIntegerField("chars", default=0)
    # Where it acted, as far as its arguments say (audit/locations.py).
    project = models.ForeignKey(
        Project, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    window = models.ForeignKey(
        Window, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = "tool call"
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("project", "-at"), name="call_of_project"),)

    def __str__(self) -> str:
        return f"{self.tool} by {self.caller}: {self.outcome}"
