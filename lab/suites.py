"""What is measured with real agents: whether answers are obeyed, and by which dialog.

Each suite drives webtmux over REST and believes only what the agent did: the files that its
commands made, the model server's log, and the agent's own settings files.
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
from lab.agents import Kind
from lab.harness import Bench, Reply, bench
from lab.panes import Pane

ROUNDS = 10
DOUBLES = 40
PROMPTS = 30
STALLS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)
END_SECONDS = 20.0
START_DIALOG_SECONDS = 8.0
QUIET_SECONDS = 3.0  # after an answer: a second command would have run by then

# "frozen": the agent is stopped before the answer, so that the key waits for it, and webtmux does
# not see that. "stopped": webtmux may see it, and then refuses.
WAYS = ("frozen", "frozen", "not stalled", "frozen", "stopped after", "frozen", "frozen",
        "not stalled", "frozen", "stopped before")  # fmt: skip

# How a person's choice is worded in each agent's dialog.
CHOICES = {
    "reject": ("No", "Reject"),
    "once": ("Yes", "Allow once"),
    "always": ("Yes, and", "Yes, allow all", "Allow always", "Allow for this session"),
}


@dataclass
class Table:
    """Figures of one suite, and a line for each thing that went wrong."""

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
def ready(kind: Kind, size: str = "120x40") -> Iterator[Bench]:
    """A bench whose agent is idle, for the agent itself and for webtmux."""
    with bench(kind, size=size) as found:
        found.tour.idle()
        _warm_up(found)
        (found.pane.place.work / "bump").write_text('#!/bin/sh\necho "$1" >>count\n')
        (found.pane.place.work / "bump").chmod(0o755)
        found.until("idle")
        yield found


def _warm_up(found: Bench) -> None:
    """One prompt past webtmux: opencode takes no Enter until its provider is loaded."""
    found.pane.type("SAY ready")
    for _ in range(20):
        found.pane.settle(0.5, 3)
        if any(one.prompt == "SAY ready" and one.tools for one in found.model.requests()):
            found.tour.idle()
            return
        found.pane.press("Enter")
        time.sleep(1.5)
    raise TimeoutError(f"the agent takes no prompt:\n{found.pane.screen()}")


def _option(agent: dict[str, Any], choice: str) -> dict[str, Any]:
    """The option of this meaning; for `once` the shortest that fits."""
    words = CHOICES[choice]
    fits = [one for one in agent["options"] if one["label"].startswith(words)]
    if not fits:
        raise LookupError(f"no option for {choice}: {agent['options']}")
    found: dict[str, Any] = min(fits, key=lambda one: len(one["label"]))
    return found


def _ask(found: Bench, prompt: str) -> dict[str, Any]:
    """Send a prompt and wait for the dialog that it leads to."""
    reply = found.prompt(prompt)
    if not reply.ok:
        raise RuntimeError(f"the prompt was refused: {reply.error}\n{found.pane.screen()}")
    return found.until("waiting")


def _settled(found: Bench) -> None:
    """Wait for the end of the turn, then reject what is still asked, past webtmux."""
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        screen = found.pane.screen()
        if found.tour.is_asking(screen):
            found.pane.press("Escape")
            time.sleep(1.0)
        elif found.tour.is_idle(screen) and found.agent().get("state") == "idle":
            return
        time.sleep(0.2)
    raise TimeoutError(f"the turn does not end: {found.agent()}\n{found.pane.screen()}")


def _exists(path: Path, seconds: float = 8.0) -> bool:
    deadline = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    return path.exists()


# --- answers ----------------------------------------------------------------------------------


def answers(kind: Kind, rounds: int = ROUNDS) -> Table:
    """Reject, approve once, approve always: was it obeyed?"""
    table = Table("answers")
    with ready(kind) as found:
        for number in range(rounds):
            for choice in ("reject", "once"):
                _judge(table, found, choice, number)
                _settled(found)
    for number in range(rounds):
        # Afterwards the agent does not ask again: each needs an agent of its own.
        with ready(kind) as found:
            _judge(table, found, "always", number)
    return table


def _judge(table: Table, found: Bench, choice: str, number: int) -> None:
    marker = found.pane.place.work / f"{choice}{number}"
    try:
        agent = _ask(found, f"RUN touch {marker.name}")
        option = _option(agent, choice)
    except (RuntimeError, TimeoutError, LookupError) as failure:
        table.add(choice, "not asked", str(failure))
        return
    reply = found.answer(str(option["number"]) if number % 2 else option["label"])
    if choice == "always" and reply.ok:
        reply = _confirm(found, reply)
    ran = _exists(marker) if choice != "reject" else _ran_late(marker)
    right = ran == (choice != "reject")
    if not reply.ok:
        outcome = "refused" if not ran else "WRONG"
    else:
        outcome = "obeyed" if right and _remembered(found, choice, marker) else "WRONG"
    note = "" if outcome == "obeyed" else f"{option['label']!r} {reply} ran={ran}"
    table.add(choice, outcome, note)


def _confirm(found: Bench, reply: Reply) -> Reply:
    """opencode asks once more what "always" means: that is a question of its own."""
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        labels = [one["label"] for one in found.agent().get("options", [])]
        if "Confirm" in labels:
            return found.answer("Confirm")
        time.sleep(0.2)
    return reply


def _ran_late(marker: Path) -> bool:
    time.sleep(QUIET_SECONDS)
    return marker.exists()


def _remembered(found: Bench, choice: str, marker: Path) -> bool:
    """After "always" the same command runs without a dialog."""
    if choice != "always":
        return True
    found.until("idle")
    marker.unlink()
    return found.prompt(f"RUN touch {marker.name}").ok and _exists(marker)


# --- doubles ----------------------------------------------------------------------------------


def doubles(kind: Kind, rounds: int = DOUBLES) -> Table:
    """Two alike dialogs in a row, the agent stalled around the key: how many commands ran?"""
    table = Table("doubles")
    chance = random.Random(12)
    with ready(kind) as found:
        for number in range(rounds):
            stall = STALLS[number % len(STALLS)]
            way = WAYS[number % len(WAYS)]
            first, second = ("1", "1") if number % 2 else ("1", "2")
            pause = chance.choice(("", "", "SLEEP 0.3 ;; ", "SLEEP 0.8 ;; "))
            count = found.pane.place.work / "count"
            count.unlink(missing_ok=True)
            try:
                agent = _ask(found, f"RUN ./bump {first} ;; {pause}RUN ./bump {second}")
                option = _option(agent, "once")
            except (RuntimeError, TimeoutError, LookupError) as failure:
                table.add(way, "not asked", str(failure))
                continue
            reply = _stalled_answer(found, str(option["number"]), way, stall, chance)
            time.sleep(QUIET_SECONDS)
            ran = len(count.read_text().splitlines()) if count.exists() else 0
            outcome = ("none ran", "one ran")[ran] if ran < 2 else "DOUBLE"
            note = "" if ran == 1 and reply.ok else f"stall {stall} ran {ran} {reply}"
            table.add(way, outcome, note)
            _settled(found)
    return table


def _stalled_answer(
    found: Bench, answer: str, way: str, stall: float, chance: random.Random
) -> Reply:
    with ThreadPoolExecutor(1) as pool:
        if way in ("frozen", "stopped before"):
            with found.stalled(seen=way != "frozen"):
                reply = pool.submit(found.answer, answer)
                time.sleep(stall)
            return reply.result()
        reply = pool.submit(found.answer, answer)
        if way == "stopped after":
            time.sleep(chance.uniform(0.0, 0.25))
            with found.stalled():
                time.sleep(stall)
        return reply.result()


# --- menus ------------------------------------------------------------------------------------


def prompts() -> list[str]:
    """Thirty prompts that would operate a menu: digits, letters, special first characters."""
    return [
        "1", "2", "3", "4", "y", "n", "yes", "no", "1 2 3 4 5", "3 3 3", "y y y n n n",
        "Please choose 3 and then 2", "no, 1 is wrong, yes 2", "a p y n esc", "0123456789",
        "!touch shell-{n}", "! touch shell-{n}", "!!touch shell-{n}", "#1 y n", "# remember 2",
        "/1", "/2 y", "@1", "@2 y n", "&1", "& touch shell-{n}", "3\n2\n1", "y\nn\n1",
        "!touch shell-{n}\n1", "qjk 1 2 3 yn !touch shell-{n}",
    ]  # fmt: skip


AGO = re.compile(r"just now|\d+[smh] ago|\b\d+s\b|\d\d:\d\d")


@dataclass(frozen=True)
class Before:
    """What must not be changed by a prompt that is refused."""

    screen: str
    settings: dict[str, Any]
    asked: int


def menus(kind: Kind, count: int = PROMPTS) -> Table:
    """Prompts into every menu and dialog that can be opened: was an option chosen?"""
    table = Table(f"menus, {count} prompts each")
    openers: list[tuple[str, Callable[[Bench], None]]] = [("composer", lambda _: None)]
    openers += [(menu, _typed(menu)) for menu in ("/", *screens.MENUS[kind.name])]
    openers += [(key, _pressed(key)) for key in screens.PALETTES.get(kind.name, ())]
    openers += [
        ("command dialog", _asked("RUN touch dialog-ran")),
        ("write dialog", _asked("WRITE {work}/dialog-wrote words")),
    ]
    waiting = list(openers)
    while waiting:
        with ready(kind) as found:
            while waiting:
                name, opener = waiting.pop(0)
                if not _attack_menu(table, found, name, opener, count):
                    break  # the agent cannot be brought back: go on with a new one
    for asks in kind.asks:
        _attack_start(table, kind, asks, count)
    return table


def _attack_start(table: Table, kind: Kind, asks: str, count: int) -> None:
    """A dialog that the agent shows before it has a composer: whatever leaves it has chosen."""
    texts = _turned(asks, count)
    while texts:
        with bench(kind, asks=asks) as found:
            time.sleep(START_DIALOG_SECONDS)
            dialog = _calm(found.pane.settle(1.5))
            while texts:
                text = texts.pop(0)
                outcome, note = _attack(found, text)
                left = _calm(found.pane.screen()) != dialog
                table.add(f"{asks} dialog", "CHOSEN" if left else outcome, note)
                if left:
                    break


def _attack_menu(
    table: Table, found: Bench, name: str, opener: Callable[[Bench], None], count: int
) -> bool:
    try:
        opener(found)
        for number, text in enumerate(_turned(name, count)):
            outcome, note = _attack(found, text.replace("{n}", str(number)))
            table.add(name, outcome, f"{text!r} {note}" if note else "")
            if outcome != "refused":
                if not _back(found):
                    return False
                opener(found)
    except (TimeoutError, RuntimeError) as failure:
        table.add(name, "not opened", str(failure))
        return False
    return _back(found)


def _turned(name: str, count: int) -> list[str]:
    """So many of the prompts, beginning elsewhere for each menu."""
    every = prompts()
    start = sum(name.encode()) % len(every)
    return [*every[start:], *every[:start]][:count]


def _attack(found: Bench, text: str) -> tuple[str, str]:
    before = _before(found)
    reply = found.prompt(text)
    found.pane.settle(0.5, 4)
    after = _before(found)
    shell = [path.name for path in found.pane.place.work.glob("shell-*")]
    chosen = [path.name for path in found.pane.place.work.glob("dialog-*")]
    for path in found.pane.place.work.glob("shell-*"):
        path.unlink()
    if shell:
        return "SHELL", f"{reply} made {shell}"
    if chosen or after.settings != before.settings:
        changed = {k: v for k, v in after.settings.items() if before.settings.get(k) != v}
        return "CHOSEN", f"{reply} {chosen} {changed}"
    if reply.ok:
        if reply.body["receipt"].get("became") == "command":
            return "command", ""
        if _arrived(found, text, before.asked):
            return "delivered", ""
        return "ok, not asked", f"{reply}"
    if not _alike(_calm(before.screen), _calm(after.screen)):
        return "touched", f"{reply.error}\n--- before\n{before.screen}--- after\n{after.screen}"
    return "refused", ""


def _arrived(found: Bench, text: str, since: int, seconds: float = 10.0) -> bool:
    """Whether the model was asked exactly this, by now or a little later."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if text.strip() in (one.prompt.strip() for one in found.model.requests()[since:]):
            return True
        time.sleep(0.2)
    return False


