"""daphne's two kinds of connection, made to wait for slow readers and to refuse properly.

Not the server that holds them: config/serving.py. Importing this module installs the reactor.
"""

import asyncio
import contextlib
import logging
import socket
import struct
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import unquote

import daphne.server  # noqa: F401  # before Twisted: it installs the asyncio reactor
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet.interfaces import IPushProducer
from twisted.web import http
from zope.interface import implementer  # type: ignore[import-untyped]

from config.admission import TOO_LARGE as PUBLIC_TOO_LARGE
from config.admission import UNADMITTED_LIMIT, Admission
from config.calls import DROPPED_HEADERS
from config.places import Places
from config.refusals import DENIAL, Refusal
from config.running_servers import unix_scope
from config.watch import REVOKED

logger = logging.getLogger(__name__)

# What may wait in memory for a client that does not read, beside the one message being sent.
WRITE_LIMIT = 256 * 1024
# What may wait in the kernel, not yet sent, for one socket.
UNSENT_LIMIT = 64 * 1024
# What may wait for an application that is busy; beyond, we stop reading from the client.
READ_LIMIT = 1024 * 1024
# One upload frame of the adapter protocol: 8 MiB of file, and its header.
MESSAGE_LIMIT = 8 * 1024 * 1024 + 64 * 1024
# The body of a request whose sender was admitted; beyond UNADMITTED_LIMIT it waits on disk.
BODY_LIMIT = 16 * 1024 * 1024
# What one read may bring beyond UNADMITTED_LIMIT before we stop reading.
JUDGING_LIMIT = 4 * UNADMITTED_LIMIT
JUDGE_SECONDS = 10.0
# For a connection to send its first headers, and the next ones after an answer.
HEADER_SECONDS = 20.0
KEEP_ALIVE_SECONDS = 75.0
# For the body of a sender that was not admitted.
BODY_SECONDS = 30.0
# After the goodbye of a connection, for what it has not read yet.
GOODBYE_SECONDS = 2.0
REASON_LIMIT = 123

RETRY = ((b"retry-after", b"5"),)
TOO_LARGE = Refusal(
    413, "too_large", f"the body is larger than {BODY_LIMIT} bytes: send it in parts"
)
TOO_SLOW = Refusal(408, "too_slow", "the request was not complete in time: send it again")
MALFORMED = Refusal(400, "invalid", "the path or a header has characters that are not allowed")
NO_PLACE = Refusal(503, "too_many_connections", "too many connections: try again later", RETRY)
UNAVAILABLE = Refusal(503, "unavailable", "webtmux cannot look up callers: try again", RETRY)


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


_Channel: Any = http.HTTPChannel  # mostly untyped


class Channel(_Channel):  # type: ignore[misc]
    """One connection until it is upgraded or ends: time limits, and a place among the others."""

    factory: Any
    transport: Any

    def connectionMade(self) -> None:  # noqa: N802
        self._due: Any = None
        self._is_refused = False
        if not _take_place(self.factory.places, self.transport):
            self.transport.write(http_answer(NO_PLACE))
            self.transport.loseConnection()
            self._is_refused = True
            return
        super().connectionMade()
        self.expect(HEADER_SECONDS)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self.relax()
        _leave_place(self.transport)
        super().connectionLost(reason)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if not self._is_refused:
            super().dataReceived(data)

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        if self.transport.protocol is not self:
            # It came with the headers of an upgrade, and belongs to the socket.
            self.transport.protocol.dataReceived(data)
        else:
            super().rawDataReceived(data)

    def requestDone(self, request: Any) -> None:  # noqa: N802
        self.expect(KEEP_ALIVE_SECONDS)
        super().requestDone(request)

    def allContentReceived(self) -> None:  # noqa: N802
        self.relax()
        super().allContentReceived()

    def _send100Continue(self) -> None:  # noqa: N802
        """The request says it when it wants its body."""
        self.requests[-1].wants_continue()

    def expect(self, seconds: float) -> None:
        """Whatever comes next must be complete by then; single bytes do not extend it."""
        self.relax()
        self._due = self.callLater(seconds, self._give_up)

    def relax(self) -> None:
        if self._due is not None and self._due.active():
            self._due.cancel()
        self._due = None

    def refuse(self, response: bytes) -> None:
        """Answer, and close once the client had time to read it.

        Closing while it still sends would reset the connection, and the answer would be lost.
        """
        if self._is_refused:
            return
        self._is_refused = True
        self.relax()
        self.setTimeout(None)
        self.transport.write(response)
        self._networkProducer.resumeProducing()
        self.transport.loseWriteConnection()
        self._due = self.callLater(GOODBYE_SECONDS, self.transport.abortConnection)

    def _give_up(self) -> None:
        self._due = None
        if self.requests:
            self.refuse(http_answer(TOO_SLOW))
        else:
            self.transport.abortConnection()


