"""What the recorder remembers of panes and windows between two looks.

Neither the looks (pictures.py) nor the keys (keystrokes.py): both write here.
"""

import asyncio
import time
from collections.abc import Container
from dataclasses import dataclass, field

from agents import registry, rules
from agents.rules import Rules
from agents.submissions import Place, View
from agents.typed import Line
from terminals import selectors
from terminals.models import Window
from terminals.tmux.driver import Picture, Tmux
from terminals.tmux.rows import may_be_trimmed


@dataclass(slots=True)
class Pane:
    """One pane. Whoever writes records of it holds `work`, which is fair: first come, first."""

    id: str
    tty: str = ""
    window_id: str = ""
    work: asyncio.Lock = field(default_factory=asyncio.Lock)
    # What is typed.
    line: Line = field(default_factory=Line)
    start: "asyncio.Task[Place | None] | None" = None  # of a line that must be read from the screen
    doubted_at: float = 0.0
    waiting: int = 0  # lines that are not written yet
    # What is shown.
    history: int = 0  # rows above the screen at the last record
    glimpse: tuple[int, tuple[str, ...]] | None = None
    tail: tuple[str, ...] = ()  # the last lines of the last record
    said: list[str] | None = None  # of the last record; None: not read from the database yet
    kept_at: float = 0.0
    screen: int | None = None  # the record of the full-screen program that is shown

    @property
    def runtime(self) -> str:
        """Of the agent that is there now; empty: none."""
        agents = registry.current().agents.values()
        return next((agent.runtime for agent in agents if agent.pane_id == self.id), "")


class Memory:
    def __init__(self, tmux: Tmux) -> None:
        self.panes: dict[str, Pane] = {}
        self.active: set[str] = set()  # windows that may have printed since they were looked at
        self.stirred = asyncio.Event()  # something was typed: look sooner
        self._tmux = tmux
        self._windows: dict[str, Window] = {}
        self._life = ""

    def begin(self) -> bool:
        """Whether this is another life of tmux: its ids mean other panes."""
        if self._life == self._tmux.life:
            return False
        self._life = self._tmux.life
        self.panes.clear()
        self.active.clear()
        self._windows.clear()
        return True

    def pane(self, pane_id: str) -> Pane:
        return self.panes.setdefault(pane_id, Pane(pane_id))

    def stir(self, pane: Pane) -> None:
        if pane.window_id:
            self.active.add(pane.window_id)
            self.stirred.set()

    async def window(self, window_id: str) -> Window:
        if (window := self._windows.get(window_id)) is None:
            window = await selectors.fact_of(self._tmux, window_id)
            self._windows[window_id] = window
        return window

    def forget_windows(self) -> None:
        """Their names or places may have changed."""
        self._windows.clear()

    def keep(self, windows: Container[str]) -> None:
        """Forget the panes of windows that have ended."""
        for pane in list(self.panes.values()):
            if pane.window_id and pane.window_id not in windows and not pane.waiting:
                del self.panes[pane.id]


def rules_of(runtime: str) -> Rules:
    return rules.load(runtime) if runtime else rules.shell()


def view(picture: Picture) -> View:
    row = picture.row
    return View(picture.lines, first_row(picture), row.width, row.history + row.cursor_y,
                row.cursor_x)  # fmt: skip


def first_row(picture: Picture) -> int:
    return picture.row.history - picture.above


def is_trimmed(picture: Picture) -> bool:
    """Then rows can no longer be counted."""
    return may_be_trimmed(picture.row.history, picture.row.history_limit)


def now_ms() -> int:
    return int(time.time() * 1000)
