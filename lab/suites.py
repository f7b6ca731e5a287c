"""Measurements with real agents: whether answers are obeyed, and by which dialog.

Each suite drives webtmux over REST and trusts only what the agent did: the files that its commands
created, the model server's log, and the agent's own settings files.
"""

import contextlib
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab import screens
from lab.agents import AgentProgram
from lab.harness import Bench, Reply, start_bench
from lab.panes import Pane

ROUNDS = 10
DOUBLES = 40
PROMPTS = 30
STALLS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)
END_SECONDS = 20.0
START_DIALOG_SECONDS = 8.0
QUIET_SECONDS = 3.0  # after an answer: a second command would have run by then

# "frozen": the agent is stopped before the answer, unnoticed by webtmux, so that the key waits in
# the terminal. "stopped": webtmux may notice it, and then refuses.
WAYS = (
    *("frozen", "frozen", "not stalled", "frozen", "stopped after"),
    *("frozen", "frozen", "not stalled", "frozen", "stopped before"),
)

# The words of each choice in the agents' dialogs.
CHOICES = {
    "reject": ("No", "Reject"),
    "once": ("Yes", "Allow once"),
    "always": ("Yes, and", "Yes, allow all", "Allow always", "Allow for this session"),
}


@dataclass
class Table:
    """The figures of one suite, and a note for each failure."""

    title: str
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, row: str, outcome: str, note: str = "") -> None:
        self.counts.setdefault(row, Counter())[outcome] += 1
        if note:
            self.notes.append(f"{row}: {outcome}: {note}")
        print(f"  {row}: {outcome}: {note.partition(chr(10))[0][:150]}", flush=True)

    def render(self) -> str:
        names = sorted({name for counter in self.counts.values() for name in counter})
        width = max(map(len, self.counts), default=0) + 2
        lines = [self.title, " " * width + "".join(f"{name:>15}" for name in (*names, "of"))]
        for row, counter in self.counts.items():
            figures = [*(counter[name] for name in names), counter.total()]
            lines.append(f"{row:<{width}}" + "".join(f"{figure:>15}" for figure in figures))
        return "\n".join(lines)


@contextlib.contextmanager
def ready(kind: AgentProgram, size: str = "120x40") -> Iterator[Bench]:
    """A bench whose agent is idle, both on its screen and for webtmux."""
    with start_bench(kind, size=size) as bench:
        bench.tour.idle()
        _warm_up(bench)
        (bench.pane.place.work / "bump").write_text('#!/bin/sh\necho "$1" >>count\n')
        (bench.pane.place.work / "bump").chmod(0o755)
        bench.until("idle")
        yield bench


def _warm_up(bench: Bench) -> None:
    """Sends a prompt without webtmux: opencode ignores Enter until its provider is loaded."""
    bench.pane.type("SAY ready")
    for _ in range(20):
        bench.pane.settle(0.5, 3)
        if any(
            request.prompt == "SAY ready" and request.tools for request in bench.model.requests()
        ):
            bench.tour.idle()
            return
        bench.pane.press("Enter")
        time.sleep(1.5)
    raise TimeoutError(f"the agent accepts no prompt:\n{bench.pane.screen()}")


def _option(agent: dict[str, Any], choice: str) -> dict[str, Any]:
    """The option for this choice; for `once` the shortest that matches."""
    words = CHOICES[choice]
    matches = [option for option in agent["options"] if option["label"].startswith(words)]
    if not matches:
        raise LookupError(f"no option for {choice}: {agent['options']}")
    shortest: dict[str, Any] = min(matches, key=lambda option: len(option["label"]))
    return shortest


def _ask(bench: Bench, prompt: str) -> dict[str, Any]:
    """Sends a prompt and waits for the dialog that it causes."""
    reply = bench.prompt(prompt)
    if not reply.ok:
        raise RuntimeError(f"the prompt was refused: {reply.error}\n{bench.pane.screen()}")
    return bench.until("waiting")


