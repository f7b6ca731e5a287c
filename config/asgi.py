"""The composition root: gate, Django, MCP and socket handlers joined to one ASGI application.

Not tied to a server: services start by lifespan, by `manage.py serve`, or with the first request.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Before the imports below: they hold models.
django_application = cast(ASGI3Application, get_asgi_application())

from agents import ws as agents_ws  # noqa: E402
from agents.recording import record_chat  # noqa: E402
from agents.registry import pane_of  # noqa: E402
from agents.workers import scan_agents  # noqa: E402
from config import assets, programs  # noqa: E402
from config.admission import Admission  # noqa: E402
from config.env import Env  # noqa: E402
from config.gate import Gate, Policy  # noqa: E402
from config.health import RUNTIME  # noqa: E402
from config.process import Process, Service, Worker  # noqa: E402
from config.refusals import Refusal, answer  # noqa: E402
from mcp_gateway.audit import Audit  # noqa: E402
from mcp_gateway.callers import Caller  # noqa: E402
from mcp_gateway.mount import Mount  # noqa: E402
from mcp_gateway.registry import ToolSet  # noqa: E402
from mcp_gateway.server import LOCAL, Gateway  # noqa: E402
from notes import ws as notes_ws  # noqa: E402
from notes.runtime import NotionConnection  # noqa: E402
from notes.workers import sync_notion  # noqa: E402
from terminals import ws as terminals_ws  # noqa: E402
from terminals.access import PRINCIPAL  # noqa: E402
from terminals.db import Connections  # noqa: E402
from terminals.errors import Refused  # noqa: E402
from terminals.incoming import FRAMES  # noqa: E402
from terminals.journal import JOURNAL, Journal  # noqa: E402
from terminals.log_care import keep_logs, limits_of  # noqa: E402
from terminals.recording_care import keep_recordings  # noqa: E402
from terminals.runtime import Runtime  # noqa: E402
from terminals.socket import Handler, Resolver, Sockets  # noqa: E402
from terminals.workers import track_windows, watch_workspace  # noqa: E402

programs_application = cast(ASGI3Application, programs.Programs())
assets_application = assets.Assets(settings.STATIC_ROOT, django_application)
logger = logging.getLogger(__name__)

STOPPING = Refusal(503, "stopping", "the server is stopping", ((b"retry-after", b"2"),))
NO_SOCKET = Refusal(404, "not_found", "there is no socket at this path")

# The socket's requests, and who is asked what a name means, joined from the apps.
HANDLERS: Mapping[str, Handler] = {
    **terminals_ws.HANDLERS,
    **agents_ws.HANDLERS,
    **notes_ws.HANDLERS,
}
RESOLVERS: Sequence[Resolver] = (pane_of,)
_door = Sockets(
    handlers=HANDLERS, frames=FRAMES, resolvers=RESOLVERS, data_dir=settings.WEBTMUX.data_dir
)


async def _socket(scope: Any, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    journal = scope.get(JOURNAL)
    await _door.serve(scope[PRINCIPAL], scope[RUNTIME], receive, send, journal=journal)


SOCKETS: Mapping[str, ASGI3Application] = {"/ws": _socket}
NO_DOORS: Mapping[str, ASGI3Application] = {}


async def _by_path(scope: Any, receive: Any, send: Any) -> None:
    """Programs and static files do not pay for what only pages need."""
    if programs.takes(scope["path"]):
        await programs_application(scope, receive, send)
    elif scope["path"].startswith(assets.PREFIX):
        await assets_application(scope, receive, send)
    else:
        await django_application(scope, receive, send)


by_path = cast(ASGI3Application, _by_path)


def mcp_door(mount: Mount) -> ASGI3Application:
    async def door(scope: Any, receive: Any, send: Any) -> None:
        await mount.serve(scope[PRINCIPAL], scope, receive, send)

    return cast(ASGI3Application, door)


class Application:
    """What a server runs. `process` is for whoever starts and stops it explicitly."""

    def __init__(
        self,
        env: Env,
        *,
        services: Sequence[Service],
        runtime: Runtime | None = None,
        sockets: Mapping[str, ASGI3Application] = SOCKETS,
        doors: Mapping[str, ASGI3Application] = NO_DOORS,
        http: ASGI3Application = by_path,
        journal: Journal | None = None,
    ) -> None:
        """`doors`: http paths that Django does not see."""
        self.process = Process(services)
        self.sockets = sockets
        self.doors = doors
        self._runtime = runtime
        self._http = http
        self._journal = journal
        self._gate = Gate(cast(ASGI3Application, self._enter), Policy.of(env))

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            await self._gate(scope, receive, send)

    async def admit(self, scope: Mapping[str, Any]) -> Admission | Refusal:
        """For a server that asks when it has the headers, before it reads the body."""
        return await self._gate.admit(scope)

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
        inner = cast(Scope, {**scope, RUNTIME: self._runtime, JOURNAL: self._journal})
        if scope["type"] == "http":
            door = self.doors.get(scope["path"].removesuffix("/"), self._http)
            await door(inner, receive, send)
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


@dataclass(frozen=True, slots=True)
class Parts:
    """What every way to serve has: `manage.py serve`, and `mcp_stdio` where no server runs."""

    runtime: Runtime
    gateway: Gateway
    services: Sequence[Service]
    audit: Audit


def build_parts(env: Env, *, local: Caller = LOCAL) -> Parts:
    runtime = Runtime(
        socket=env.tmux_socket,
        data_dir=env.data_dir,
        login_shell=env.login_shell,
        log_limits=limits_of(env),
    )
    audit = Audit()
    workers = [
        Worker("write_calls", audit.write),
        Worker("track_windows", partial(track_windows, runtime.main)),
        Worker("watch_workspace", partial(watch_workspace, runtime)),
        Worker("keep_recordings", partial(keep_recordings, runtime)),
        Worker("keep_logs", partial(keep_logs, env)),
        Worker("scan_agents", partial(scan_agents, runtime, work_dir=env.work_dir)),
        Worker("sync_notion", partial(sync_notion, seconds=env.notion_seconds)),
    ]
    if env.record_chat:
        workers.append(Worker("record_chat", partial(record_chat, runtime)))
    notion = NotionConnection(token=env.notion_token, url=env.notion_url)
    return Parts(
        runtime,
        Gateway(audit=audit, local=local),
        (Connections(), runtime, notion, *workers),
        audit,
    )


def build_application(env: Env) -> Application:
    # Loads every view and schema: else the first request does, on the event loop.
    get_resolver().url_patterns  # noqa: B018 - read for what it does
    parts = build_parts(env)
    mount = Mount(parts.gateway, served=frozenset(map(ToolSet, env.mcp_tools)))
    return Application(
        env,
        services=[*parts.services, mount],
        runtime=parts.runtime,
        doors={"/mcp": mcp_door(mount)},
        journal=parts.audit,
    )


application = build_application(settings.WEBTMUX)