class Request(WebRequest):  # type: ignore[misc]
    """Judged when its headers are complete; only then is more than a little of its body read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.drain = Drain()
        self.admission: Admission | None = None
        self._body_length = 0
        self._limit = UNADMITTED_LIMIT
        self._judging: asyncio.Task[None] | None = None
        self._received: tuple[bytes, bytes, bytes] | None = None
        self._wants_continue = False
        self._stop_watching: Callable[[], None] = _nothing
        super().__init__(*args, **kwargs)
        # Twisted would parse forms here, on the event loop; Django does it elsewhere.
        self._parsePOSTFormSubmission = False

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
        self.content = SpooledTemporaryFile(max_size=UNADMITTED_LIMIT)  # noqa: SIM115
        if length == 0:
            return
        self.channel.expect(BODY_SECONDS)
        if self.requestHeaders.hasHeader(b"Upgrade"):
            return
        if length is not None and length > BODY_LIMIT:
            self._refuse(TOO_LARGE)
        elif length is None or length > UNADMITTED_LIMIT:
            self._limit = JUDGING_LIMIT
            try:
                scope = self._scope()
            except UnicodeError:
                self._refuse(MALFORMED)
            else:
                self._judging = asyncio.ensure_future(self._judge(scope))

    def wants_continue(self) -> None:
        self._wants_continue = True
        if self._judging is None:
            self._say_continue()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self._body_length += len(data)
        if self._body_length > self._limit:
            self._refuse(PUBLIC_TOO_LARGE if self._limit == UNADMITTED_LIMIT else TOO_LARGE)
            return
        super().handleContentChunk(data)
        if self._is_being_judged and self._body_length > UNADMITTED_LIMIT:
            self.channel._networkProducer.pauseProducing()

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        if self._is_being_judged:
            self._received = (command, path, version)
            return
        self._stop_watching()
        super().requestReceived(command, path, version)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._stop_watching()
        if self._judging is not None:
            self._judging.cancel()
        super().connectionLost(reason)

    @property
    def _is_being_judged(self) -> bool:
        return self._judging is not None and not self._judging.done()

    async def _judge(self, scope: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(JUDGE_SECONDS):
                verdict = await self.server.application.admit(scope)
        except Exception:
            logger.exception("could not judge a request by its headers")
            verdict = UNAVAILABLE
        if self.channel is None:
            return
        self._judging = None
        if isinstance(verdict, Refusal):
            self._refuse(verdict)
        else:
            self._admit(verdict)

    def _admit(self, admission: Admission) -> None:
        self.admission = admission
        self._limit = UNADMITTED_LIMIT if admission.is_public else BODY_LIMIT
        if self._body_length > self._limit:
            self._refuse(PUBLIC_TOO_LARGE)
            return
        if not admission.is_public:
            # Uploads over a slow line take their time, while their sender may send.
            self.channel.relax()
            self._stop_watching = admission.watch(lambda: self._refuse(REVOKED))
        if self._wants_continue:
            self._say_continue()
        if not self.channel._waitingForTransport:
            self.channel._networkProducer.resumeProducing()
        if self._received is not None:
            self.requestReceived(*self._received)

    def _scope(self) -> dict[str, Any]:
        """What the gate reads, in the form that daphne gives it to applications.

        At once: the channel forgets the request line as soon as the body is complete.
        """
        path, _, query = self.channel._path.partition(b"?")
        peer, host = self.channel.getPeer(), self.channel.getHost()
        return {
            "type": "http",
            "method": self.channel._command.decode("ascii"),
            "http_version": self.channel._version.split(b"/")[-1].decode("ascii"),
            "scheme": "http",
            "path": unquote(path.decode("ascii")),
            "query_string": query,
            "headers": [
                (name.lower(), value)
                for name, values in self.requestHeaders.getAllRawHeaders()
                for value in values
                if b"_" not in name and name.lower() != b"daphne-root-path"
            ],
            "client": [str(peer.host), peer.port] if hasattr(peer, "port") else None,
            "server": [str(host.host), host.port] if hasattr(host, "port") else None,
            DROPPED_HEADERS: self.dropped_headers(),
            **unix_scope(self.connection),
        }

    def _say_continue(self) -> None:
        self.channel.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _refuse(self, refusal: Refusal) -> None:
        self._stop_watching()
        if self._judging is not None:
            self._judging.cancel()
            self._judging = None
        if self.channel is not None:
            self.channel.refuse(http_answer(refusal))

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

    @property
    def connection(self) -> socket.socket:
        handle: socket.socket = self.channel.transport.getHandle()
        return handle

    def taken(self, message: Any) -> None:
        """The body was read whole before the application started."""

    def cut(self) -> None:
        """At once: what waits in our buffers and in the kernel's is not sent either."""
        if self.channel:
            _cut(self.channel.transport)


