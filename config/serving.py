"""daphne's server with what a terminal needs: back-pressure, real refusals, an ordered stop.

Not the application: that is config/asgi.py. Importing this module installs Twisted's reactor.
"""

import asyncio
import gc
import logging
import signal
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

import daphne.server as daphne_server
from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from daphne.endpoints import build_endpoint_description_strings
from django.conf import settings
from twisted.internet import defer, endpoints
from twisted.internet import reactor as twisted_reactor
from twisted.logger import (
    FilteringLogObserver,
    LogLevel,
    LogLevelFilterPredicate,
    STDLibLogObserver,
    globalLogBeginner,
)

from config.admission import ADMISSION, Admission
from config.calls import DROPPED_HEADERS
from config.connections import MESSAGE_LIMIT, RequestFactory, Socket, SocketFactory
from config.places import Places
from config.refusals import DENIAL, Refusal
from config.running_servers import unix_scope
from config.watch import CUT

logger = logging.getLogger(__name__)
reactor = cast(Any, twisted_reactor)

# After the services have stopped: what is left of the answers may still go out.
IDLE_SECONDS = 1.5
# Then every application is cancelled, and gets this long to clean up.
KILL_SECONDS = 1.0
LAST_TASKS_SECONDS = 1.0
GOING_AWAY = 1001
DATA_MESSAGES = {"websocket.send", "http.response.body"}


class CannotListen(Exception):  # reads as a sentence where it is raised
    """The port is taken, or not ours to open."""


class Stoppable(Protocol):
    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Served(Protocol):
    @property
    def process(self) -> Stoppable: ...
    async def admit(self, scope: Mapping[str, Any]) -> Admission | Refusal: ...
    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None: ...


def serve(
    application: Served,
    *,
    host: str,
    port: int,
    announce: Callable[[str], None],
    unix_socket: str = "",
) -> None:
    """Until SIGINT or SIGTERM; the second one stops at once. `announce` gets the address."""
    server = Server(application, host=host, port=port, announce=announce, unix_socket=unix_socket)
    loop = reactor._asyncioEventloop
    asyncio.set_event_loop(loop)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.on_signal)
    if not loop.run_until_complete(server.boot()):
        return
    # Once: later collections skip what was built by now, a hundred megabytes that never change.
    gc.collect()
    gc.freeze()
    server.run()
    if server.abort_start and not server.was_asked_to_stop:
        loop.run_until_complete(application.process.stop())
        raise CannotListen(f"cannot listen on {host}:{port}: {server.listen_problem}")
    loop.run_until_complete(_end_tasks())


async def _end_tasks() -> None:
    """Bounded: cancelling asyncio's own subprocess tasks half-way can wait for ever."""
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=LAST_TASKS_SECONDS)


class Server(daphne_server.Server):  # type: ignore[misc]
    def __init__(
        self,
        application: Served,
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
        self.connections: dict[Any, dict[str, Any]] = {}
        self._unix_socket = unix_socket
        self._unix_port: Any = None
        self._process = application.process
        self._booting: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._quiet = asyncio.Event()

    @property
    def was_asked_to_stop(self) -> bool:
        return self._stopping is not None

    async def boot(self) -> bool:
        """The services are up before the port opens. False: a signal came first."""
        self._booting = asyncio.ensure_future(self._process.start())
        try:
            await self._booting
        except asyncio.CancelledError:
            await self._process.stop()
            return False
        finally:
            self._booting = None
        return True

    def run(self) -> None:
        """As daphne's, with our protocols, and with Twisted's errors in our log."""
        places = Places.of(settings.WEBTMUX)
        self.http_factory, self.ws_factory = RequestFactory(self, places), SocketFactory(self)
        _log_errors_of_twisted()
        reactor.callLater(1, self.application_checker)
        reactor.callLater(2, self.timeout_checker)
        for description in self.endpoints:
            endpoint = cast(Any, endpoints).serverFromString(reactor, description)
            listener = endpoint.listen(self.http_factory)
            listener.addCallbacks(self.listen_success, self.listen_error)
            self.listeners.append(listener)
        if self._unix_socket:
            self._unix_port = reactor.listenUNIX(self._unix_socket, self.http_factory, mode=0o600)
        reactor.addSystemEventTrigger("before", "shutdown", self.kill_all_applications)
        if not self.abort_start:
            self.ready_callable()
            reactor.run(installSignalHandlers=False)

    def listen_error(self, failure: Any) -> None:
        self.listen_problem = failure.getErrorMessage()
        self.stop()

    def create_application(self, protocol: Any, scope: Any) -> Any:
        """As daphne's, with the refusal extension, and telling what the application has read."""
        messages: asyncio.Queue[Any] = asyncio.Queue()

        async def receive() -> Any:
            message = await messages.get()
            protocol.taken(message)
            return message

        async def send(message: Any) -> None:
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

    async def handle_reply(self, protocol: Any, message: Any) -> None:
        """Returns when the client's side has room again: that is the back-pressure."""
        if message["type"] in DATA_MESSAGES:
            await protocol.drain.ready()
        if protocol.is_closing or not self._is_live(protocol):
            # An application that sends in a loop to nobody must still let the others run.
            await asyncio.sleep(0)
            return
        await super().handle_reply(protocol, message)

    def protocol_disconnected(self, protocol: Any) -> None:
        if protocol in self.connections:
            super().protocol_disconnected(protocol)
        if not any(self._is_live(each) for each in self.connections):
            self._quiet.set()

    def _is_live(self, protocol: Any) -> bool:
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
            await self._process.stop()
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
            if not isinstance(protocol, Socket):
                continue
            if protocol.state == protocol.STATE_OPEN:
                protocol.say_goodbye(GOING_AWAY, "server going away")
            else:
                protocol.deny(503)

    async def _until_quiet(self) -> None:
        """A client that never reads does not hold us: the wait has a limit."""
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
        # Twisted raises when it is told twice.
        if not reactor.running or not reactor._stopped:
            super().stop()

    def kill_all_applications(self) -> Any:
        """As daphne's, but bounded, and without its KeyError for connections that have none."""
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
    # Cast: mypy does not see zope's interfaces.
    errors = cast(Any, LogLevelFilterPredicate(defaultLogLevel=LogLevel.error))
    ours = cast(Any, STDLibLogObserver("twisted"))
    observer = cast(Any, FilteringLogObserver(ours, [errors]))
    globalLogBeginner.beginLoggingTo([observer], redirectStandardIO=False, discardBuffer=True)
