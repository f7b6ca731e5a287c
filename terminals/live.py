"""Tells what has changed to whoever listens: after the commit, over the channel layer.

Not for terminal bytes, and not a queue: a listener that is full misses events. So each carries the
new state with its version, and a listener joins first and reads afterwards.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import (  # type: ignore[import-untyped]
    InMemoryChannelLayer,
    get_channel_layer,
)
from django.db import transaction

log = logging.getLogger(__name__)

GROUP_LIMIT = 99  # Channels refuses longer names
SEND_SECONDS = 2.0  # a channel layer in trouble must not hold up whoever wrote the fact
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)

Event = Mapping[str, object]


def topic(*parts: str) -> str:
    """The group of a subject; different parts never give the same group."""
    name = ".".join(part if _PLAIN.fullmatch(part) else "." + _hash(part) for part in parts)
    return name if len(name) <= GROUP_LIMIT else "..." + _hash("\0".join(parts))


def publish(group: str, event: Event) -> None:
    """Once the transaction is committed; never if it is rolled back."""
    publish_made([group], lambda: event)


def publish_made(groups: Sequence[str], make: Callable[[], Event]) -> None:
    """The same, of an event that takes long to make: not made where nobody listens."""
    transaction.on_commit(partial(_tell, groups, make))


class _Shared(dict[str, object]):
    """An event that nobody changes: the layer in memory copies a message for each listener, which
    would hold the event loop for a sheet with thousands of tasks."""

    def __deepcopy__(self, memo: dict[int, object]) -> "_Shared":
        return self


def _tell(groups: Sequence[str], make: Callable[[], Event]) -> None:
    layer = get_channel_layer()
    heard = [group for group in groups if may_be_heard(group)]
    if not heard:
        return
    message: dict[str, object] = {"type": "fact", "event": _Shared(make())}
    try:
        async_to_sync(_send)(layer, heard, message)
    except Exception:
        # The fact is in the database: whoever reads next will see it.
        log.exception("could not tell the channel group %s", heard[0])


def may_be_heard(group: str) -> bool:
    """Inside this process it is known who listens; of other processes it is not."""
    layer = get_channel_layer()
    if isinstance(layer, InMemoryChannelLayer):
        return group in layer.groups
    return layer is not None


async def _send(layer: Any, groups: Sequence[str], message: dict[str, object]) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        for group in groups:
            await layer.group_send(group, message)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
