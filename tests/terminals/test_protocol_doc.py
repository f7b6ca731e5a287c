"""docs/protocol.md says what the server does: requests, events, frames and features compared."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.registry import Kind
from config.asgi import HANDLERS
from terminals import keys, outputs, uploads
from terminals.frames import FROM_CLIENT, FrameType
from terminals.incoming import FRAMES
from terminals.ws import FEATURES, VERSION

ROOT = Path(__file__).resolve().parent.parent.parent
DOC = (ROOT / "docs" / "protocol.md").read_text()
TOLD_IN = (
    "terminals/outputs.py",
    "terminals/facts.py",
    "terminals/recordings.py",
    "terminals/ws.py",
    "agents/ws.py",
    "agents/chat_schemas.py",
    "notes/services.py",
)


def sections(title: str, level: str) -> dict[str, str]:
    """Heading → text, below a heading of the level above."""
    part = re.split(r"^## ", DOC.split(f"\n## {title}\n")[1], maxsplit=1, flags=re.M)[0]
    found = re.split(rf"^{level} `?([^`\n]+)`?\n", part, flags=re.M)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def examples(text: str) -> list[dict[str, Any]]:
    decoder, found = json.JSONDecoder(), []
    for block in re.findall(r"```json\n(.*?)```", text, re.S):
        rest = block.strip()
        while rest:
            message, end = decoder.raw_decode(rest)
            found.append(message)
            rest = rest[end:].strip()
    return found


REQUESTS, EVENTS = sections("Requests", "###"), sections("Events", "###")


def test_every_request_is_described_and_no_other() -> None:
    assert set(REQUESTS) == set(HANDLERS)


@pytest.mark.parametrize("name", REQUESTS)
def test_every_request_has_an_example_with_its_answer(name: str) -> None:
    shown = [message for message in examples(REQUESTS[name]) if message["type"] == name]
    request, answer = shown[:2]
    assert request["id"] == answer["id"]
    assert "ok" not in request
    assert answer.get("ok", True) is True


def test_every_event_is_described_and_no_other() -> None:
    literal = re.compile(r'"type": "([a-z-]+)"')
    told = {name for path in TOLD_IN for name in literal.findall((ROOT / path).read_text())}
    assert set(EVENTS) == told | {kind.value for kind in Kind}


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_has_an_example(name: str) -> None:
    shown = examples(EVENTS[name])
    assert [message["type"] for message in shown] == [name]
    assert "id" not in shown[0]


def test_every_frame_is_described_with_its_direction() -> None:
    rows = re.findall(r"^\| `(0x\d\d)` \| to the (client|server) \|", DOC, re.M)
    assert {int(number, 16) for number, _ in rows} == set(FrameType)
    assert {int(number, 16) for number, to in rows if to == "server"} == FROM_CLIENT == set(FRAMES)


def test_every_feature_is_described() -> None:
    shown = re.findall(r"^\| `([a-z]+)` \|", REQUESTS["hello"], re.M)
    assert sorted(shown) == sorted(FEATURES)
    [_, answer] = examples(REQUESTS["hello"])
    assert answer["version"] == VERSION


def test_the_limits_are_the_ones_that_hold() -> None:
    assert f"{outputs.CREDIT_WINDOW // 1024} KiB of each output are under way" in DOC
    assert f"may watch {outputs.OUTPUT_LIMIT} outputs" in DOC
    assert f"frame of more than {keys.TYPED_LIMIT // 1024} KiB" in DOC
    assert f"At most {uploads.FILE_LIMIT // 1024**2} MiB." in DOC
    assert f"text of up to {uploads.INLINE_LIMIT // 1024} KiB" in DOC


def test_every_example_is_a_message() -> None:
    messages = [each for each in examples(DOC) if "workDir" not in each]
    assert len(messages) > 50
    for message in messages:
        assert message["type"] in {*HANDLERS, *EVENTS, "error"}
