"""MCP over Streamable HTTP: sessions for clients that initialize, plain JSON for others.

Two session managers of the SDK share one server; direct_calls.py answers plain calls of tools. The
gate has checked the caller before. A request for an unknown session (after a restart, an idle
time-out, or beyond the limit) is served without a session: the official clients do not recover from
the 404 that the specification demands.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from core.callers import WATCH, Caller, Principal, Watched
from core.errors import Invalid
from mcp_gateway import toolsets
from mcp_gateway.registry import ToolSet
from mcp_gateway.server import CALLER, Gateway
from mcp_gateway.transport.direct_calls import DirectCall, respond
from mcp_gateway.transport.requests import (
    BODY_LIMIT,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    ClientLeft,
    McpRequest,
    Message,
    Receive,
    Send,
    TooLarge,
    answer_error,
    opens_session,
    read_body,
    replay,
)

MOST_SESSIONS = 1000  # 41 kB each
IDLE_SECONDS = 600.0
KNOWN_IDS = 4 * MOST_SESSIONS  # session ids that are remembered as ours
LEAVE_SECONDS = 5.0  # for a call to end after its client disconnected
NOT_HELD = (404, 503)  # the manager's status for a session that it does not know or cannot open
# The gate has checked Host and Origin, with ports, in front of every door.
CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
STOPPED = "the server was stopped before the call ended"
NO_STREAM = "unknown session: send requests by POST, with or without a session id"


class Mount:
    """A service (start, stop) that serves /mcp. Bound to the event loop that started it."""

    name = "mcp"

    def __init__(self, server: Gateway, *, served: frozenset[ToolSet] = toolsets.EVERY) -> None:
        self._server, self._served = server, served
        self._plain: StreamableHTTPSessionManager
        self._sessions: StreamableHTTPSessionManager
        self._owner: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._direct: set[asyncio.Task[None]] = set()  # calls that the SDK does not know
        # Session id → whether its client has ended it. Bounded: the oldest are dropped.
        self._issued: OrderedDict[str, bool] = OrderedDict()

    # --- service ---

    async def start(self) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop.clear()
        self._plain = self._manager(stateless=True)
        self._sessions = self._manager(stateless=False)
        self._owner = asyncio.create_task(self._own(ready), name="mcp")
        await ready

    async def stop(self) -> None:
        """Running calls are cancelled, and their clients get an error."""
        self._stop.set()
        for call in self._direct:
            call.cancel()
        if self._owner is not None:
            await asyncio.wait({self._owner})
            self._owner = None

    def _manager(self, *, stateless: bool) -> StreamableHTTPSessionManager:
        self._server.streamable_http_app(
            max_request_body_size=BODY_LIMIT,
            transport_security=CHECKED,
            stateless_http=stateless,
            json_response=stateless,
            session_idle_timeout=None if stateless else IDLE_SECONDS,
            max_sessions=None if stateless else MOST_SESSIONS,
        )
        return self._server.session_manager

    async def _own(self, ready: asyncio.Future[None]) -> None:
        """The context of a manager must be left by the task that entered it."""
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

    async def serve(
        self, principal: Principal, scope: Message, receive: Receive, send: Send
    ) -> None:
        request = McpRequest.of(scope)
        try:
            tool_sets = toolsets.parse(request.tools, served=self._served)
            caller = Caller(principal, request.pane, tool_sets)
            inner = {**scope, CALLER: caller, "user": _as_user(principal)}
            await self._route(request, inner, receive, send)
        except Invalid as failure:
            await answer_error(send, 400, INVALID_PARAMS, failure.message)
        except TooLarge:
            await answer_error(
                send, 413, INVALID_REQUEST, f"the body is larger than {BODY_LIMIT} bytes"
            )
        except ClientLeft:
            return

    async def _route(
        self, request: McpRequest, scope: Message, receive: Receive, send: Send
    ) -> None:
        if request.is_modern:
            body = await read_body(receive)
            await self._sessions.handle_request(scope, replay(body, receive), send)
        elif request.method != "POST":
            await self._manage(request, scope, receive, send)
        else:
            await self._post(request, scope, receive, send)

    async def _manage(
        self, request: McpRequest, scope: Message, receive: Receive, send: Send
    ) -> None:
        """GET opens the event stream of a session, DELETE ends the session."""
        if request.session not in self._issued:
            await answer_error(send, 405, INVALID_REQUEST, NO_STREAM)
            return
        if request.method == "DELETE":
            self._issued[request.session] = True
        await self._sessions.handle_request(scope, receive, send)

    async def _post(
        self, request: McpRequest, scope: Message, receive: Receive, send: Send
    ) -> None:
        body = await read_body(receive)
        if request.session in self._issued or (not request.session and opens_session(body)):
            ended = self._issued.get(request.session, False)
            remember = partial(self._remember, ended=ended, watched=scope.get(WATCH))
            response = _SessionResponse(send, refusable=not ended, remember=remember)
            await self._sessions.handle_request(scope, replay(body, receive), response)
            remember(request.session)
            if not response.refused:
                return
        if direct := DirectCall.of(scope, body, self._server):
            await _while_connected(self._answer(direct, scope[CALLER], send), receive)
            return
        plain = self._plain.handle_request(scope, replay(body, receive), send)
        await _while_connected(plain, receive)

    async def _answer(self, call: DirectCall, caller: Caller, send: Send) -> None:
        answering = asyncio.current_task()
        assert answering is not None
        self._direct.add(answering)
        try:
            body = await call.answer(self._server, caller)
        except asyncio.CancelledError:
            if self._stop.is_set():
                await answer_error(send, 500, INTERNAL_ERROR, STOPPED)
            raise
        finally:
            self._direct.discard(answering)
        await respond(send, body)

    def _remember(self, session: str, *, ended: bool, watched: Watched | None) -> None:
        if not session:
            return
        if session not in self._issued and watched is not None:
            # Its calls and streams outlast the request; they must end with the caller's right.
            watched.outlives(partial(self._end, session), alive=partial(self._holds, session))
        self._issued[session] = ended
        self._issued.move_to_end(session)
        while len(self._issued) > KNOWN_IDS:
            self._issued.popitem(last=False)

    def _holds(self, session: str) -> bool:
        return session in self._sessions._server_instances

    def _end(self, session: str) -> None:
        """End a session whose caller was revoked: cancel its calls and forget its id."""
        self._issued[session] = True
        transport = self._sessions._server_instances.get(session)
        if transport is not None and transport.idle_scope is not None:
            # As after an idle time-out: the manager discards the session.
            transport.idle_scope.cancel()


class _SessionResponse:
    """Passes on a manager's response, unless the manager does not know the session.

    A new session is remembered before its client gets the id.
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


async def _while_connected(handling: Awaitable[None], receive: Receive) -> None:
    """Cancel the call when its client disconnects: the SDK does not, for JSON responses."""
    serving = asyncio.ensure_future(handling)
    leaving = asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({serving, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        if not serving.done():
            serving.cancel()
            await asyncio.wait({serving}, timeout=LEAVE_SECONDS)
    if serving.done() and not serving.cancelled():
        serving.result()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _as_user(principal: Principal) -> AuthenticatedUser:
    """Lets the SDK bind a session to the caller who opened it, without the token itself."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=principal.kind,
            scopes=[principal.scope],
            subject=principal.name,
        )
    )
