"""The worker that keeps the registry up to date: which agents run, and what each is doing.

The decisions are in detection/classify.py and screen/states.py. Started and supervised by
config/server/lifecycle.py.
"""

import asyncio
import logging
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents import registry, schemas
from agents.detection import classify
from agents.detection.classify import AgentName, AgentPlace, DetectedAgent
from agents.detection.scanner import Scanner
from agents.registry import Agent, AgentChange
from agents.runtimes.loader import AgentState, load, runtimes
from agents.screen.states import HOLD_SECONDS, Reading, StateTracker, read_screen
from core import events
from core.database import in_db
from core.errors import NotFound, TmuxAway, TmuxFailed
from core.offload import by_size
from core.workers import wait_for
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0  # tmux sends no notification for a process in a window with a fixed name
SETTLE_SECONDS = 0.05  # notifications come in bursts: one scan for all of them
AWAY_SECONDS = 1.0  # our connection may be lost and restored while tmux keeps running
CAPTURES = 16  # at once: each is three commands on the one pipe that also carries keys

NO_READING = Reading(AgentState.UNKNOWN)


@dataclass(slots=True)
class _WatchedScreen:
    """The last capture of one agent's screen, and what is believed of the agent."""

    pid: int
    tracker: StateTracker = field(default_factory=StateTracker)
    version: tuple[int, ...] = ()  # of the screen at the last capture
    captured_at: float = 0.0  # by the clock that tmux uses for activity
    reading: Reading = NO_READING


class Scan:
    """Repeated scans of one tmux server."""

    def __init__(self, tmux: Tmux, *, work_dir: str = "") -> None:
        self._tmux = tmux
        self._roots = [*{work_dir, os.path.realpath(work_dir)}] if work_dir else []
        self._scanner = Scanner(runtimes())
        self._watched: dict[str, _WatchedScreen] = {}
        self._names: dict[str, AgentName] = {}

    @property
    def settled(self) -> bool:
        """Whether no agent's state needs a second capture to be believed."""
        return all(watched.tracker.settled for watched in self._watched.values())

    async def run(self) -> list[Agent]:
        panes, clients = await asyncio.gather(self._tmux.panes(), self._tmux.clients())
        rows = {row.id: row for row in reversed(panes) if not row.dead}  # if linked, the first
        detected = self._scanner.scan({row.id: row.pid for row in rows.values()})
        detected = {
            pane: agent
            for pane, agent in detected.items()
            if classify.is_under(rows[pane].path, self._roots)
        }
        attached = {client.session_id for client in clients}
        await self._read([rows[pane] for pane in detected], detected)
        return self._agents(rows, detected, attached)

    def _agents(
        self, rows: dict[str, PaneRow], detected: dict[str, DetectedAgent], attached: set[str]
    ) -> list[Agent]:
        self._names = classify.names([_place(rows[pane]) for pane in detected], self._names)
        agents = [
            _agent(self._names[pane].name, rows[pane], agent, self._watched[pane], attached)
            for pane, agent in detected.items()
        ]
        return sorted(agents, key=lambda agent: agent.name)

    # --- what they are doing ---

    async def _read(self, rows: Sequence[PaneRow], detected: dict[str, DetectedAgent]) -> None:
        self._watched = {
            row.id: watched
            if (watched := self._watched.get(row.id)) and watched.pid == detected[row.id].pid
            else _WatchedScreen(detected[row.id].pid)
            for row in rows
        }
        if not rows:
            return
        activity = {row.id: row.activity for row in await self._tmux.windows()}
        limit = asyncio.Semaphore(CAPTURES)

        async def read(row: PaneRow) -> None:
            async with limit:
                await self._read_pane(row, detected[row.id].runtime, activity.get(row.window_id, 0))

        await asyncio.gather(*(read(row) for row in rows))

    async def _read_pane(self, row: PaneRow, runtime: str, activity: int) -> None:
        """Captures the pane only if something was printed since the last capture."""
        watched = self._watched[row.id]
        version = (activity, row.history, row.width, row.height, row.alternate)
        # tmux reports activity in whole seconds: more may be printed within the same second.
        if version != watched.version or activity >= int(watched.captured_at):
            watched.captured_at = time.time()
            try:
                raw = await self._tmux.capture(row.id, escapes=True)
            except NotFound:
                return
            lines = raw.decode("utf-8", "replace").split("\n")
            watched.version = version
            watched.reading = await by_size(len(raw), read_screen, lines, load(runtime))
        watched.tracker.update(watched.reading, time.monotonic())


def _place(row: PaneRow) -> AgentPlace:
    return AgentPlace(row.id, row.session_id, row.session_name, row.window_index, row.index)


def _agent(
    name: str, row: PaneRow, detected: DetectedAgent, watched: _WatchedScreen, attached: set[str]
) -> Agent:
    believed = watched.tracker.believed
    return Agent(
        name=name,
        runtime=detected.runtime,
        work_dir=row.path,
        attached=row.session_id in attached,
        pane_id=row.id,
        window_id=row.window_id,
        session=row.session_name,
        pid=detected.pid,
        state=believed.state,
        question=believed.question,
        options=believed.options,
    )


async def scan_agents(runtime: Runtime, *, stop: asyncio.Event, work_dir: str = "") -> None:
    """Until `stop`. A tmux server that ends or starts is a change like any other."""
    tmux, scan = runtime.main, Scan(runtime.main, work_dir=work_dir)
    try:
        with tmux.watching() as changed:
            while not stop.is_set():
                changed.clear()
                await scan_once(scan, changed, stop)
                pause = POLL_SECONDS if scan.settled else HOLD_SECONDS
                if await wait_for(stop, changed, seconds=pause) is changed:
                    await wait_for(stop, seconds=SETTLE_SECONDS)
    finally:
        registry.current().replace(())


async def scan_once(scan: Scan, changed: asyncio.Event, stop: asyncio.Event) -> None:
    try:
        await publish(registry.current().replace(await scan.run()))
    except TmuxAway:
        if await wait_for(stop, changed, seconds=AWAY_SECONDS) is None:
            await publish(registry.current().replace(()))
    except TmuxFailed as failure:
        log.warning("tmux could not list its panes: %s", failure.message)


async def publish(changes: Iterable[AgentChange]) -> None:
    if messages := [schemas.event(change) for change in changes]:
        event = {"type": "agents-changed", "changes": messages}
        await in_db(events.publish)(registry.TOPIC, event)
