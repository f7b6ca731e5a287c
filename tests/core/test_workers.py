"""Waiting for events, as the background workers do."""

import asyncio

from core.workers import wait_for


async def test_waiting_ends_with_the_first_event_or_with_the_time() -> None:
    quiet, rung = asyncio.Event(), asyncio.Event()
    assert await wait_for(quiet, seconds=0.001) is None
    rung.set()
    assert await wait_for(quiet, rung, seconds=5) is rung
