"""A small OpenAI-compatible server of our own that writes speech down, and keeps what it heard."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Heard:
    path: str
    key: str
    model: str
    file_name: str
    mime: str
    content: bytes


@dataclass
class Ears:
    said: str = "open the pod bay doors"
    status: int = 200
    delay: float = 0.0
    body: bytes = b""  # instead of an answer with `said`
    url: str = ""
    heard: list[Heard] = field(default_factory=list)

    def answer(self) -> bytes:
        return self.body or json.dumps({"text": self.said}).encode()


@contextmanager
def serving_ears() -> Iterator[Ears]:
    ears = Ears()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            ears.heard.append(_read(self.path, self.headers, body))
            time.sleep(ears.delay)
            data = ears.answer()
            self.send_response(ears.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    ears.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield ears
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _read(path: str, headers: Message, body: bytes) -> Heard:
    """A form's parts, by the parser for mail, which reads them as well."""
    form = message_from_bytes(f"Content-Type: {headers['Content-Type']}\n\n".encode() + body)
    parts = {_name(part): part for part in form.walk() if not part.is_multipart()}
    model, file = parts["model"], parts["file"]
    return Heard(
        path=path,
        key=headers["Authorization"],
        model=_content(model).decode(),
        file_name=file.get_filename() or "",
        mime=file.get_content_type(),
        content=_content(file),
    )


def _name(part: Message) -> str:
    return str(part.get_param("name", header="content-disposition"))


def _content(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload
