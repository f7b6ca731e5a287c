"""Records every line that is submitted to a pane, through any interface.

The text is never logged. line_editor.py turns keys into a line; submitted_text.py reads a line from
the screen where keys alone are not enough.
"""

import asyncio
import contextlib
import contextvars
import logging
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TypeVar

from agents.chat import store, submitted_text
from agents.chat.line_editor import Doubt, EnteredLine, Mode
from agents.chat.pane_state import PaneState, RecorderState, now_ms, screen_rows
from agents.chat.screen_recorder import ScreenRecorder
from agents.chat.store import NewRecord
from agents.chat.submitted_text import LineStart, ScreenRows
from agents.models import Role
from agents.runtimes import loader
from agents.runtimes.loader import AgentState
from core.callers import caller_name
from core.database import in_db
from core.errors import TmuxAway, WebtmuxError
from core.offload import by_size
from terminals.tmux.driver import Capture, Tmux, Typed
from terminals.tmux.foreground import Echo, echo_of

log = logging.getLogger(__name__)
Result = TypeVar("Result")

# Pauses after Enter: a busy program may not show the line yet.
ECHO_PAUSES = (0.02, 0.06, 0.2, 0.6, 1.2)
ECHO_LINES = 500  # of history that are searched for the line
RACE_SECONDS = 0.1  # the screen may not show the effect of a key yet if Enter follows sooner
STATE_SECONDS = 1.0  # the state of an agent may be reported so much later
WAITING_LIMIT = 1000  # unwritten lines of one pane; further lines are not recorded


@dataclass(frozen=True, slots=True)
class _Submission:
    """One line at its Enter, with the captures that were requested before Enter was sent."""

    entered: EnteredLine
    mode: Mode
    echo: Echo
    ts: int
    later: bool  # not the first line of a burst
    settled: bool  # the screen had time to show the effect of the last keys
    before: "asyncio.Task[Capture]"  # with joined lines, for the record
    rows: "asyncio.Task[Capture]"  # row by row, to read the line from
    start: "asyncio.Task[LineStart | None] | None"  # if the line is read from the screen
    actor: str  # who pressed Enter


