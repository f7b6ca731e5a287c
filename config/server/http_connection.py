"""daphne's HTTP protocol, with time limits, back-pressure, and admission before the body is read.

The gate (config/gate/gate.py) decides as soon as the headers are complete. serving.py holds the
server.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet.interfaces import IAddress
from twisted.python.failure import Failure
from twisted.web import http

from config.gate.admission import TOO_LARGE as PUBLIC_TOO_LARGE
from config.gate.admission import UNADMITTED_LIMIT, Admission
from config.gate.refusals import Refusal
from config.gate.request import DROPPED_HEADERS, AsgiEvent, AsgiScope
from config.gate.revocation import REVOKED
from config.server.connection_limits import Places
from config.server.discovery import unix_scope
from config.server.transport import (
    GOODBYE_SECONDS,
    WRITE_LIMIT,
    Drain,
    Timer,
    Transport,
    cut,
    http_answer,
    leave_place,
    nothing,
    phrase,
    take_place,
)

if TYPE_CHECKING:
    from config.server.serving import WebtmuxServer

logger = logging.getLogger(__name__)

# The body of an admitted request; above UNADMITTED_LIMIT it is kept on disk.
BODY_LIMIT = 16 * 1024 * 1024
# How far one read may exceed UNADMITTED_LIMIT before we stop reading.
JUDGING_LIMIT = 4 * UNADMITTED_LIMIT
JUDGE_SECONDS = 10.0
# Time for a connection to send its first headers, and the next ones after a response.
HEADER_SECONDS = 20.0
KEEP_ALIVE_SECONDS = 75.0
# Time for the body of a request that was not admitted.
BODY_SECONDS = 30.0

RETRY = ((b"retry-after", b"5"),)
TOO_LARGE = Refusal(
    413, "too_large", f"the body is larger than {BODY_LIMIT} bytes: send it in parts"
)
TOO_SLOW = Refusal(408, "too_slow", "the request was not complete in time: send it again")
MALFORMED = Refusal(400, "invalid", "the request is not valid HTTP: check its path and headers")
FAILED = Refusal(500, "internal", "internal error: see the log of webtmux")
NO_PLACE = Refusal(503, "too_many_connections", "too many connections: try again later", RETRY)
UNAVAILABLE = Refusal(503, "unavailable", "webtmux cannot look up callers: try again", RETRY)


_Channel: Any = http.HTTPChannel  # Twisted leaves most of its methods untyped


class Channel(_Channel):
    """One connection until it is upgraded or closed, with time limits and a connection limit."""

    factory: "RequestFactory"
    transport: Transport

    def connectionMade(self) -> None:
        self._due: Timer | None = None
        self._is_refused = False
        if not take_place(self.factory.places, self.transport):
            self.transport.write(http_answer(NO_PLACE))
            self.transport.loseConnection()
            self._is_refused = True
            return
        super().connectionMade()
        self.expect(HEADER_SECONDS)

    def connectionLost(self, reason: Failure) -> None:
        self.relax()
        leave_place(self.transport)
        super().connectionLost(reason)

    def dataReceived(self, data: bytes) -> None:
        if not self._is_refused:
            super().dataReceived(data)

    def lineReceived(self, line: bytes) -> None:
        # A line of the same read was refused: ignore the rest.
        if not self._is_refused:
            super().lineReceived(line)

    def rawDataReceived(self, data: bytes) -> None:
        if self._is_refused:
            return
        if self.transport.protocol is not self:
            # It arrived with the headers of an upgrade and belongs to the WebSocket.
            self.transport.protocol.dataReceived(data)
        else:
            super().rawDataReceived(data)

    def requestDone(self, request: "HttpConnection") -> None:
        self.expect(KEEP_ALIVE_SECONDS)
        super().requestDone(request)

    def allContentReceived(self) -> None:
        self.relax()
        super().allContentReceived()

    def _send100Continue(self) -> None:
        """Sent later, once the request may send its body."""
        self.requests[-1].wants_continue()

    def _respondToBadRequestAndDisconnect(self) -> None:
        """Twisted's response to invalid HTTP has no body."""
        self.refuse(http_answer(MALFORMED))

    def expect(self, seconds: float) -> None:
        """The next input must be complete by then; single bytes do not extend the time."""
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


