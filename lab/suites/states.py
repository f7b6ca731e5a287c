"""What webtmux reports every 100 ms, against the truth.

The truth comes from the model server (a request arrived: working; its last reply has ended: idle)
and from the script (a dialog is open, a key answered it, Escape interrupted the turn). Every
distinct screen is saved with its true state, for the corpus.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from agents.runtimes.loader import load
from agents.screen.states import Reading, read_screen
from lab import screens
from lab.agents import AgentProgram
from lab.harness import Bench
from lab.quotes import SCREENS as QUOTED
from lab.suites.common import Table, percentile, ready

SAMPLE_SECONDS = 0.1
ALLOWED_SECONDS = 1.0  # after a change, the state from before it is not a mistake
DWELL_SECONDS = 2.2  # in each state, so that there is something to sample
TURN_SECONDS = 40.0
EACH = 2  # saved screens of one situation and state

# True states in which several are right.
SEVERAL = {
    "menu": ("waiting", "unknown"),
    "starting": ("idle", "working"),  # from the prompt to the first request
    "asking": ("working", "waiting"),  # from the end of a reply with a tool call to its dialog
    "interrupting": ("idle", "working"),  # from the first of several Escapes to the last
}
MENU, STARTING, ASKING, INTERRUPTING = SEVERAL
UNCERTAIN = (STARTING, ASKING, INTERRUPTING)
# How often Escape is pressed to interrupt a turn.
ESCAPES = {"opencode": 2, "copilot": 2}
# A command that the agent runs without asking, while it asks for `touch`.
SILENT = ("claude", "pi")
NEVER_ASKS = ("pi",)


@dataclass(frozen=True)
class Turn:
    situation: str
    prompt: str
    asks: bool = False  # every tool call of this turn opens a dialog
    key: str = "Enter"  # answers the dialogs
    interrupt: float = 0.0  # seconds after the prompt
    draft: str = ""  # typed while it works


def turns(name: str, work: str) -> Iterator[Turn]:
    asks = name not in NEVER_ASKS
    yield Turn("short-reply", "SAY Hello there.")
    yield Turn("waits-for-model", "SLEEP 5 ;; SAY slept")
    yield Turn("streams-lines", "STREAM 6 =lines")
    yield Turn("streams-prose", "STREAM 5 =prose")
    yield Turn("streams-after-paste", f"{screens.LONG}\nSTREAM 6 =lines")
    yield Turn("thinks", "THINK =prose ;; SLEEP 4 ;; SAY thought")
    yield Turn("streams-after-text", "SAY First words. ;; SLEEP 4 ;; SAY more")
    yield Turn("tool-runs", "RUN sleep 4", asks=name not in SILENT)
    yield Turn("command", "RUN touch marker-a", asks=asks)
    yield Turn("command-rejected", "RUN touch marker-b", asks=asks, key="Escape")
    yield Turn("two-commands", "RUN touch marker-c ;; SLEEP 1 ;; RUN touch marker-d", asks=asks)
    yield Turn("long-command", f"RUN touch {' '.join(f'file{n}' for n in range(40))}", asks=asks)
    yield Turn("write", f"WRITE {work}/notes.txt some words", asks=asks)
    yield Turn("write-rejected", f"WRITE {work}/other.txt words", asks=asks, key="Escape")
    yield Turn("interrupted-waiting", "SLEEP 15 ;; SAY late", interrupt=4)
    yield Turn("interrupted-streaming", "STREAM 15 =lines", interrupt=4)
    yield Turn("draft-while-working", "SLEEP 6 ;; SAY done", draft="words for later")
    for quote in QUOTED:
        yield Turn(f"quotes-{quote}", f"SAY ={quote}")
    for quote in ("spinners", f"{name}-dialog", "yes-no"):
        yield Turn(f"works-after-{quote}", f"SAY ={quote} ;; SLEEP 4 ;; SAY done")


@dataclass(frozen=True)
class Moment:
    """From now on the agent is in this state."""

    timestamp: float
    state: str
    situation: str


@dataclass(frozen=True)
class StateSample:
    timestamp: float
    value: str  # a reported state, or a screen
    witness: str = ""  # that decided the reported state


@dataclass
class Watch:
    """Samples what webtmux reports, and what the screen shows, in a thread each."""

    bench: Bench
    reported: list[StateSample] = field(default_factory=list)
    screens: list[StateSample] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> "Watch":
        for samples, read in (
            (self.reported, self._report),
            (self.screens, lambda: (self.bench.pane.screen(colours=True), "")),
        ):
            thread = threading.Thread(target=self._run, args=(samples, read), daemon=True)
            self._threads.append(thread)
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(30)

    def _report(self) -> tuple[str, str]:
        agent = self.bench.agent()
        return str(agent.get("state", "gone")), str(agent.get("decidedBy", ""))

    def _run(self, samples: list[StateSample], read: Callable[[], tuple[str, str]]) -> None:
        while not self._stop.is_set():
            begun = time.time()
            try:
                value, witness = read()
            except (OSError, RuntimeError) as failure:
                print(f"  no sample: {failure}", flush=True)
                self._stop.wait(SAMPLE_SECONDS)
                continue
            samples.append(StateSample(time.time(), value, witness))
            self._stop.wait(max(0.0, SAMPLE_SECONDS - (time.time() - begun)))


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("states")
    moments = list[Moment]()
    with ready(kind, size) as bench:
        remaining = list(turns(kind.name, str(bench.pane.place.work)))[:rounds]
        with Watch(bench) as watch:
            moments.append(Moment(time.time(), "idle", "start"))
            time.sleep(DWELL_SECONDS)
            for turn in remaining:
                _take(bench, turn, moments, table)
            for menu in screens.MENUS[kind.name][:3] if rounds is None else ():
                _open_menu(bench, menu, moments)
        _report(table, kind, moments, watch)
        _save(bench, moments, watch.screens)
        _save_misread(bench, moments, watch.screens)
    return table


def _take(bench: Bench, turn: Turn, moments: list[Moment], table: Table) -> None:
    """One turn; its moments are added in their order."""
    requests, replies = len(bench.model.requests()), len(bench.model.replies())
    sent = time.time()
    moments.append(Moment(sent, STARTING, turn.situation))
    reply = bench.prompt(turn.prompt)
    if not reply.ok:
        table.add(turn.situation, "refused", f"{reply.error}\n{bench.pane.screen()}")
    if turn.draft:
        time.sleep(1.0)
        bench.pane.type(turn.draft)
    keys = list[Moment]()
    deadline, answered = time.monotonic() + TURN_SECONDS, 0
    while time.monotonic() < deadline:
        time.sleep(0.05)
        ended = [reply for reply in bench.model.replies()[replies:] if reply.tools]
        if turn.interrupt and time.time() - sent > turn.interrupt:
            keys.append(Moment(time.time(), INTERRUPTING, turn.situation))
            for _ in range(ESCAPES.get(bench.pane.kind.name, 1)):
                bench.pane.press("Escape")
                time.sleep(0.3)
            keys.append(Moment(time.time(), "idle", turn.situation))
            break
        if ended and not ended[-1].calls:
            break
        if turn.asks and sum(1 for reply in ended if reply.calls) > answered:
            answered += 1
            if not _answer(bench, turn, keys):
                table.add(turn.situation, "no dialog", bench.pane.screen())
            if turn.key == "Escape":
                break
    else:
        table.add(turn.situation, "no end", bench.pane.screen())
    started = [
        Moment(request.timestamp, "working", turn.situation)
        for request in bench.model.requests()[requests:]
        if request.tools
    ]
    ended = [reply for reply in bench.model.replies()[replies:] if reply.tools]
    finished = [
        Moment(reply.timestamp, ASKING if reply.calls else "idle", turn.situation)
        for reply in ended
        if turn.asks or not reply.calls
    ]
    moments += sorted([*started, *keys, *finished], key=lambda moment: moment.timestamp)
    time.sleep(DWELL_SECONDS)
    if turn.draft:
        bench.pane.press("C-e", "C-u")
    if turn.interrupt or turn.key == "Escape":
        # Some agents put the interrupted prompt back into the composer.
        bench.pane.press("C-e", "C-u")
        time.sleep(0.5)


def _answer(bench: Bench, turn: Turn, keys: list[Moment]) -> bool:
    """Waits for the dialog, looks at it for a while, and answers it."""
    deadline = time.monotonic() + 15
    while not bench.tour.is_asking(bench.pane.screen()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    keys.append(Moment(time.time(), "waiting", turn.situation))
    time.sleep(DWELL_SECONDS)
    bench.pane.press(turn.key)
    state = "idle" if turn.key == "Escape" else "working"
    keys.append(Moment(time.time(), state, turn.situation))
    return True


def _open_menu(bench: Bench, menu: str, moments: list[Moment]) -> None:
    """Only the time in which the menu is surely open is a sample of it."""
    moments.append(Moment(time.time(), "any", f"typed-{menu.strip('/')}"))
    bench.pane.type(menu)
    bench.pane.settle(0.4, 4)
    bench.pane.press("Enter")
    time.sleep(1.0)
    bench.pane.settle(0.5, 5)
    name = bench.pane.kind.name
    known = menu not in (*screens.PRINTS.get(name, ()), *screens.UNKNOWN_WORDS.get(name, ()))
    state = MENU if known and not bench.tour.is_idle(bench.pane.screen()) else "any"
    moments.append(Moment(time.time(), state, f"menu-{menu.strip('/')}"))
    time.sleep(DWELL_SECONDS)
    moments.append(Moment(time.time(), "any", "closing"))
    bench.tour.close(tries=8)
    moments.append(Moment(time.time(), "idle", "after-menu"))
    time.sleep(DWELL_SECONDS)


# --- the figures --------------------------------------------------------------------------------


def is_right(state: str, truth: str) -> bool:
    return truth == "any" or state == truth or state in SEVERAL.get(truth, ())


def truths(moments: Sequence[Moment], timestamp: float) -> tuple[Moment, list[Moment]]:
    """The moment that holds at this time, and all that held within the allowance before it."""
    past = [moment for moment in moments if moment.timestamp <= timestamp] or [moments[0]]
    recent = [moment for moment in past if moment.timestamp > timestamp - ALLOWED_SECONDS]
    before = past[-len(recent) - 1 :][:1] if recent else []
    return past[-1], [*before, *recent] or [past[-1]]


def _report(table: Table, kind: AgentProgram, moments: list[Moment], watch: Watch) -> None:
    rules = load(kind.name)
    readings = {
        screen: read_screen(screen.split("\n"), rules)
        for screen in {sample.value for sample in watch.screens}
    }
    shown = [StateSample(each.timestamp, readings[each.value].state) for each in watch.screens]
    exact = sum(is_right(each.value, truths(moments, each.timestamp)[0].state)
                for each in watch.reported)  # fmt: skip  # one expression
    reported, wrong = _allowed(moments, watch.reported)
    alone, misread = _allowed(moments, shown)
    delays, missing = _delays(moments, watch.reported)
    total, screens_total = len(watch.reported) or 1, len(shown) or 1
    table.figures += [
        f"right with {ALLOWED_SECONDS:g} s allowed: {reported / total:.2%} of {total}",
        f"right with no allowance: {exact / total:.2%}",
        f"by the screen alone, {ALLOWED_SECONDS:g} s allowed:"
        f" {alone / screens_total:.2%} of {screens_total}",
        f"flicker: {_flicker(moments, watch.reported)}",
        f"delay p50 / p95: {percentile(delays, 50):.2f} / {percentile(delays, 95):.2f} s"
        f" of {len(delays)} changes; never reported: {missing}",
        *(f"  reported: {count} x {name}" for name, count in wrong.most_common(20)),
        *(f"  screen: {count} x {name}" for name, count in misread.most_common(20)),
    ]
    table.notes.append("\n".join(_timeline(moments, watch.reported, watch.screens, readings)))


def _timeline(
    moments: list[Moment],
    reported: list[StateSample],
    screens: list[StateSample],
    readings: Mapping[str, Reading],
) -> list[str]:
    """Every change of the truth, of the reports and of the screen's reading, in their order."""
    rows = [(moment.timestamp, f"== {moment.state:9} {moment.situation}") for moment in moments]
    for _, group in groupby(reported, key=lambda sample: (sample.value, sample.witness)):
        first = next(group)
        rows.append((first.timestamp, f"   reported {first.value} by {first.witness}"))
    for _, group in groupby(screens, key=lambda sample: readings[sample.value].rule):
        first = next(group)
        reading = readings[first.value]
        rows.append((first.timestamp, f"       screen {reading.state} by {reading.rule!r}"))
    start = moments[0].timestamp
    return [f"{timestamp - start:8.2f} {text}" for timestamp, text in sorted(rows)]


