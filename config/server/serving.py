"""The daphne server, with back-pressure, proper refusals and an ordered shutdown.

http_connection.py and websocket_connection.py have the connections; lifecycle.py the services that
start before the port opens.
"""

import asyncio
import gc
import logging
import signal
from collections.abc import Callable
from typing import Any, Protocol, TypedDict, cast

import daphne.server as daphne_server  # installs the asyncio reactor
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from daphne.endpoints import build_endpoint_description_strings
from django.conf import settings
from twisted.internet import defer
from twisted.internet import reactor as twisted_reactor
from twisted.internet.endpoints import serverFromString
from twisted.logger import (
    FilteringLogObserver,
    ILogFilterPredicate,
    ILogObserver,
    LogLevel,
    LogLevelFilterPredicate,
    STDLibLogObserver,
    globalLogBeginner,
)
from twisted.python.failure import Failure

from config.gate.admission import ADMISSION, Admission
from config.gate.refusals import DENIAL, Refusal
from config.gate.request import DROPPED_HEADERS, AsgiEvent, AsgiScope
from config.gate.revocation import CUT
from config.server.connection_limits import Places
from config.server.discovery import unix_scope
from config.server.http_connection import HttpConnection, RequestFactory
from config.server.websocket_connection import MESSAGE_LIMIT, SocketFactory, WebSocket

logger = logging.getLogger(__name__)
reactor = cast(Any, twisted_reactor)  # its type has only what all reactors share
ServedConnection = HttpConnection | WebSocket

# Time after the services have stopped, for responses that are still being sent.
IDLE_SECONDS = 1.5
# Then all applications are cancelled and get this time to clean up.
KILL_SECONDS = 1.0
LAST_TASKS_SECONDS = 1.0
GOING_AWAY = 1001
DATA_MESSAGES = {"websocket.send", "http.response.body"}


class CannotListen(Exception):
    """The port is in use, or opening it is not permitted."""


class Stoppable(Protocol):
    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class ListeningPort(Protocol):
    def stopListening(self) -> object: ...


class ConnectionDetails(TypedDict, total=False):
    """What daphne stores for each connection, as far as we use it."""

    application_instance: asyncio.Task[None]
    disconnected: float


class ServedApplication(Protocol):
    @property
    def lifecycle(self) -> Stoppable: ...
    async def admit(self, scope: AsgiScope) -> Admission | Refusal: ...
    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None: ...


def serve(
    application: ServedApplication,
    *,
    host: str,
    port: int,
    announce: Callable[[str], None],
    unix_socket: str = "",
) -> None:
    """Serve until SIGINT or SIGTERM; a second signal stops at once. `announce` gets the address."""
    server = WebtmuxServer(
        application, host=host, port=port, announce=announce, unix_socket=unix_socket
    )
    loop = reactor._asyncioEventloop
    asyncio.set_event_loop(loop)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.on_signal)
    if not loop.run_until_complete(server.boot()):
        return
    # Later collections skip the objects that exist now: 100 MB that never change.
    gc.collect()
    gc.freeze()
    gc.enable()
    server.run()
    if server.abort_start and not server.was_asked_to_stop:
        loop.run_until_complete(application.lifecycle.stop())
        raise CannotListen(f"cannot listen on {host}:{port}: {server.listen_problem}")
    loop.run_until_complete(_end_tasks())


async def _end_tasks() -> None:
    """Bounded, because cancelling asyncio's subprocess tasks can wait forever."""
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=LAST_TASKS_SECONDS)


