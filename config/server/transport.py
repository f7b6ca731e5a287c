"""What the HTTP and WebSocket connections share: transports, back-pressure, plain responses."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Protocol

from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer

from config.gate.refusals import Refusal
from config.server.connection_limits import Places

# Unsent bytes in memory for a client that does not read, besides the message being sent.
WRITE_LIMIT = 256 * 1024
# Unsent bytes in the kernel for one socket.
UNSENT_LIMIT = 64 * 1024
# Time after the last bytes for the client to read them.
GOODBYE_SECONDS = 2.0


def nothing() -> None:
    """Replaces a callback that was called or is not needed."""


class Timer(Protocol):
    """A delayed call of Twisted."""

    def active(self) -> bool: ...
    def cancel(self) -> None: ...


class ByteProtocol(Protocol):
    """The protocol that a transport passes its input to."""

    def dataReceived(self, data: bytes) -> None: ...


class Transport(Protocol):
    """The parts of a Twisted transport that we use."""

    bufferSize: int
    disconnected: bool
    leave_place: Callable[[], None]
    protocol: "ByteProtocol"  # after an upgrade the WebSocket

    def getHandle(self) -> socket.socket: ...
    def getPeer(self) -> object: ...
    def write(self, data: bytes) -> None: ...
    def loseConnection(self) -> None: ...
    def loseWriteConnection(self) -> None: ...
    def abortConnection(self) -> None: ...
    def pauseProducing(self) -> None: ...
    def resumeProducing(self) -> None: ...
    def registerProducer(self, producer: "Drain", streaming: bool) -> None: ...
    def unregisterProducer(self) -> None: ...


@implementer(IPushProducer)
class Drain:
    """Whether a transport accepts more bytes. Twisted updates it; senders wait for it."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()

    def pauseProducing(self) -> None:
        self._open.clear()

    def resumeProducing(self) -> None:
        self._open.set()

    def stopProducing(self) -> None:
        """The connection is closed: release all waiting senders."""
        self._open.set()

    async def ready(self) -> None:
        # Several senders may wake at once, and the first may fill the buffer again.
        while not self._open.is_set():
            await self._open.wait()


def http_answer(refusal: Refusal) -> bytes:
    """The bytes of a refusal, for a connection that is closed afterwards."""
    body = refusal.body()
    lines = [f"HTTP/1.1 {refusal.status} {phrase(refusal.status).decode()}".encode()]
    lines += [name + b": " + value for name, value in refusal.all_headers(body)]
    return b"\r\n".join([*lines, b"connection: close", b"", body])


def take_place(places: Places, transport: Transport) -> bool:
    """Stored on the transport, which survives the upgrade to a WebSocket."""
    place = places.enter(str(getattr(transport.getPeer(), "host", "")))
    if place is None:
        return False
    transport.leave_place = partial(places.leave, place)
    return True


def leave_place(transport: Transport) -> None:
    leave, transport.leave_place = getattr(transport, "leave_place", nothing), nothing
    leave()


def cut(transport: Transport | None) -> None:
    if transport is None or transport.disconnected:
        return
    with contextlib.suppress(OSError):
        # Also discards what the kernel has accepted.
        linger = struct.pack("ii", 1, 0)
        transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abortConnection()


def limit_kernel_buffer(connection: socket.socket) -> None:
    """Limit the kernel's send buffer: behind megabytes a key's echo would take minutes."""
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    if option is not None:
        connection.setsockopt(socket.IPPROTO_TCP, option, UNSENT_LIMIT)


def phrase(status: int) -> bytes:
    try:
        return HTTPStatus(status).phrase.encode()
    except ValueError:
        return b"Unknown"
