"""One request to Notion at a time: paced, bounded, tried again, its failures in our language.

Not what is asked: notion.py. Neither the token nor any text of a page is ever in a message.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from json import JSONDecodeError
from typing import Any

import httpx
from notion_client import AsyncClient
from notion_client.errors import HTTPResponseError, RequestTimeoutError

from terminals.errors import WebtmuxError

API_VERSION = "2026-03-11"  # the first that inserts before a page's first block
BURST = 3  # requests at once after a silence
PAUSE_LIMIT = 30.0  # seconds that one Retry-After is believed
PASSING = (HTTPResponseError, RequestTimeoutError, httpx.HTTPError, JSONDecodeError)
SILENT = logging.getLogger("notes.notion.silent")  # the client logs what Notion says of our text
SILENT.propagate = False
SILENT.addHandler(logging.NullHandler())

UNSET = "no token for Notion: make one at notion.so/my-integrations, set WEBTMUX_NOTION_TOKEN"
REVOKED = "Notion refuses the token: make a new one and set WEBTMUX_NOTION_TOKEN"
NO_ACCESS = "Notion does not let the integration do this: give it read, insert and update content"
NO_PAGE = (
    "Notion does not show this page to the integration: share it with the integration, or link"
    " another page"
)
IN_TRASH = "the page is in Notion's trash: restore it there, or link another page"


class NotionFailed(WebtmuxError):
    """Notion is away, or did not do what was asked."""

    code = "notion_failed"


class NotionRefused(NotionFailed):
    """The token is missing, revoked, or may not do this."""

    code = "notion_refused"


class NotionGone(NotionFailed):
    """The page is deleted, or was never shared with the integration."""

    code = "notion_gone"


class NotionTooLarge(NotionFailed):
    """The page is more than we read."""

    code = "notion_too_large"


class InDoubt(Exception):
    """No answer to a request that must not be repeated: it may have been done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of one request, with all its tries."""

    timeout: float = 15.0
    rate: float = 3.0  # requests a second; what Notion allows on average
    tries: int = 5
    pause: float = 1.0  # seconds before the second try; doubled before each further one
    total: float = 90.0  # seconds


class Pacer:
    """Turns for all requests of one client, `rate` a second on average."""

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate
        self._next = 0.0

    async def turn(self) -> None:
        now = asyncio.get_running_loop().time()
        at = max(self._next, now - (BURST - 1) * self._gap)
        self._next = at + self._gap
        await asyncio.sleep(max(0.0, at - now))

    def hold(self, seconds: float) -> None:
        """Nobody's turn for a while: Notion said so to one of us."""
        now = asyncio.get_running_loop().time()
        self._next = max(self._next, now + seconds + (BURST - 1) * self._gap)


class Calls:
    def __init__(self, *, token: str, url: str, limits: Limits) -> None:
        self.limits = limits
        self._usable = token.isascii() and token.isprintable() and " " not in token
        self._has_token = bool(token)
        self._pacer = Pacer(limits.rate)
        options: dict[str, Any] = {
            "auth": token if self._usable else None,
            "timeout_ms": int(limits.timeout * 1000),
            "logger": SILENT,
            "log_level": logging.CRITICAL,
            "notion_version": API_VERSION,
            "retry": False,
        }
        self.client = AsyncClient(options | ({"base_url": url.rstrip("/")} if url else {}))

    async def close(self) -> None:
        await self.client.aclose()

    async def ask(self, request: Callable[..., Any], *ids: str, **fields: Any) -> Any:
        """For what may be done twice: reading, updating, deleting."""
        return await self._tried(partial(request, *ids, **fields), repeat=True)

    async def ask_once(self, request: Callable[..., Any], *ids: str, **fields: Any) -> Any:
        """For what may not: tried again only while Notion says that it was not done."""
        return await self._tried(partial(request, *ids, **fields), repeat=False)

    async def _tried(self, request: Callable[[], Any], *, repeat: bool) -> Any:
        if not self._usable or not self._has_token:
            raise NotionRefused(REVOKED if self._has_token else UNSET)
        try:
            async with asyncio.timeout(self.limits.total):
                return await self._in_turn(request, repeat=repeat)
        except TimeoutError:
            raise NotionFailed(f"Notion took over {self.limits.total:g} s: try again") from None

    async def _in_turn(self, request: Callable[[], Any], *, repeat: bool) -> Any:
        pause = self.limits.pause
        for left in range(self.limits.tries - 1, -1, -1):
            await self._pacer.turn()
            try:
                return await request()
            except PASSING as error:
                trouble = _trouble(error)
            if not repeat and not trouble.undone:
                raise InDoubt
            if not left:
                break
            self._pacer.hold(min(trouble.wait or pause, PAUSE_LIMIT))
            pause *= 2
        raise NotionFailed(f"Notion is away ({trouble.name}): it is tried again later")


@dataclass(frozen=True, slots=True)
class _Trouble:
    """What passes: worth another try."""

    name: str
    wait: float = 0.0  # seconds that Notion asked for
    undone: bool = False  # certainly


def _trouble(error: Exception) -> _Trouble:
    if not isinstance(error, HTTPResponseError):
        return _Trouble(_named(error), undone=isinstance(error, httpx.ConnectError))
    if error.status in {409, 429, 529}:
        after = error.headers.get("retry-after", "")
        return _Trouble(str(error.status), float(after) if after.isdigit() else 0.0, undone=True)
    if error.status >= 500:
        return _Trouble(str(error.status))
    raise _failure(error) from None


def _named(error: Exception) -> str:
    if isinstance(error, RequestTimeoutError | httpx.TimeoutException):
        return "no answer in time"
    return "no connection" if isinstance(error, httpx.HTTPError) else "no JSON in its answer"


def _failure(error: HTTPResponseError) -> NotionFailed:
    if error.status == 401:
        return NotionRefused(REVOKED)
    if error.status == 403:
        return NotionRefused(NO_ACCESS)
    if error.status == 404:
        return NotionGone(NO_PAGE)
    if error.status == 400 and "archived" in str(error):
        return NotionGone(IN_TRASH)
    return NotionFailed(f"Notion refuses the request ({error.status} {_code(error)})")


def _code(error: HTTPResponseError) -> str:
    return str(getattr(error.code, "value", error.code))
