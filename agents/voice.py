"""Speech as text: sent to the transcription server that the settings name, and to nobody else.

Neither the sound nor the words are kept or logged. Recording is the page's business.
"""

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from ninja import UploadedFile

from terminals.errors import Invalid, NotFound, WebtmuxError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

log = logging.getLogger(__name__)

SPEECH_LIMIT = 10 * 1024 * 1024  # an hour of a browser's Opus
LIMIT_SECONDS = 60.0
TEXT_LIMIT = 100_000  # characters: a server that says more is broken
NOT_SET = (
    "no server for speech is set: give webtmux WEBTMUX_TRANSCRIBE_URL (OpenAI-compatible, with its"
    " /v1), and _KEY and _MODEL if it needs them"
)
# The servers tell the format by the name's ending.
ENDINGS = {
    "audio/webm": "webm",
    "video/webm": "webm",
    "audio/ogg": "ogg",
    "audio/mp4": "mp4",
    "audio/mpeg": "mp3",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/flac": "flac",
}


class VoiceFailed(WebtmuxError):
    """The transcription server refused, failed, or did not answer in time."""

    code = "voice_failed"


@dataclass(frozen=True, slots=True)
class Speech:
    mime: str  # without its parameters
    content: bytes


def describe_voice() -> str:
    """Why speech cannot be written down here; empty when it can."""
    return "" if settings.WEBTMUX.transcribe_url else NOT_SET


async def received(file: UploadedFile) -> Speech:
    """Of a form; not read at all where it is too large."""
    size = file.size or 0
    if size > SPEECH_LIMIT:
        raise Invalid(f"the recording has {size} bytes: {SPEECH_LIMIT} at most")
    mime = (file.content_type or "").partition(";")[0].strip().lower()
    return Speech(mime, await asyncio.to_thread(file.read))


async def transcribe(*, speech: Speech) -> str:
    if reason := describe_voice():
        raise NotFound(reason)
    if not speech.content:
        raise Invalid("the recording is empty")
    if speech.mime not in ENDINGS:
        raise Invalid(f"{speech.mime!r} is no sound that can be sent on: use {', '.join(ENDINGS)}")
    text = await _ask(speech)
    return " ".join(text[:TEXT_LIMIT].split())


async def _ask(speech: Speech) -> str:
    client = await asyncio.to_thread(_client)
    import openai  # loaded by now

    env = settings.WEBTMUX
    named = (f"speech.{ENDINGS[speech.mime]}", speech.content, speech.mime)
    try:
        async with client, asyncio.timeout(LIMIT_SECONDS):
            told = await client.audio.transcriptions.create(model=env.transcribe_model, file=named)
    except openai.APIStatusError as problem:
        raise _failed(f"answered {problem.status_code}") from None
    except (openai.APITimeoutError, TimeoutError):
        raise _failed(f"did not answer within {LIMIT_SECONDS:.0f} s") from None
    except (openai.OpenAIError, ValueError) as problem:
        raise _failed(f"gave no text ({type(problem).__name__})") from None
    if not isinstance(getattr(told, "text", None), str):
        raise _failed("gave no text")
    return told.text


def _client() -> "AsyncOpenAI":
    """In a thread: the package takes a second to import, its parts when they are first used."""
    import openai

    env = settings.WEBTMUX
    client = openai.AsyncOpenAI(
        base_url=env.transcribe_url, api_key=env.transcribe_key or "none", max_retries=0,
        timeout=LIMIT_SECONDS,
    )  # fmt: skip
    client.audio.transcriptions  # noqa: B018 - loads them
    return client


def _failed(what: str) -> VoiceFailed:
    log.warning("the server for speech %s", what)
    return VoiceFailed(f"the server for speech {what}: see WEBTMUX_TRANSCRIBE_URL")
