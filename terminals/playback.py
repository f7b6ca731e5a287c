"""What is read of a recording: its events from the first to the last, and where a text stands.

For REST and for shared links alike. Files are read in threads, piece by piece, never held whole.
"""

import asyncio
from collections.abc import AsyncIterator

from terminals.casts import Hit
from terminals.errors import Invalid
from terminals.models import Recording
from terminals.recording_pipes import files_of

QUERY_LIMIT = 200
# A search reads a whole file: more at once only take each other's time.
_searching = asyncio.Semaphore(2)


async def download_recording(*, recording: Recording) -> AsyncIterator[bytes]:
    """As asciicast v2; of one that runs, what there is until now."""
    pieces = files_of(recording).pieces()
    while piece := await asyncio.to_thread(next, pieces, b""):
        yield piece


async def search_recording(*, recording: Recording, query: str) -> tuple[list[Hit], bool]:
    """The first hits, and whether these are all of them."""
    if not query.strip() or len(query) > QUERY_LIMIT:
        raise Invalid(f"search for 1 to {QUERY_LIMIT} characters")
    async with _searching:
        return await asyncio.to_thread(files_of(recording).search, query)
