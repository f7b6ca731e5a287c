"""One-time sign-in codes. Only their hashes are stored: a code is printed once."""

from django.conf import settings
from django.db import models


class SignInCode(models.Model):
    hash = models.CharField(max_length=64, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    expires_at = models.DateTimeField(db_index=True)
    # Kept for a while, so that using a code twice gets a clear message.
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"for {self.user} until {self.expires_at:%H:%M}"