class InputRecorder:
    def __init__(self, tmux: Tmux, state: RecorderState, screens: ScreenRecorder) -> None:
        self._tmux, self._state, self._screens = tmux, state, screens
        self._tasks: set[asyncio.Task[object]] = set()
        # Input arrives in the context of a request, whose database access ends with the request.
        # Recording runs in the context of the worker instead.
        self._context = contextvars.copy_context()

    def on_input(self, typed: Typed) -> None:
        """Called before each key is sent; must not block."""
        with contextlib.suppress(TmuxAway):  # the keys will not be sent either
            if self._state.reset_after_restart():
                self._screens.forget()
            pane = self._state.pane(typed.pane_id)
            self._state.mark_active(pane)
            echo = echo_of(pane.tty) if pane.tty else Echo.UNKNOWN
            if echo is Echo.HIDDEN and not typed.executed:
                pane.line.clear()
                return
            if not pane.tty:
                self._spawn(self._look_up(pane))
            self._take(pane, typed, Echo.SHOWN if typed.executed else echo)

    async def close(self) -> None:
        """Give pending lines a short time to be stored."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=sum(ECHO_PAUSES))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- before Enter is sent ---

    def _take(self, pane: PaneState, typed: Typed, echo: Echo) -> None:
        mode = _mode(pane, echo)
        entered = _executed(typed) if typed.executed else self._fold(pane, typed, mode)
        if not entered or pane.waiting + len(entered) > WAITING_LIMIT:
            return
        before, rows = self._spawn(self._capture(pane)), self._spawn(self._rows(pane))
        now = now_ms()
        settled = time.monotonic() - pane.doubted_at > RACE_SECONDS
        start, pane.start, actor = pane.start, None, caller_name()
        submissions = [
            _Submission(line, mode, echo, now, number > 0, settled, before, rows, start, actor)
            for number, line in enumerate(entered)
        ]
        pane.waiting += len(submissions)
        self._spawn(self._record(pane, submissions))

    def _fold(self, pane: PaneState, typed: Typed, mode: Mode) -> list[EnteredLine]:
        drop_answer(pane)
        doubt, before = pane.line.doubt, pane.line.before_caret
        if typed.keys:
            entered = pane.line.press(typed.keys, mode)
        elif typed.paste:
            entered = pane.line.paste(typed.data, mode)
        else:
            entered = pane.line.type(typed.data, mode)
        if pane.line.doubt or any(line.doubt for line in entered):
            if not doubt or len(typed.data) + len(typed.keys) > 1 or not entered:
                pane.doubted_at = time.monotonic()
            if not doubt:
                pane.start = self._spawn(_line_start(self._rows(pane), before))
        return entered

    def _capture(self, pane: PaneState) -> Coroutine[object, None, Capture]:
        return self._tmux.capture_now(pane.id, join=not pane.runtime)

    def _rows(self, pane: PaneState, above: int = 0) -> Coroutine[object, None, Capture]:
        return self._tmux.capture_now(pane.id, above=above)

    # --- after Enter was sent ---

    async def _record(self, pane: PaneState, submissions: list[_Submission]) -> None:
        try:
            async with pane.work:
                for submission in submissions:
                    await self._record_one(pane, submission)
        except WebtmuxError as failure:
            log.info("could not record a line of %s: %s", pane.id, failure.message)
        finally:
            pane.waiting -= len(submissions)

    async def _record_one(self, pane: PaneState, submission: _Submission) -> None:
        before = await submission.before
        if not submission.later:
            await self._screens.record(pane, before)
        text = await self._text(pane, submission, before)
        if not text.strip():
            return
        window = await self._state.window(before.row.window_id)
        new = NewRecord(
            role=Role.USER, text=text, ts=submission.ts, pane=pane.id, by=submission.actor
        )
        await in_db(store.add_record)(window=window, new=new)
        pane.screen = None

    async def _text(self, pane: PaneState, submission: _Submission, before: Capture) -> str:
        """The submitted text; empty if there was none or if it was not shown."""
        if submission.mode is Mode.AGENT:
            known = loader.load(pane.runtime)
            size = sum(map(len, before.lines))
            return await by_size(
                size, submitted_text.from_composer, before.lines, known, submission.entered
            )
        if before.row.alternate:
            return ""  # keys for a full-screen program are not lines
        if submission.echo is Echo.SHOWN and not submission.entered.doubt:
            return submission.entered.text
        start = await submission.start if submission.start is not None else None
        shown = screen_rows(await submission.rows)
        if submission.entered.blank and not submission.entered.doubt:
            return _after_prompt(shown, shown.cursor_row)
        return await self._shown_text(pane, submission, shown, start)

    async def _shown_text(
        self, pane: PaneState, submission: _Submission, shown: ScreenRows, start: LineStart | None
    ) -> str:
        """The line as the screen shows it, at its Enter or shortly after."""
        entered, row = submission.entered, shown.cursor_row
        text = ""
        for pause in (0.0, *ECHO_PAUSES):
            if pause:
                await asyncio.sleep(pause)
                shown = screen_rows(await self._rows(pane, above=ECHO_LINES))
            later = submission.later or pause > 0
            if entered.doubt < Doubt.GREAT and submitted_text.is_shown(
                shown, row, entered.text, later=later
            ):
                return entered.text
            if entered.doubt and start is not None and (pause or submission.settled):
                cut = not pause and entered.at_end
                text = submitted_text.read_line(shown, start, up_to_cursor=cut) or text
                if text and not submitted_text.is_behind(text, entered):
                    return text
        if text:
            return text
        return "" if entered.doubt < Doubt.GREAT else _after_prompt(shown, row)

    async def _look_up(self, pane: PaneState) -> None:
        with contextlib.suppress(WebtmuxError):
            row = await self._tmux.pane(pane.id)
            pane.tty, pane.window_id = row.tty, row.window_id
            self._state.mark_active(pane)

    def _spawn(self, work: Coroutine[object, None, Result]) -> "asyncio.Task[Result]":
        task = asyncio.create_task(work, name="chat", context=self._context.copy())
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[object]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, WebtmuxError):
            log.error("could not record a line: %s", type(error).__name__, exc_info=error)


def drop_answer(pane: PaneState) -> None:
    """Keys for a dialog are no part of the next prompt. The first keys of that prompt may have been
    pressed before the state of the agent was updated."""
    agent, now = pane.agent, time.monotonic()
    if agent is not None and agent.state is AgentState.WAITING:
        pane.answered_at = now
    elif pane.answered_at:
        if now - pane.answered_at < STATE_SECONDS:
            pane.line.forget()
        else:
            pane.line.clear()
        pane.answered_at = 0.0


def _mode(pane: PaneState, echo: Echo) -> Mode:
    if pane.runtime:
        return Mode.AGENT
    return Mode.KERNEL if echo is Echo.SHOWN else Mode.EDITOR


def _executed(typed: Typed) -> list[EnteredLine]:
    text = typed.data.decode("utf-8", "replace")
    return [EnteredLine(text)] if text.strip() else []


async def _line_start(capture: Coroutine[object, None, Capture], typed: str) -> LineStart | None:
    return submitted_text.line_start(screen_rows(await capture), typed)


def _after_prompt(shown: ScreenRows, row: int) -> str:
    """A line typed in another terminal, or typed faster than it could be followed."""
    return loader.after_prompt("".join(shown.between(row, row))) or ""
