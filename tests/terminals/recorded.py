"""What tests of recordings share: reading a cast back, and waiting for one."""

import json
from collections.abc import Iterable
from typing import Any

from terminals.models import Recording
from terminals.recording_files import Files
from terminals.recording_pipes import files_of
from tests.terminals.tmux.waiting import eventually

SECONDS = 30.0


def events(lines: Iterable[bytes]) -> list[list[Any]]:
    """Without the header; times must not go back."""
    found = [json.loads(line) for line in list(lines)[1:]]
    times = [event[0] for event in found]
    assert times == sorted(times)
    return found


def printed(files: Files) -> bytes:
    """All output after the first picture."""
    output = [event[2] for event in events(files.lines()) if event[1] == "o"]
    return "".join(output[1:]).encode()


def labels(row: Recording) -> list[str]:
    return [marker.label for marker in files_of(row).markers()]


async def shows(files: Files, text: bytes) -> bytes:
    """What was printed, once it holds `text`."""

    async def found() -> bytes:
        told = printed(files) if files.directory.exists() else b""
        return told if text in told else b""

    return await eventually(found, SECONDS)
