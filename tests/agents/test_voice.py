"""POST /api/voice with a transcription server of our own: its words, its failures, our limits."""

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, cast

import httpx
import pytest
from django.conf import LazySettings
from django.core.asgi import get_asgi_application

from agents import voice
from tests.agents.speech import Ears, serving_ears

SOUND = b"\x1aE\xdf\xa3 not really Opus\r\n\0\xff"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    door = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=door, base_url="http://localhost/api") as client:
        yield client


@pytest.fixture
def ears(settings: LazySettings) -> Iterator[Ears]:
    with serving_ears() as ears:
        settings.WEBTMUX = replace(
            settings.WEBTMUX,
            transcribe_url=ears.url, transcribe_key="key-1", transcribe_model="tiny",
        )  # fmt: skip
        yield ears


async def say(
    http: httpx.AsyncClient, sound: bytes = SOUND, mime: str = "audio/webm;codecs=opus"
) -> tuple[int, Any]:
    answer = await http.post("/voice", files={"file": ("speech", sound, mime)})
    return answer.status_code, answer.json()


async def test_speech_comes_back_as_text(http: httpx.AsyncClient, ears: Ears) -> None:
    assert (await http.get("/voice")).json() == {"available": True, "reason": ""}
    ears.said = "  open the\npod bay doors "
    assert await say(http) == (200, {"text": "open the pod bay doors"})
    [heard] = ears.heard
    assert (heard.path, heard.key) == ("/v1/audio/transcriptions", "Bearer key-1")
    assert (heard.model, heard.file_name, heard.mime) == ("tiny", "speech.webm", "audio/webm")
    assert heard.content.rstrip(b"\n") == SOUND.rstrip(b"\n")


async def test_without_a_server_it_says_what_to_set(http: httpx.AsyncClient) -> None:
    told = (await http.get("/voice")).json()
    assert told["available"] is False
    assert "WEBTMUX_TRANSCRIBE_URL" in told["reason"]
    status, answer = await say(http)
    assert (status, answer["error"]["code"]) == (404, "not_found")
    assert answer["error"]["message"] == told["reason"]


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"status": 401}, "answered 401"),
        ({"status": 500}, "answered 500"),
        ({"delay": 0.6}, "did not answer within"),
        ({"body": b"<html>"}, "gave no text"),
        ({"body": b'{"text": 7}'}, "gave no text"),
        ({"body": b"[]"}, "gave no text"),
    ],
)
async def test_a_server_that_fails_is_said_to_have_failed(
    http: httpx.AsyncClient,
    ears: Ears,
    monkeypatch: pytest.MonkeyPatch,
    broken: dict[str, Any],
    words: str,
) -> None:
    monkeypatch.setattr(voice, "LIMIT_SECONDS", 0.3 if "delay" in broken else 20.0)
    for name, value in broken.items():
        setattr(ears, name, value)
    status, answer = await say(http)
    assert (status, answer["error"]["code"]) == (502, "voice_failed")
    assert words in answer["error"]["message"]


async def test_a_server_that_is_not_there_is_said_to_have_failed(
    http: httpx.AsyncClient, ears: Ears, settings: LazySettings
) -> None:
    settings.WEBTMUX = replace(settings.WEBTMUX, transcribe_url="http://127.0.0.1:9/v1")
    status, answer = await say(http)
    assert (status, answer["error"]["code"]) == (502, "voice_failed")
    assert ears.heard == []


@pytest.mark.parametrize(
    ("sound", "mime", "words"),
    [
        (b"", "audio/webm", "empty"),
        (SOUND, "text/html", "no sound"),
        (b"x" * (voice.SPEECH_LIMIT + 1), "audio/webm", "10485760 at most"),
    ],
)
async def test_what_is_no_speech_is_not_sent_on(
    http: httpx.AsyncClient, ears: Ears, sound: bytes, mime: str, words: str
) -> None:
    status, answer = await say(http, sound, mime)
    assert status == 422
    assert words in answer["error"]["message"]
    assert ears.heard == []


async def test_the_words_are_never_logged(
    http: httpx.AsyncClient, ears: Ears, caplog: pytest.LogCaptureFixture
) -> None:
    ears.said = "my secret plan"
    with caplog.at_level(logging.INFO):  # the level of the server
        await say(http)
        ears.body = b'"my secret plan"'
        await say(http)
    assert "secret" not in caplog.text
