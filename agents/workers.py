"""The worker that keeps the registry true: who is there, and what each is doing.

Not where that is decided: detect.py and states.py. Started and supervised by config/process.py.
"""

import asyncio
import logging
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents import detect, registry, schemas
from agents.detect import Found, Named, Place
from agents.processes import Scanner
from agents.registry import Agent, Change
from agents.rules import load, runtimes
from agents.states import HOLD_SECONDS, Memory, Reading, State, read_screen
from terminals import live
from terminals.db import in_db
from terminals.errors import NotFound, TmuxAway, TmuxFailed
from terminals.off_loop import by_size
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from terminals.workers import wait_for

log = logging.getLogger(__name__)

AGENTS = live.topic("agents")
POLL_SECONDS = 1.0  # a process that starts in a window with a fixed name raises no notice
SETTLE_SECONDS = 0.05  # notices come in bursts: one scan for all of them
AWAY_SECONDS = 1.0  # our connection may be lost and made again while tmux lives on
CAPTURES = 16  # at once: each is three commands on the one pipe that also carries keys

NOTHING = Reading(State.UNKNOWN)


@dataclass(slots=True)
class _Watched:
    """What was seen of one agent's screen."""

    pid: int
    memory: Memory = field(default_factory=Memory)
    seen: tuple[int, ...] = ()
    shot: float = 0.0  # when, by the clock that tmux uses for activity
    reading: Reading = NOTHING


class Scan:
    """One look after another at a tmux server."""

    def __init__(self, tmux: Tmux, *, work_dir: str = "") -> None:
        self._tmux = tmux
        self._roots = [*{work_dir, os.path.realpath(work_dir)}] if work_dir else []
        self._scanner = Scanner(runtimes())
        self._watched: dict[str, _Watched] = {}
        self._named: dict[str, Named] = {}

    @property
    def settled(self) -> bool:
        """Whether what is believed of every agent needs no second look."""
        return all(watched.memory.settled for watched in self._watched.values())

    async def look(self) -> list[Agent]:
        panes, people = await asyncio.gather(self._tmux.panes(), self._tmux.clients())
        rows = {row.id: row for row in reversed(panes) if not row.dead}  # linked: the first counts
        found = self._scanner.scan({row.id: row.pid for row in rows.values()})
        found = {
            pane: agent
            for pane, agent in found.items()
            if detect.is_under(rows[pane].path, self._roots)
        }
        attached = {client.session_id for client in people}
        await self._read([rows[pane] for pane in found], found)
        return self._agents(rows, found, attached)

    def _agents(
        self, rows: dict[str, PaneRow], found: dict[str, Found], attached: set[str]
    ) -> list[Agent]:
        self._named = detect.names([_place(rows[pane]) for pane in found], self._named)
        agents = [
            _agent(self._named[pane].name, rows[pane], agent, self._watched[pane], attached)
            for pane, agent in found.items()
        ]
        return sorted(agents, key=lambda agent: agent.name)

    # --- what they do ---

    async def _read(self, rows: Sequence[PaneRow], found: dict[str, Found]) -> None:
        self._watched = {
            row.id: watched
            if (watched := self._watched.get(row.id)) and watched.pid == found[row.id].pid
            else _Watched(found[row.id].pid)
            for row in rows
        }
        if not rows:
            return
        activity = {row.id: row.activity for row in await self._tmux.windows()}
        room = asyncio.Semaphore(CAPTURES)

        async def one(row: PaneRow) -> None:
            async with room:
                await self._read_one(row, found[row.id].runtime, activity.get(row.window_id, 0))

        await asyncio.gather(*(one(row) for row in rows))

    async def _read_one(self, row: PaneRow, runtime: str, activity: int) -> None:
        """A picture only where something was printed since the last one."""
        watched = self._watched[row.id]
        seen = (activity, row.history, row.width, row.height, row.alternate)
        # tmux tells activity in whole seconds: in the same second more may have come.
        if seen != watched.seen or activity >= int(watched.shot):
            watched.shot = time.time()
            try:
                raw = await self._tmux.capture(row.id, escapes=True)
            except NotFound:
                return
            lines = raw.decode("utf-8", "replace").split("\n")
            watched.seen = seen
            watched.reading = await by_size(len(raw), read_screen, lines, load(runtime))
        watched.memory.look(watched.reading, time.monotonic())


def _place(row: PaneRow) -> Place:
    return Place(row.id, row.session_id, row.session_name, row.window_index, row.index)


def _agent(name: str, row: PaneRow, found: Found, watched: _Watched, attached: set[str]) -> Agent:
    believed = watched.memory.believed
    return Agent(
        name=name, runtime=found.runtime, work_dir=row.path,
        attached=row.session_id in attached, pane_id=row.id, window_id=row.window_id,
        session=row.session_name, pid=found.pid, state=believed.state,
        question=believed.question, options=believed.options,
    )  # fmt: skip


async def scan_agents(runtime: Runtime, *, stop: asyncio.Event, work_dir: str = "") -> None:
    """Until `stop`. A tmux that goes away or returns is a change like any other."""
    tmux, scan = runtime.main, Scan(runtime.main, work_dir=work_dir)
    try:
        with tmux.watching() as changed:
            while not stop.is_set():
                changed.clear()
                await look_once(scan, changed, stop)
                pause = POLL_SECONDS if scan.settled else HOLD_SECONDS
                if await wait_for(stop, changed, seconds=pause) is changed:
                    await wait_for(stop, seconds=SETTLE_SECONDS)
    finally:
        registry.current().replace(())


async def look_once(scan: Scan, changed: asyncio.Event, stop: asyncio.Event) -> None:
    try:
        await tell(registry.current().replace(await scan.look()))
    except TmuxAway:
        if await wait_for(stop, changed, seconds=AWAY_SECONDS) is None:
            await tell(registry.current().replace(()))
    except TmuxFailed as failure:
        log.warning("tmux did not tell its panes: %s", failure.message)


async def tell(changes: Iterable[Change]) -> None:
    if told := [schemas.event(change) for change in changes]:
        event = {"type": "agents-changed", "changes": told}
        await in_db(live.publish)(AGENTS, event)
