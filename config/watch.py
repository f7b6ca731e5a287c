"""Ends what a caller has open once the caller has lost the right to it.

Sockets, streams, running calls and uploads join a group: one group per credential, one check per
group and second, however many members it has. Callers that cannot be revoked never join.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from asgiref.typing import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)

from config.refusals import Refusal, answer

logger = logging.getLogger(__name__)

# The promise is 3 s; the rest of them is for a slow database and for the end itself.
RECHECK_SECONDS = 1.0
CHECKS_AT_ONCE = 4  # half of the database's threads
# An application that was told of a disconnect gets this long before it is cancelled ...
NOTICE_SECONDS = 0.3
# ... and this long to clean up afterwards.
LEAVE_SECONDS = 5.0
ANSWER_SECONDS = 1.0
REVOKED_CODE = 4401
# For a socket's client to take leave, before the connection is cut.
GOODBYE_SECONDS = 0.7
# Where the server leaves a function that cuts the connection of a request or socket.
CUT = "webtmux.cut"
REVOKED = Refusal(
    401,
    "unauthorized",
    "you were signed out, or this token was revoked or has expired, while the request was running:"
    " sign in again, or use another token",
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


class Watch:
    """The groups of one process. Bound to the event loop that uses it."""

    def __init__(self) -> None:
        self._groups: dict[Hashable, _Group] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None

    def join(
        self, key: Hashable, check: Check, end: End, *, alive: Callable[[], bool] = _always
    ) -> End:
        """`end` is called once, as soon as `check` is false. Returns how to leave.

        A member that is no longer `alive` leaves by itself at the next check.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._groups, self._loop, self._looking = {}, loop, None
        group = self._groups.setdefault(key, _Group(check))
        member = _Member(end, alive)
        group.members.add(member)
        if self._looking is None or self._looking.done():
            self._looking = loop.create_task(self._look(), name="watch callers")

        def leave() -> None:
            group.members.discard(member)

        return leave

    async def _look(self) -> None:
        """Runs while there is anybody to look after; short requests pay nothing but the join."""
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
                # A database in trouble ends nothing.
                logger.exception("could not check again whether a caller is admitted")
                return
        # Who joins from now on was admitted anew.
        if self._groups.get(key) is group:
            del self._groups[key]
        for member in list(group.members):
            try:
                member.end()
            except Exception:
                logger.exception("could not end what a revoked caller had open")


class Served:
    """One request or socket that can be ended. Owns the task of the application behind it.

    Reachable as scope[WATCH], for applications that know more reasons why it should end.
    """

    def __init__(
        self, watch: Watch, who: str, *, credential: tuple[Hashable, Check] | None = None
    ) -> None:
        """`credential`: its group, and what tells whether it still admits. None: for ever."""
        self._watch, self._who, self._credential = watch, who, credential
        self._lost = asyncio.Event()
        self._waits: set[asyncio.Timeout] = set()
        self._leaves: list[End] = []
        self._started = self._complete = False

    def join(self, key: Hashable, check: Check) -> None:
        """Ends this request as soon as `check` is false."""
        self._leaves.append(self._watch.join(key, check, self._lost.set))

    def outlives(self, end: End, *, alive: Callable[[], bool]) -> None:
        """For what the request leaves behind, such as an MCP session."""
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
        served = asyncio.ensure_future(door(scope, self._heard(scope, receive), self._said(send)))
        lost = asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({served, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not served.done():
                await self._turn_away(scope, send)
                await asyncio.wait({served}, timeout=NOTICE_SECONDS)
        finally:
            for leave in self._leaves:
                leave()
            lost.cancel()
            served.cancel()
            await asyncio.wait({served, lost}, timeout=LEAVE_SECONDS)
        if served.done() and not served.cancelled() and not self._lost.is_set():
            served.result()

    async def _turn_away(self, scope: Any, send: ASGISendCallable) -> None:
        """The client learns of it, or is cut off; the application is told of a disconnect."""
        logger.info("ending a %s of %s: no longer admitted", scope["type"], self._who)
        cut: End | None = scope.get(CUT)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if scope["type"] == "websocket":
                    await send(
                        {"type": "websocket.close", "code": REVOKED_CODE, "reason": "signed out"}
                    )
                    if cut is not None:
                        asyncio.get_running_loop().call_later(GOODBYE_SECONDS, cut)
                elif not self._started:
                    await answer(scope, send, REVOKED)
                elif not self._complete and cut is not None:
                    # A clean end would look like a whole answer.
                    cut()
        except Exception:
            logger.exception("could not tell %s of the end", self._who)
        for wait in self._waits:
            wait.reschedule(0)

    def _heard(self, scope: Any, receive: ASGIReceiveCallable) -> ASGIReceiveCallable:
        async def heard() -> ASGIReceiveEvent:
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

        return heard

    def _said(self, send: ASGISendCallable) -> ASGISendCallable:
        async def said(event: ASGISendEvent) -> None:
            if self._lost.is_set():
                # An application that sends in a loop must still let the others run.
                await asyncio.sleep(0)
                return
            self._started = True
            if event["type"] == "http.response.body" and not event.get("more_body", False):
                self._complete = True
            await send(event)

        return said
