"""Sends requests to Notion: rate-limited, with time-outs and retries, and with our own errors.

Which requests are sent is decided in client.py. Neither the token nor the text of a page is ever
part of a message or log line.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from json import JSONDecodeError
from typing import Any

import httpx
from notion_client import AsyncClient
from notion_client.errors import HTTPResponseError, RequestTimeoutError

from core.errors import WebtmuxError
from notes.notion.payloads import Payload

API_VERSION = "2026-03-11"  # the first that can insert before a page's first block
BURST = 3  # requests at once after a pause
PAUSE_LIMIT = 30.0  # seconds; a longer Retry-After is ignored
TRANSIENT_ERRORS = (HTTPResponseError, RequestTimeoutError, httpx.HTTPError, JSONDecodeError)
# The client library logs error texts of Notion, which quote the user's text.
SILENT = logging.getLogger("notes.notion.silent")
SILENT.propagate = False
SILENT.addHandler(logging.NullHandler())

NO_CREDENTIALS = (
    "Notion is not set up: create an integration at https://www.notion.so/my-integrations, set"
    " WEBTMUX_NOTION_TOKEN to its secret, and restart webtmux"
)
CREDENTIALS_REFUSED = (
    "Notion refuses the token: create a new one at https://www.notion.so/my-integrations, set"
    " WEBTMUX_NOTION_TOKEN to it, and restart webtmux"
)
NO_ACCESS = "the Notion integration lacks a capability: allow it to read, insert and update content"
NO_PAGE = (
    "Notion does not show this page to the integration: share it with the integration, or link"
    " another page"
)
IN_TRASH = "the page is in Notion's trash: restore it there, or link another page"


class NotionFailed(WebtmuxError):
    """Notion cannot be reached, or did not carry out the request."""

    code = "notion_failed"


class NotionRefused(NotionFailed):
    """The token is missing, revoked or lacks the permission."""

    code = "notion_refused"


class NotionGone(NotionFailed):
    """The page is deleted, or not shared with the integration."""

    code = "notion_gone"


class NotionTooLarge(NotionFailed):
    """The page exceeds what we read."""

    code = "notion_too_large"


class OutcomeUnknown(Exception):
    """No response to a request that must not be repeated: it may have been carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """Limits of one request, including its retries."""

    timeout: float = 15.0
    rate: float = 3.0  # requests per second; the average that Notion allows
    tries: int = 5
    pause: float = 1.0  # seconds before the second try; doubled before each further try
    total: float = 90.0  # seconds


class Pacer:
    """Spaces the requests of one client: `rate` per second on average."""

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate
        self._next = 0.0

    async def wait(self) -> None:
        now = asyncio.get_running_loop().time()
        start = max(self._next, now - (BURST - 1) * self._gap)
        self._next = start + self._gap
        await asyncio.sleep(max(0.0, start - now))

    def hold(self, seconds: float) -> None:
        """Delays all further requests, after a response with Retry-After."""
        now = asyncio.get_running_loop().time()
        self._next = max(self._next, now + seconds + (BURST - 1) * self._gap)


Method = Callable[..., Awaitable[Payload]]  # of the client library
PreparedRequest = Callable[[], Awaitable[Payload]]


class Calls:
    """Sends requests through methods of the client library."""

    def __init__(self, *, token: str, url: str, limits: RequestLimits) -> None:
        self.limits = limits
        self._usable = token.isascii() and token.isprintable() and " " not in token
        self._has_token = bool(token)
        self._pacer = Pacer(limits.rate)
        options: dict[str, Any] = {  # the type that AsyncClient accepts
            "auth": token if self._usable else None,
            "timeout_ms": int(limits.timeout * 1000),
            "logger": SILENT,
            "log_level": logging.CRITICAL,
            "notion_version": API_VERSION,
            "retry": False,
        }
        self.client = AsyncClient(options | ({"base_url": url.rstrip("/")} if url else {}))

    @property
    def missing_token(self) -> str:
        """What to do if no token is set, or one that cannot be sent; else empty."""
        if self._usable and self._has_token:
            return ""
        return CREDENTIALS_REFUSED if self._has_token else NO_CREDENTIALS

    async def close(self) -> None:
        await self.client.aclose()

    async def send(self, request: Method, *ids: str, **fields: object) -> Payload:
        """For requests that may be repeated: reading, updating, deleting."""
        return await self._retry(partial(request, *ids, **fields), repeat=True)

    async def send_once(self, request: Method, *ids: str, **fields: object) -> Payload:
        """For requests that must not be repeated. Retried only if Notion certainly did nothing."""
        return await self._retry(partial(request, *ids, **fields), repeat=False)

    async def _retry(self, request: PreparedRequest, *, repeat: bool) -> Payload:
        if reason := self.missing_token:
            raise NotionRefused(reason)
        try:
            async with asyncio.timeout(self.limits.total):
                return await self._attempts(request, repeat=repeat)
        except TimeoutError:
            raise NotionFailed(f"Notion took over {self.limits.total:g} s: try again") from None

    async def _attempts(self, request: PreparedRequest, *, repeat: bool) -> Payload:
        pause = self.limits.pause
        for left in range(self.limits.tries - 1, -1, -1):
            await self._pacer.wait()
            try:
                return await request()
            except TRANSIENT_ERRORS as error:
                failure = _transient_failure(error)
            if not repeat and not failure.not_done:
                raise OutcomeUnknown
            if not left:
                break
            self._pacer.hold(min(failure.wait or pause, PAUSE_LIMIT))
            pause *= 2
        raise NotionFailed(
            f"Notion cannot be reached ({failure.name}): webtmux will try again later"
        )


@dataclass(frozen=True, slots=True)
class _TransientFailure:
    """A failure that is worth another try."""

    name: str
    wait: float = 0.0  # seconds, from Retry-After
    not_done: bool = False  # True only if the request was certainly not carried out


def _transient_failure(error: Exception) -> _TransientFailure:
    if not isinstance(error, HTTPResponseError):
        not_done = isinstance(error, httpx.ConnectError)
        return _TransientFailure(_connection_problem(error), not_done=not_done)
    if error.status in {409, 429, 529}:
        after = error.headers.get("retry-after", "")
        wait = float(after) if after.isdigit() else 0.0
        return _TransientFailure(str(error.status), wait, not_done=True)
    if error.status >= 500:
        return _TransientFailure(str(error.status))
    raise _permanent_failure(error) from None


def _connection_problem(error: Exception) -> str:
    if isinstance(error, RequestTimeoutError | httpx.TimeoutException):
        return "no response in time"
    return "no connection" if isinstance(error, httpx.HTTPError) else "a response that is not JSON"


def _permanent_failure(error: HTTPResponseError) -> NotionFailed:
    if error.status == 401:
        return NotionRefused(CREDENTIALS_REFUSED)
    if error.status == 403:
        return NotionRefused(NO_ACCESS)
    if error.status == 404:
        return NotionGone(NO_PAGE)
    if error.status == 400 and "archived" in str(error):
        return NotionGone(IN_TRASH)
    code = getattr(error.code, "value", error.code)
    return NotionFailed(f"Notion refuses the request ({error.status} {code})")
