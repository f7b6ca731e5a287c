"""docs/protocol.md describes the real requests, events, frames, features and limits."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.registry import ChangeKind
from config.asgi import HANDLERS
from core.wire import SocketMessage
from terminals.socket import keys, output
from terminals.socket.frames import FROM_CLIENT, FrameType
from terminals.socket.input import FRAMES
from terminals.uploads import payload
from terminals.ws import FEATURES, VERSION

ROOT = Path(__file__).resolve().parents[3]
DOC = (ROOT / "docs" / "protocol.md").read_text()


def sections(title: str, level: str) -> dict[str, str]:
    """Heading → text, below a heading of the level above."""
    part = re.split(r"^## ", DOC.split(f"\n## {title}\n")[1], maxsplit=1, flags=re.M)[0]
    parts = re.split(rf"^{level} `?([^`\n]+)`?\n", part, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def examples(text: str) -> list[dict[str, Any]]:
    decoder, messages = json.JSONDecoder(), []
    for block in re.findall(r"```json\n(.*?)```", text, re.S):
        rest = block.strip()
        while rest:
            message, end = decoder.raw_decode(rest)
            messages.append(message)
            rest = rest[end:].strip()
    return messages


def event_types(model: type[SocketMessage]) -> Iterator[str]:
    """The types of all events: answers have the type of their request instead."""
    for each in model.__subclasses__():
        if (field := each.model_fields.get("type")) is not None and isinstance(field.default, str):
            yield field.default
        yield from event_types(each)


REQUESTS, EVENTS = sections("Requests", "###"), sections("Events", "###")


def test_exactly_the_existing_requests_are_described() -> None:
    assert set(REQUESTS) == set(HANDLERS)


@pytest.mark.parametrize("name", REQUESTS)
def test_every_request_has_an_example_with_its_answer(name: str) -> None:
    shown = [message for message in examples(REQUESTS[name]) if message["type"] == name]
    request, answer = shown[:2]
    assert request["id"] == answer["id"]
    assert "ok" not in request
    assert answer.get("ok", True) is True


def test_exactly_the_existing_events_are_described() -> None:
    sent = set(event_types(SocketMessage))
    assert sent >= {kind.value for kind in ChangeKind}
    assert set(EVENTS) == sent - {"error"}  # which has a section of its own


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


def test_the_documented_limits_are_the_real_ones() -> None:
    assert f"{output.CREDIT_WINDOW // 1024} KiB of each output are sent unacknowledged" in DOC
    assert f"may watch {output.OUTPUT_LIMIT} outputs" in DOC
    assert f"frame of more than {keys.TYPED_LIMIT // 1024} KiB" in DOC
    assert f"At most {payload.FILE_LIMIT // 1024**2} MiB." in DOC
    assert f"text of up to {payload.INLINE_LIMIT // 1024} KiB" in DOC


def test_every_example_is_a_message() -> None:
    messages = [each for each in examples(DOC) if "workDir" not in each]
    assert len(messages) > 50
    for message in messages:
        assert message["type"] in {*HANDLERS, *EVENTS, "error"}
