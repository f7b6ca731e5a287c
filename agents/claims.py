"""The rows behind deliveries: a key is claimed before anything is typed, and never twice.

Plain functions over the database. Nothing is typed here.
"""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agents.models import KEY_LIMIT, Delivery
from agents.receipts import Outcome
from terminals.errors import Invalid, Refused

KEY_LIFE = timedelta(minutes=10)  # a retry after that is a new prompt
KEPT = timedelta(days=30)  # to look up what became of a prompt; older rows go with the next one


def claim(*, agent: str, key: str, prompt: str) -> tuple[Delivery, bool]:
    """The row of this delivery, and whether it is the caller's turn to deliver it."""
    if len(key) > KEY_LIMIT:
        raise Invalid(f"a key has at most {KEY_LIMIT} characters")
    data = prompt.encode()
    digest = salted_hmac("agents.delivery", data, algorithm="sha256").hexdigest()
    try:
        with transaction.atomic():
            if key and (row := _claimed(agent, key, digest)):
                return row, _may_try_again(row)
            Delivery.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
            row = Delivery.objects.create(agent=agent, key=key, digest=digest, length=len(data))
            return row, True
    except IntegrityError:  # somebody claimed it in between: theirs is the first
        return claim(agent=agent, key=key, prompt=prompt)


def finish(*, row: Delivery, outcome: Outcome) -> None:
    Delivery.objects.filter(pk=row.pk).update(outcome=outcome.kept())


def outcome_of(*, row: Delivery) -> Outcome | None:
    """None: still under way, or cut off."""
    kept = Delivery.objects.values_list("outcome", flat=True).get(pk=row.pk)
    return Outcome.of(kept) if kept is not None else None


def _claimed(agent: str, key: str, digest: str) -> Delivery | None:
    row = Delivery.objects.select_for_update().filter(agent=agent, key=key).first()
    if row is None:
        return None
    if timezone.now() - row.created_at > KEY_LIFE:
        row.key = ""
        row.save(update_fields=["key"])
        return None
    if row.digest != digest:
        raise Refused("this key was used for another prompt: take a new one")
    return row


def _may_try_again(row: Delivery) -> bool:
    """A try that never came to Enter is as good as none."""
    if row.outcome is None or not Outcome.of(row.outcome).harmless:
        return False
    row.outcome, row.created_at = None, timezone.now()
    row.save(update_fields=["outcome", "created_at"])
    return True
