"""POST /api/voice with a fake transcription server: its text, its failures, our limits."""

import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import httpx
import pytest
from django.conf import LazySettings
from django.core.asgi import get_asgi_application

from agents import voice
from tests.agents.speech import SpeechServer, serving_speech

SOUND = b"\x1aE\xdf\xa3 not really Opus\r\n\0\xff"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as client:
        yield client


@pytest.fixture
def speech(settings: LazySettings) -> Iterator[SpeechServer]:
    with serving_speech() as speech:
        settings.WEBTMUX = settings.WEBTMUX.model_copy(
            update={
                "transcribe_url": speech.url,
                "transcribe_key": "key-1",
                "transcribe_model": "tiny",
            }
        )
        yield speech


async def say(
    http: httpx.AsyncClient, sound: bytes = SOUND, mime: str = "audio/webm;codecs=opus"
) -> tuple[int, Any]:
    answer = await http.post("/voice", files={"file": ("speech", sound, mime)})
    return answer.status_code, answer.json()


async def test_speech_is_transcribed(http: httpx.AsyncClient, speech: SpeechServer) -> None:
    assert (await http.get("/voice")).json() == {"available": True, "reason": ""}
    speech.text = "  open the\npod bay doors "
    assert await say(http) == (200, {"text": "open the pod bay doors"})
    [request] = speech.requests
    assert (request.path, request.key) == ("/v1/audio/transcriptions", "Bearer key-1")
    assert (request.model, request.file_name, request.mime) == ("tiny", "speech.webm", "audio/webm")
    assert request.content.rstrip(b"\n") == SOUND.rstrip(b"\n")


async def test_without_a_server_the_error_names_the_setting(http: httpx.AsyncClient) -> None:
    described = (await http.get("/voice")).json()
    assert described["available"] is False
    assert "WEBTMUX_TRANSCRIBE_URL" in described["reason"]
    status, answer = await say(http)
    assert (status, answer["error"]["code"]) == (404, "not_found")
    assert answer["error"]["message"] == described["reason"]


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"status": 401}, "answered 401"),
        ({"status": 500}, "answered 500"),
        ({"silent": True}, "did not answer within"),
        ({"body": b"<html>"}, "returned no text"),
        ({"body": b'{"text": 7}'}, "returned no text"),
        ({"body": b"[]"}, "returned no text"),
    ],
)
async def test_a_failing_server_is_reported(
    http: httpx.AsyncClient,
    speech: SpeechServer,
    monkeypatch: pytest.MonkeyPatch,
    broken: dict[str, Any],
    words: str,
) -> None:
    if "silent" in broken:
        monkeypatch.setattr(voice, "LIMIT_SECONDS", 0.3)
    for name, value in broken.items():
        setattr(speech, name, value)
    status, answer = await say(http)
    assert (status, answer["error"]["code"]) == (502, "voice_failed")
    assert words in answer["error"]["message"]


async def test_an_unreachable_server_is_reported(
    http: httpx.AsyncClient, speech: SpeechServer, settings: LazySettings
) -> None:
    settings.WEBTMUX = settings.WEBTMUX.model_copy(
        update={"transcribe_url": "http://127.0.0.1:9/v1"}
    )
    status, answer = await say(http)
    assert (status, answer["error"]["code"]) == (502, "voice_failed")
    assert speech.requests == []


@pytest.mark.parametrize(
    ("sound", "mime", "words"),
    [
        (b"", "audio/webm", "empty"),
        (SOUND, "text/html", "no supported audio type"),
        (b"x" * (voice.SPEECH_LIMIT + 1), "audio/webm", "10485760 at most"),
    ],
)
async def test_a_recording_that_is_invalid_is_not_sent(
    http: httpx.AsyncClient, speech: SpeechServer, sound: bytes, mime: str, words: str
) -> None:
    status, answer = await say(http, sound, mime)
    assert status == 422
    assert words in answer["error"]["message"]
    assert speech.requests == []


async def test_the_text_of_speech_is_never_logged(
    http: httpx.AsyncClient, speech: SpeechServer, caplog: pytest.LogCaptureFixture
) -> None:
    speech.text = "my secret plan"
    with caplog.at_level(logging.INFO):  # the level of the server
        await say(http)
        speech.body = b'"my secret plan"'
        await say(http)
    assert "secret" not in caplog.text