def _settled(bench: Bench) -> None:
    """Waits for the end of the turn; open dialogs are rejected without webtmux."""
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        screen = bench.pane.screen()
        if bench.tour.is_asking(screen):
            bench.pane.press("Escape")
            time.sleep(1.0)
        elif bench.tour.is_idle(screen) and bench.agent().get("state") == "idle":
            return
        time.sleep(0.2)
    raise TimeoutError(f"the turn does not end: {bench.agent()}\n{bench.pane.screen()}")


def _exists(path: Path, seconds: float = 8.0) -> bool:
    deadline = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    return path.exists()


# --- answers ----------------------------------------------------------------------------------


def answers(kind: AgentProgram, rounds: int = ROUNDS) -> Table:
    """Reject, approve once, approve always: was the answer obeyed?"""
    table = Table("answers")
    with ready(kind) as bench:
        for number in range(rounds):
            for choice in ("reject", "once"):
                _judge(table, bench, choice, number)
                _settled(bench)
    for number in range(rounds):
        # Afterwards the agent does not ask again, so each round needs a new agent.
        with ready(kind) as bench:
            _judge(table, bench, "always", number)
    return table


def _judge(table: Table, bench: Bench, choice: str, number: int) -> None:
    marker = bench.pane.place.work / f"{choice}{number}"
    try:
        agent = _ask(bench, f"RUN touch {marker.name}")
        option = _option(agent, choice)
    except (RuntimeError, TimeoutError, LookupError) as failure:
        table.add(choice, "not asked", str(failure))
        return
    reply = bench.answer(str(option["number"]) if number % 2 else option["label"])
    if choice == "always" and reply.ok:
        reply = _confirm(bench, reply)
    ran = _exists(marker) if choice != "reject" else _ran_late(marker)
    right = ran == (choice != "reject")
    if not reply.ok:
        outcome = "refused" if not ran else "WRONG"
    else:
        outcome = "obeyed" if right and _remembered(bench, choice, marker) else "WRONG"
    note = "" if outcome == "obeyed" else f"{option['label']!r} {reply} ran={ran}"
    table.add(choice, outcome, note)


def _confirm(bench: Bench, reply: Reply) -> Reply:
    """After "always", opencode asks a second question."""
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        labels = [option["label"] for option in bench.agent().get("options", [])]
        if "Confirm" in labels:
            return bench.answer("Confirm")
        time.sleep(0.2)
    return reply


def _ran_late(marker: Path) -> bool:
    time.sleep(QUIET_SECONDS)
    return marker.exists()


def _remembered(bench: Bench, choice: str, marker: Path) -> bool:
    """After "always" the same command runs without a dialog."""
    if choice != "always":
        return True
    bench.until("idle")
    marker.unlink()
    return bench.prompt(f"RUN touch {marker.name}").ok and _exists(marker)


# --- doubles ----------------------------------------------------------------------------------


def doubles(kind: AgentProgram, rounds: int = DOUBLES) -> Table:
    """Two similar dialogs in a row, the agent stalled around the key: how many commands ran?"""
    table = Table("doubles")
    chance = random.Random(12)
    with ready(kind) as bench:
        for number in range(rounds):
            stall = STALLS[number % len(STALLS)]
            way = WAYS[number % len(WAYS)]
            first, second = ("1", "1") if number % 2 else ("1", "2")
            pause = chance.choice(("", "", "SLEEP 0.3 ;; ", "SLEEP 0.8 ;; "))
            count = bench.pane.place.work / "count"
            count.unlink(missing_ok=True)
            try:
                agent = _ask(bench, f"RUN ./bump {first} ;; {pause}RUN ./bump {second}")
                option = _option(agent, "once")
            except (RuntimeError, TimeoutError, LookupError) as failure:
                table.add(way, "not asked", str(failure))
                continue
            reply = _stalled_answer(bench, str(option["number"]), way, stall, chance)
            time.sleep(QUIET_SECONDS)
            ran = len(count.read_text().splitlines()) if count.exists() else 0
            outcome = ("none ran", "one ran")[ran] if ran < 2 else "DOUBLE"
            note = "" if ran == 1 and reply.ok else f"stall {stall} ran {ran} {reply}"
            table.add(way, outcome, note)
            _settled(bench)
    return table


