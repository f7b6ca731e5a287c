"""A fake Notion server on a real socket, with faults on request.

Its pages and rules are in fake_pages.py. It implements the paths of API version 2026-03-11 that we
use, and runs in a thread, so that tests without an event loop can use it too.
"""

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from notes.notion import RequestLimits, payloads
from notes.notion.blocks import blocks
from tests.http_server import in_thread
from tests.notes.notion.fake_pages import Node, Object, Pages, Refusal

VERSION = "2026-03-11"
HANG_LIMIT = 30.0  # seconds; ends earlier when the server stops
# Without real pauses. Time-outs are long: on a loaded machine a response may take seconds.
LIMITS = RequestLimits(timeout=30, rate=2000, tries=3, pause=0.01, total=60)
SHORT_TIMEOUT = replace(LIMITS, timeout=0.5)

Fault = Literal[
    "rate", "error", "unavailable", "conflict", "hang", "close", "lost", "garbage", "invalid"
]
STATUSES = {
    "error": (500, "internal_server_error"),
    "unavailable": (503, "service_unavailable"),
    "conflict": (409, "conflict_error"),
}


class FakeNotion:
    """`lost`: the request is carried out and the connection closed before the response. `invalid`:
    refused with a message that quotes the request, as Notion does."""

    def __init__(self) -> None:
        self.token = "ntn_secret"
        self.pages = Pages()
        self.requests: list[str] = []  # "GET /v1/pages/…", including failed ones
        self.retry_after = "0"
        self._faults: deque[tuple[Fault, str]] = deque()
        self._lock = threading.Lock()
        self.ended = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    # --- for tests ------------------------------------------------------------------------------

    def add_page(self, content: str | Sequence[Object] = (), *, title: str = "A page") -> str:
        """Adds a page with Markdown or with blocks of the API. Returns its id."""
        objects = content
        if isinstance(content, str):
            objects = [payloads.nested(block) for block in blocks(content)]
        return self.pages.add(title, [each for each in objects if isinstance(each, dict)]).id

    def fail(self, *faults: Fault, on: str = "") -> None:
        """Makes the next requests fail, or the next that start with `on` ("PATCH /v1/blocks")."""
        self._faults.extend((fault, on) for fault in faults)

    def heal(self) -> None:
        """Removes all faults."""
        self._faults.clear()

    def revoke(self) -> None:
        self.token = "ntn_another"

    def trash(self, page_id: str) -> None:
        self.node(page_id).in_trash = True

    def forget(self, page_id: str) -> None:
        """Deletes a page permanently, as if it were no longer shared."""
        del self.pages.nodes[page_id]

    def node(self, node_id: str) -> Node:
        return self.pages.nodes[node_id]

    def ids(self, page_id: str) -> list[str]:
        return [node.id for node in self.node(page_id).children if not node.in_trash]

    def count(self, start: str = "") -> int:
        return sum(request.startswith(start) for request in self.requests)

    # --- responding -----------------------------------------------------------------------------

    def fault(self, request: str) -> Fault | None:
        with self._lock:
            self.requests.append(request)
            if self._faults and request.startswith(self._faults[0][1]):
                return self._faults.popleft()[0]
        return None

    def respond(self, method: str, target: str, token: str, version: str, body: Object) -> Object:
        if token != f"Bearer {self.token}":
            raise Refusal(401, "unauthorized", "API token is invalid.")
        if version != VERSION:
            raise Refusal(400, "missing_version", "Notion-Version header should be defined")
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        for verb, pattern, act in ROUTES:
            match = re.fullmatch(pattern, parts.path)
            if verb == method and match:
                with self._lock:
                    return act(self.pages, "".join(match.groups()), body, query)
        raise Refusal(400, "invalid_request_url", "Invalid request URL.")


Act = Callable[[Pages, str, Object, dict[str, str]], Object]
BLOCK, CHILDREN, PAGE = "/v1/blocks/([^/]+)", "/v1/blocks/([^/]+)/children", "/v1/pages/([^/]+)"
ROUTES: tuple[tuple[str, str, Act], ...] = (
    ("GET", PAGE, lambda pages, id_, body, query: pages.page(id_)),
    ("POST", "/v1/pages", lambda pages, id_, body, query: pages.create(body)),
    ("PATCH", BLOCK, lambda pages, id_, body, query: pages.update(id_, body)),
    ("DELETE", BLOCK, lambda pages, id_, body, query: pages.delete(id_)),
    ("PATCH", CHILDREN, lambda pages, id_, body, query: pages.append(id_, body)),
    (
        "GET",
        CHILDREN,
        lambda pages, id_, body, query: pages.children(
            id_, int(query.get("page_size", 100)), query.get("start_cursor", "")
        ),
    ),
    ("GET", "/v1/users/me", lambda pages, id_, body, query: {"object": "user", "type": "bot"}),
)


def _handler(notion: FakeNotion) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle_any(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            fault = notion.fault(f"{self.command} {self.path}")
            if fault == "hang":
                notion.ended.wait(HANG_LIMIT)
            if fault in {"hang", "close"}:
                self.close_connection = True
                return
            try:
                self._respond(200, self._done(fault, data), lost=fault == "lost")
            except Refusal as refusal:
                error = {"object": "error", "status": refusal.status, "code": refusal.code}
                payload = {**error, "message": refusal.message}
                self._respond(refusal.status, payload, after=refusal.after)

        do_GET = do_POST = do_PATCH = do_DELETE = handle_any  # noqa: N815

        def _done(self, fault: Fault | None, data: bytes) -> Object | None:
            if fault == "rate":
                raise Refusal(429, "rate_limited", after=notion.retry_after)
            if fault in STATUSES:
                raise Refusal(*STATUSES[fault])
            if fault == "invalid":
                raise Refusal(400, "validation_error", data.decode())
            if fault == "garbage":
                return None
            token = self.headers.get("Authorization", "")
            version = self.headers.get("Notion-Version", "")
            body = json.loads(data) if data else {}
            return notion.respond(self.command, self.path, token, version, body)

        def _respond(
            self, status: int, payload: Object | None, *, after: str = "", lost: bool = False
        ) -> None:
            if lost:
                self.close_connection = True
                return
            data = json.dumps(payload).encode() if payload is not None else b"<html>"
            self.send_response(status)
            if after:
                self.send_header("Retry-After", after)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Silent: tests read `requests` instead."""

    return Handler


@contextmanager
def serving() -> Iterator[FakeNotion]:
    notion = FakeNotion()
    with in_thread(notion.server):
        try:
            yield notion
        finally:
            notion.ended.set()
