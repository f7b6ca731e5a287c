"""What the suites share: the table of figures, a bench that is ready, dialogs."""

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.agents import AgentProgram
from lab.harness import Bench, start_bench

END_SECONDS = 20.0
OPTIONS_SECONDS = 10.0
QUIET_SECONDS = 3.0  # after an answer: a second command would have run by then

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
    figures: list[str] = field(default_factory=list)  # lines below the table

    def add(self, row: str, outcome: str, note: str = "") -> None:
        self.counts.setdefault(row, Counter())[outcome] += 1
        if note:
            self.notes.append(f"{row}: {outcome}: {note}")
        print(f"  {row}: {outcome}: {note.partition(chr(10))[0][:150]}", flush=True)

    def render(self) -> str:
        if not self.counts:
            return "\n".join([self.title, *self.figures])
        names = sorted({name for counter in self.counts.values() for name in counter})
        width = max(map(len, self.counts), default=0) + 2
        lines = [self.title, " " * width + "".join(f"{name:>15}" for name in (*names, "of"))]
        for row, counter in self.counts.items():
            figures = [*(counter[name] for name in names), counter.total()]
            lines.append(f"{row:<{width}}" + "".join(f"{figure:>15}" for figure in figures))
        return "\n".join([*lines, *self.figures])


def percentile(values: Sequence[float], percent: int) -> float:
    """The nearest rank; 0 if there are no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0


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


def option_for(agent: dict[str, Any], choice: str) -> dict[str, Any]:
    """The option for this choice; for `once` the shortest that matches."""
    words = CHOICES[choice]
    matches = [option for option in agent["options"] if option["label"].startswith(words)]
    if not matches:
        raise LookupError(f"no option for {choice}: {agent['options']}")
    shortest: dict[str, Any] = min(matches, key=lambda option: len(option["label"]))
    return shortest


def ask(bench: Bench, prompt: str) -> dict[str, Any]:
    """Sends a prompt and waits for the dialog that it causes."""
    reply = bench.prompt(prompt)
    if not reply.ok:
        raise RuntimeError(f"the prompt was refused: {reply.error}\n{bench.pane.screen()}")
    bench.until("waiting")
    # A hook may report the question a moment before the dialog with its options is visible.
    deadline = time.monotonic() + OPTIONS_SECONDS
    while not (agent := bench.agent()).get("options") and time.monotonic() < deadline:
        time.sleep(0.1)
    return agent


def end_turn(bench: Bench) -> None:
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


def file_appears(path: Path, seconds: float = 8.0) -> bool:
    deadline = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    return path.exists()
