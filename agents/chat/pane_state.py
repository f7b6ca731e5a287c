"""What the chat recorder knows about panes and windows between two captures.

Shared by screen_recorder.py and input_recorder.py, which both update it.
"""

import asyncio
import time
from collections.abc import Container
from dataclasses import dataclass, field

from agents import registry
from agents.chat.line_editor import Line
from agents.chat.submitted_text import LineStart, ScreenRows
from agents.runtimes import loader
from agents.runtimes.loader import Rules
from terminals import services
from terminals.models import Window
from terminals.tmux.driver import Capture, Tmux
from terminals.tmux.rows import may_be_trimmed


@dataclass(slots=True)
class PaneState:
    """One pane. Its records are written under the lock `work`, in the order of arrival."""

    id: str
    tty: str = ""
    window_id: str = ""
    work: asyncio.Lock = field(default_factory=asyncio.Lock)
    # Input
    line: Line = field(default_factory=Line)
    start: "asyncio.Task[LineStart | None] | None" = (
        None  # of a line that has to be read from the screen
    )
    doubted_at: float = 0.0
    answered_at: float = 0.0  # the last input while the agent asked something; 0: none since
    waiting: int = 0  # submitted lines that are not stored yet
    # Screen
    history: int = 0  # rows above the screen when the last record was written
    last_capture: tuple[int, tuple[str, ...]] | None = None
    tail: tuple[str, ...] = ()  # the last lines of the last record
    content: list[str] | None = None  # of the last record; None: not loaded yet
    recorded_at: float = 0.0
    screen: int | None = None  # the record of the full-screen program that is running

    @property
    def agent(self) -> registry.Agent | None:
        """The agent that is in the pane now."""
        agents = registry.current().agents.values()
        return next((agent for agent in agents if agent.pane_id == self.id), None)

    @property
    def runtime(self) -> str:
        """The runtime of the agent that is in the pane now, or an empty string."""
        return agent.runtime if (agent := self.agent) else ""


class RecorderState:
    def __init__(self, tmux: Tmux) -> None:
        self.panes: dict[str, PaneState] = {}
        self.active: set[str] = set()  # windows that may have printed since their last capture
        self.input_event = asyncio.Event()  # set by input, to capture sooner
        self._tmux = tmux
        self._windows: dict[str, Window] = {}
        self._server_run = ""

    def reset_after_restart(self) -> bool:
        """Forget everything if tmux was restarted, since its ids then name other panes."""
        if self._server_run == self._tmux.server_run:
            return False
        self._server_run = self._tmux.server_run
        self.panes.clear()
        self.active.clear()
        self._windows.clear()
        return True

    def pane(self, pane_id: str) -> PaneState:
        return self.panes.setdefault(pane_id, PaneState(pane_id))

    def mark_active(self, pane: PaneState) -> None:
        if pane.window_id:
            self.active.add(pane.window_id)
            self.input_event.set()

    async def window(self, window_id: str) -> Window:
        if (window := self._windows.get(window_id)) is None:
            window = await services.get_live_window(self._tmux, window_id)
            self._windows[window_id] = window
        return window

    def forget_windows(self) -> None:
        """Their names or indexes may have changed."""
        self._windows.clear()

    def forget_panes(self, *, except_in: Container[str]) -> None:
        """Forget the panes of all other windows: those have ended."""
        for pane in list(self.panes.values()):
            if pane.window_id and pane.window_id not in except_in and not pane.waiting:
                del self.panes[pane.id]


def rules_of(runtime: str) -> Rules:
    return loader.load(runtime) if runtime else loader.shell()


def screen_rows(capture: Capture) -> ScreenRows:
    row = capture.row
    return ScreenRows(
        capture.lines, first_row(capture), row.width, row.history + row.cursor_y, row.cursor_x
    )


def first_row(capture: Capture) -> int:
    return capture.row.history - capture.above


def is_trimmed(capture: Capture) -> bool:
    """Whether tmux may have dropped rows of the history: row numbers are then unknown."""
    return may_be_trimmed(capture.row.history, capture.row.history_limit)


def now_ms() -> int:
    return int(time.time() * 1000)
