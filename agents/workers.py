"""The worker that keeps the registry up to date: which agents run, and what each is doing.

Processes are scanned once a second and on every notification of tmux. Screens are read as soon as
an agent has printed (detection/output_clock.py), and hooks count at once. The decisions are in
detection/classify.py, screen/states.py and witnesses/belief.py. Started and supervised by
config/server/lifecycle.py.
"""

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents import registry, schemas
from agents.detection import classify
from agents.detection.classify import AgentName, AgentPlace, DetectedAgent
from agents.detection.output_clock import OutputClock
from agents.detection.scanner import Scanner
from agents.questions import Question, QuestionTracker
from agents.registry import Agent, AgentChange
from agents.runtimes.loader import AgentState, Rules, load, runtimes
from agents.screen import layout
from agents.screen.states import CONFIRM_SECONDS, HOLD_SECONDS, Reading, StateTracker, read_layout
from agents.witnesses import processes, store
from agents.witnesses.belief import Belief, ScreenEvidence, Witness, decide, report_of
from agents.witnesses.evidence import EventSource
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
TICK_SECONDS = 0.05  # between two looks at what agents have printed
SETTLE_SECONDS = 0.05  # notifications come in bursts: one scan for all of them
AWAY_SECONDS = 1.0  # our connection may be lost and restored while tmux keeps running
CAPTURES = 16  # at once: each is three commands on the one pipe that also carries keys
# An agent at work prints ten times a second. Its screen is captured at least so far apart, the
# farther the more agents print; at once when it stops printing, because a dialog does not move.
INTERVAL_SECONDS, SHARE_SECONDS = 0.1, 0.04
STILL_SECONDS = 0.09
WRITERS_SECONDS = 10.0  # between two looks for the processes that an agent has started
CLOSINGS = 20  # remembered of one agent

NO_READING = Reading(AgentState.UNKNOWN)


@dataclass(slots=True)
class _WatchedScreen:
    """The last capture of one agent's screen, and what is believed of the agent."""

    pid: int
    started: float
    questions: QuestionTracker
    tracker: StateTracker = field(default_factory=StateTracker)
    version: tuple[int, ...] = ()  # of the screen at the last capture
    captured_at: float = 0.0  # by the clock that tmux uses for activity
    captured: float = 0.0  # the same moment, by the monotonic clock
    printed: float = 0.0  # when it was last seen to have printed, by the monotonic clock
    changed_at: float = 0.0  # when it last showed something new outside its composer
    shown: int = 0  # a hash of what it shows there
    since: float = 0.0  # when its screen began to show its state, by the wall clock
    reading: Reading = NO_READING
    recognised: bool = False  # whether it has shown a composer
    closings: deque[float] = field(default_factory=lambda: deque(maxlen=CLOSINGS))
    belief: Belief = field(default=Belief(AgentState.UNKNOWN, Witness.SCREEN))
    question: Question | None = None

    def is_due(self, now: float, interval: float) -> bool:
        """Whether another capture can tell something new."""
        if not self.tracker.settled and now - self.captured >= CONFIRM_SECONDS:
            return True
        if self.printed <= self.captured:
            return False
        return now - self.captured >= interval or now - self.printed >= STILL_SECONDS

    def take(self, reading: Reading) -> None:
        """One more look at the screen."""
        self.reading = reading
        self.recognised = self.recognised or reading.composer is not None
        before = self.tracker.believed
        believed = self.tracker.update(reading, time.monotonic())
        if believed.state is not before.state:
            self.since = time.time()
            if before.state is AgentState.WAITING:
                self._close_question()

    def decide(self, pane_id: str, work_dir: str) -> None:
        now, screen = time.time(), self.tracker.believed
        evidence = ScreenEvidence(
            screen.state, self.since, self.changed_at, screen.rule, self.recognised
        )
        reported = store.events(pane_id)
        hook, journal = (
            report_of(reported, source, started=self.started, closings=tuple(self.closings))
            if reported
            else None
            for source in (EventSource.HOOK, EventSource.JOURNAL)
        )
        process = processes.evidence(self.pid, self.started)
        self.belief = decide(hook, journal, evidence, process, now)
        self._ask(pane_id, screen, work_dir)

    def _ask(self, pane_id: str, screen: Reading, work_dir: str) -> None:
        if self.belief.state is not AgentState.WAITING:
            self.question = None
            self.questions.close()
            return
        if self._is_answered(pane_id, screen):
            self._close_question()
        before = self.questions.id
        subject = screen.subject.within(work_dir) if screen.subject else None
        self.question = self.questions.update(screen.menu, subject, self.belief.requests)
        if before and before != self.question.id:
            self.closings.append(time.time())

    def _is_answered(self, pane_id: str, screen: Reading) -> bool:
        """Whether the question was answered, and a dialog that looks the same is visible now."""
        answered = registry.current().answered.get(pane_id)
        if not answered or answered.id != self.questions.id or self.captured <= answered.timestamp:
            return False
        if self.reading.menu is None or screen.menu is None:
            return False
        return self.reading.menu.body == screen.menu.body

    def _close_question(self) -> None:
        self.closings.append(time.time())
        self.questions.close()