def _allowed(moments: list[Moment], samples: list[StateSample]) -> tuple[int, Counter[str]]:
    """How many samples are right with the allowance, and what the others are."""
    right, wrong = 0, Counter[str]()
    for sample in samples:
        now, recent = truths(moments, sample.timestamp)
        if any(is_right(sample.value, moment.state) for moment in recent):
            right += 1
        else:
            wrong[f"{now.situation}: {now.state} taken for {sample.value}"] += 1
    return right, wrong


def _delays(moments: list[Moment], samples: list[StateSample]) -> tuple[list[float], int]:
    """From each change that lasts until it was first reported."""
    delays, missing = [], 0
    changes = [next(group) for _, group in groupby(moments, key=lambda moment: moment.state)]
    for change, after in zip(changes[1:], [*changes[2:], None], strict=True):
        end = after.timestamp if after else time.time()
        if change.state in ("any", *UNCERTAIN) or end - change.timestamp < ALLOWED_SECONDS:
            continue
        reported = [
            sample.timestamp - change.timestamp
            for sample in samples
            if change.timestamp <= sample.timestamp < end and is_right(sample.value, change.state)
        ]
        if reported:
            delays.append(reported[0])
        else:
            missing += 1
    return delays, missing


def _flicker(moments: list[Moment], samples: list[StateSample]) -> int:
    """How often a state was reported that was never true while it was reported."""
    count = 0
    for _, group in groupby(samples, key=lambda sample: sample.value):
        count += not any(
            is_right(sample.value, moment.state)
            for sample in group
            for moment in truths(moments, sample.timestamp)[1]
        )
    return count


