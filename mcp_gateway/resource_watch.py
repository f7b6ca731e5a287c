"""Notifies clients when a resource that they subscribed to has changed.

One task for each subscribed address, shared by all its subscribers. resources.py detects changes.
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

from core.errors import WebtmuxError
from mcp_gateway import resources

RequestContext = ServerRequestContext[Any, Any]  # we use neither its state nor its request type

log = logging.getLogger(__name__)

MOST_ADDRESSES = 500  # subscribed at the same time, by all clients together
PAUSE_SECONDS = 1.0  # between two notifications of one address
SUBSCRIPTIONS = "webtmux.subscriptions"  # the key in a connection's state
NOTIFY_SECONDS = 2.0  # for one client that does not accept its notification


class ResourceWatch:
    """`bus` serves protocol revision 2026-07-28; sessions of older ones are notified one by one."""

    def __init__(self, bus: SubscriptionBus) -> None:
        self._bus = bus
        self._listeners: Counter[str] = Counter()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, list[ServerSession]] = {}

    @contextlib.contextmanager
    def listening(
        self, addresses: Iterable[str], session: ServerSession | None = None
    ) -> Iterator[None]:
        """Watch the addresses while the context is open. Unknown addresses never change."""
        known = [address for address in addresses if _is_ours(address)]
        for address in known:
            self._hold(address, session)
        try:
            yield
        finally:
            for address in known:
                self._release(address, session)

    async def subscribe(self, ctx: RequestContext, params: SubscribeRequestParams) -> EmptyResult:
        """Subscribe a session; the subscription ends with the session at the latest."""
        connection = _connection(ctx)
        subscriptions = connection.state.setdefault(SUBSCRIPTIONS, {})
        if params.uri not in subscriptions:
            subscriptions[params.uri] = listening = contextlib.ExitStack()
            listening.enter_context(self.listening([params.uri], ctx.session))
            connection.exit_stack.callback(listening.close)
        return EmptyResult()

    async def unsubscribe(
        self, ctx: RequestContext, params: UnsubscribeRequestParams
    ) -> EmptyResult:
        subscriptions = _connection(ctx).state.get(SUBSCRIPTIONS, {})
        if params.uri in subscriptions:
            subscriptions.pop(params.uri).close()
        return EmptyResult()

    @property
    def addresses(self) -> set[str]:
        return set(self._tasks)

    def _hold(self, address: str, session: ServerSession | None) -> None:
        if len(self._tasks) >= MOST_ADDRESSES and address not in self._tasks:
            raise MCPError(
                INVALID_PARAMS, "too many subscriptions: unsubscribe from another resource first"
            )
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
                    await self._notify(address)
                    await asyncio.sleep(PAUSE_SECONDS)
        except WebtmuxError:
            await self._notify(address)  # it no longer exists: a reader gets an error
        except Exception:
            log.exception("could not follow %s", address)

    async def _notify(self, address: str) -> None:
        await self._bus.publish(ResourceUpdated(uri=address))
        for session in list(self._sessions.get(address, ())):
            try:
                await asyncio.wait_for(session.send_resource_updated(address), NOTIFY_SECONDS)
            except Exception:
                log.debug("a session did not accept a notification of %s", address)


def listened(ctx: RequestContext) -> list[str]:
    """The addresses that a `subscriptions/listen` request (2026-07-28) watches."""
    if ctx.method != "subscriptions/listen":
        return []
    wanted = (ctx.params or {}).get("notifications")
    named = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
    return [each for each in named if isinstance(each, str)] if isinstance(named, list) else []


def _connection(ctx: RequestContext) -> Connection:
    # Private to the SDK, which offers no public way to end something with a session.
    return ctx.session._connection


def _is_ours(address: str) -> bool:
    try:
        resources.parse(address)
    except WebtmuxError:
        return False
    return True
