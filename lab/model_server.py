"""A model on loopback that does what the prompt says (script.py), in four APIs (protocols.py).

Every request is written to a log of JSON lines, byte for byte, with its time. Suites compare with
this log. `python -m lab serve --port 9000 --log requests.jsonl` runs the server alone.
"""

import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lab import protocols, script

MODELS = ("lab", "lab-small")
LONGEST_BODY = 64 * 1024 * 1024
OVERLOADED = {"type": "overloaded_error", "code": 503, "message": "overloaded, try again"}
POLL_SECONDS = 0.02  # between two checks for a shutdown


@dataclass(frozen=True)
class LoggedRequest:
    """One line of the log."""

    timestamp: float
    path: str
    prompt: str
    calls_made: int
    tools: int
    reply: str
    body: str


@dataclass(frozen=True)
class LoggedReply:
    """The end of a reply that was sent completely."""

    timestamp: float
    prompt: str
    tools: int  # that the request offered; 0: a side request, for a title or a summary
    calls: int  # in this reply: the turn goes on with their results
    said: str = ""


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, log: Path, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.log = log
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._number = 0
        self._requests: list[LoggedRequest] = []
        self._replies: list[LoggedReply] = []
        self._failures = Counter[str]()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def number(self) -> int:
        with self._lock:
            self._number += 1
            return self._number

    def write(self, request: LoggedRequest) -> None:
        line = json.dumps(vars(request)) + "\n"
        with self._lock, self.log.open("a", encoding="utf-8") as file:
            file.write(line)
            self._requests.append(request)

    def requests(self) -> list[LoggedRequest]:
        """The requests so far."""
        with self._lock:
            return list(self._requests)

    def fails(self, prompt: str, actions: Sequence[script.Action]) -> bool:
        """Whether this request is one of those that the prompt lets fail."""
        times = next((action.times for action in actions if isinstance(action, script.Fail)), 0)
        with self._lock:
            self._failures[prompt] += 1
            return self._failures[prompt] <= times

    def end(self, reply: LoggedReply) -> None:
        with self._lock:
            self._replies.append(reply)

    def replies(self) -> list[LoggedReply]:
        """The replies that have ended so far."""
        with self._lock:
            return list(self._replies)


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        models = [{"id": name, "object": "model", "owned_by": "lab"} for name in MODELS]
        self._json({"object": "list", "data": models, "models": []})

    def do_HEAD(self) -> None:
        self._head(200, "text/plain", 0)

    def do_POST(self) -> None:
        length = min(int(self.headers.get("Content-Length") or 0), LONGEST_BODY)
        raw = self.rfile.read(length)
        api = protocols.api_for(self.path)
        if api is None:
            self._unknown(raw)
            return
        body: dict[str, Any] = json.loads(raw)
        request = api.read(body, self.path)
        scripted = script.actions(request.prompt, request.calls_made)
        actions = protocols.doable(scripted, request.tools)
        self._log(raw, request, actions)
        if self.server.fails(request.prompt, actions):
            self._json({"type": "error", "error": OVERLOADED}, status=503)
            return
        actions = [action for action in actions if not isinstance(action, script.Fail)]
        number = self.server.number()
        if not request.stream:
            self._json(api.whole(actions, request, number))
            return
        # An agent that is interrupted closes the connection.
        with contextlib.suppress(ConnectionError):
            self._head(200, "text/event-stream", None)
            for event in api.stream(actions, request, number):
                self.wfile.write(event)
                self.wfile.flush()
            calls = sum(isinstance(action, script.Call) for action in actions)
            spoken = "".join(action.text for action in actions if isinstance(action, script.Say))
            self.server.end(
                LoggedReply(time.time(), request.prompt, len(request.tools), calls, spoken)
            )
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the log of requests says more."""

    def _unknown(self, raw: bytes) -> None:
        self.server.write(
            LoggedRequest(
                time.time(), self.path, "", 0, 0, "", raw.decode(errors="surrogateescape")
            )
        )
        if self.path.partition("?")[0].endswith(("/count_tokens", ":countTokens")):
            self._json({"input_tokens": 10, "totalTokens": 10})
        else:
            self._json({})

    def _log(
        self, raw: bytes, request: protocols.ModelRequest, actions: list[script.Action]
    ) -> None:
        self.server.write(
            LoggedRequest(
                timestamp=time.time(),
                path=self.path,
                prompt=request.prompt,
                calls_made=request.calls_made,
                tools=len(request.tools),
                reply=repr(actions),
                body=raw.decode(errors="surrogateescape"),
            )
        )

    def _json(self, value: dict[str, Any], *, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self._head(status, "application/json", len(data))
        self.wfile.write(data)

    def _head(self, status: int, kind: str, length: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()


@contextlib.contextmanager
def serving(log: Path, port: int = 0) -> Iterator[ModelServer]:
    """A model server in a thread of this process."""
    server = ModelServer(log, port)
    thread = threading.Thread(
        target=server.serve_forever, args=(POLL_SECONDS,), name="model", daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