class Socket(WebSocketProtocol):  # type: ignore[misc]
    @property
    def connection(self) -> socket.socket:
        handle: socket.socket = self.transport.getHandle()
        return handle

    @property
    def is_unix(self) -> bool:
        return self.connection.family is socket.AF_UNIX

    def connectionMade(self) -> None:  # noqa: N802
        self.drain = Drain()
        self._unread = 0
        self._cutting: Any = None
        self._denial: Any = {}
        self._denial_body = b""
        self._early = b""
        # Until the upgrade the HTTP channel was asked to pause, and it would stop reading.
        self.transport.unregisterProducer()
        self.transport.bufferSize = WRITE_LIMIT
        self.transport.registerProducer(self.drain, True)
        if not self.is_unix:
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

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if self.state == self.STATE_CONNECTING and hasattr(self, "handshake_deferred"):
            # Before the gate has judged: autobahn would take it for another handshake.
            self._early += data
            self.transport.pauseProducing()
            return
        super().dataReceived(data)

    def onOpen(self) -> None:  # noqa: N802
        super().onOpen()
        if self._early:
            self.factory.reactor.callLater(0, self._take_early)

    def _take_early(self) -> None:
        if self.state == self.STATE_OPEN:
            early, self._early = self._early, b""
            self.transport.resumeProducing()
            super().dataReceived(early)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        _leave_place(self.transport)
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
        _cut(self.transport)


class RequestFactory(HTTPFactory):  # type: ignore[misc]
    protocol = Channel

    def __init__(self, server: Any, places: Places) -> None:
        super().__init__(server)
        self.places = places

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


def http_answer(refusal: Refusal) -> bytes:
    """A refusal as it is written to a connection that is closed afterwards."""
    body = refusal.body()
    lines = [f"HTTP/1.1 {refusal.status} {_phrase(refusal.status).decode()}".encode()]
    lines += [name + b": " + value for name, value in refusal.all_headers(body)]
    return b"\r\n".join([*lines, b"connection: close", b"", body])


def _take_place(places: Places, transport: Any) -> bool:
    """Kept at the transport, which outlives the upgrade to a socket."""
    place = places.enter(str(getattr(transport.getPeer(), "host", "")))
    if place is None:
        return False
    transport.leave_place = partial(places.leave, place)
    return True


def _leave_place(transport: Any) -> None:
    leave, transport.leave_place = getattr(transport, "leave_place", _nothing), _nothing
    leave()


def _nothing() -> None:
    """Instead of a function that has been called, or is not needed."""


def _cut(transport: Any) -> None:
    if transport is None or transport.disconnected:
        return
    with contextlib.suppress(OSError):
        # Not even what the kernel has accepted is sent any more.
        linger = struct.pack("ii", 1, 0)
        transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abortConnection()


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
