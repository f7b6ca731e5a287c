"""A fake OpenAI-compatible server: returns a given response and records the requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from tests.http_server import answering_posts

HANG_LIMIT = 30.0  # seconds


@dataclass
class Model:
    content: str = '["one", "two"]'
    status: int = 200
    hangs: bool = False  # until the end of the test
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def response(self) -> bytes:
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return json.dumps(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "m",
             "choices": [choice]}
        ).encode()  # fmt: skip


@contextmanager
def serving_model() -> Iterator[Model]:
    model, ended = Model(), threading.Event()

    def respond(path: str, headers: Message, body: bytes) -> tuple[int, bytes]:
        model.requests.append({"path": path, **json.loads(body)})
        model.keys.append(headers["Authorization"])
        if model.hangs:
            ended.wait(HANG_LIMIT)
        return model.status, model.response()

    with answering_posts(respond) as address:
        model.url = f"{address}/v1"
        try:
            yield model
        finally:
            ended.set()
