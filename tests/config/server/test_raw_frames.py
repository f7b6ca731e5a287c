"""Malformed requests and WebSocket frames, which no client library sends, byte by byte.

A server that answers a broken close frame by resetting the connection leaves the client without
the reason: RFC 6455 requires a close frame with 1002 (protocol error) or 1007 (not UTF-8).
"""

import asyncio
import os
import struct
from collections.abc import AsyncIterator

import pytest

from tests.safety.raw import WAIT, Line, line, request
from tests.terminals.served import Served

FIN_CLOSE, TEXT = 0x88, 0x81
NORMAL, PROTOCOL_ERROR, INVALID_PAYLOAD = 1000, 1002, 1007
# RFC 6455, 7.4: not assigned or never on the wire.
INVALID_CODES = (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)
VALID_CODES = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)


@pytest.fixture
def address(served: Served) -> str:
    return served.running.address


@pytest.fixture
async def socket(address: str) -> AsyncIterator[Line]:
    async with line(address) as connection:
        await connection.send(
            request(
                address, "GET", "/ws",
                {
                    "upgrade": "websocket", "connection": "Upgrade",
                    "sec-websocket-version": "13", "sec-websocket-key": "x3JJHMbDL1EzLkh9GBhXDw==",
                },
            )
        )  # fmt: skip
        assert (await connection.until(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        yield connection


def frame(first: int, payload: bytes) -> bytes:
    """A frame as clients send it: masked."""
    mask = os.urandom(4)
    assert len(payload) < 126
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes([first, 0x80 | len(payload)]) + mask + masked


def close(code: int, reason: bytes = b"") -> bytes:
    return frame(FIN_CLOSE, struct.pack("!H", code) + reason)


async def closing_code(socket: Line, sent: bytes) -> int:
    """The code of the close frame that answers, after which nothing follows."""
    await socket.send(sent)
    async with asyncio.timeout(WAIT):
        first, length = await socket.reader.readexactly(2)
        payload = await socket.reader.readexactly(length)
    assert first == FIN_CLOSE
    # The server waits a second for this before it closes the connection.
    await socket.send(close(NORMAL))
    assert (await socket.end())[0] == b""
    return int(struct.unpack("!H", payload[:2])[0])


@pytest.mark.parametrize("code", INVALID_CODES)
async def test_an_invalid_close_code_is_a_protocol_error(socket: Line, code: int) -> None:
    assert await closing_code(socket, close(code)) == PROTOCOL_ERROR


async def test_a_close_payload_of_one_byte_is_a_protocol_error(socket: Line) -> None:
    assert await closing_code(socket, frame(FIN_CLOSE, b"\x03")) == PROTOCOL_ERROR


@pytest.mark.parametrize(
    "reason", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"fine \xf4\x90\x80\x80", b"x" * 100 + b"\xe2"]
)
async def test_a_close_reason_that_is_not_utf8_is_an_invalid_payload(
    socket: Line, reason: bytes
) -> None:
    assert await closing_code(socket, close(1000, reason)) == INVALID_PAYLOAD


async def test_an_invalid_code_with_an_invalid_reason_is_a_protocol_error(socket: Line) -> None:
    assert await closing_code(socket, close(999, b"\xff")) == PROTOCOL_ERROR


@pytest.mark.parametrize("code", VALID_CODES)
async def test_a_valid_close_is_answered_as_a_normal_one(socket: Line, code: int) -> None:
    assert await closing_code(socket, close(code, "grüße".encode())) == NORMAL


async def test_a_close_without_a_payload_is_answered(socket: Line) -> None:
    await socket.send(frame(FIN_CLOSE, b""))
    received, _ = await socket.end()
    assert received == bytes([FIN_CLOSE, 2]) + struct.pack("!H", NORMAL)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(frame(0x08, b"\x03\xe8"), id="fragmented close"),
        pytest.param(frame(0xC8, b"\x03\xe8"), id="close with a reserved bit"),
        pytest.param(bytes([FIN_CLOSE, 0xFE, 0, 126]) + b"\0" * 130, id="close of 126 bytes"),
        pytest.param(frame(0x09, b""), id="fragmented ping"),
        pytest.param(frame(0xC1, b"x"), id="text with a reserved bit"),
        pytest.param(frame(0x83, b"x"), id="reserved opcode"),
        pytest.param(frame(0x8B, b"x"), id="reserved control opcode"),
        pytest.param(frame(0x80, b"x"), id="continuation of nothing"),
        pytest.param(frame(0x01, b"x") + frame(TEXT, b"y"), id="text within a fragmented text"),
        pytest.param(bytes([TEXT, 1]) + b"x", id="without a mask"),
    ],
)
async def test_a_frame_that_breaks_the_protocol_is_answered(socket: Line, sent: bytes) -> None:
    assert await closing_code(socket, sent) == PROTOCOL_ERROR


@pytest.mark.parametrize("text", [b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"x" * 50 + b"\xe2\x82"])
async def test_text_that_is_not_utf8_is_an_invalid_payload(socket: Line, text: bytes) -> None:
    assert await closing_code(socket, frame(TEXT, text)) == INVALID_PAYLOAD


async def test_the_reason_of_a_broken_close_is_one_that_may_be_sent(socket: Line) -> None:
    await socket.send(close(999))
    received, _ = await socket.end()
    assert received[4:].decode()


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01 hello\r\n\r\n",
        b"GET / HTTP/9.9 x\r\n\r\n",
        b"POST /api/voice HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n",
        b"POST /api/voice HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: x\r\n\r\n",
        b"POST /api/voice HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/windows HTTP/1.1\r\nhost: localhost\r\nno colon\r\n\r\n",
        b"GET /api/windows HTTP/1.1\r\nhost: localhost\r\nx: \x00\r\n\r\n",
        b"GET /api/\xff HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /api/windows?\xff HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ],
)
async def test_a_request_that_is_not_http_is_answered_in_json(address: str, sent: bytes) -> None:
    async with line(address) as connection:
        await connection.send(sent.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))
        received, seconds = await connection.end()
    assert seconds < WAIT
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 "), received
    assert b"content-type: application/json" in head.lower()
    assert body.startswith(b'{"error": {"code": "invalid", "message": "')