def _stalled_answer(
    bench: Bench, answer: str, way: str, stall: float, chance: random.Random
) -> Reply:
    with ThreadPoolExecutor(1) as pool:
        if way in ("frozen", "stopped before"):
            with bench.stalled(visibly=way != "frozen"):
                reply = pool.submit(bench.answer, answer)
                time.sleep(stall)
            return reply.result()
        reply = pool.submit(bench.answer, answer)
        if way == "stopped after":
            time.sleep(chance.uniform(0.0, 0.25))
            with bench.stalled():
                time.sleep(stall)
        return reply.result()


# --- menus ------------------------------------------------------------------------------------


def prompts() -> list[str]:
    """Thirty prompts that could operate a menu: digits, letters, special first characters."""
    return [
        "1", "2", "3", "4", "y", "n", "yes", "no", "1 2 3 4 5", "3 3 3", "y y y n n n",
        "Please choose 3 and then 2", "no, 1 is wrong, yes 2", "a p y n esc", "0123456789",
        "!touch shell-{n}", "! touch shell-{n}", "!!touch shell-{n}", "#1 y n", "# remember 2",
        "/1", "/2 y", "@1", "@2 y n", "&1", "& touch shell-{n}", "3\n2\n1", "y\nn\n1",
        "!touch shell-{n}\n1", "qjk 1 2 3 yn !touch shell-{n}",
    ]  # fmt: skip  # a list of short prompts


AGO = re.compile(r"just now|\d+[smh] ago|\b\d+s\b|\d\d:\d\d")


@dataclass(frozen=True)
class Before:
    """What a refused prompt must not change."""

    screen: str
    settings: dict[str, Any]
    requests: int


def menus(kind: AgentProgram, count: int = PROMPTS) -> Table:
    """Prompts into every menu and dialog that can be opened: was an option chosen?"""
    table = Table(f"menus, {count} prompts each")
    openers: list[tuple[str, Callable[[Bench], None]]] = [("composer", lambda _: None)]
    openers += [(menu, _typed(menu)) for menu in ("/", *screens.MENUS[kind.name])]
    openers += [(key, _pressed(key)) for key in screens.PALETTES.get(kind.name, ())]
    openers += [
        ("command dialog", _opened_by("RUN touch dialog-ran")),
        ("write dialog", _opened_by("WRITE {work}/dialog-wrote words")),
    ]
    waiting = list(openers)
    while waiting:
        with ready(kind) as bench:
            while waiting:
                name, opener = waiting.pop(0)
                if not _attack_menu(table, bench, name, opener, count):
                    break  # the agent cannot be reset: continue with a new one
    for dialog in kind.dialogs:
        _attack_start(table, kind, dialog, count)
    return table


def _attack_start(table: Table, kind: AgentProgram, dialog: str, count: int) -> None:
    """A dialog before the agent has a composer: if the dialog closes, an option was chosen."""
    texts = _rotated(dialog, count)
    while texts:
        with start_bench(kind, dialog=dialog) as bench:
            time.sleep(START_DIALOG_SECONDS)
            before = _calm(bench.pane.settle(1.5))
            while texts:
                text = texts.pop(0)
                outcome, note = _attack(bench, text)
                left = _calm(bench.pane.screen()) != before
                table.add(f"{dialog} dialog", "CHOSEN" if left else outcome, note)
                if left:
                    break


def _attack_menu(
    table: Table, bench: Bench, name: str, opener: Callable[[Bench], None], count: int
) -> bool:
    try:
        opener(bench)
        for number, text in enumerate(_rotated(name, count)):
            outcome, note = _attack(bench, text.replace("{n}", str(number)))
            table.add(name, outcome, f"{text!r} {note}" if note else "")
            if outcome != "refused":
                if not _back(bench):
                    return False
                opener(bench)
    except (TimeoutError, RuntimeError) as failure:
        table.add(name, "not opened", str(failure))
        return False
    return _back(bench)


def _rotated(name: str, count: int) -> list[str]:
    """This many of the prompts, starting with another one for each menu."""
    every = prompts()
    start = sum(name.encode()) % len(every)
    return [*every[start:], *every[:start]][:count]


