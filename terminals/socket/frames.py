"""The binary frames of the socket: type, name, NUL, payload, and the meaning of the payloads.

Pure: bytes in, values out. tests/golden/frames.json keeps this module and frames.js the same.
"""

import re
from dataclasses import dataclass
from enum import IntEnum

from core.errors import Invalid

SHORTEST = 3  # a type, one character of a name, the separator
CREDIT_SIZE = 4  # bytes of a big-endian count
COLUMNS = range(2, 1001)
ROWS = range(1, 501)
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


class FrameType(IntEnum):
    OUTPUT = 0x01  # to the client: bytes that the terminal printed
    INPUT = 0x02  # to the server: bytes of the keyboard
    RESIZE = 0x03  # to the server: "cols:rows"
    UPLOAD = 0x04  # to the server: file name, NUL, media type, NUL, contents
    RESET = 0x05  # to the client, with the feature `reset`: clear the terminal, then write
    CREDIT = 0x06  # to the server, with the feature `credit`: bytes that its terminal has parsed


FROM_CLIENT = frozenset({FrameType.INPUT, FrameType.RESIZE, FrameType.UPLOAD, FrameType.CREDIT})


@dataclass(frozen=True, slots=True)
class BinaryFrame:
    type: int
    agent: str
    payload: bytes


def prefix(kind: FrameType, agent: str) -> bytes:
    """A frame without its payload; built once for all frames of an output."""
    return bytes((kind,)) + agent.encode("utf-8", "replace") + b"\0"


def encode(kind: FrameType, agent: str, payload: bytes) -> bytes:
    return prefix(kind, agent) + payload


def decode(data: bytes) -> BinaryFrame:
    """Accepts any type: `from_client` checks it."""
    if len(data) < SHORTEST:
        raise Invalid("invalid binary message: frame too short")
    end = data.find(b"\0", 1)
    if end < 0:
        raise Invalid("invalid binary message: missing agent separator")
    if end == 1:
        raise Invalid("invalid binary message: missing agent name")
    return BinaryFrame(data[0], data[1:end].decode("utf-8", "replace"), data[end + 1 :])


def from_client(data: bytes) -> BinaryFrame:
    """A frame that a client may send."""
    frame = decode(data)
    if frame.type not in FROM_CLIENT:
        raise Invalid(f"unknown binary message type: 0x{frame.type:02x}")
    return frame


def parse_size(agent: str, payload: bytes) -> tuple[int, int]:
    """Columns and rows of a resize frame."""
    problem = f"invalid resize payload for {agent}"
    parts = payload.decode("ascii", "replace").split(":")
    if len(parts) != 2:
        raise Invalid(f"{problem}: expected cols:rows")
    if not all(_NUMBER.fullmatch(part) for part in parts):
        raise Invalid(f"{problem}: non-numeric cols/rows")
    columns, rows = map(int, parts)
    if columns not in COLUMNS or rows not in ROWS:
        raise Invalid(f"{problem}: {columns}x{rows} out of range")
    return columns, rows


def parse_credit(agent: str, payload: bytes) -> int:
    """How many more bytes the terminal of the client has parsed."""
    if len(payload) != CREDIT_SIZE:
        raise Invalid(f"invalid credit payload for {agent}: expected a 4-byte count")
    return int.from_bytes(payload, "big")
