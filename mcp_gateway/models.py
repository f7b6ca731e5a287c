"""What the gateway remembers: the tokens it issued.

Not the tokens themselves: only their hashes are stored.
"""

from datetime import datetime

from django.db import models
from django.utils import timezone

from terminals.access import Scope


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
