"""The composition root: gate, Django, MCP and socket handlers joined to one ASGI application.

Not tied to a server: services start by lifespan, by `manage.py serve`, or with the first request.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPScope,
    LifespanScope,
    Scope,
    WebSocketScope,
)
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Before the imports below: they define models.
django_application = cast(ASGI3Application, get_asgi_application())

from agents import ws as agents_ws
from agents.chat.journals.worker import follow_journals
from agents.chat.worker import record_chat
from agents.registry import pane_of
from agents.witnesses.hooks.worker import receive_hooks
from agents.workers import scan_agents
from config.env import Env
from config.gate.admission import Admission
from config.gate.gate import Gate, Policy
from config.gate.refusals import Refusal, answer
from config.gate.request import AsgiAny, AsgiScope
from config.health import RUNTIME
from config.pages import developer_files
from config.server import api_handler, static_handler
from config.server.lifecycle import Lifecycle, Service, Worker
from config.server.memory_reads import MemoryReads
from core.audit import JOURNAL, Journal
from core.callers import PRINCIPAL, Caller
from core.database import Connections
from core.errors import Refused
from mcp_gateway.audit.recorder import Audit
from mcp_gateway.recent_sends import RecentSends
from mcp_gateway.registry import ToolSet
from mcp_gateway.server import LOCAL, Gateway
from mcp_gateway.transport.mount import Mount
from notes import ws as notes_ws
from notes.notion.connection import NotionConnection
from notes.workers import sync_notion
from terminals import ws as terminals_ws
from terminals.logs.worker import keep_logs, limits_of
from terminals.recordings.worker import keep_recordings
from terminals.runtime import Runtime
from terminals.socket.connection import Handler, Resolver, SocketEndpoint
from terminals.workers import track_windows, watch_workspace

programs_application = cast(ASGI3Application, MemoryReads(cast(AsgiAny, api_handler.Programs())))
pages_application = developer_files.in_front_of(
    django_application, settings.WEBTMUX.debug_serve_dir
)
assets_application = static_handler.Assets(settings.STATIC_ROOT, pages_application)
logger = logging.getLogger(__name__)
get_channel_layer()  # imports its backend now: the import of redis would block the event loop

STOPPING = Refusal(503, "stopping", "the server is stopping", ((b"retry-after", b"2"),))
NO_SOCKET = Refusal(404, "not_found", "there is no WebSocket at this path")

# The socket's requests and the resolvers of names, joined from the apps.
HANDLERS: Mapping[str, Handler] = {
    **terminals_ws.HANDLERS,
    **agents_ws.HANDLERS,
    **notes_ws.HANDLERS,
}
RESOLVERS: Sequence[Resolver] = (pane_of,)
_endpoint = SocketEndpoint(
    handlers=HANDLERS, resolvers=RESOLVERS, data_dir=settings.WEBTMUX.data_dir
)


async def _socket(scope: AsgiAny, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    journal = scope.get(JOURNAL)
    await _endpoint.serve(scope[PRINCIPAL], scope[RUNTIME], receive, send, journal=journal)


SOCKETS: Mapping[str, ASGI3Application] = {"/ws": _socket}
NO_DOORS: Mapping[str, ASGI3Application] = {}


async def _by_path(scope: AsgiAny, receive: AsgiAny, send: AsgiAny) -> None:
    """REST and static files skip the middleware that only pages need."""
    if api_handler.takes(scope["path"]):
        await programs_application(scope, receive, send)
    elif scope["path"].startswith(static_handler.PREFIX):
        await assets_application(scope, receive, send)
    else:
        await pages_application(scope, receive, send)


by_path = cast(ASGI3Application, _by_path)


def mcp_door(mount: Mount) -> ASGI3Application:
    async def door(scope: AsgiAny, receive: AsgiAny, send: AsgiAny) -> None:
        await mount.serve(scope[PRINCIPAL], scope, receive, send)

    return cast(ASGI3Application, door)


class Application:
    """The ASGI application. `lifecycle` is for servers that start and stop it explicitly."""

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
        self.lifecycle = Lifecycle(services)
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

    async def admit(self, scope: AsgiScope) -> Admission | Refusal:
        """For a server that calls this when it has the headers, before it reads the body."""
        return await self._gate.admit(scope)

    async def _enter(
        self,
        scope: HTTPScope | WebSocketScope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        """Behind the gate: only an admitted caller can start the services."""
        try:
            await self.lifecycle.ensure_started()
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
                await self.lifecycle.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _start(self, send: ASGISendCallable) -> None:
        try:
            await self.lifecycle.start()
        except Exception as error:
            logger.exception("could not start")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
        else:
            await send({"type": "lifespan.startup.complete"})


@dataclass(frozen=True, slots=True)
class Parts:
    """What `manage.py serve` and a local `mcp_stdio` have in common."""

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
        Worker("receive_hooks", partial(receive_hooks, runtime)),
        Worker("sync_notion", partial(sync_notion, seconds=env.notion_seconds)),
    ]
    if env.record_chat:
        workers.append(Worker("record_chat", partial(record_chat, runtime)))
        workers.append(Worker("follow_journals", partial(follow_journals, runtime)))
    notion = NotionConnection(token=env.notion_token, url=env.notion_url)
    return Parts(
        runtime,
        Gateway(audit=audit, local=local),
        (Connections(), runtime, notion, *workers),
        audit,
    )


def build_application(env: Env) -> Application:
    # Loads all views and schemas now: else the first request would, on the event loop.
    get_resolver().url_patterns  # noqa: B018  # read for its side effect
    parts = build_parts(env)
    mount = Mount(parts.gateway, served=frozenset(map(ToolSet, env.mcp_tools)))
    return Application(
        env,
        services=[*parts.services, RecentSends(), mount],
        runtime=parts.runtime,
        doors={"/mcp": mcp_door(mount)},
        journal=parts.audit,
    )


application = build_application(settings.WEBTMUX)
