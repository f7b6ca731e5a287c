"""A fake OpenAI-compatible transcription server that keeps the requests it received."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message

from tests.http_server import answering_posts

HANG_LIMIT = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    path: str
    key: str
    model: str
    file_name: str
    mime: str
    content: bytes


@dataclass
class SpeechServer:
    text: str = "open the pod bay doors"
    status: int = 200
    silent: bool = False  # accepts requests, but does not answer until the end of the test
    body: bytes = b""  # the response, in place of `text` as JSON
    url: str = ""
    requests: list[SpeechRequest] = field(default_factory=list)

    def response(self) -> bytes:
        return self.body or json.dumps({"text": self.text}).encode()


@contextmanager
def serving_speech() -> Iterator[SpeechServer]:
    speech, ended = SpeechServer(), threading.Event()

    def respond(path: str, headers: Message, body: bytes) -> tuple[int, bytes]:
        speech.requests.append(_read(path, headers, body))
        if speech.silent:
            ended.wait(HANG_LIMIT)
        return speech.status, speech.response()

    with answering_posts(respond) as address:
        speech.url = f"{address}/v1"
        try:
            yield speech
        finally:
            ended.set()


def _read(path: str, headers: Message, body: bytes) -> SpeechRequest:
    """The parts of a form, read with the e-mail parser, which understands multipart bodies."""
    form = message_from_bytes(f"Content-Type: {headers['Content-Type']}\n\n".encode() + body)
    parts = {_name(part): part for part in form.walk() if not part.is_multipart()}
    model, file = parts["model"], parts["file"]
    return SpeechRequest(
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
