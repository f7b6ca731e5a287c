"""daphne's two kinds of connection, made to wait for slow readers and to refuse properly.

Not the server that holds them: config/serving.py. Importing this module installs the reactor.
"""

import asyncio
import socket
from http import HTTPStatus
from typing import Any

import daphne.server  # noqa: F401  # before Twisted: it installs the asyncio reactor
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer  # type: ignore[import-untyped]

from config.refusals import DENIAL

# What may wait in memory for a client that does not read, beside the one message being sent.
WRITE_LIMIT = 256 * 1024
# What may wait in the kernel, not yet sent, for one socket.
UNSENT_LIMIT = 64 * 1024
# What may wait for an application that is busy; beyond, we stop reading from the client.
READ_LIMIT = 1024 * 1024
# One upload frame of the adapter protocol: 8 MiB of file, and its header.
MESSAGE_LIMIT = 8 * 1024 * 1024 + 64 * 1024
# daphne spools a whole request to disk before anybody has looked at it.
BODY_LIMIT = 16 * 1024 * 1024
# After the goodbye of a connection, for what it has not read yet.
GOODBYE_SECONDS = 2.0
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
REASON_LIMIT = 123


@implementer(IPushProducer)
class Drain:
    """Whether a transport takes more bytes. Twisted tells us, senders wait here."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()

    def pauseProducing(self) -> None:  # noqa: N802
        self._open.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        self._open.set()

    def stopProducing(self) -> None:  # noqa: N802
        """The connection is gone: nobody waits any longer."""
        self._open.set()

    async def ready(self) -> None:
        # Of several senders that wake together, the first may fill the buffer again.
        while not self._open.is_set():
            await self._open.wait()


class Request(WebRequest):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.drain = Drain()
        self._body_length = 0
        super().__init__(*args, **kwargs)

    def process(self) -> Any:
        # daphne would pass an upgrade on as HTTP/1.1; RFC 6455 does not know it in HTTP/1.0.
        if self.clientproto == b"HTTP/1.0":
            self.requestHeaders.removeHeader(b"upgrade")
        return super().process()

    def dropped_headers(self) -> list[str]:
        """Names with underscores, which daphne leaves out: a proxy may have set them."""
        names = (name for name, _ in self.requestHeaders.getAllRawHeaders())
        return [name.decode("latin-1").lower() for name in names if b"_" in name]

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        super().gotLength(length)
        if length is not None and length > BODY_LIMIT:
            self._refuse_body()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self._body_length += len(data)
        if self._body_length > BODY_LIMIT:
            self._refuse_body()
        else:
            super().handleContentChunk(data)

    def _refuse_body(self) -> None:
        self.channel.transport.write(TOO_LARGE)
        self.channel.loseConnection()

    def handle_reply(self, message: Any) -> None:
        if message["type"] == "http.response.start" and self.channel and not self.producer:
            self.channel.transport.bufferSize = WRITE_LIMIT
            self.registerProducer(self.drain, True)
        super().handle_reply(message)
        if message["type"] == "http.response.start":
            self.code_message = _phrase(message["status"])  # Twisted does not know them all

    def finish(self) -> None:
        if self.producer and self.channel:
            self.unregisterProducer()
        super().finish()

    is_closing = False

    def taken(self, message: Any) -> None:
        """The body was read whole before the application started."""

    def cut(self) -> None:
        if self.channel:
            self.channel.transport.abortConnection()


class Socket(WebSocketProtocol):  # type: ignore[misc]
    def connectionMade(self) -> None:  # noqa: N802
        self.drain = Drain()
        self._unread = 0
        self._cutting: Any = None
        self._denial: Any = {}
        self._denial_body = b""
        # Until the upgrade the HTTP channel was asked to pause, and it would stop reading.
        self.transport.unregisterProducer()
        self.transport.bufferSize = WRITE_LIMIT
        self.transport.registerProducer(self.drain, True)
        _keep_little_in_the_kernel(self.transport.getHandle())
        super().connectionMade()

    def dropped_headers(self) -> list[str]:
        return [name.lower() for name in self.request.headers if "_" in name]

    def _closeConnection(self, abort: bool = False) -> None:  # noqa: N802
        # Twisted does not close a connection while a producer is paused.
        self.transport.unregisterProducer()
        self.drain.stopProducing()
        super()._closeConnection(abort)
        # It also stays open until the client has read what is left, which may be never.
        self._cutting = self.factory.reactor.callLater(GOODBYE_SECONDS, self.cut)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        if self._cutting is not None and self._cutting.active():
            self._cutting.cancel()
        super().connectionLost(reason)

    @property
    def is_closing(self) -> bool:
        """One side has said goodbye; autobahn raises for what is sent after it."""
        return self.state in {self.STATE_CLOSING, self.STATE_CLOSED}

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        self._unread += len(payload)
        if self._unread > READ_LIMIT:
            self.transport.pauseProducing()
        super().onMessage(payload, isBinary)

    def taken(self, message: Any) -> None:
        """The application has read a message."""
        if message["type"] != "websocket.receive":
            return
        was_full = self._unread > READ_LIMIT
        text = message.get("text")
        self._unread -= len(text.encode() if text is not None else message["bytes"])
        if was_full and self._unread <= READ_LIMIT and self.state == self.STATE_OPEN:
            self.transport.resumeProducing()

    def handle_reply(self, message: Any) -> None:
        kind = message["type"]
        if kind == f"{DENIAL}.start":
            self._denial = message
        elif kind == f"{DENIAL}.body":
            self._denial_body += message.get("body", b"")
            if not message.get("more_body", False):
                self.deny(self._denial["status"], self._denial["headers"], self._denial_body)
        elif kind == "websocket.close" and self.state != self.STATE_CONNECTING:
            self.say_goodbye(message.get("code") or 1000, message.get("reason") or "")
        else:
            super().handle_reply(message)

    def say_goodbye(self, code: int, reason: str) -> None:
        # sendClose() would refuse 1001 and the other codes of the standard.
        self.sendCloseFrame(code=code, reasonUtf8=reason.encode()[:REASON_LIMIT])

    def deny(self, status: int, headers: Any = (), body: bytes = b"") -> None:
        """A plain HTTP answer instead of the upgrade."""
        if self.state != self.STATE_CONNECTING or not hasattr(self, "handshake_deferred"):
            return
        lines = [f"HTTP/1.1 {status} {_phrase(status).decode()}".encode()]
        lines += [name + b": " + value for name, value in headers]
        lines += [b"connection: close", b"", body]
        del self.handshake_deferred
        self.sendData(b"\r\n".join(lines))
        self.dropConnection(abort=False)
        self.server.protocol_disconnected(self)

    def cut(self) -> None:
        self.transport.abortConnection()


class RequestFactory(HTTPFactory):  # type: ignore[misc]
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class SocketFactory(WebSocketFactory):  # type: ignore[misc]
    protocol = Socket

    def __init__(self, server: Any) -> None:
        super().__init__(server, server=server.server_name)
        self.setProtocolOptions(
            autoPingTimeout=server.ping_timeout,
            allowNullOrigin=True,  # the gate judges the origin
            openHandshakeTimeout=server.websocket_handshake_timeout,
            maxMessagePayloadSize=server.websocket_max_message_size,
            maxFramePayloadSize=server.websocket_max_frame_size,
            failByDrop=False,  # say 1009 before hanging up
        )


def _keep_little_in_the_kernel(connection: Any) -> None:
    """Behind megabytes in the kernel's buffer a ping takes minutes, and a key's echo too."""
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    if option is not None:
        connection.setsockopt(socket.IPPROTO_TCP, option, UNSENT_LIMIT)


def _phrase(status: int) -> bytes:
    try:
        return HTTPStatus(status).phrase.encode()
    except ValueError:
        return b"Unknown"
