"""The composition root: gate, Django and socket handlers joined to one ASGI application.

Not tied to a server: services start by lifespan, by `manage.py serve`, or with the first request.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPScope,
    LifespanScope,
    Scope,
    WebSocketScope,
)
from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Before the imports below: they hold models.
django_application = cast(ASGI3Application, get_asgi_application())

from agents import ws as agents_ws  # noqa: E402
from agents.recording import record_chat  # noqa: E402
from agents.registry import pane_of  # noqa: E402
from agents.workers import scan_agents  # noqa: E402
from config.env import Env  # noqa: E402
from config.gate import PRINCIPAL, Gate, Policy  # noqa: E402
from config.health import RUNTIME  # noqa: E402
from config.process import Process, Service, Worker  # noqa: E402
from config.refusals import Refusal, answer  # noqa: E402
from terminals import ws as terminals_ws  # noqa: E402
from terminals.errors import Refused  # noqa: E402
from terminals.incoming import FRAMES  # noqa: E402
from terminals.runtime import Runtime  # noqa: E402
from terminals.socket import Handler, Resolver, Sockets  # noqa: E402
from terminals.workers import track_windows  # noqa: E402

logger = logging.getLogger(__name__)

STOPPING = Refusal(503, "stopping", "the server is stopping", ((b"retry-after", b"2"),))
NO_SOCKET = Refusal(404, "not_found", "there is no socket at this path")

# The socket's requests, and who is asked what a name means, joined from the apps.
HANDLERS: Mapping[str, Handler] = {**terminals_ws.HANDLERS, **agents_ws.HANDLERS}
RESOLVERS: Sequence[Resolver] = (pane_of,)
_door = Sockets(
    handlers=HANDLERS, frames=FRAMES, resolvers=RESOLVERS, data_dir=settings.WEBTMUX.data_dir
)


async def _socket(scope: Any, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await _door.serve(scope[PRINCIPAL], scope[RUNTIME], receive, send)


SOCKETS: Mapping[str, ASGI3Application] = {"/ws": _socket}


class Application:
    """What a server runs. `process` is for whoever starts and stops it explicitly."""

    def __init__(
        self,
        env: Env,
        *,
        services: Sequence[Service],
        runtime: Runtime | None = None,
        sockets: Mapping[str, ASGI3Application] = SOCKETS,
        http: ASGI3Application = django_application,
    ) -> None:
        self.process = Process(services)
        self.sockets = sockets
        self._runtime = runtime
        self._http = http
        self._gate = Gate(cast(ASGI3Application, self._enter), Policy.of(env))

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await self._gate(scope, receive, send)

    async def _enter(
        self,
        scope: HTTPScope | WebSocketScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        """Behind the gate: only a caller that was let in can start the services."""
        try:
            await self.process.ensure_started()
        except Refused:
            await answer(scope, send, STOPPING)
            return
        inner = cast(Scope, {**scope, RUNTIME: self._runtime})
        if scope["type"] == "http":
            await self._http(inner, receive, send)
        elif scope["path"] in self.sockets:
            await self.sockets[scope["path"]](inner, receive, send)
        else:
            await answer(scope, send, NO_SOCKET)

    async def _live(
        self, scope: LifespanScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await self._start(send)
            else:
                await self.process.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _start(self, send: ASGISendCallable) -> None:
        try:
            await self.process.start()
        except Exception as problem:
            logger.exception("could not start")
            await send({"type": "lifespan.startup.failed", "message": str(problem)})
        else:
            await send({"type": "lifespan.startup.complete"})


def build_application(env: Env) -> Application:
    runtime = Runtime(socket=env.tmux_socket, data_dir=env.data_dir, login_shell=env.login_shell)
    workers = [
        Worker("track_windows", partial(track_windows, runtime.main)),
        Worker("scan_agents", partial(scan_agents, runtime, work_dir=env.work_dir)),
    ]
    if env.record_chat:
        workers.append(Worker("record_chat", partial(record_chat, runtime)))
    return Application(env, services=[runtime, *workers], runtime=runtime)


application = build_application(settings.WEBTMUX)
