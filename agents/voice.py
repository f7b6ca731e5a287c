"""Speech to text: recordings are sent to the transcription server of the settings, nowhere else.

Neither the sound nor the text is stored or logged. The page makes the recording.
"""

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from ninja import UploadedFile

from core.errors import Invalid, NotFound, WebtmuxError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

log = logging.getLogger(__name__)

SPEECH_LIMIT = 10 * 1024 * 1024  # an hour of a browser's Opus
LIMIT_SECONDS = 60.0
TEXT_LIMIT = 100_000  # characters: a server that returns more is broken
NOT_SET = (
    "no transcription server is configured: set WEBTMUX_TRANSCRIBE_URL (OpenAI-compatible, with its"
    " /v1), and WEBTMUX_TRANSCRIBE_KEY and WEBTMUX_TRANSCRIBE_MODEL if the server needs them"
)
# Servers recognise the format by the extension of the file name.
EXTENSIONS = {
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
    """Why speech cannot be transcribed; empty if it can."""
    return "" if settings.WEBTMUX.transcribe_url else NOT_SET


async def received(file: UploadedFile) -> Speech:
    """From an upload form. A file that is too large is not read."""
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
    if speech.mime not in EXTENSIONS:
        raise Invalid(f"{speech.mime!r} is no supported audio type: use {', '.join(EXTENSIONS)}")
    text = await _request(speech)
    return " ".join(text[:TEXT_LIMIT].split())


async def _request(speech: Speech) -> str:
    client = await asyncio.to_thread(_client)
    import openai  # loaded by now

    env = settings.WEBTMUX
    file = (f"speech.{EXTENSIONS[speech.mime]}", speech.content, speech.mime)
    try:
        async with client, asyncio.timeout(LIMIT_SECONDS):
            response = await client.audio.transcriptions.create(
                model=env.transcribe_model, file=file
            )
    except openai.APIStatusError as problem:
        raise _failed(f"answered {problem.status_code}") from None
    except (openai.APITimeoutError, TimeoutError):
        raise _failed(f"did not answer within {LIMIT_SECONDS:.0f} s") from None
    except (openai.OpenAIError, ValueError) as problem:
        raise _failed(f"returned no text ({type(problem).__name__})") from None
    if not isinstance(getattr(response, "text", None), str):
        raise _failed("returned no text")
    return response.text


def _client() -> "AsyncOpenAI":
    """In a thread: importing the package takes a second, and so does the first use of its parts."""
    import openai

    env = settings.WEBTMUX
    client = openai.AsyncOpenAI(
        base_url=env.transcribe_url,
        api_key=env.transcribe_key or "none",
        max_retries=0,
        timeout=LIMIT_SECONDS,
    )
    client.audio.transcriptions  # noqa: B018 - loads them
    return client


def _failed(reason: str) -> VoiceFailed:
    log.warning("the transcription server %s", reason)
    return VoiceFailed(f"the transcription server {reason}: check WEBTMUX_TRANSCRIBE_URL")
