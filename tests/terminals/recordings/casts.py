"""Shared by the tests of recordings: reading a cast back, and waiting for its output."""

import json
from collections.abc import Iterable
from typing import Any

from terminals.models import Recording
from terminals.recordings.files import RecordingFiles, files_of
from tests.waiting import eventually


def events(lines: Iterable[bytes]) -> list[list[Any]]:
    """All events, without the header. Checks that times never decrease."""
    rows = [json.loads(line) for line in list(lines)[1:]]
    times = [event[0] for event in rows]
    assert times == sorted(times)
    return rows


def printed(files: RecordingFiles) -> bytes:
    """All output after the first capture."""
    output = [event[2] for event in events(files.lines()) if event[1] == "o"]
    return "".join(output[1:]).encode()


def labels(row: Recording) -> list[str]:
    return [marker.label for marker in files_of(row).markers()]


async def shows(files: RecordingFiles, text: bytes) -> bytes:
    """The recorded output, once it contains `text`."""

    def output() -> bytes:
        recorded = printed(files) if files.directory.exists() else b""
        return recorded if text in recorded else b""

    return await eventually(output)