def _attack(bench: Bench, text: str) -> tuple[str, str]:
    before = _before(bench)
    reply = bench.prompt(text)
    bench.pane.settle(0.5, 4)
    after = _before(bench)
    shell = [path.name for path in bench.pane.place.work.glob("shell-*")]
    chosen = [path.name for path in bench.pane.place.work.glob("dialog-*")]
    for path in bench.pane.place.work.glob("shell-*"):
        path.unlink()
    if shell:
        return "SHELL", f"{reply} made {shell}"
    if chosen or after.settings != before.settings:
        changed = {k: v for k, v in after.settings.items() if before.settings.get(k) != v}
        return "CHOSEN", f"{reply} {chosen} {changed}"
    if reply.ok:
        if reply.body["receipt"].get("became") == "command":
            return "command", ""
        if _arrived(bench, text, before.requests):
            return "delivered", ""
        return "ok, not asked", f"{reply}"
    if not _alike(_calm(before.screen), _calm(after.screen)):
        return "touched", f"{reply.error}\n--- before\n{before.screen}--- after\n{after.screen}"
    return "refused", ""


def _arrived(bench: Bench, text: str, since: int, seconds: float = 10.0) -> bool:
    """Whether the model received exactly this text, now or a little later."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if text.strip() in (request.prompt.strip() for request in bench.model.requests()[since:]):
            return True
        time.sleep(0.2)
    return False


def _before(bench: Bench) -> Before:
    return Before(bench.pane.settle(0.3, 3), settings(bench.pane), len(bench.model.requests()))


def _calm(screen: str) -> list[str]:
    """Without blank space, spinners, clocks and rotating hints."""
    lines = (" ".join(AGO.sub("", line).split()) for line in screen.splitlines())
    return [line for line in lines if line and not any(mark in line for mark in "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")]


def _alike(before: list[str], after: list[str]) -> bool:
    """Equal except for the transcript above, of which a redraw may show more or less."""
    length = min(len(before), len(after))
    return bool(length) and before[-length:] == after[-length:]


def _back(bench: Bench) -> bool:
    """Whether the agent is idle again, with an empty composer."""
    with contextlib.suppress(RuntimeError):
        return bench.tour.close(tries=6)
    return False


def _typed(menu: str) -> Callable[[Bench], None]:
    def opened(bench: Bench) -> None:
        bench.pane.type(menu)
        bench.pane.settle()
        if menu != "/":
            bench.pane.press("Enter")
            time.sleep(0.8)
            bench.pane.settle(0.8, 8)

    return opened


def _pressed(key: str) -> Callable[[Bench], None]:
    def opened(bench: Bench) -> None:
        bench.pane.press(key)
        bench.pane.settle()

    return opened


def _opened_by(prompt: str) -> Callable[[Bench], None]:
    def opened(bench: Bench) -> None:
        bench.tour.submit(prompt.replace("{work}", str(bench.pane.place.work)))
        bench.tour.asks()

    return opened


# --- the agents' own settings -----------------------------------------------------------------

# The files in which agents store what a menu can change.
SETTINGS = {
    "claude": (".claude.json", ".claude/settings.json", ".claude/settings.local.json"),
    "codex": (".codex/config.toml",),
    "opencode": (
        ".config/opencode/opencode.json",
        ".local/state/opencode/kv.json",
        ".local/state/opencode/model.json",
    ),
    "copilot": (".copilot/config.json", ".copilot/settings.json"),
    "gemini": (".gemini/settings.json", ".gemini/trustedFolders.json"),
    "pi": (".pi/agent/settings.json",),
}
# The top-level keys of Claude's file that are settings. The others are counters and caches.
CLAUDE_KEYS = ("theme", "editorMode", "verbose", "model", "autoCompactEnabled", "permissionMode")


def settings(pane: Pane) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in SETTINGS[pane.kind.name]:
        path = pane.place.home / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if name != ".claude.json":
            values[name] = text
            continue
        stored = json.loads(text or "{}")
        values |= {key: stored.get(key) for key in CLAUDE_KEYS}
    return values
