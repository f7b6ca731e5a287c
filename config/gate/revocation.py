"""Ends the open requests and sockets of a caller whose credential was revoked.

Sockets, streams, running calls and uploads join a group: one group per credential, and one check
per group and second, regardless of the number of members. Callers that cannot be revoked never
join.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import cast

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)

from config.gate.refusals import Refusal, answer

logger = logging.getLogger(__name__)

# docs/security.md promises 3 s: the rest is for a slow database and for ending the request.
RECHECK_SECONDS = 1.0
CHECKS_AT_ONCE = 4  # half of the database threads
# After a disconnect event the application gets this long before it is cancelled ...
NOTICE_SECONDS = 0.3
# ... and this long to clean up afterwards.
LEAVE_SECONDS = 5.0
ANSWER_SECONDS = 1.0
REVOKED_CODE = 4401
# For the client of a socket to close it, before the connection is cut.
GOODBYE_SECONDS = 0.7
# The key in the scope under which the server stores a function that cuts the connection.
CUT = "webtmux.cut"
REVOKED = Refusal(
    401,
    "unauthorized",
    "You were signed out, or the token was revoked or has expired, during this request."
    " Sign in again, or use another token.",
    ((b"www-authenticate", b'Bearer realm="webtmux"'),),
)

Check = Callable[[], Awaitable[bool]]
End = Callable[[], None]


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class _Member:
    end: End
    alive: Callable[[], bool]


@dataclass(slots=True)
class _Group:
    check: Check
    members: set[_Member] = field(default_factory=set)


class RevocationWatch:
    """The groups of one process. Bound to the event loop that uses it."""

    def __init__(self) -> None:
        self._groups: dict[Hashable, _Group] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._checking: asyncio.Task[None] | None = None

    def join(
        self, key: Hashable, check: Check, end: End, *, alive: Callable[[], bool] = _always
    ) -> End:
        """Call `end` once, as soon as `check` is false. Returns a function that cancels this.

        A member that is no longer `alive` is removed at the next check.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._groups, self._loop, self._checking = {}, loop, None
        group = self._groups.setdefault(key, _Group(check))
        member = _Member(end, alive)
        group.members.add(member)
        if self._checking is None or self._checking.done():
            self._checking = loop.create_task(self._check_all(), name="watch callers")

        def leave() -> None:
            group.members.discard(member)

        return leave

    async def _check_all(self) -> None:
        """Runs while there are members; a short request costs nothing but the join."""
        limit = asyncio.Semaphore(CHECKS_AT_ONCE)
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            for key, group in list(self._groups.items()):
                group.members = {member for member in group.members if member.alive()}
                if not group.members:
                    del self._groups[key]
            if not self._groups:
                return
            await asyncio.gather(
                *(self._recheck(key, group, limit) for key, group in self._groups.items())
            )

    async def _recheck(self, key: Hashable, group: _Group, limit: asyncio.Semaphore) -> None:
        async with limit:
            try:
                if await group.check():
                    return
            except Exception:
                # A failing database ends nothing.
                logger.exception("could not check whether a caller is still admitted")
                return
        # Members that join from now on were admitted after the check.
        if self._groups.get(key) is group:
            del self._groups[key]
        for member in list(group.members):
            try:
                member.end()
            except Exception:
                logger.exception("could not end a request of a revoked caller")


class RevocableRequest:
    """One request or socket that can be ended. Owns the task of the application that serves it.

    Available as scope[WATCH], for applications with further reasons to end it.
    """

    def __init__(
        self,
        watch: RevocationWatch,
        caller_name: str,
        *,
        credential: tuple[Hashable, Check] | None = None,
    ) -> None:
        """`credential`: its group, and the check whether it is still valid. None: always valid."""
        self._watch, self._who, self._credential = watch, caller_name, credential
        self._lost = asyncio.Event()
        self._waits: set[asyncio.Timeout] = set()
        self._leaves: list[End] = []
        self._started = self._complete = False

    def join(self, key: Hashable, check: Check) -> None:
        """End this request as soon as `check` is false."""
        self._leaves.append(self._watch.join(key, check, self._lost.set))

    def outlives(self, end: End, *, alive: Callable[[], bool]) -> None:
        """For objects that outlive the request, such as an MCP session."""
        if self._credential is not None:
            self._watch.join(*self._credential, end, alive=alive)

    async def run(
        self,
        door: ASGI3Application,
        scope: Scope,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        if self._credential is not None:
            self.join(*self._credential)
        inner = door(scope, self._wrap_receive(scope, receive), self._wrap_send(send))
        served = asyncio.ensure_future(inner)
        lost = asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({served, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not served.done():
                await self._end_connection(scope, send)
                await asyncio.wait({served}, timeout=NOTICE_SECONDS)
        finally:
            for leave in self._leaves:
                leave()
            lost.cancel()
            served.cancel()
            await asyncio.wait({served, lost}, timeout=LEAVE_SECONDS)
        if served.done() and not served.cancelled() and not self._lost.is_set():
            served.result()

    async def _end_connection(self, scope: Scope, send: ASGISendCallable) -> None:
        """Inform the client or cut the connection; the application gets a disconnect event."""
        logger.info("ending a %s of %s: no longer admitted", scope["type"], self._who)
        cut = cast("End | None", scope.get(CUT))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if scope["type"] == "websocket":
                    await send(
                        {"type": "websocket.close", "code": REVOKED_CODE, "reason": "signed out"}
                    )
                    if cut is not None:
                        asyncio.get_running_loop().call_later(GOODBYE_SECONDS, cut)
                elif scope["type"] == "http" and not self._started:
                    await answer(scope, send, REVOKED)
                elif not self._complete and cut is not None:
                    # A clean end would look like a complete response.
                    cut()
        except Exception:
            logger.exception("could not inform %s that the connection ends", self._who)
        for wait in self._waits:
            wait.reschedule(0)

    def _wrap_receive(self, scope: Scope, receive: ASGIReceiveCallable) -> ASGIReceiveCallable:
        async def wrapped() -> ASGIReceiveEvent:
            if not self._lost.is_set():
                try:
                    async with asyncio.timeout(None) as wait:
                        self._waits.add(wait)
                        try:
                            event = await receive()
                        finally:
                            self._waits.discard(wait)
                    if not self._lost.is_set():
                        return event
                except TimeoutError:
                    if not self._lost.is_set():
                        raise
            if scope["type"] == "http":
                return {"type": "http.disconnect"}
            return {"type": "websocket.disconnect", "code": REVOKED_CODE, "reason": None}

        return wrapped

    def _wrap_send(self, send: ASGISendCallable) -> ASGISendCallable:
        async def wrapped(event: ASGISendEvent) -> None:
            if self._lost.is_set():
                # Yield: an application that sends in a loop must not block the others.
                await asyncio.sleep(0)
                return
            self._started = True
            if event["type"] == "http.response.body" and not event.get("more_body", False):
                self._complete = True
            await send(event)

        return wrapped