class Scan:
    """Repeated scans of one tmux server."""

    def __init__(self, tmux: Tmux, *, work_dir: str = "") -> None:
        self._tmux = tmux
        self._roots = [*{work_dir, os.path.realpath(work_dir)}] if work_dir else []
        self._scanner = Scanner(runtimes())
        self._clock = OutputClock()
        self._watched: dict[str, _WatchedScreen] = {}
        self._names: dict[str, AgentName] = {}
        self._rows: dict[str, PaneRow] = {}
        self._detected: dict[str, DetectedAgent] = {}
        self._attached: set[str] = set()
        self._writers: dict[str, tuple[int, ...]] = {}
        self._writers_due = 0.0

    @property
    def settled(self) -> bool:
        """Whether no agent's state needs a second capture to be believed."""
        return all(watched.tracker.settled for watched in self._watched.values())

    @property
    def pause(self) -> float:
        """How long to wait before the next look, if nothing else happens."""
        if any(map(self._clock.is_watched, self._watched)):
            return TICK_SECONDS
        return POLL_SECONDS if self.settled else HOLD_SECONDS

    def close(self) -> None:
        self._clock.close()

    async def run(self) -> list[Agent]:
        """A whole scan: processes, and every screen that may have changed."""
        panes, clients = await asyncio.gather(self._tmux.panes(), self._tmux.clients())
        rows = {row.id: row for row in reversed(panes) if not row.dead}  # if linked, the first
        detected = self._scanner.scan({row.id: row.pid for row in rows.values()})
        self._rows, self._detected = (
            rows,
            {
                pane: agent
                for pane, agent in detected.items()
                if classify.is_under(rows[pane].path, self._roots)
            },
        )
        self._attached = {client.session_id for client in clients}
        self._watch()
        self._note_output()
        if self._detected:
            activity = {row.id: row.activity for row in await self._tmux.windows()}
            await self._read(
                [pane for pane in self._detected if self._may_have_changed(pane, activity)]
            )
        return self.agents()

    async def look(self) -> list[Agent] | None:
        """The screens of agents that have printed; None if no agent has."""
        self._note_output()
        now = time.monotonic()
        busy = sum(now - watched.printed < 1.0 for watched in self._watched.values())
        interval = max(INTERVAL_SECONDS, SHARE_SECONDS * busy)
        due = [
            pane
            for pane, watched in self._watched.items()
            if watched.is_due(now, interval) or _was_answered(pane, since=watched.captured)
        ]
        if not due:
            return None
        await self._read(due)
        return self.agents()

    def agents(self) -> list[Agent]:
        """What is believed now, with the screens as they were last read."""
        places = [_place(self._rows[pane]) for pane in self._detected]
        self._names = classify.names(places, self._names)
        agents = []
        for pane, agent in self._detected.items():
            watched, row = self._watched[pane], self._rows[pane]
            watched.decide(pane, row.path)
            name = self._names[pane].name
            agents.append(_agent(name, row, agent, watched, self._attached))
        return sorted(agents, key=lambda agent: agent.name)

    # --- which agents there are ---

    def _watch(self) -> None:
        before, self._watched = self._watched, {}
        for pane, agent in self._detected.items():
            watched = before.get(pane)
            self._watched[pane] = (
                watched if watched and watched.pid == agent.pid else self._new(pane, agent.pid)
            )
        for pane in before.keys() - self._watched.keys():
            store.forget(pane)
            registry.current().answered.pop(pane, None)
        self._find_writers(self._watched.keys() - self._writers.keys())

    def _new(self, pane: str, pid: int) -> _WatchedScreen:
        self._writers.pop(pane, None)
        place = f"{self._tmux.server_run} {pane} {pid}"
        return _WatchedScreen(pid, processes.started(pid), QuestionTracker(place))

    def _find_writers(self, new: Iterable[str]) -> None:
        """Of new agents, and now and then of all: an agent may start the program that paints."""
        now = time.monotonic()
        if now >= self._writers_due:
            new, self._writers_due = list(self._watched), now + WRITERS_SECONDS
        elif new:
            self._writers_due = min(self._writers_due, now + POLL_SECONDS)
        writers = {pane: self._scanner.writers(self._watched[pane].pid) for pane in new}
        kept = {pane: pids for pane, pids in self._writers.items() if pane in self._watched}
        if writers or len(kept) != len(self._writers):
            self._writers = {**kept, **writers}
            self._clock.watch(self._writers)

    def _note_output(self) -> None:
        now = time.monotonic()
        for pane in self._clock.printed():
            if watched := self._watched.get(pane):
                watched.printed = now

    # --- what they are doing ---

    def _may_have_changed(self, pane: str, activity: Mapping[str, int]) -> bool:
        """Whether tmux reports that something was printed since the last capture."""
        row, watched = self._rows[pane], self._watched[pane]
        last = activity.get(row.window_id, 0)
        version = (last, row.history, row.width, row.height, row.alternate)
        changed, watched.version = version != watched.version, version
        # tmux reports activity in whole seconds: more may be printed within the same second.
        return changed or last >= int(watched.captured_at) or not watched.tracker.settled

    async def _read(self, panes: Sequence[str]) -> None:
        limit = asyncio.Semaphore(CAPTURES)

        async def read(pane: str) -> None:
            async with limit:
                await self._read_pane(pane)

        await asyncio.gather(*map(read, panes))

    async def _read_pane(self, pane: str) -> None:
        watched = self._watched[pane]
        watched.captured_at, watched.captured = time.time(), time.monotonic()
        try:
            raw = await self._tmux.capture(pane, escapes=True)
        except NotFound:
            return
        lines = raw.decode("utf-8", "replace").split("\n")
        rules = load(self._detected[pane].runtime)
        reading, shown = await by_size(len(raw), _read_lines, lines, rules)
        if shown != watched.shown:
            watched.shown, watched.changed_at = shown, watched.captured_at
        watched.take(reading)


