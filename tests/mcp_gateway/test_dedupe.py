"""The same text within three seconds is claimed once; the text itself is not stored."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from mcp_gateway import dedupe
from mcp_gateway.models import RecentSend

pytestmark = pytest.mark.django_db


def digest(**changed: str | bool) -> str:
    fields: dict[str, str | bool] = {
        "server_run": "1-1",
        "window": "@1",
        "text": "ls",
        "submit": False,
    }
    return dedupe.digest(**{**fields, **changed})  # type: ignore[arg-type]


def test_the_second_claim_is_refused() -> None:
    assert dedupe.claim(digest=digest())
    assert not dedupe.claim(digest=digest())


@pytest.mark.parametrize(
    "other",
    [{"server_run": "2-1"}, {"window": "@2"}, {"text": "ls "}, {"submit": True}],
    ids=lambda other: next(iter(other)),
)
def test_a_different_text_is_not_a_duplicate(other: dict[str, str | bool]) -> None:
    assert dedupe.claim(digest=digest())
    assert dedupe.claim(digest=digest(**other))


def test_after_three_seconds_it_is_no_duplicate() -> None:
    dedupe.claim(digest=digest())
    dedupe.claim(digest=digest(text="another"))
    RecentSend.objects.update(sent_at=timezone.now() - timedelta(seconds=3))
    assert dedupe.claim(digest=digest())
    assert RecentSend.objects.count() == 1  # the old ones are gone


def test_within_three_seconds_it_is_a_duplicate() -> None:
    dedupe.claim(digest=digest())
    RecentSend.objects.update(sent_at=timezone.now() - timedelta(seconds=2))
    assert not dedupe.claim(digest=digest())


def test_a_released_text_may_be_claimed_again() -> None:
    dedupe.claim(digest=digest())
    dedupe.release(digest=digest())
    assert dedupe.claim(digest=digest())


def test_the_hash_needs_the_key_of_this_installation(settings: Settings) -> None:
    before = digest()
    settings.SECRET_KEY = "another"
    assert digest() != before
