"""Every call of a tool and every write at another door: one log line, one row a little later.

Writing never slows or fails a call: rows wait in a bounded queue that a worker empties. Never the
text that a caller sent: its length, and a keyed hash that only tells whether two are the same.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agents import registry
from mcp_gateway import whereabouts
from mcp_gateway.models import ToolCall
from mcp_gateway.whereabouts import Whereabouts
from terminals import runtime, selectors
from terminals.access import Principal
from terminals.db import in_db
from terminals.errors import TmuxAway
from terminals.models import Project, Window
from terminals.workers import wait_for

log = logging.getLogger(__name__)

QUEUE_LIMIT = 10_000  # calls that wait to be written; some minutes of a very busy server
BATCH = 500  # rows in one statement
GATHER_SECONDS = 0.5  # one transaction for what came meanwhile
IDLE_SECONDS = 60.0
KEPT = timedelta(days=90)
MOST_ROWS = 500_000  # about 150 MB
OK, CRASHED, CANCELLED = "ok", "crashed", "cancelled"
# The arguments that say where a tool acts, and those that hold what somebody wrote.
TARGETS = (
    "session", "windowId", "windowIndex", "windowName", "current", "scope", "target", "agent",
    "tab_id", "process_id", "name", "window", "pane", "project", "key", "share",
)  # fmt: skip
TEXTS = ("text", "notes", "prompt", "command", "keys", "answer", "query", "pattern")


@dataclass(frozen=True, slots=True)
class Noted:
    """A call that waits to be written. What it names means something in one life of tmux only."""

    row: ToolCall
    where: Whereabouts
    life: str


class Audit:
    """Owns the queue; `write` is the worker that empties it."""

    def __init__(self, *, limit: int = QUEUE_LIMIT) -> None:
        self._waiting: deque[Noted] = deque()
        self._limit = limit
        self._news = asyncio.Event()
        self.dropped = 0

    @contextmanager
    def noting(
        self, tool: str, arguments: Mapping[str, Any], caller: Principal
    ) -> Iterator[ToolCall]:
        """The row of a call over MCP that begins now; whoever answers it sets the outcome."""
        row = _begun(tool, arguments, caller)
        noted = Noted(row, *_located(arguments))
        began = time.perf_counter()
        try:
            yield row
        except asyncio.CancelledError:
            row.outcome = CANCELLED
            raise
        finally:
            row.ms = round((time.perf_counter() - began) * 1000)
            self._keep(noted)

    def note(
        self,
        door: str,
        operation: str,
        arguments: Mapping[str, Any],
        caller: Principal,
        *,
        outcome: str = OK,
        seconds: float = 0.0,
        length: int = 0,
    ) -> None:
        """A write that has ended. `length`: of what was sent, where it is no text."""
        row = _begun(operation, arguments, caller)
        row.door, row.outcome, row.ms = door, outcome[:16], round(seconds * 1000)
        row.length = row.length or length
        self._keep(Noted(row, *_located(arguments)))

    async def write(self, *, stop: asyncio.Event) -> None:
        """Until `stop`, and then what is left."""
        while not stop.is_set():
            if await wait_for(stop, self._news, seconds=IDLE_SECONDS) is self._news:
                await wait_for(stop, seconds=GATHER_SECONDS)
            await self._flush()
        await self._flush()

    def _keep(self, noted: Noted) -> None:
        row = noted.row
        log.info(
            "%s %s %r by %s: %s in %d ms%s",
            row.door, row.tool, row.target, row.caller, row.outcome, row.ms,
            f", text of {row.length} ({row.digest[:12]})" if row.digest else "",
        )  # fmt: skip
        if len(self._waiting) >= self._limit:
            self.dropped += 1
            return
        self._waiting.append(noted)
        self._news.set()

    async def _flush(self) -> None:
        """A row leaves the queue once it is written: a database in trouble loses none."""
        self._news.clear()
        while noted := list(islice(self._waiting, BATCH)):
            await in_db(_write)(noted)
            for _ in noted:
                self._waiting.popleft()
        if self.dropped:
            log.warning("%d calls were not written: the queue was full", self.dropped)
            self.dropped = 0


def _write(noted: Sequence[Noted]) -> None:
    places = {(each.where, each.life): _place(each.where, each.life) for each in noted}
    for each in noted:
        each.row.project, each.row.window = places[each.where, each.life]
    with transaction.atomic():
        outdated().delete()
        ToolCall.objects.bulk_create([each.row for each in noted])


def outdated() -> QuerySet[ToolCall]:
    """The rows that are too old, and of the rest the oldest that are too many."""
    newest = ToolCall.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    old = Q(at__lt=timezone.now() - KEPT) | Q(pk__lte=newest - MOST_ROWS)
    return ToolCall.objects.filter(old).order_by("pk")


def _located(arguments: Mapping[str, Any]) -> tuple[Whereabouts, str]:
    """From memory: a call does not wait for tmux to say where it acts."""
    try:
        held = runtime.current()
        windows, life = held.workspace.shown.windows, held.main.life
    except TmuxAway:
        return Whereabouts(), ""
    agents = {name: agent.window_id for name, agent in registry.current().agents.items()}
    return whereabouts.find(arguments, windows, agents), life


def _place(where: Whereabouts, life: str) -> tuple[Project | None, Window | None]:
    if where.window:
        by_id = selectors.window_by_id(life=life, tmux_id=where.window)
        window = by_id or selectors.window_by_key(key=where.window)
        return (window.project, window) if window else (None, None)
    return selectors.project_called(name=where.session) if where.session else None, None


def _begun(tool: str, arguments: Mapping[str, Any], caller: Principal) -> ToolCall:
    text = "\0".join(str(arguments[name]) for name in TEXTS if name in arguments)
    return ToolCall(
        at=timezone.now(),
        tool=tool[:64],
        target=_target(arguments)[:200],
        caller=f"{caller.kind} {caller.name}"[:120],
        outcome=CRASHED,
        digest=_digest(text) if text else "",
        length=len(text),
    )


def _target(arguments: Mapping[str, Any]) -> str:
    named = ((name, arguments[name]) for name in TARGETS if arguments.get(name) not in (None, ""))
    words = (f"{name}={value}" for name, value in named if isinstance(value, str | int))
    return " ".join(words).encode("utf-8", "replace").decode().replace("\0", "")


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return salted_hmac("mcp_gateway.audit", data, algorithm="sha256").hexdigest()