def _read_lines(lines: Sequence[str], rules: Rules) -> tuple[Reading, int]:
    """The reading, and a hash of everything but the composer, in which a person may type.

    An idle agent shows and hides hints below its composer: they do not count either.
    """
    screen = layout.parse(lines, rules)
    reading, box = read_layout(screen), screen.composer
    around = screen.lines
    if box:
        below = screen.lines[box.last + 1 :] if reading.state is not AgentState.IDLE else ()
        around = screen.lines[: box.first] + below
    return reading, hash((reading.state, around))


def _was_answered(pane: str, *, since: float) -> bool:
    """A dialog that looks the same may have been there before: only a new capture tells."""
    answered = registry.current().answered.get(pane)
    return answered is not None and answered.timestamp > since


def _place(row: PaneRow) -> AgentPlace:
    return AgentPlace(row.id, row.session_id, row.session_name, row.window_index, row.index)


def _agent(
    name: str, row: PaneRow, detected: DetectedAgent, watched: _WatchedScreen, attached: set[str]
) -> Agent:
    belief, question = watched.belief, watched.question
    return Agent(
        name=name,
        runtime=detected.runtime,
        work_dir=row.path,
        attached=row.session_id in attached,
        pane_id=row.id,
        window_id=row.window_id,
        session=row.session_name,
        pid=detected.pid,
        state=belief.state,
        question=question,
        options=question.options if question else (),
        decided_by=belief.decided_by,
        disputed=belief.disputed,
    )


async def scan_agents(runtime: Runtime, *, stop: asyncio.Event, work_dir: str = "") -> None:
    """Until `stop`. A tmux server that ends or starts is a change like any other."""
    tmux, scan = runtime.main, Scan(runtime.main, work_dir=work_dir)
    reported = asyncio.Event()
    try:
        with tmux.watching() as changed, store.watching(reported):
            while not stop.is_set():
                changed.clear()
                await scan_once(scan, changed, stop)
                if await _look_until_due(scan, changed, reported, stop) is changed:
                    await wait_for(stop, seconds=SETTLE_SECONDS)
    finally:
        scan.close()
        registry.current().replace(())


async def _look_until_due(
    scan: Scan, changed: asyncio.Event, reported: asyncio.Event, stop: asyncio.Event
) -> asyncio.Event | None:
    """Between two scans: publishes what agents print and report. Ends when a scan is due."""
    due = time.monotonic() + POLL_SECONDS
    while (left := due - time.monotonic()) > 0:
        event = await wait_for(stop, changed, reported, seconds=min(left, scan.pause))
        if event in {stop, changed}:
            return event
        try:
            if event is reported:
                reported.clear()
                await publish(registry.current().replace(scan.agents()))
            elif (agents := await scan.look()) is not None:
                await publish(registry.current().replace(agents))
        except (TmuxAway, TmuxFailed):
            return None  # the next scan handles it
    return None


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
