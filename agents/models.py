"""What was delivered to agents: enough to answer a retry, and to look it up.

Never the text: its length and a keyed hash, which only tells whether two prompts are the same.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from terminals.models import NAME_LIMIT, new_key

KEY_LIMIT = 200  # characters of a caller's key


class Delivery(models.Model):
    """One prompt to one agent. Its row is there before the first key is pressed."""

    receipt_id = models.CharField("id", max_length=16, unique=True, default=new_key, editable=False)
    agent = models.CharField(max_length=NAME_LIMIT)
    key = models.CharField(max_length=KEY_LIMIT, blank=True)
    digest = models.CharField("HMAC of the prompt", max_length=64)
    length = models.PositiveIntegerField("bytes")
    # Null: under way, or cut off by the end of the process.
    outcome = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ("-created_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("agent", "key"), condition=~Q(key=""), name="one_delivery_per_key"
            ),
        )

    def __str__(self) -> str:
        return f"{self.receipt_id} to {self.agent}, {self.length} bytes"
