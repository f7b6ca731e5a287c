"""Tells clients that a resource has changed, for as long as somebody listens to it.

One task for each address that is listened to, whoever listens. What a change is: resources.py.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from mcp import MCPError
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import SubscriptionBus
from mcp.shared.subscriptions import ResourceUpdated
from mcp.types import (
    INVALID_PARAMS,
    EmptyResult,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)

from mcp_gateway import resources
from terminals.errors import WebtmuxError

log = logging.getLogger(__name__)

MOST_ADDRESSES = 500  # listened to at once, by all clients together
PAUSE_SECONDS = 1.0  # between two notices of one address: a reader comes back for the newest
HELD = "webtmux.held"  # the key of a connection's own subscriptions
TELL_SECONDS = 2.0  # for one client that does not take its notice


class Watch:
    """`bus` reaches the listeners of 2026-07-28; sessions of before are told one by one."""

    def __init__(self, bus: SubscriptionBus) -> None:
        self._bus = bus
        self._listeners: Counter[str] = Counter()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, list[ServerSession]] = {}

    @contextlib.contextmanager
    def listening(
        self, addresses: Iterable[str], session: ServerSession | None = None
    ) -> Iterator[None]:
        """While the context lasts. An address that is none of ours never has news."""
        known = [address for address in addresses if _is_ours(address)]
        for address in known:
            self._hold(address, session)
        try:
            yield
        finally:
            for address in known:
                self._release(address, session)

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams
    ) -> EmptyResult:
        """Of a session; ends with it at the latest."""
        connection = _connection(ctx)
        held = connection.state.setdefault(HELD, {})
        if params.uri not in held:
            held[params.uri] = listening = contextlib.ExitStack()
            listening.enter_context(self.listening([params.uri], ctx.session))
            connection.exit_stack.callback(listening.close)
        return EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        held = _connection(ctx).state.get(HELD, {})
        if params.uri in held:
            held.pop(params.uri).close()
        return EmptyResult()

    @property
    def addresses(self) -> set[str]:
        return set(self._tasks)

    def _hold(self, address: str, session: ServerSession | None) -> None:
        if len(self._tasks) >= MOST_ADDRESSES and address not in self._tasks:
            raise MCPError(INVALID_PARAMS, "too many resources are listened to: end another first")
        self._listeners[address] += 1
        if session is not None:
            self._sessions.setdefault(address, []).append(session)
        if address not in self._tasks:
            self._tasks[address] = asyncio.create_task(self._follow(address), name=address)

    def _release(self, address: str, session: ServerSession | None) -> None:
        self._listeners[address] -= 1
        if session is not None:
            self._sessions[address].remove(session)
        if not self._listeners[address]:
            self._tasks.pop(address).cancel()
            self._sessions.pop(address, None)
            del self._listeners[address]

    async def _follow(self, address: str) -> None:
        view, window = resources.parse(address)
        try:
            async with contextlib.aclosing(view.changes(window)) as changes:
                async for _ in changes:
                    await self._tell(address)
                    await asyncio.sleep(PAUSE_SECONDS)
        except WebtmuxError:
            await self._tell(address)  # it is gone: whoever reads it now is told so
        except Exception:
            log.exception("could not follow %s", address)

    async def _tell(self, address: str) -> None:
        await self._bus.publish(ResourceUpdated(uri=address))
        for session in list(self._sessions.get(address, ())):
            try:
                await asyncio.wait_for(session.send_resource_updated(address), TELL_SECONDS)
            except Exception:
                log.debug("a session did not take a notice of %s", address)


def listened(ctx: ServerRequestContext[Any, Any]) -> list[str]:
    """What a request of 2026-07-28 listens to while it lasts; others listen to nothing."""
    if ctx.method != "subscriptions/listen":
        return []
    wanted = (ctx.params or {}).get("notifications")
    named = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
    return [each for each in named if isinstance(each, str)] if isinstance(named, list) else []


def _connection(ctx: ServerRequestContext[Any, Any]) -> Connection:
    # The SDK's place for what must end with a session, which it does not hand out otherwise.
    return ctx.session._connection


def _is_ours(address: str) -> bool:
    try:
        resources.parse(address)
    except WebtmuxError:
        return False
    return True
