"""Tells what has changed to whoever listens: after the commit, over the channel layer.

Not for terminal bytes, and not a queue: a listener that is full misses events. So each carries the
new state with its version, and a listener joins first and reads afterwards.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Mapping
from functools import partial

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer  # type: ignore[import-untyped]
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
    transaction.on_commit(partial(_tell, group, event))


def _tell(group: str, event: Event) -> None:
    try:
        async_to_sync(_send)(group, {"type": "fact", "event": dict(event)})
    except Exception:
        # The fact is in the database: whoever reads next will see it.
        log.exception("could not tell the channel group %s", group)


async def _send(group: str, message: dict[str, object]) -> None:
    layer = get_channel_layer()
    if layer is not None:
        await asyncio.wait_for(layer.group_send(group, message), SEND_SECONDS)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
