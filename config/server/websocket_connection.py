"""daphne's WebSocket protocol, with back-pressure, proper close frames and HTTP refusals.

serving.py holds the server.
"""

import socket
from collections.abc import Iterable
from typing import TYPE_CHECKING

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.python.failure import Failure

from config.gate.refusals import DENIAL
from config.gate.request import AsgiEvent
from config.server.transport import (
    GOODBYE_SECONDS,
    WRITE_LIMIT,
    Drain,
    Timer,
    cut,
    leave_place,
    limit_kernel_buffer,
    phrase,
)

if TYPE_CHECKING:
    from config.server.serving import WebtmuxServer

# Received bytes that wait for a busy application; above this we stop reading from the client.
READ_LIMIT = 1024 * 1024
# One upload frame of the adapter protocol: 8 MiB of file, and its header.
MESSAGE_LIMIT = 8 * 1024 * 1024 + 64 * 1024
REASON_LIMIT = 123  # bytes, as RFC 6455 allows


class WebSocket(WebSocketProtocol):
    @property
    def connection(self) -> socket.socket:
        handle: socket.socket = self.transport.getHandle()
        return handle

    @property
    def is_unix(self) -> bool:
        return self.connection.family is socket.AF_UNIX

    def connectionMade(self) -> None:
        self.drain = Drain()
        self._unread = 0
        self._cutting: Timer | None = None
        self._denial: AsgiEvent = {}
        self._denial_body = b""
        self._early = b""
        # Before the upgrade pausing applied to the HTTP channel, which would stop reading.
        self.transport.unregisterProducer()
        self.transport.bufferSize = WRITE_LIMIT
        self.transport.registerProducer(self.drain, True)
        if not self.is_unix:
            limit_kernel_buffer(self.transport.getHandle())
        super().connectionMade()

    def dropped_headers(self) -> list[str]:
        return [name.lower() for name in self.request.headers if "_" in name]

    def _closeConnection(self, abort: bool = False) -> None:
        # Twisted does not close a connection while a producer is paused.
        self.transport.unregisterProducer()
        self.drain.stopProducing()
        super()._closeConnection(abort)
        # It also stays open until the client has read the rest, which may never happen.
        self._cutting = self.factory.reactor.callLater(GOODBYE_SECONDS, self.cut)

    def dropConnection(self, abort: bool = False) -> None:
        """autobahn aborts once both sides have sent a close frame, and loses what is not written.

        It takes an invalid close frame for the client's reply to the close frame by which it
        rejects it: that one (1002, 1007) would never be sent. So write what is left, then close.
        """
        super().dropConnection(abort=abort and not self.wasClean)

    def dataReceived(self, data: bytes) -> None:
        if self.state == self.STATE_CONNECTING and hasattr(self, "handshake_deferred"):
            # Before the gate's decision autobahn would parse it as another handshake.
            self._early += data
            self.transport.pauseProducing()
            return
        super().dataReceived(data)

    def onOpen(self) -> None:
        super().onOpen()
        if self._early:
            self.factory.reactor.callLater(0, self._take_early)

    def _take_early(self) -> None:
        if self.state == self.STATE_OPEN:
            early, self._early = self._early, b""
            self.transport.resumeProducing()
            super().dataReceived(early)

    def connectionLost(self, reason: Failure) -> None:
        leave_place(self.transport)
        if self._cutting is not None and self._cutting.active():
            self._cutting.cancel()
        super().connectionLost(reason)

    @property
    def is_closing(self) -> bool:
        """One side has sent a close frame; autobahn raises for messages after it."""
        return self.state in {self.STATE_CLOSING, self.STATE_CLOSED}

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        self._unread += len(payload)
        if self._unread > READ_LIMIT:
            self.transport.pauseProducing()
        super().onMessage(payload, isBinary)

    def taken(self, message: AsgiEvent) -> None:
        """The application has read a message."""
        if message["type"] != "websocket.receive":
            return
        was_full = self._unread > READ_LIMIT
        text = message.get("text")
        self._unread -= len(text.encode() if text is not None else message["bytes"])
        if was_full and self._unread <= READ_LIMIT and self.state == self.STATE_OPEN:
            self.transport.resumeProducing()

    def handle_reply(self, message: AsgiEvent) -> None:
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
        # sendClose() would reject 1001 and other standard codes.
        self.sendCloseFrame(code=code, reasonUtf8=reason.encode()[:REASON_LIMIT])

    def deny(
        self, status: int, headers: Iterable[tuple[bytes, bytes]] = (), body: bytes = b""
    ) -> None:
        """Send an HTTP response instead of the upgrade."""
        if self.state != self.STATE_CONNECTING or not hasattr(self, "handshake_deferred"):
            return
        lines = [f"HTTP/1.1 {status} {phrase(status).decode()}".encode()]
        lines += [name + b": " + value for name, value in headers]
        lines += [b"connection: close", b"", body]
        del self.handshake_deferred
        self.sendData(b"\r\n".join(lines))
        self.dropConnection(abort=False)
        self.server.protocol_disconnected(self)

    def cut(self) -> None:
        cut(self.transport)


class SocketFactory(WebSocketFactory):
    protocol = WebSocket

    def __init__(self, server: "WebtmuxServer") -> None:
        super().__init__(server, server=server.server_name)
        self.setProtocolOptions(
            autoPingTimeout=server.ping_timeout,
            allowNullOrigin=True,  # the gate checks the origin
            openHandshakeTimeout=server.websocket_handshake_timeout,
            maxMessagePayloadSize=server.websocket_max_message_size,
            maxFramePayloadSize=server.websocket_max_frame_size,
            failByDrop=False,  # send 1009 before closing
        )
