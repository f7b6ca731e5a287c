"""The Notion client of this process, used by sync.py, workers.py and the admin.

Without a token every call fails with a message that says how to create one.
"""

import asyncio

from notes.notion import Notion, NotionFailed

_current: Notion | None = None


class NotionConnection:
    """Started and stopped with the process, by config/server/lifecycle.py."""

    name = "notion"

    def __init__(self, *, token: str, url: str = "") -> None:
        self._token, self._url = token, url

    async def start(self) -> None:
        global _current
        # In a thread: loading the TLS certificates takes long enough to delay keys.
        _current = await asyncio.to_thread(Notion, token=self._token, url=self._url)

    async def stop(self) -> None:
        global _current
        notion, _current = _current, None
        if notion is not None:
            await notion.close()


def current() -> Notion:
    """Call it for each operation, not at import time."""
    if _current is None:
        raise NotionFailed("webtmux is starting or stopping")
    return _current


def missing_token() -> str:
    """What to do if no token is configured; empty if there is one."""
    return _current.missing_token if _current is not None else ""
