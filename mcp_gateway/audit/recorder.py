"""Records every tool call, and every write over REST and the socket, in the log and the database.

A call never waits for the database: rows wait in a bounded queue that a worker empties. The text of
a call is not recorded, only its length and a keyed hash that shows whether two texts are equal.
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

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from agents import registry
from core.callers import Principal
from core.database import in_turn
from core.errors import TmuxAway
from core.workers import wait_for
from mcp_gateway.audit import locations
from mcp_gateway.audit.locations import CallLocation
from mcp_gateway.models import ToolCall
from terminals import runtime, selectors
from terminals.models import Project, Window

log = logging.getLogger(__name__)

QUEUE_LIMIT = 10_000  # unwritten calls: some minutes of a very busy server
BATCH = 500  # rows in one statement
GATHER_SECONDS = 0.5  # collects several rows into one transaction
IDLE_SECONDS = 60.0
KEPT = timedelta(days=90)
MOST_ROWS = 500_000  # about 150 MB
OK, CRASHED, CANCELLED = "ok", "crashed", "cancelled"
# The arguments that say where a tool acts, and those that contain a user's text.
TARGETS = (
    "session", "windowId", "windowIndex", "windowName", "current", "scope", "target", "agent",
    "tab_id", "process_id", "name", "window", "pane", "project", "key", "share",
)  # fmt: skip  # a list of words
TEXTS = ("text", "notes", "prompt", "command", "keys", "answer", "query", "pattern")


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that is not written yet. Its tmux ids are valid in one run of the server only."""

    row: ToolCall
    location: CallLocation
    server_run: str


class Audit:
    """The queue of calls. `write` is the worker that empties it."""

    def __init__(self, *, limit: int = QUEUE_LIMIT) -> None:
        self._waiting: deque[PendingCall] = deque()
        self._limit = limit
        self._news = asyncio.Event()
        self.dropped = 0

    @contextmanager
    def noting(
        self, tool: str, arguments: Mapping[str, object], caller: Principal
    ) -> Iterator[ToolCall]:
        """Record an MCP call. The caller of this context sets the outcome of the row."""
        row = _new_row(tool, arguments, caller)
        pending = PendingCall(row, *_located(arguments))
        began = time.perf_counter()
        try:
            yield row
        except asyncio.CancelledError:
            row.outcome = CANCELLED
            raise
        finally:
            row.ms = round((time.perf_counter() - began) * 1000)
            self._keep(pending)

    def note(
        self,
        door: str,
        operation: str,
        arguments: Mapping[str, object],
        caller: Principal,
        *,
        outcome: str = OK,
        seconds: float = 0.0,
        length: int = 0,
    ) -> None:
        """Record a finished write. `length`: the size of data that is not text."""
        row = _new_row(operation, arguments, caller)
        row.door, row.outcome, row.ms = door, outcome[:16], round(seconds * 1000)
        row.length = row.length or length
        self._keep(PendingCall(row, *_located(arguments)))

    async def write(self, *, stop: asyncio.Event) -> None:
        """Run until `stop` is set, then write the remaining rows."""
        while not stop.is_set():
            if await wait_for(stop, self._news, seconds=IDLE_SECONDS) is self._news:
                await wait_for(stop, seconds=GATHER_SECONDS)
            await self._flush()
        await self._flush()

    def _keep(self, pending: PendingCall) -> None:
        row = pending.row
        log.info(
            "%s %s %r by %s: %s in %d ms%s",
            row.door,
            row.tool,
            row.target,
            row.caller,
            row.outcome,
            row.ms,
            f", text of {row.length} ({row.digest[:12]})" if row.digest else "",
        )
        if len(self._waiting) >= self._limit:
            self.dropped += 1
            return
        self._waiting.append(pending)
        self._news.set()

    async def _flush(self) -> None:
        """A row leaves the queue only after it was written, so that no database error loses it."""
        self._news.clear()
        while batch := list(islice(self._waiting, BATCH)):
            await in_turn(_write)(batch)
            for _ in batch:
                self._waiting.popleft()
        if self.dropped:
            log.warning("%d calls were not recorded because the queue was full", self.dropped)
            self.dropped = 0


def _write(batch: Sequence[PendingCall]) -> None:
    keys = {(call.location, call.server_run) for call in batch}
    owners = {key: _owners(*key) for key in keys}
    for call in batch:
        call.row.project, call.row.window = owners[call.location, call.server_run]
    with transaction.atomic():
        outdated().delete()
        ToolCall.objects.bulk_create([call.row for call in batch])


def outdated() -> QuerySet[ToolCall]:
    """The rows that are too old, and the oldest of those beyond the limit."""
    newest = ToolCall.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    old = Q(at__lt=timezone.now() - KEPT) | Q(pk__lte=newest - MOST_ROWS)
    return ToolCall.objects.filter(old).order_by("pk")


def _located(arguments: Mapping[str, object]) -> tuple[CallLocation, str]:
    """From memory: a call does not wait for tmux."""
    try:
        active = runtime.current()
        windows, server_run = active.workspace.state.windows, active.main.server_run
    except TmuxAway:
        return CallLocation(), ""
    agents = {name: agent.window_id for name, agent in registry.current().agents.items()}
    return locations.find(arguments, windows, agents), server_run


def _owners(location: CallLocation, server_run: str) -> tuple[Project | None, Window | None]:
    if location.window:
        by_id = selectors.window_by_id(server_run=server_run, tmux_id=location.window)
        window = by_id or selectors.window_by_key(key=location.window)
        return (window.project, window) if window else (None, None)
    return selectors.find_project(name=location.session) if location.session else None, None


def _new_row(tool: str, arguments: Mapping[str, object], caller: Principal) -> ToolCall:
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


def _target(arguments: Mapping[str, object]) -> str:
    named = ((name, arguments[name]) for name in TARGETS if arguments.get(name) not in (None, ""))
    words = (f"{name}={value}" for name, value in named if isinstance(value, str | int))
    return " ".join(words).encode("utf-8", "replace").decode().replace("\0", "")


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return salted_hmac("mcp_gateway.audit", data, algorithm="sha256").hexdigest()
