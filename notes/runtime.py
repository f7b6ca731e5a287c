"""The one connection to Notion that a process holds while it runs.

Not what is done with it: linking.py, workers.py. Without a token every call says how to get one.
"""

from notes.notion import Notion, NotionFailed

_current: Notion | None = None


class NotionConnection:
    """Opened with the process and closed with it."""

    name = "notion"

    def __init__(self, *, token: str, url: str = "") -> None:
        self._token, self._url = token, url

    async def start(self) -> None:
        global _current
        _current = Notion(token=self._token, url=self._url)

    async def stop(self) -> None:
        global _current
        notion, _current = _current, None
        if notion is not None:
            await notion.close()


def current() -> Notion:
    """Asked for at each call, not at import."""
    if _current is None:
        raise NotionFailed("webtmux is starting or stopping")
    return _current
