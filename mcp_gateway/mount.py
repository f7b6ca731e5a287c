"""Streamable HTTP as one ASGI door: sessions for clients that initialize, plain JSON for the rest.

Two managers of the SDK over one server. Not who may call: the gate stands in front. A session that
we do not hold (the server was restarted, it was idle too long, there are too many) is answered
without one: the official clients do not recover from the 404 that the specification asks for.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from mcp.server import MCPServer
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from mcp_gateway import toolsets
from mcp_gateway.callers import Caller
from mcp_gateway.registry import ToolSet
from mcp_gateway.requests import (
    BODY_LIMIT,
    INVALID_PARAMS,
    INVALID_REQUEST,
    Asked,
    ClientLeft,
    Message,
    Receive,
    Send,
    TooLarge,
    answer_error,
    opens_session,
    read_body,
    replay,
)
from mcp_gateway.server import CALLER
from terminals.access import WATCH, Principal, Watched
from terminals.errors import Invalid

Scope = MutableMapping[str, Any]

MOST_SESSIONS = 1000  # 41 kB each
IDLE_SECONDS = 600.0
KNOWN_IDS = 4 * MOST_SESSIONS  # ids that are told from strange ones
LEAVE_SECONDS = 5.0  # for a call whose client has left
NOT_HELD = (404, 503)  # the manager's words for a session that it does not know, or cannot open
# The gate has checked Host and Origin, with ports, in front of every door.
CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
NO_STREAM = "there is no session of this id here: POST your requests, with or without one"


class Mount:
    """A service (start, stop) and a door (serve). Bound to the event loop that started it."""

    name = "mcp"

    def __init__(
        self, server: MCPServer[Any], *, served: frozenset[ToolSet] = toolsets.EVERY
    ) -> None:
        self._server, self._served = server, served
        self._plain: StreamableHTTPSessionManager
        self._sessions: StreamableHTTPSessionManager
        self._owner: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        # Session id → whether its client has ended it. The oldest go when there are too many.
        self._issued: OrderedDict[str, bool] = OrderedDict()

    # --- service ---

    async def start(self) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop.clear()
        self._plain = self._manager(stateless_http=True, json_response=True)
        self._sessions = self._manager(
            session_idle_timeout=IDLE_SECONDS, max_sessions=MOST_SESSIONS
        )
        self._owner = asyncio.create_task(self._own(ready), name="mcp")
        await ready

    async def stop(self) -> None:
        """Calls under way are cancelled, and their clients are told."""
        self._stop.set()
        if self._owner is not None:
            await asyncio.wait({self._owner})
            self._owner = None

    def _manager(self, **options: Any) -> StreamableHTTPSessionManager:
        self._server.streamable_http_app(
            max_request_body_size=BODY_LIMIT, transport_security=CHECKED, **options
        )
        return self._server.session_manager

    async def _own(self, ready: asyncio.Future[None]) -> None:
        """What the managers open must be left by the task that entered it."""
        try:
            async with AsyncExitStack() as opened:
                await opened.enter_async_context(self._plain.run())
                await opened.enter_async_context(self._sessions.run())
                ready.set_result(None)
                await self._stop.wait()
        except BaseException as problem:
            if ready.done():
                raise
            ready.set_exception(problem)

    # --- door ---

    async def serve(self, principal: Principal, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Asked.of(scope)
        try:
            sets = toolsets.parse(asked.tools, served=self._served)
            caller = Caller(principal, asked.pane, sets)
            inner = {**scope, CALLER: caller, "user": _as_user(principal)}
            await self._route(asked, inner, receive, send)
        except Invalid as failure:
            await answer_error(send, 400, INVALID_PARAMS, failure.message)
        except TooLarge:
            await answer_error(send, 413, INVALID_REQUEST, f"more than {BODY_LIMIT} bytes")
        except ClientLeft:
            return

    async def _route(self, asked: Asked, scope: Scope, receive: Receive, send: Send) -> None:
        if asked.is_modern:
            body = await read_body(receive)
            await self._sessions.handle_request(scope, replay(body, receive), send)
        elif asked.method != "POST":
            await self._manage(asked, scope, receive, send)
        else:
            await self._post(asked, scope, receive, send)

    async def _manage(self, asked: Asked, scope: Scope, receive: Receive, send: Send) -> None:
        """GET listens to a session, DELETE ends it."""
        if asked.session not in self._issued:
            await answer_error(send, 405, INVALID_REQUEST, NO_STREAM)
            return
        if asked.method == "DELETE":
            self._issued[asked.session] = True
        await self._sessions.handle_request(scope, receive, send)

    async def _post(self, asked: Asked, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        if asked.session in self._issued or (not asked.session and opens_session(body)):
            ended = self._issued.get(asked.session, False)
            remember = partial(self._remember, ended=ended, watched=scope.get(WATCH))
            tried = _Tried(send, refusable=not ended, remember=remember)
            await self._sessions.handle_request(scope, replay(body, receive), tried)
            remember(asked.session)
            if not tried.refused:
                return
        plain = self._plain.handle_request(scope, replay(body, receive), send)
        await _while_there(plain, receive)

    def _remember(self, session: str, *, ended: bool, watched: Watched | None) -> None:
        if not session:
            return
        if session not in self._issued and watched is not None:
            # Its calls and streams run on without a request, and must not outlive the right.
            watched.outlives(partial(self._end, session), alive=partial(self._holds, session))
        self._issued[session] = ended
        self._issued.move_to_end(session)
        while len(self._issued) > KNOWN_IDS:
            self._issued.popitem(last=False)

    def _holds(self, session: str) -> bool:
        return session in self._sessions._server_instances

    def _end(self, session: str) -> None:
        """Whoever opened it was revoked: its calls are cancelled and its id is worth nothing."""
        self._issued[session] = True
        transport = self._sessions._server_instances.get(session)
        if transport is not None and transport.idle_scope is not None:
            # As after a long silence; the manager discards what it ends.
            transport.idle_scope.cancel()


class _Tried:
    """Sends on what a manager answers, unless it says that it does not hold the session.

    A new session is remembered before its client hears of it, and may come back with it.
    """

    def __init__(self, send: Send, *, refusable: bool, remember: Callable[[str], None]) -> None:
        self._send, self._refusable, self._remember = send, refusable, remember
        self.refused = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.refused = self._refusable and message["status"] in NOT_HELD
            headers = {name.lower(): value for name, value in message.get("headers", ())}
            self._remember(headers.get(b"mcp-session-id", b"").decode("latin-1"))
        if not self.refused:
            await self._send(message)


async def _while_there(handling: Awaitable[None], receive: Receive) -> None:
    """The SDK's JSON answers never look whether the client is still there: so we do."""
    serving = asyncio.ensure_future(handling)
    leaving = asyncio.ensure_future(_left(receive))
    try:
        await asyncio.wait({serving, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        if not serving.done():
            serving.cancel()
            await asyncio.wait({serving}, timeout=LEAVE_SECONDS)
    if serving.done() and not serving.cancelled():
        serving.result()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _as_user(principal: Principal) -> AuthenticatedUser:
    """So that the SDK binds a session to whoever opened it. The token itself is none of its."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=principal.kind,
            scopes=[principal.scope],
            subject=principal.name,
        )
    )
