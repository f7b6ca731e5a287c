"""One client of /ws: requests and frames in, answers, events and output out.

Requests are JSON and are handled in each app's ws.py; frames are binary and are handled in
input.py. config/asgi.py joins the handlers. The gate decides who may connect; what a caller with
scope `read` may not do is refused in the handlers, with `require`.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from pathlib import Path

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable

from core.audit import Journal
from core.callers import Principal, Scope
from core.errors import Invalid, NotFound, Refused, WebtmuxError
from core.offload import by_size
from terminals.runtime import Runtime
from terminals.schemas import SocketFailed
from terminals.socket import requests
from terminals.socket.input import LANE, receive_frame
from terminals.socket.lanes import Lanes
from terminals.socket.output import Outputs
from terminals.socket.requests import MissingField, Request, identity, text_field
from terminals.socket.subscriptions import GroupSubscription, OnEvent
from terminals.tmux.driver import HIDDEN_SESSION
from terminals.windows import targets

__all__ = [
    "Connection",
    "Handler",
    "MissingField",
    "Request",
    "Resolver",
    "SocketEndpoint",
    "text_field",
]

log = logging.getLogger(__name__)

TRY_AGAIN_LATER = 1013  # a close code
AGENT_NOT_FOUND = "agent not found"
ID_LENGTH = 10  # of a tmux id such as @7: the driver refuses longer ones
SHOWN_CHARACTERS = 100  # of a client's own text in an error
NOTED_TERMINALS = 200  # of one connection, in the audit of typing
LAST_INPUT_SECONDS = 2.0  # for keys that a client typed right before it left
KNOWN_PANES = 1000  # ids that need no second look-up

Handler = Callable[["Connection", Request], Awaitable[dict[str, object] | None]]
Resolver = Callable[[Runtime, str], str | None]

# The groups that the current request has subscribed to: they stay silent until it is answered.
_subscribed: "ContextVar[list[GroupSubscription] | None]" = ContextVar("subscribed", default=None)
# The scopes above `read` that the current request has required: with any, it is audited.
_required: "ContextVar[set[Scope] | None]" = ContextVar("required", default=None)


class SocketEndpoint:
    """What all connections of a process share."""

    def __init__(
        self,
        *,
        handlers: Mapping[str, Handler],
        resolvers: Sequence[Resolver],
        data_dir: Path,
    ) -> None:
        """`resolvers`: functions that find the pane of a name, such as an agent's."""
        self.handlers, self.resolvers = handlers, resolvers
        self.data_dir = data_dir

    async def serve(
        self,
        principal: Principal,
        runtime: Runtime,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
        *,
        journal: Journal | None = None,
    ) -> None:
        if (await receive())["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        connection = Connection(self, principal, runtime, send, journal)
        try:
            # Both return when there is room for the next message, not when the work is done.
            while (event := await receive())["type"] == "websocket.receive":
                if (text := event.get("text")) is not None:
                    await connection.receive_request(text)
                else:
                    await receive_frame(connection, event["bytes"] or b"")
            await connection.lanes.finish(f"{LANE} ", seconds=LAST_INPUT_SECONDS)
        finally:
            await connection.close()


class Connection:
    def __init__(
        self,
        endpoint: SocketEndpoint,
        principal: Principal,
        runtime: Runtime,
        send: ASGISendCallable,
        journal: Journal | None = None,
    ) -> None:
        self.principal, self.runtime = principal, runtime
        self.data_dir = endpoint.data_dir
        self.features: set[str] = set()
        self.outputs = Outputs(self.send_bytes, self.send)
        self.lanes = Lanes(self.report_error)
        self._endpoint, self._asgi_send = endpoint, send
        self._sending = asyncio.Lock()
        self._closed = False
        self._subscriptions: dict[str, GroupSubscription] = {}
        self._known_runs: dict[str, str] = {}  # the server run in which each id was looked up
        self._journal = journal
        self._noted_terminals: set[str] = set()

    # --- to the client ---

    async def send(self, message: dict[str, object]) -> None:
        await self._send_event(text=json.dumps(message, separators=(",", ":")))

    async def send_bytes(self, data: bytes) -> None:
        await self._send_event(data=data)

    async def answer(self, request: Request, **fields: object) -> None:
        await self.send({**identity(request), "type": request["type"], **fields})

    async def report_error(self, problem: Exception) -> None:
        """Send the error of a frame, which has no answer."""
        match problem:
            case NotFound():
                await self._send_error(AGENT_NOT_FOUND)
            case WebtmuxError():
                await self._send_error(problem.message)
            case _:
                log.error("handling a message of the socket failed", exc_info=problem)
                await self._send_error("internal error")

    # --- for handlers ---

    def require(self, scope: Scope) -> None:
        if scope is not Scope.READ and (required := _required.get()) is not None:
            required.add(scope)
        if not self.principal.scope.includes(scope):
            raise Refused(f"this needs the scope {scope}")

    def note(
        self,
        operation: str,
        arguments: Mapping[str, object],
        *,
        outcome: str = "ok",
        seconds: float = 0.0,
        length: int = 0,
    ) -> None:
        """Queue a row of the audit; it is written in the background."""
        if self._journal is not None:
            self._journal.note(
                "socket",
                operation,
                arguments,
                self.principal,
                outcome=outcome,
                seconds=seconds,
                length=length,
            )

    def note_typing(self, name: str) -> None:
        """One row for each terminal of this connection: a row for each key would be too many."""
        if name not in self._noted_terminals and len(self._noted_terminals) < NOTED_TERMINALS:
            self._noted_terminals.add(name)
            self.note("input", {"agent": name})

    async def pane(self, name: str) -> str:
        """The pane that the client means: the one it watches under this name, else `resolve`.

        After a restart of tmux an id that was used before means another pane. The client has to
        subscribe to it again before it can type there.
        """
        server_run = self.runtime.main.server_run
        if (pane := self.outputs.pane_of(name, server_run)) is not None:
            return pane
        if self._known_runs.get(name, server_run) != server_run:
            raise NotFound(AGENT_NOT_FOUND)
        return await self.resolve(name)

    async def resolve(self, name: str) -> str:
        """The id of the pane of an agent, of a window (its active one), or of a pane itself."""
        for resolver in self._endpoint.resolvers:
            if (pane := resolver(self.runtime, name)) is not None:
                return pane
        if len(name) > ID_LENGTH or not targets.is_id(name, "@%"):
            raise NotFound(AGENT_NOT_FOUND)
        is_known = name[0] == "%" and self._known_runs.get(name) == self.runtime.main.server_run
        return name if is_known else await self._look_up(name)

    async def follow(self, key: str, group: str, on_event: OnEvent) -> None:
        """Call `on_event` with the events of a group in order, the first after the answer."""
        await self.unfollow(key)
        subscription = GroupSubscription(group, on_event, self._close_for_retry)
        self._subscriptions[key] = subscription
        await subscription.join()
        if (subscribed := _subscribed.get()) is not None:
            subscribed.append(subscription)
        else:
            subscription.open.set()

    async def unfollow(self, key: str) -> None:
        if (subscription := self._subscriptions.pop(key, None)) is not None:
            await subscription.leave()

    # --- requests of the client ---

    async def receive_request(self, text: str) -> None:
        try:
            request = await by_size(len(text), requests.parse, text)
        except Invalid as problem:
            await self._send_error(problem.message)
            return
        kind = request.get("type") or ""
        if not isinstance(kind, str) or kind not in self._endpoint.handlers:
            shown = str(kind)[:SHOWN_CHARACTERS]
            await self._send_error(f"unknown message type: {shown}", request)
            return
        work = partial(self._handle, request)
        await self.lanes.put(requests.lane(request), work, size=len(text))

    async def _handle(self, request: Request) -> None:
        subscribed: list[GroupSubscription] = []
        _subscribed.set(subscribed)
        required: set[Scope] = set()
        _required.set(required)
        kind = str(request["type"])
        outcome, began = "crashed", time.perf_counter()
        try:
            fields = await self._endpoint.handlers[kind](self, request)
            outcome = "ok"
            if fields is not None:
                await self.answer(request, **fields)
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        except MissingField as problem:
            outcome = problem.code
            await self._send_error(problem.message, request)
        except WebtmuxError as problem:
            outcome = problem.code
            await self.answer(request, ok=False, error=problem.message)
        except Exception:
            log.exception("the request %s failed", kind)
            await self.answer(request, ok=False, error="internal error")
        finally:
            for subscription in subscribed:
                subscription.open.set()
            if required:
                seconds = time.perf_counter() - began
                self.note(kind, request, outcome=outcome, seconds=seconds)

    # --- the end ---

    async def close(self) -> None:
        await self.lanes.close()
        await self.outputs.close()
        await asyncio.gather(*(self.unfollow(key) for key in list(self._subscriptions)))

    async def _close_for_retry(self, reason: str) -> None:
        """The client should connect again and read everything again.

        Not through `_send_event`: a client that does not read would keep it waiting.
        """
        if not self._closed:
            self._closed = True
            await self._asgi_send(
                {"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": reason}
            )

    # --- internal ---

    async def _look_up(self, name: str) -> str:
        server_run = self.runtime.main.server_run
        try:
            row = await self.runtime.main.pane(name)
        except NotFound:
            raise NotFound(AGENT_NOT_FOUND) from None
        if row.session_name == HIDDEN_SESSION:
            raise NotFound(AGENT_NOT_FOUND)
        if name in self._known_runs or len(self._known_runs) < KNOWN_PANES:
            self._known_runs[name] = server_run
        return row.id

    async def _send_error(self, error: str, request: Request | None = None) -> None:
        await self.send({**identity(request or {}), **SocketFailed(error=error).message()})

    async def _send_event(self, *, text: str | None = None, data: bytes | None = None) -> None:
        """One at a time and in order; waits while the client does not read."""
        async with self._sending:
            if self._closed:
                return
            # OSError: the client has just left. `receive` reports it next, and `serve` ends.
            with contextlib.suppress(OSError):
                await self._asgi_send({"type": "websocket.send", "text": text, "bytes": data})
