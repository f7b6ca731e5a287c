"""A Notion of the tests' own on a real socket, with faults on request.

Not its pages and rules: fake_pages.py. It speaks version 2026-03-11 of the API, the paths that we
ask for, in a thread, so that plain tests can use it too.
"""

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from notes.notion import payloads
from notes.notion.blocks import blocks
from tests.notes.fake_pages import Node, Object, Pages, Refusal

VERSION = "2026-03-11"
HANG_LIMIT = 30.0  # seconds; the end of the server ends it too

Fault = Literal[
    "rate", "error", "unavailable", "conflict", "hang", "close", "lost", "garbage", "invalid"
]
STATUSES = {
    "error": (500, "internal_server_error"),
    "unavailable": (503, "service_unavailable"),
    "conflict": (409, "conflict_error"),
}


class FakeNotion:
    """`lost`: the request is done and the connection closed before the answer. `invalid`: refused
    with a message that quotes it, as Notion's do."""

    def __init__(self) -> None:
        self.token = "ntn_secret"
        self.pages = Pages()
        self.requests: list[str] = []  # "GET /v1/pages/…", those that failed too
        self.retry_after = "0"
        self._faults: deque[tuple[Fault, str]] = deque()
        self._lock = threading.Lock()
        self.ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def serve(self) -> None:
        self._server.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    # --- for tests ----------------------------------------------------------------------------

    def add_page(self, content: str | Sequence[Object] = (), *, title: str = "A page") -> str:
        """Markdown, or blocks as the API has them; the page's id."""
        made = content
        if isinstance(content, str):
            made = [payloads.nested(block) for block in blocks(content)]
        return self.pages.add(title, [each for each in made if isinstance(each, dict)]).id

    def fail(self, *faults: Fault, on: str = "") -> None:
        """The next requests, or the next that begin like `on` ("PATCH /v1/blocks"), one each."""
        self._faults.extend((fault, on) for fault in faults)

    def heal(self) -> None:
        """No fault any more."""
        self._faults.clear()

    def revoke(self) -> None:
        self.token = "ntn_another"

    def trash(self, page_id: str) -> None:
        self.node(page_id).in_trash = True

    def forget(self, page_id: str) -> None:
        """Deleted for good, or no longer shared."""
        del self.pages.nodes[page_id]

    def node(self, node_id: str) -> Node:
        return self.pages.nodes[node_id]

    def ids(self, page_id: str) -> list[str]:
        return [node.id for node in self.node(page_id).children if not node.in_trash]

    def count(self, start: str = "") -> int:
        return sum(request.startswith(start) for request in self.requests)

    # --- answering ----------------------------------------------------------------------------

    def fault(self, request: str) -> Fault | None:
        with self._lock:
            self.requests.append(request)
            if self._faults and request.startswith(self._faults[0][1]):
                return self._faults.popleft()[0]
        return None

    def answer(self, method: str, target: str, token: str, version: str, body: Object) -> Object:
        if token != f"Bearer {self.token}":
            raise Refusal(401, "unauthorized", "API token is invalid.")
        if version != VERSION:
            raise Refusal(400, "missing_version", "Notion-Version header should be defined")
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        for verb, pattern, act in ROUTES:
            found = re.fullmatch(pattern, parts.path)
            if verb == method and found:
                with self._lock:
                    return act(self.pages, "".join(found.groups()), body, query)
        raise Refusal(400, "invalid_request_url", "Invalid request URL.")


Act = Callable[[Pages, str, Object, dict[str, str]], Object]
BLOCK, CHILDREN, PAGE = "/v1/blocks/([^/]+)", "/v1/blocks/([^/]+)/children", "/v1/pages/([^/]+)"
ROUTES: tuple[tuple[str, str, Act], ...] = (
    ("GET", PAGE, lambda pages, at, body, query: pages.page(at)),
    ("POST", "/v1/pages", lambda pages, at, body, query: pages.create(body)),
    ("PATCH", BLOCK, lambda pages, at, body, query: pages.update(at, body)),
    ("DELETE", BLOCK, lambda pages, at, body, query: pages.delete(at)),
    ("PATCH", CHILDREN, lambda pages, at, body, query: pages.append(at, body)),
    (
        "GET",
        CHILDREN,
        lambda pages, at, body, query: pages.children(
            at, int(query.get("page_size", 100)), query.get("start_cursor", "")
        ),
    ),
    ("GET", "/v1/users/me", lambda pages, at, body, query: {"object": "user", "type": "bot"}),
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
            except Refusal as no:
                error = {"object": "error", "status": no.status, "code": no.code}
                self._respond(no.status, {**error, "message": no.message}, after=no.after)

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
            return notion.answer(self.command, self.path, token, version, body)

        def _respond(
            self, status: int, made: Object | None, *, after: str = "", lost: bool = False
        ) -> None:
            if lost:
                self.close_connection = True
                return
            data = json.dumps(made).encode() if made is not None else b"<html>"
            self.send_response(status)
            if after:
                self.send_header("Retry-After", after)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """The tests read `requests` instead."""

    return Handler


@contextmanager
def serving() -> Iterator[FakeNotion]:
    notion = FakeNotion()
    thread = threading.Thread(target=notion.serve, daemon=True)
    thread.start()
    try:
        yield notion
    finally:
        notion.close()
        thread.join(timeout=5)