class HttpConnection(WebRequest):
    """Admitted or refused when its headers are complete, before much of the body is read."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.drain = Drain()
        self.admission: Admission | None = None
        self._body_length = 0
        self._limit = UNADMITTED_LIMIT
        self._judging: asyncio.Task[None] | None = None
        self._received: tuple[bytes, bytes, bytes] | None = None
        self._wants_continue = False
        self._stop_watching: Callable[[], None] = nothing
        super().__init__(*args, **kwargs)
        # Twisted would parse forms here, on the event loop; Django does it elsewhere.
        self._parsePOSTFormSubmission = False

    def process(self) -> object:
        # daphne would treat an upgrade as HTTP/1.1; RFC 6455 does not allow it in HTTP/1.0.
        if self.clientproto == b"HTTP/1.0":
            self.requestHeaders.removeHeader(b"upgrade")
        return super().process()

    def dropped_headers(self) -> list[str]:
        """Header names with underscores, which daphne drops: a proxy may have set them."""
        names = (name for name, _ in self.requestHeaders.getAllRawHeaders())
        return [name.decode("latin-1").lower() for name in names if b"_" in name]

    def gotLength(self, length: int | None) -> None:
        self.content = SpooledTemporaryFile(max_size=UNADMITTED_LIMIT)  # noqa: SIM115  # closed by Twisted
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

    def handleContentChunk(self, data: bytes) -> None:
        self._body_length += len(data)
        if self._body_length > self._limit:
            self._refuse(PUBLIC_TOO_LARGE if self._limit == UNADMITTED_LIMIT else TOO_LARGE)
            return
        super().handleContentChunk(data)
        if self._is_being_judged and self._body_length > UNADMITTED_LIMIT:
            self.channel._networkProducer.pauseProducing()

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        if self._is_being_judged:
            self._received = (command, path, version)
            return
        self._stop_watching()
        super().requestReceived(command, path, version)

    def connectionLost(self, reason: Failure) -> None:
        self._stop_watching()
        if self._judging is not None:
            self._judging.cancel()
        super().connectionLost(reason)

    @property
    def _is_being_judged(self) -> bool:
        return self._judging is not None and not self._judging.done()

    async def _judge(self, scope: AsgiScope) -> None:
        try:
            async with asyncio.timeout(JUDGE_SECONDS):
                verdict = await self.server.application.admit(scope)
        except Exception:
            logger.exception("could not check a request by its headers")
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
            # An admitted upload over a slow line may take long.
            self.channel.relax()
            self._stop_watching = admission.watch(lambda: self._refuse(REVOKED))
        if self._wants_continue:
            self._say_continue()
        if not self.channel._waitingForTransport:
            self.channel._networkProducer.resumeProducing()
        if self._received is not None:
            self.requestReceived(*self._received)

    def _scope(self) -> AsgiScope:
        """The ASGI scope for the gate, as daphne builds it for applications.

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

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """daphne's own errors, which it would answer in HTML: mostly a path that is not ASCII."""
        self._refuse(MALFORMED if status < 500 else FAILED)

    def handle_reply(self, message: AsgiEvent) -> None:
        if message["type"] == "http.response.start" and self.channel and not self.producer:
            self.channel.transport.bufferSize = WRITE_LIMIT
            self.registerProducer(self.drain, True)
        super().handle_reply(message)
        if message["type"] == "http.response.start":
            self.code_message = phrase(message["status"])  # Twisted does not know all codes
            if self.channel and not self.finished and self._is_event_stream():
                # Twisted sends the head with the first bytes of the body: for an event stream
                # without events that would be the keep-alive after 15 s.
                http.Request.write(self, b"")

    def _is_event_stream(self) -> bool:
        content_types = self.responseHeaders.getRawHeaders(b"content-type", [])
        return any(each.startswith(b"text/event-stream") for each in content_types)

    def finish(self) -> None:
        if self.producer and self.channel:
            self.unregisterProducer()
        super().finish()

    is_closing = False

    @property
    def connection(self) -> socket.socket:
        handle: socket.socket = self.channel.transport.getHandle()
        return handle

    def taken(self, message: AsgiEvent) -> None:
        """The whole body was read before the application started."""

    def cut(self) -> None:
        """Close at once and discard unsent bytes, also those in the kernel."""
        if self.channel:
            cut(self.channel.transport)


class RequestFactory(HTTPFactory):
    protocol = Channel

    def __init__(self, server: "WebtmuxServer", places: Places) -> None:
        super().__init__(server)
        self.places = places

    def buildProtocol(self, addr: IAddress | None) -> Channel:
        protocol: Channel = super().buildProtocol(addr)
        protocol.requestFactory = HttpConnection
        return protocol
