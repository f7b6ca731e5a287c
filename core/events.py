"""Publishes changes to all listeners over the channel layer, after the commit.

Not for terminal bytes, and not a queue: a listener whose channel is full misses events. So each
event carries the new state with its version, and a listener subscribes first and reads afterwards.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from asgiref.sync import async_to_sync
from channels.layers import (
    BaseChannelLayer,
    InMemoryChannelLayer,
    get_channel_layer,
)
from django.db import transaction

log = logging.getLogger(__name__)

GROUP_LIMIT = 99  # Channels refuses longer names
SEND_SECONDS = 2.0  # a slow channel layer must not delay the writer
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)

Event = Mapping[str, object]


def topic(*parts: str) -> str:
    """The channel group of a subject. Different parts never give the same group."""
    name = ".".join(part if _PLAIN.fullmatch(part) else "." + _hash(part) for part in parts)
    return name if len(name) <= GROUP_LIMIT else "..." + _hash("\0".join(parts))


def publish(group: str, event: Event) -> None:
    """Send the event once the transaction is committed; never if it is rolled back."""
    publish_lazily([group], lambda: event)


def publish_lazily(groups: Sequence[str], build: Callable[[], Event]) -> None:
    """The same for an event that is expensive to build: built only if there are listeners."""
    transaction.on_commit(partial(_publish, groups, build))


class _Shared(dict[str, object]):
    """An event that is never changed, so it need not be copied.

    The in-memory layer copies each message for each listener; for a sheet with thousands of tasks
    that would block the event loop.
    """

    def __deepcopy__(self, memo: dict[int, object]) -> "_Shared":
        return self


def _publish(groups: Sequence[str], build: Callable[[], Event]) -> None:
    layer = get_channel_layer()
    listening = [group for group in groups if may_have_listeners(group)]
    if not listening:
        return
    message: dict[str, object] = {"type": "fact", "event": _Shared(build())}
    try:
        async_to_sync(_send)(layer, listening, message)
    except Exception:
        # The change is in the database: the next read shows it.
        log.exception("could not send an event to the channel group %s", listening[0])


def may_have_listeners(group: str) -> bool:
    """The in-memory layer knows its listeners; those of other processes are not known."""
    layer = get_channel_layer()
    if isinstance(layer, InMemoryChannelLayer):
        return group in layer.groups
    return layer is not None


async def _send(layer: BaseChannelLayer, groups: Sequence[str], message: dict[str, object]) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        for group in groups:
            await layer.group_send(group, message)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
