"""Answers reads of lists from memory: each is encoded once per version of what it shows.

In front of Django, behind the gate. A list is computed by its usual operation, and the response is
kept with the version that its source had before. Without a version (a database that cannot tell
whether it has changed) nothing is kept. Responses get an ETag; a client that has the current one
gets 304.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from agents import registry
from config.gate.request import AsgiAny, AsgiEvent
from core.errors import WebtmuxError
from terminals.models import WORKSPACE_ROWS
from terminals.runtime import main_tmux

KEPT = 64  # responses, by path and query
BODY_LIMIT = 1024 * 1024
REVALIDATE = (b"cache-control", b"private, no-cache")

Headers = list[tuple[bytes, bytes]]
Version = Callable[[], Awaitable[object | None]]
Application = Callable[[AsgiAny, AsgiAny, AsgiAny], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Source:
    version: Version  # equal objects: nothing has changed; None: not known
    parameters: frozenset[bytes] = frozenset()  # of the query; others are not answered from memory


async def _rows() -> object | None:
    return WORKSPACE_ROWS.version()


async def _agents() -> object | None:
    agents = registry.current()
    return id(agents), agents.version


async def _panes() -> object | None:
    return await main_tmux().panes()


async def _constant() -> object | None:
    return True


PAGING = frozenset({b"limit", b"offset"})
SOURCES: Mapping[str, Source] = {
    "/healthz": Source(_constant),
    "/api/windows": Source(_rows, PAGING | {b"session", b"gone"}),
    "/api/projects": Source(_rows, PAGING),
    "/api/panes": Source(_panes, PAGING),
    "/api/agents": Source(_agents, PAGING),
}


@dataclass(frozen=True, slots=True)
class KeptResponse:
    version: object
    headers: Headers
    body: bytes
    etag: bytes

    async def send(self, scope: AsgiAny, send: AsgiAny) -> None:
        if self.etag and _has(scope, self.etag):
            headers = [pair for pair in self.headers if not pair[0].lower().startswith(b"content-")]
            await send({"type": "http.response.start", "status": 304, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body})


class MemoryReads:
    """ASGI middleware."""

    def __init__(self, application: Application, sources: Mapping[str, Source] = SOURCES) -> None:
        self._application, self._sources = application, sources
        self._kept: OrderedDict[tuple[str, bytes], KeptResponse] = OrderedDict()

    async def __call__(self, scope: AsgiAny, receive: AsgiAny, send: AsgiAny) -> None:
        source = self._sources.get(scope["path"])
        query: bytes = scope.get("query_string", b"")
        if source is None or scope["method"] != "GET" or not _names(query) <= source.parameters:
            await self._application(scope, receive, send)
            return
        try:
            version = await source.version()
        except WebtmuxError:  # the operation itself says what is wrong
            await self._application(scope, receive, send)
            return
        key = (scope["path"], query)
        kept = self._kept.get(key)
        if kept is None or version is None or kept.version != version:
            kept = await self._compute(scope, receive, send, version)
            if kept is None:
                return
            self._keep(key, kept)
        await kept.send(scope, send)

    async def _compute(
        self, scope: AsgiAny, receive: AsgiAny, send: AsgiAny, version: object | None
    ) -> KeptResponse | None:
        """None: the response was passed on, because it is an error or has several parts."""
        start: AsgiEvent | None = None
        computed: KeptResponse | None = None

        async def collect(event: AsgiEvent) -> None:
            nonlocal start, computed
            if event["type"] == "http.response.start" and event["status"] == 200:
                start = event
                return
            if start is not None:
                if event["type"] == "http.response.body" and not event.get("more_body"):
                    computed = _response(version, start["headers"], event.get("body", b""))
                    return
                await send(start)
                start = None
            await send(event)

        await self._application(scope, receive, collect)
        return computed

    def _keep(self, key: tuple[str, bytes], response: KeptResponse) -> None:
        if response.version is None or len(response.body) > BODY_LIMIT:
            self._kept.pop(key, None)
            return
        self._kept[key] = response
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _response(version: object | None, headers_sent: Headers, body: bytes) -> KeptResponse:
    """What must not be stored gets no ETag."""
    headers, etag = list(headers_sent), b""
    if not any(name.lower() == b"cache-control" for name, _ in headers):
        etag = b'"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'
        headers += [REVALIDATE, (b"etag", etag)]
    return KeptResponse(version, headers, body, etag)


def _names(query: bytes) -> set[bytes]:
    return {part.partition(b"=")[0] for part in query.split(b"&")} if query else set()


def _has(scope: AsgiAny, etag: bytes) -> bool:
    """If-None-Match compares weakly: proxies that compress mark the ETag with W/."""
    if_none_match = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
    tags = {part.strip().removeprefix(b"W/") for part in if_none_match.split(b",")}
    return etag in tags or b"*" in tags
