"""Claims in memory are as strict as those in the database, and survive a restart."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from django.utils import timezone

from core.database import in_db
from mcp_gateway import dedupe, recent_sends
from mcp_gateway.models import RecentSend
from mcp_gateway.recent_sends import RecentSends
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def sends() -> AsyncIterator[RecentSends]:
    service = RecentSends()
    await service.start()
    yield service
    await service.stop()


async def stored() -> set[str]:
    return await in_db(lambda: set(RecentSend.objects.values_list("digest", flat=True)))()


async def test_the_second_claim_is_refused(sends: RecentSends) -> None:
    assert await recent_sends.claim("one")
    assert not await recent_sends.claim("one")
    assert await recent_sends.claim("two")


async def test_a_released_claim_is_free_and_not_stored(sends: RecentSends) -> None:
    await recent_sends.claim("one")
    await recent_sends.release("one")
    await recent_sends.claim("two")
    await sends.stop()
    assert await stored() == {"two"}


async def test_claims_are_stored_without_a_stop(sends: RecentSends) -> None:
    """So that a killed process loses at most those of the last moment."""
    await recent_sends.claim("one")

    async def is_stored() -> bool:
        return await stored() == {"one"}

    await eventually(is_stored)


async def test_claims_survive_a_restart(sends: RecentSends) -> None:
    await recent_sends.claim("one")
    await sends.stop()
    again = RecentSends()
    await again.start()
    assert not await recent_sends.claim("one")
    assert await recent_sends.claim("two")
    await again.stop()


async def test_a_claim_ends_after_three_seconds_also_across_a_restart(sends: RecentSends) -> None:
    await recent_sends.claim("one")
    await sends.stop()
    past = timezone.now() - dedupe.WINDOW
    await in_db(lambda: RecentSend.objects.update(sent_at=past - timedelta(seconds=1)))()
    again = RecentSends()
    await again.start()
    assert await recent_sends.claim("one")
    await again.stop()


async def test_in_memory_a_claim_ends_after_three_seconds() -> None:
    now = [0.0]
    sends = RecentSends(clock=lambda: now[0])
    assert sends.claim("one")
    now[0] = 2.9
    assert not sends.claim("one")
    now[0] = 3.0
    assert sends.claim("one")


async def test_without_the_service_claims_are_in_the_database() -> None:
    """Several processes may share it: mcp_stdio without a server, or PostgreSQL."""
    assert await recent_sends.claim("one")
    assert not await recent_sends.claim("one")
    assert await stored() == {"one"}
    await recent_sends.release("one")
    assert await stored() == set()
