"""A fake Notion server and a client for it, for all tests of notes."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from notes.notion import Notion, connection
from tests.notes.notion.fake_notion import LIMITS, SHORT_TIMEOUT, FakeNotion, serving


@pytest.fixture
def fake_notion() -> Iterator[FakeNotion]:
    with serving() as notion:
        yield notion


@pytest.fixture
async def notion(fake_notion: FakeNotion, request: pytest.FixtureRequest) -> AsyncIterator[Notion]:
    """A client for the fake server, which is also the client of this process."""
    # A short time-out makes a test depend on speed: only tests whose server hangs have one.
    parameters = getattr(request.node, "callspec", None)
    hangs = parameters is not None and "hang" in parameters.params.values()
    limits = SHORT_TIMEOUT if hangs else LIMITS
    client = await asyncio.to_thread(
        Notion, token=fake_notion.token, url=fake_notion.url, limits=limits
    )
    connection._current = client
    yield client
    connection._current = None
    await client.close()
