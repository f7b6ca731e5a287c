"""What background workers share: waiting for events with a limit."""

import asyncio


async def wait_for(*events: asyncio.Event, seconds: float) -> asyncio.Event | None:
    """The first of the events that is set, or None after `seconds`."""
    waits = {asyncio.ensure_future(event.wait()): event for event in events}
    try:
        done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    return next((event for wait, event in waits.items() if wait in done), None)
