"""Makes retries harmless: a caller's key is claimed in the database before anything is typed.

Plain functions over the table of deliveries, called by services.py. No key is pressed here.
"""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agents.delivery.receipts import DeliveryOutcome
from agents.models import KEY_LIMIT, Delivery
from core.errors import Invalid, Refused

KEY_LIFETIME = timedelta(minutes=10)  # a retry after that is a new prompt
RETENTION = timedelta(days=30)  # older rows are deleted when the next one is created
DIGEST_SALT = "agents.delivery"  # part of every stored digest: never change it


def claim(*, agent: str, key: str, prompt: str) -> tuple[Delivery, bool]:
    """The row of this delivery, and whether the caller is the one to deliver it."""
    if len(key) > KEY_LIMIT:
        raise Invalid(f"a key has at most {KEY_LIMIT} characters")
    data = prompt.encode()
    digest = salted_hmac(DIGEST_SALT, data, algorithm="sha256").hexdigest()
    try:
        with transaction.atomic():
            if key and (row := _claimed(agent, key, digest)):
                return row, _may_retry(row)
            Delivery.objects.filter(created_at__lt=timezone.now() - RETENTION).delete()
            row = Delivery.objects.create(agent=agent, key=key, digest=digest, length=len(data))
            return row, True
    except IntegrityError:  # another process claimed the key in between: it delivers
        return claim(agent=agent, key=key, prompt=prompt)


def finish(*, row: Delivery, outcome: DeliveryOutcome) -> None:
    Delivery.objects.filter(pk=row.pk).update(outcome=outcome.stored())


def outcome_of(*, row: Delivery) -> DeliveryOutcome | None:
    """None: the delivery is still running, or was cut off."""
    stored = Delivery.objects.values_list("outcome", flat=True).get(pk=row.pk)
    return DeliveryOutcome.of(stored) if stored is not None else None


def _claimed(agent: str, key: str, digest: str) -> Delivery | None:
    row = Delivery.objects.select_for_update().filter(agent=agent, key=key).first()
    if row is None:
        return None
    if timezone.now() - row.created_at > KEY_LIFETIME:
        row.key = ""
        row.save(update_fields=["key"])
        return None
    if row.digest != digest:
        raise Refused("this key was used for another prompt: use a new key")
    return row


def _may_retry(row: Delivery) -> bool:
    """Whether the earlier attempt failed before Enter, so that trying again cannot send twice."""
    if row.outcome is None or not DeliveryOutcome.of(row.outcome).harmless:
        return False
    row.outcome, row.created_at = None, timezone.now()
    row.save(update_fields=["outcome", "created_at"])
    return True
