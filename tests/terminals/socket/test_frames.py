"""Binary frames: the golden file that JavaScript reads too, and the exact error messages."""

import base64
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Invalid
from terminals.socket import frames
from terminals.socket.frames import BinaryFrame, FrameType

GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "frames.json").read_text()
)
NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_golden_frames_are_encoded_and_decoded(case: dict[str, Any]) -> None:
    payload = base64.b64decode(case["payloadBase64"])
    frame = base64.b64decode(case["frameBase64"])
    assert frames.encode(FrameType(case["type"]), case["agent"], payload) == frame
    assert frames.decode(frame) == BinaryFrame(case["type"], case["agent"], payload)


def test_the_golden_file_has_every_type() -> None:
    assert {case["type"] for case in GOLDEN} == set(FrameType)


@given(st.sampled_from(FrameType), NAMES, st.binary())
def test_decoding_reverses_encoding(kind: FrameType, agent: str, payload: bytes) -> None:
    assert frames.decode(frames.encode(kind, agent, payload)) == BinaryFrame(kind, agent, payload)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_frame_or_an_error_of_ours(data: bytes) -> None:
    with contextlib.suppress(Invalid):
        assert frames.decode(data).agent


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "invalid binary message: frame too short"),
        (b"\x02", "invalid binary message: frame too short"),
        (b"\x02a", "invalid binary message: frame too short"),
        (b"\x02abc", "invalid binary message: missing agent separator"),
        (b"\x02\0abc", "invalid binary message: missing agent name"),
        (b"\x01a\0", "unknown binary message type: 0x01"),
        (b"\x05a\0", "unknown binary message type: 0x05"),
        (b"\x00a\0", "unknown binary message type: 0x00"),
        (b"\xffa\0", "unknown binary message type: 0xff"),
    ],
)
def test_frames_that_a_client_must_not_send_are_refused(data: bytes, error: str) -> None:
    with pytest.raises(Invalid) as refused:
        frames.from_client(data)
    assert refused.value.message == error


@pytest.mark.parametrize("payload", [b"2:1", b"80:24", b"1000:500", b"+80:24"])
def test_a_size_within_the_limits_is_read(payload: bytes) -> None:
    columns, rows = (int(part) for part in payload.split(b":"))
    assert frames.parse_size("a", payload) == (columns, rows)


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        (b"", "expected cols:rows"),
        (b"80", "expected cols:rows"),
        (b"80:24:1", "expected cols:rows"),
        (b"80x24", "expected cols:rows"),
        (b"a:b", "non-numeric cols/rows"),
        (b":24", "non-numeric cols/rows"),
        (b" 80:24", "non-numeric cols/rows"),
        (b"80:24\n", "non-numeric cols/rows"),
        ("٨٠:٢٤".encode(), "non-numeric cols/rows"),
        (b"9999999999:24", "non-numeric cols/rows"),
        (b"1:24", "1x24 out of range"),
        (b"1001:24", "1001x24 out of range"),
        (b"80:0", "80x0 out of range"),
        (b"80:501", "80x501 out of range"),
        (b"-80:24", "-80x24 out of range"),
    ],
)
def test_an_invalid_size_is_refused(payload: bytes, error: str) -> None:
    with pytest.raises(Invalid) as refused:
        frames.parse_size("my-project", payload)
    assert refused.value.message == f"invalid resize payload for my-project: {error}"


def test_credit_is_four_bytes_big_endian() -> None:
    assert frames.parse_credit("a", b"\0\1\0\0") == 65536
    for payload in (b"", b"\0\0\1", b"\0\0\0\0\1"):
        with pytest.raises(Invalid, match="invalid credit payload for a: expected a 4-byte count"):
            frames.parse_credit("a", payload)
