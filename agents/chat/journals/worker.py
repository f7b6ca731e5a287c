"""Follows the journals of the agents that run: finds each, reads what is new, and stores it.

Files are read and parsed in one thread, a bounded piece of each at a time, and an agent whose
journal has not changed costs one `stat`. Started and supervised by config/server/lifecycle.py.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents import registry
from agents.chat.journals import events, formats, matching, places, store
from agents.chat.journals.database_reader import SessionFollower
from agents.chat.journals.entries import Entry, JournalReader
from agents.chat.journals.follower import LineFollower
from agents.chat.journals.matching import LastTurn
from agents.chat.journals.places import AgentProcess, JournalPlace
from agents.chat.journals.store import JournalSource
from agents.detection.scanner import Scanner
from agents.registry import Agent
from agents.runtimes.loader import AgentState, runtimes
from agents.witnesses import processes
from agents.witnesses import store as witnesses
from agents.witnesses.evidence import AgentEvent
from core.database import in_db, in_turn
from core.errors import WebtmuxError
from core.workers import wait_for
from terminals.models import Window
from terminals.runtime import Runtime
from terminals.services import get_live_window
from terminals.tmux.driver import Tmux

log = logging.getLogger(__name__)

BUSY_SECONDS = 0.25  # between two reads while an agent works
IDLE_SECONDS = 1.0
FIND_SECONDS = 2.0  # between two searches for the journal of an agent that works
IDLE_FIND_SECONDS = 10.0
FIRST_SECONDS = 5.0  # after a start, the list of agents may not be complete yet
PIECES = 4  # of one journal read in one step
ENTRIES = 400  # stored in one transaction: others wait to write meanwhile
TAIL = 256 * 1024  # of a candidate, read to compare it with the pane
KNOWN_TURNS = 200  # candidates whose last turn is remembered
ROWS_ABOVE = 300  # of history, compared with candidates
EVENTS = 100  # newest of one read; older ones say nothing about now


@dataclass(slots=True)
class _Followed:
    """One agent, and its journal once it is known."""

    agent: Agent
    process: AgentProcess
    place: JournalPlace | None = None
    follower: LineFollower | SessionFollower | None = None
    reader: JournalReader | None = None
    find_at: float = 0.0
    has_more: bool = False

    @property
    def source(self) -> JournalSource:
        assert self.place is not None
        return JournalSource(
            pane=self.agent.pane_id,
            runtime=self.agent.runtime,
            session_id=self.place.session_id,
            started=int(self.process.started * 1000),
        )

    def follow(self, place: JournalPlace) -> None:
        self.place, self.follower = place, place.follower()
        self.reader = formats.reader(place.runtime)

    def read(self) -> list[Entry]:
        """Blocking; the next piece of the journal."""
        if self.follower is None or self.reader is None:
            return []
        entries: list[Entry] = []
        for _ in range(PIECES):
            piece = self.follower.read()
            if piece.restarted:
                self.reader = formats.reader(self.agent.runtime)
            self.has_more = piece.has_more
            entries += self.reader.read(piece.lines)
            if not piece.has_more:
                break
        return entries


@dataclass(slots=True)
class _Found:
    """The result of a search: a journal for certain, or those that it may be."""

    place: JournalPlace | None = None
    turns: list[tuple[JournalPlace, LastTurn]] = field(default_factory=list)


class JournalWorker:
    def __init__(self, tmux: Tmux) -> None:
        self._tmux = tmux
        self._scanner = Scanner(runtimes())
        self._followed: dict[str, _Followed] = {}
        self._ended_at: tuple[tuple[str, int], ...] | None = None
        self._turns = LastTurns()

    async def run(self, stop: asyncio.Event) -> None:
        began = time.monotonic()
        while not stop.is_set():
            await self.step(settled=time.monotonic() - began > FIRST_SECONDS)
            if any(followed.has_more for followed in self._followed.values()):
                continue
            busy = any(map(_is_busy, self._followed.values()))
            await wait_for(stop, seconds=BUSY_SECONDS if busy else IDLE_SECONDS)

    async def step(self, *, settled: bool = True) -> None:
        """Look at every agent once. `settled`: the list of agents is complete."""
        await self._update()
        if settled:
            await self._end_runs()
        for followed in tuple(self._followed.values()):
            if time.monotonic() >= followed.find_at:
                await self._find(followed)
        known = [followed for followed in self._followed.values() if followed.place]
        if not known:
            return
        pieces = await asyncio.to_thread(_read_all, known)
        for followed, entries in zip(known, pieces, strict=True):
            if entries:
                await self._store(followed, entries)

    async def _update(self) -> None:
        agents = {
            agent.pane_id: agent
            for agent in registry.current().agents.values()
            if agent.runtime in formats.PARSERS
        }
        for pane in self._followed.keys() - agents.keys():
            del self._followed[pane]
        for pane, agent in agents.items():
            followed = self._followed.get(pane)
            if followed is None or followed.agent.pid != agent.pid:
                process = await asyncio.to_thread(self._process, agent)
                self._followed[pane] = _Followed(agent, process)
                continue
            if followed.agent.state is not agent.state:
                followed.find_at = 0.0  # another state may mean another session
            followed.agent = agent

    def _process(self, agent: Agent) -> AgentProcess:
        return AgentProcess(
            agent.runtime,
            self._scanner.writers(agent.pid),
            processes.started(agent.pid),
            agent.work_dir,
            places.environment_of(agent.pid),
        )

    async def _end_runs(self) -> None:
        """When the set of agents has changed, and once after the start."""
        running = tuple(
            (followed.agent.pane_id, int(followed.process.started * 1000))
            for followed in self._followed.values()
        )
        if running != self._ended_at:
            await in_db(store.end_runs)(running=running, now=int(time.time() * 1000))
            self._ended_at = running

    # --- which journal ---

    async def _find(self, followed: _Followed) -> None:
        seconds = FIND_SECONDS if _is_busy(followed) else IDLE_FIND_SECONDS
        followed.find_at = time.monotonic() + seconds
        reported = witnesses.events(followed.agent.pane_id)
        taken = [
            other.place
            for other in self._followed.values()
            if other is not followed and other.place is not None
        ]
        result = await asyncio.to_thread(_search, followed, reported, taken, self._turns)
        place = result.place
        if place is None and result.turns:
            try:
                capture = await self._tmux.capture_now(followed.agent.pane_id, above=ROWS_ABOVE)
            except WebtmuxError:
                return
            shown = "".join(capture.lines)
            place = matching.choose(result.turns, shown, current=followed.place)
        if place is None or place == followed.place:
            return
        log.info("following the journal of %s in %s", place.runtime, followed.agent.pane_id)
        followed.follow(place)
        window = await self._window(followed)
        if window is not None:
            await in_db(store.continue_run)(window=window, source=followed.source)

    # --- what it says ---

    async def _store(self, followed: _Followed, entries: Sequence[Entry]) -> None:
        if followed.place is None:
            return
        window = await self._window(followed)
        if window is None:
            followed.follow(followed.place)  # tmux is away: read it again later
            return
        for start in range(0, len(entries), ENTRIES):
            part = entries[start : start + ENTRIES]
            await in_turn(store.add_entries)(window=window, source=followed.source, entries=part)
        for event in events.events_of(
            entries[-EVENTS:],
            runtime=followed.agent.runtime,
            pane_id=followed.agent.pane_id,
            session_id=followed.place.session_id,
        ):
            if event.timestamp >= followed.process.started:
                witnesses.record(event)

    async def _window(self, followed: _Followed) -> Window | None:
        try:
            return await get_live_window(self._tmux, followed.agent.window_id)
        except WebtmuxError:
            return None


def _is_busy(followed: _Followed) -> bool:
    return followed.agent.state is not AgentState.IDLE


def _read_all(followed: Iterable[_Followed]) -> list[list[Entry]]:
    return [each.read() for each in followed]


def _search(
    followed: _Followed,
    reported: Sequence[AgentEvent],
    taken: Sequence[JournalPlace],
    turns: "LastTurns",
) -> _Found:
    """Blocking. Journals that another agent's pane follows are left out."""
    certain = places.certain(followed.process, reported, current=followed.place)
    if certain is not None:
        return _Found(certain)
    possible = [place for place in places.candidates(followed.process) if place not in taken]
    if possible == [followed.place]:
        return _Found(followed.place)  # nothing to choose from
    return _Found(turns=[(place, turns.of(place)) for place in possible])


class LastTurns:
    """The last turns of candidates, read again only when a journal has changed."""

    def __init__(self) -> None:
        self._known: dict[JournalPlace, tuple[object, LastTurn]] = {}

    def of(self, place: JournalPlace) -> LastTurn:
        version = place.version()
        known = self._known.pop(place, None)
        if known is None or known[0] != version:
            known = version, _last_turn(place)
        self._known[place] = known
        if len(self._known) > KNOWN_TURNS:
            del self._known[next(iter(self._known))]
        return known[1]


def _last_turn(place: JournalPlace) -> LastTurn:
    if place.runtime == "opencode":
        follower: LineFollower | SessionFollower = place.follower()
    else:
        follower = LineFollower(place.path, tail=TAIL)
    piece = follower.read()
    return matching.last_turn(formats.reader(place.runtime).read(piece.lines))


async def follow_journals(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Until `stop`."""
    await JournalWorker(runtime.main).run(stop)