class WebtmuxServer(daphne_server.Server):
    def __init__(
        self,
        application: ServedApplication,
        *,
        host: str,
        port: int,
        announce: Callable[[str], None],
        unix_socket: str = "",
    ) -> None:
        super().__init__(
            application=application,
            endpoints=build_endpoint_description_strings(host=host, port=port),
            signal_handlers=False,
            websocket_timeout=-1,  # a terminal may stay open for weeks
            websocket_max_message_size=MESSAGE_LIMIT,
            websocket_max_frame_size=MESSAGE_LIMIT,
            application_close_timeout=5,
            server_name="webtmux",
            ready_callable=lambda: announce(_address(*self.listening_addresses[0])),
        )
        self.listen_problem = ""
        self.connections: dict[ServedConnection, ConnectionDetails] = {}
        self._unix_socket = unix_socket
        self._unix_port: ListeningPort | None = None
        self._lifecycle = application.lifecycle
        self._booting: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._quiet = asyncio.Event()

    @property
    def was_asked_to_stop(self) -> bool:
        return self._stopping is not None

    async def boot(self) -> bool:
        """Start the services before the port opens. False if a signal came first."""
        self._booting = asyncio.ensure_future(self._lifecycle.start())
        try:
            await self._booting
        except asyncio.CancelledError:
            await self._lifecycle.stop()
            return False
        finally:
            self._booting = None
        return True

    def run(self) -> None:
        """Like daphne's, with our protocols and with Twisted's errors in our log."""
        places = Places.of(settings.WEBTMUX)
        self.http_factory, self.ws_factory = RequestFactory(self, places), SocketFactory(self)
        _log_errors_of_twisted()
        reactor.callLater(1, self.application_checker)
        reactor.callLater(2, self.timeout_checker)
        for description in self.endpoints:
            endpoint = serverFromString(reactor, description)
            listener = endpoint.listen(self.http_factory)
            listener.addCallbacks(self.listen_success, self.listen_error)
            self.listeners.append(listener)
        if self._unix_socket:
            self._unix_port = reactor.listenUNIX(self._unix_socket, self.http_factory, mode=0o600)
        reactor.addSystemEventTrigger("before", "shutdown", self.kill_all_applications)
        if not self.abort_start:
            self.ready_callable()
            reactor.run(installSignalHandlers=False)

    def listen_error(self, failure: Failure) -> None:
        self.listen_problem = failure.getErrorMessage()
        self.stop()

    def create_application(
        self, protocol: ServedConnection, scope: dict[str, object]
    ) -> "asyncio.Queue[AsgiEvent]":
        """Like daphne's, with the refusal extension; reports the messages that were read."""
        messages: asyncio.Queue[AsgiEvent] = asyncio.Queue()

        async def receive() -> AsgiEvent:
            message = await messages.get()
            protocol.taken(message)
            return message

        async def send(message: AsgiEvent) -> None:
            await self.handle_reply(protocol, message)

        scope.setdefault("asgi", {"version": "3.0"})
        scope.update(unix_scope(protocol.connection))
        scope[DROPPED_HEADERS] = protocol.dropped_headers()
        if scope["type"] == "websocket":
            scope["extensions"] = {DENIAL: {}}
        else:
            scope[ADMISSION] = protocol.admission
        scope[CUT] = protocol.cut
        task = asyncio.ensure_future(self.application(scope, receive, send))
        self.connections[protocol]["application_instance"] = task
        return messages

    async def handle_reply(self, protocol: ServedConnection, message: AsgiEvent) -> None:
        """Return when the client can accept more: this is the back-pressure."""
        if message["type"] in DATA_MESSAGES:
            await protocol.drain.ready()
        if protocol.is_closing or not self._is_live(protocol):
            # An application that sends in a loop to a closed connection must let others run.
            await asyncio.sleep(0)
            return
        await super().handle_reply(protocol, message)

    def protocol_disconnected(self, protocol: ServedConnection) -> None:
        if protocol in self.connections:
            super().protocol_disconnected(protocol)
        if not any(self._is_live(each) for each in self.connections):
            self._quiet.set()

    def _is_live(self, protocol: ServedConnection) -> bool:
        return "disconnected" not in self.connections.get(protocol, {"disconnected": 0})

    def on_signal(self) -> None:
        if self._booting is not None:
            self._booting.cancel()
        elif self._stopping is None:
            logger.info("stopping")
            self._stopping = asyncio.ensure_future(self._shut_down())
        else:
            self.stop()

    async def _shut_down(self) -> None:
        try:
            self._stop_listening()
            self._close_sockets()
            await self._lifecycle.stop()
            await self._until_quiet()
        finally:
            self._cut_connections()
            self.stop()

    def _stop_listening(self) -> None:
        for listener in self.listeners:
            if hasattr(listener.result, "stopListening"):
                listener.result.stopListening()
        if self._unix_port is not None:
            self._unix_port.stopListening()

    def _close_sockets(self) -> None:
        for protocol in list(self.connections):
            if not isinstance(protocol, WebSocket):
                continue
            if protocol.state == protocol.STATE_OPEN:
                protocol.say_goodbye(GOING_AWAY, "server going away")
            else:
                protocol.deny(503)

    async def _until_quiet(self) -> None:
        """The wait is bounded, because a client may never read."""
        self._quiet.clear()
        if any(self._is_live(protocol) for protocol in self.connections):
            waiting = asyncio.ensure_future(self._quiet.wait())
            await asyncio.wait({waiting}, timeout=IDLE_SECONDS)
            waiting.cancel()

    def _cut_connections(self) -> None:
        for protocol in list(self.connections):
            if self._is_live(protocol):
                protocol.cut()

    def stop(self) -> None:
        # Twisted raises if it is stopped twice.
        if not reactor.running or not reactor._stopped:
            super().stop()

    def kill_all_applications(self) -> object:
        """Like daphne's, but bounded, and without a KeyError for idle connections."""
        tasks = [details.get("application_instance") for details in self.connections.values()]
        running = [task for task in tasks if task is not None and not task.done()]
        for task in running:
            task.cancel()
        if not running:
            return None
        ended = asyncio.ensure_future(asyncio.wait(running, timeout=KILL_SECONDS))
        return defer.Deferred.fromFuture(ended)


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _log_errors_of_twisted() -> None:
    # mypy does not see that these classes implement zope's interfaces.
    errors = cast("ILogFilterPredicate", LogLevelFilterPredicate(defaultLogLevel=LogLevel.error))
    stdlib_observer = cast("ILogObserver", STDLibLogObserver("twisted"))
    observer = cast("ILogObserver", FilteringLogObserver(stdlib_observer, [errors]))
    globalLogBeginner.beginLoggingTo([observer], redirectStandardIO=False, discardBuffer=True)
