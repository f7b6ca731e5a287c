"""One client of /ws: requests and frames in, answers, events and output out.

Knows no request by name: the handlers come from each app's ws.py, joined in config/asgi.py. Who may
connect is decided before, by the gate; what a reader may not do is refused here and in handlers.
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
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, WebSocketReceiveEvent

from terminals import frames, requests, targets
from terminals.access import Principal, Scope
from terminals.errors import Invalid, NotFound, Refused, WebtmuxError
from terminals.follows import Follow, OnEvent
from terminals.frames import Frame
from terminals.journal import Journal
from terminals.lanes import Lanes
from terminals.outputs import Outputs
from terminals.requests import MissingField, Request, identity, text_field
from terminals.runtime import Runtime
from terminals.tmux.driver import HIDDEN_SESSION

__all__ = ["Connection", "Handler", "MissingField", "Request", "Resolver", "Sockets", "text_field"]

log = logging.getLogger(__name__)

TRY_AGAIN = 1013
NO_AGENT = "agent not found"
ID_LENGTH = 10  # of a tmux id such as @7: the driver takes no longer ones
SHOWN = 100  # characters of a client's own words in an error
TYPED_LIMIT = 200  # terminals of one connection that are noted when it types into them
KNOWN_PANES = 1000  # ids that were looked up and need not be again

Handler = Callable[["Connection", Request], Awaitable[dict[str, Any] | None]]
FrameHandler = Callable[["Connection", Frame], Awaitable[None]]
Resolver = Callable[[Runtime, str], str | None]

# What the request that is being answered has followed: told only after its answer.
_followed: "ContextVar[list[Follow] | None]" = ContextVar("followed", default=None)


# Whether it asked for the right to change something: then it is noted.
_acts: "ContextVar[set[Scope] | None]" = ContextVar("acts", default=None)


class Sockets:
    """The door: what every connection of a process shares."""

    def __init__(
        self,
        *,
        handlers: Mapping[str, Handler],
        frames: Mapping[int, FrameHandler],
        resolvers: Sequence[Resolver],
        data_dir: Path,
    ) -> None:
        self.handlers, self.frames, self.resolvers = handlers, frames, resolvers
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
            while (event := await receive())["type"] == "websocket.receive":
                await connection.take(event)
        finally:
            await connection.close()


class Connection:
    def __init__(
        self,
        door: Sockets,
        principal: Principal,
        runtime: Runtime,
        send: ASGISendCallable,
        journal: Journal | None = None,
    ) -> None:
        self.principal, self.runtime = principal, runtime
        self.data_dir = door.data_dir
        self.features: set[str] = set()
        self.outputs = Outputs(self.send_bytes, self.send)
        self.lanes = Lanes()
        self._door, self._asgi_send = door, send
        self._sending = asyncio.Lock()
        self._closed = False
        self._follows: dict[str, Follow] = {}
        self._known: dict[str, str] = {}  # ids, and in which life of tmux they were looked up
        self._journal = journal
        self._typed: set[str] = set()

    # --- to the client ---

    async def send(self, message: dict[str, Any]) -> None:
        await self._put(text=json.dumps(message, separators=(",", ":")))

    async def send_bytes(self, data: bytes) -> None:
        await self._put(data=data)

    async def answer(self, request: Request, **fields: Any) -> None:
        await self.send({**identity(request), "type": request["type"], **fields})

    async def hang_up(self, reason: str) -> None:
        """The client should come again and read anew. Not after its turn: it may never read."""
        if not self._closed:
            self._closed = True
            await self._asgi_send({"type": "websocket.close", "code": TRY_AGAIN, "reason": reason})

    # --- for handlers ---

    def require(self, scope: Scope) -> None:
        if scope is not Scope.READ and (acts := _acts.get()) is not None:
            acts.add(scope)
        if not self.principal.scope.includes(scope):
            raise Refused(f"this needs the scope {scope}")

    def note(self, operation: str, arguments: Mapping[str, Any], **more: Any) -> None:
        """One row of the audit, written later and elsewhere."""
        if self._journal is not None:
            self._journal.note("socket", operation, arguments, self.principal, **more)

    def note_typing(self, name: str) -> None:
        """Keys are too many for a row each: one row for each terminal of this connection."""
        if name not in self._typed and len(self._typed) < TYPED_LIMIT:
            self._typed.add(name)
            self.note("input", {"agent": name})

    async def pane(self, name: str) -> str:
        """The pane that the client means: the one it watches by this name, else `resolve`.

        After a restart of tmux an id that was used before names another pane: the client has to
        subscribe to it again first.
        """
        life = self.runtime.main.life
        if (pane := self.outputs.pane_of(name, life)) is not None:
            return pane
        if self._known.get(name, life) != life:
            raise NotFound(NO_AGENT)
        return await self.resolve(name)

    async def resolve(self, name: str) -> str:
        """The id of the pane of an agent, of a window (its active one), or of a pane itself."""
        for resolver in self._door.resolvers:
            if (pane := resolver(self.runtime, name)) is not None:
                return pane
        if len(name) > ID_LENGTH or not targets.is_id(name, "@%"):
            raise NotFound(NO_AGENT)
        known = name[0] == "%" and self._known.get(name) == self.runtime.main.life
        return name if known else await self._look_up(name)

    async def follow(self, key: str, group: str, on_event: OnEvent) -> None:
        """Events of the group go to `on_event` in order, the first after the answer."""
        await self.unfollow(key)
        self._follows[key] = follow = Follow(group, on_event, self.hang_up)
        await follow.join()
        if (followed := _followed.get()) is not None:
            followed.append(follow)
        else:
            follow.open.set()

    async def unfollow(self, key: str) -> None:
        if (follow := self._follows.pop(key, None)) is not None:
            await follow.leave()

    # --- from the client ---

    async def take(self, event: WebSocketReceiveEvent) -> None:
        """Returns when there is room for more, not when it is done."""
        if (text := event.get("text")) is not None:
            await self._take_text(text)
        else:
            await self._take_bytes(event["bytes"] or b"")

    async def in_lane(
        self, key: str, work: Callable[[], Awaitable[None]], *, size: int, replace: bool = False
    ) -> None:
        """Frames of one kind and name are done in order; an error is told to the client."""
        await self.lanes.put(key, partial(self._guarded, work), size=size, replace=replace)

    async def close(self) -> None:
        await self.lanes.close()
        await self.outputs.close()
        await asyncio.gather(*(self.unfollow(key) for key in list(self._follows)))

    # --- inside ---

    async def _take_text(self, text: str) -> None:
        try:
            request = requests.parse(text)
        except Invalid as problem:
            await self._complain(problem.message)
            return
        kind = request.get("type") or ""
        if not isinstance(kind, str) or kind not in self._door.handlers:
            await self._complain(f"unknown message type: {str(kind)[:SHOWN]}", request)
            return
        work = partial(self._handle, request)
        await self.lanes.put(requests.lane(request), work, size=len(text))

    async def _take_bytes(self, data: bytes) -> None:
        async def done() -> None:
            frame = frames.from_client(data)
            await self._door.frames[frame.type](self, frame)

        await self._guarded(done)

    async def _handle(self, request: Request) -> None:
        followed: list[Follow] = []
        _followed.set(followed)
        acts: set[Scope] = set()
        _acts.set(acts)
        outcome, began = "crashed", time.perf_counter()
        try:
            fields = await self._door.handlers[request["type"]](self, request)
            outcome = "ok"
            if fields is not None:
                await self.answer(request, **fields)
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        except MissingField as problem:
            outcome = problem.code
            await self._complain(problem.message, request)
        except WebtmuxError as problem:
            outcome = problem.code
            await self.answer(request, ok=False, error=problem.message)
        except Exception:
            log.exception("the request %s failed", request["type"])
            await self.answer(request, ok=False, error="internal error")
        finally:
            for follow in followed:
                follow.open.set()
            if acts:
                seconds = time.perf_counter() - began
                self.note(request["type"], request, outcome=outcome, seconds=seconds)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except NotFound:
            await self._complain(NO_AGENT)
        except WebtmuxError as problem:
            await self._complain(problem.message)
        except Exception:
            log.exception("a binary message failed")
            await self._complain("internal error")

    async def _complain(self, error: str, request: Request | None = None) -> None:
        await self.send({**identity(request or {}), "type": "error", "ok": False, "error": error})

    async def _look_up(self, name: str) -> str:
        life = self.runtime.main.life
        try:
            row = await self.runtime.main.pane(name)
        except NotFound:
            raise NotFound(NO_AGENT) from None
        if row.session_name == HIDDEN_SESSION:
            raise NotFound(NO_AGENT)
        if name in self._known or len(self._known) < KNOWN_PANES:
            self._known[name] = life
        return row.id

    async def _put(self, *, text: str | None = None, data: bytes | None = None) -> None:
        """One at a time and in order; waits while the client does not read."""
        async with self._sending:
            if self._closed:
                return
            # A client that has just left: the reader will be told, and ends everything.
            with contextlib.suppress(OSError):
                await self._asgi_send({"type": "websocket.send", "text": text, "bytes": data})
