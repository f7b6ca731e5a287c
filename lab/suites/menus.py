"""Prompts into every menu and dialog that can be opened: was an option chosen?"""

import contextlib
import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lab import screens
from lab.agents import AgentProgram
from lab.harness import Bench, start_bench
from lab.panes import Pane
from lab.suites.common import Table, ready

PROMPTS = 30
START_DIALOG_SECONDS = 8.0


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


def measure(kind: AgentProgram, size: str, count: int | None = None) -> Table:
    """Prompts into every menu and dialog that can be opened: was an option chosen?

    $WEBTMUX_LAB_ONLY: the names of some of them, with commas between.
    """
    count = count or PROMPTS
    table = Table(f"menus, {count} prompts each")
    openers: list[tuple[str, Callable[[Bench], None]]] = [("composer", lambda _: None)]
    openers += [(menu, _typed(menu)) for menu in ("/", *screens.MENUS[kind.name])]
    openers += [(key, _pressed(key)) for key in screens.PALETTES.get(kind.name, ())]
    openers += [
        ("command dialog", _opened_by("RUN touch dialog-ran")),
        ("write dialog", _opened_by("WRITE {work}/dialog-wrote words")),
    ]
    dialogs = list(kind.dialogs)
    if only := os.environ.get("WEBTMUX_LAB_ONLY", ""):
        openers = [opener for opener in openers if opener[0] in only.split(",")]
        dialogs = [dialog for dialog in dialogs if dialog in only.split(",")]
    waiting = list(openers)
    while waiting:
        with ready(kind, size) as bench:
            while waiting:
                name, opener = waiting.pop(0)
                if not _attack_menu(table, bench, name, opener, count):
                    break  # the agent cannot be reset: continue with a new one
    for dialog in dialogs:
        _attack_start(table, kind, dialog, count, size)
    return table


def _attack_start(table: Table, kind: AgentProgram, dialog: str, count: int, size: str) -> None:
    """A dialog before the agent has a composer: if the dialog closes, an option was chosen."""
    texts = _rotated(dialog, count)
    while texts:
        with start_bench(kind, size=size, dialog=dialog) as bench:
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