# --- the screens --------------------------------------------------------------------------------

_MOVING = re.compile(r"\x1b\[[0-9;:]*m|[\d⠀-⣿✢✳✶✻✽∗●◉◎○∙•◐◓◑◒·⬝■]+|\s+")


def _save_misread(bench: Bench, moments: list[Moment], samples: list[StateSample]) -> None:
    """To look at: near a change the truth may be wrong, so they are not for the corpus as such."""
    directory, rules, known = (
        bench.screens.parent / "misread",
        load(bench.pane.kind.name),
        set[str](),
    )
    for sample in samples:
        now, recent = truths(moments, sample.timestamp)
        shape = now.state + _MOVING.sub(" ", sample.value)
        state = read_screen(sample.value.split("\n"), rules).state
        if shape not in known and not any(is_right(state, each.state) for each in recent):
            known.add(shape)
            name = f"{now.situation}-{sample.timestamp - moments[0].timestamp:.2f}-read-as-{state}"
            screens.save(sample.value, directory, bench.pane, now.state, name)


def _save(bench: Bench, moments: list[Moment], samples: list[StateSample]) -> None:
    """Every screen that is not within the allowance after a change, spinner frames apart."""
    directory, known, numbers = bench.screens.parent / "seen", set[str](), Counter[str]()
    for sample in samples:
        now, recent = truths(moments, sample.timestamp)
        shape = now.state + _MOVING.sub(" ", sample.value)
        if now.state in ("any", *UNCERTAIN) or len(recent) > 1 or shape in known:
            continue
        known.add(shape)
        name = f"{now.state}--{now.situation}"
        numbers[name] += 1
        if numbers[name] <= EACH:
            number = f"-{numbers[name]}" if numbers[name] > 1 else ""
            screens.save(sample.value, directory, bench.pane, now.state, f"{now.situation}{number}")