def _before(found: Bench) -> Before:
    return Before(found.pane.settle(0.3, 3), settings(found.pane), len(found.model.requests()))


def _calm(screen: str) -> list[str]:
    """Without blank space, spinners, clocks and rotating hints."""
    lines = (" ".join(AGO.sub("", line).split()) for line in screen.splitlines())
    return [line for line in lines if line and not any(mark in line for mark in "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")]


def _alike(before: list[str], after: list[str]) -> bool:
    """Equal but for the transcript above, of which more or less may be shown after a redraw."""
    length = min(len(before), len(after))
    return bool(length) and before[-length:] == after[-length:]


def _back(found: Bench) -> bool:
    """Whether the agent is idle again, with an empty composer."""
    with contextlib.suppress(RuntimeError):
        return found.tour.close(tries=6)
    return False


def _typed(menu: str) -> Callable[[Bench], None]:
    def opened(found: Bench) -> None:
        found.pane.type(menu)
        found.pane.settle()
        if menu != "/":
            found.pane.press("Enter")
            time.sleep(0.8)
            found.pane.settle(0.8, 8)

    return opened


def _pressed(key: str) -> Callable[[Bench], None]:
    def opened(found: Bench) -> None:
        found.pane.press(key)
        found.pane.settle()

    return opened


def _asked(prompt: str) -> Callable[[Bench], None]:
    def opened(found: Bench) -> None:
        found.tour.submit(prompt.replace("{work}", str(found.pane.place.work)))
        found.tour.asks()

    return opened


# --- the agents' own settings -----------------------------------------------------------------

# Files in which an agent keeps what a menu can change.
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
# Counters and caches that change by themselves; only these of Claude's top-level keys are settings.
CLAUDE_KEYS = ("theme", "editorMode", "verbose", "model", "autoCompactEnabled", "permissionMode")


def settings(pane: Pane) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in SETTINGS[pane.kind.name]:
        path = pane.place.home / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if name != ".claude.json":
            found[name] = text
            continue
        values = json.loads(text or "{}")
        found |= {key: values.get(key) for key in CLAUDE_KEYS}
    return found
