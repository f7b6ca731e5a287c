"""Every call of a tool: one log line at once, one row a little later.

Writing never slows or fails a call: rows wait in a bounded queue that a worker empties. Never the
text that a caller sent: its length, and a keyed hash that only tells whether two are the same.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from mcp_gateway.callers import Caller
from mcp_gateway.models import ToolCall
from terminals.db import in_db
from terminals.workers import wait_for

log = logging.getLogger(__name__)

QUEUE_LIMIT = 10_000  # calls that wait to be written; some minutes of a very busy server
BATCH = 500  # rows in one statement
GATHER_SECONDS = 0.5  # one transaction for what came meanwhile
IDLE_SECONDS = 60.0
KEPT = timedelta(days=90)
OK, CRASHED, CANCELLED = "ok", "crashed", "cancelled"
# The arguments that say where a tool acts, and those that hold what somebody wrote.
TARGETS = (
    "session", "windowId", "windowIndex", "windowName", "current", "scope", "target", "agent",
    "tab_id", "process_id", "name", "window", "pane",
)  # fmt: skip
TEXTS = ("text", "notes", "prompt", "command", "keys", "answer", "query", "pattern")


class Audit:
    """Owns the queue; `write` is the worker that empties it."""

    def __init__(self, *, limit: int = QUEUE_LIMIT) -> None:
        self._waiting: deque[ToolCall] = deque()
        self._limit = limit
        self._news = asyncio.Event()
        self.dropped = 0

    @contextmanager
    def noting(self, tool: str, arguments: Mapping[str, Any], caller: Caller) -> Iterator[ToolCall]:
        """The row of a call that begins now; whoever answers it sets the outcome."""
        row = _begun(tool, arguments, caller)
        began = time.perf_counter()
        try:
            yield row
        except asyncio.CancelledError:
            row.outcome = CANCELLED
            raise
        finally:
            row.ms = round((time.perf_counter() - began) * 1000)
            self._keep(row)

    async def write(self, *, stop: asyncio.Event) -> None:
        """Until `stop`, and then what is left."""
        while not stop.is_set():
            if await wait_for(stop, self._news, seconds=IDLE_SECONDS) is self._news:
                await wait_for(stop, seconds=GATHER_SECONDS)
            await self._flush()
        await self._flush()

    def _keep(self, row: ToolCall) -> None:
        log.info(
            "%s %r by %s: %s in %d ms%s", row.tool, row.target, row.caller, row.outcome, row.ms,
            f", text of {row.length} ({row.digest[:12]})" if row.digest else "",
        )  # fmt: skip
        if len(self._waiting) >= self._limit:
            self.dropped += 1
            return
        self._waiting.append(row)
        self._news.set()

    async def _flush(self) -> None:
        """A row leaves the queue once it is written: a database in trouble loses none."""
        self._news.clear()
        while rows := list(islice(self._waiting, BATCH)):
            await in_db(_write)(rows)
            for _ in rows:
                self._waiting.popleft()
        if self.dropped:
            log.warning("%d calls were not written: the queue was full", self.dropped)
            self.dropped = 0


def _write(rows: list[ToolCall]) -> None:
    with transaction.atomic():
        ToolCall.objects.filter(at__lt=timezone.now() - KEPT).delete()
        ToolCall.objects.bulk_create(rows)


def _begun(tool: str, arguments: Mapping[str, Any], caller: Caller) -> ToolCall:
    text = "\0".join(str(arguments[name]) for name in TEXTS if name in arguments)
    who = caller.principal
    return ToolCall(
        at=timezone.now(),
        tool=tool[:64],
        target=_target(arguments)[:200],
        caller=f"{who.kind} {who.name}"[:120],
        outcome=CRASHED,
        digest=_digest(text) if text else "",
        length=len(text),
    )


def _target(arguments: Mapping[str, Any]) -> str:
    named = ((name, arguments[name]) for name in TARGETS if arguments.get(name) not in (None, ""))
    return " ".join(f"{name}={value}" for name, value in named).replace("\0", "")


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return salted_hmac("mcp_gateway.audit", data, algorithm="sha256").hexdigest()
