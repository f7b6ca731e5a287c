"""Hears what is typed into panes, by whatever door, and records each line that is submitted.

Never logs it. How keys become a line is typed.py, how it is read from a screen submissions.py.
"""

import asyncio
import contextlib
import contextvars
import logging
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from agents import records, rules, submissions
from agents.models import Role
from agents.pictures import Pictures
from agents.recorded import Memory, Pane, now_ms, view
from agents.records import New
from agents.submissions import Place, View
from agents.typed import Doubt, Entered, Mode
from terminals.access import caller_name
from terminals.db import in_db
from terminals.errors import TmuxAway, WebtmuxError
from terminals.off_loop import by_size
from terminals.tmux.driver import Picture, Tmux, Typed
from terminals.tmux.foreground import Echo, echo_of

log = logging.getLogger(__name__)

ECHO_PAUSES = (0.02, 0.06, 0.2, 0.6, 1.2)  # after Enter, until a busy program shows the line
ECHO_LINES = 500  # of history in which the line is looked for then
RACE_SECONDS = 0.1  # what a key brings may not be on the screen if Enter follows sooner
WAITING_LIMIT = 1000  # lines of one pane that are not written yet; more are not recorded


@dataclass(frozen=True, slots=True)
class _Submission:
    """One line at its Enter, and the pictures that were asked for before that was sent."""

    entered: Entered
    mode: Mode
    echo: Echo
    ts: int
    later: bool  # not the first line of one burst
    settled: bool  # the screen had time to show what the last keys brought
    before: "asyncio.Task[Picture]"  # with joined lines, to be recorded
    rows: "asyncio.Task[Picture]"  # row by row, to be read
    start: "asyncio.Task[Place | None] | None"  # of a line that must be read from the screen
    by: str  # whoever pressed Enter


class Keystrokes:
    def __init__(self, tmux: Tmux, memory: Memory, pictures: Pictures) -> None:
        self._tmux, self._memory, self._pictures = tmux, memory, pictures
        self._tasks: set[asyncio.Task[Any]] = set()
        # Of whoever records: what is typed comes in the context of a request, whose bridge to the
        # database ends with it.
        self._context = contextvars.copy_context()

    def hear(self, typed: Typed) -> None:
        """Called for every key before it is sent: it must not wait."""
        with contextlib.suppress(TmuxAway):  # then the keys themselves are not sent either
            if self._memory.begin():
                self._pictures.forget()
            pane = self._memory.pane(typed.pane_id)
            self._memory.stir(pane)
            echo = echo_of(pane.tty) if pane.tty else Echo.UNKNOWN
            if echo is Echo.HIDDEN and not typed.executed:
                pane.line.clear()
                return
            if not pane.tty:
                self._spawn(self._meet(pane))
            self._take(pane, typed, Echo.SHOWN if typed.executed else echo)

    async def close(self) -> None:
        """What was submitted is written first, if that does not take long."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=sum(ECHO_PAUSES))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- before Enter is sent ---

    def _take(self, pane: Pane, typed: Typed, echo: Echo) -> None:
        mode = _mode(pane, echo)
        entered = _executed(typed) if typed.executed else self._fold(pane, typed, mode)
        if not entered or pane.waiting + len(entered) > WAITING_LIMIT:
            return
        before, rows, now = self._spawn(self._shoot(pane)), self._spawn(self._rows(pane)), now_ms()
        settled = time.monotonic() - pane.doubted_at > RACE_SECONDS
        start, pane.start, by = pane.start, None, caller_name()
        found = [
            _Submission(one, mode, echo, now, number > 0, settled, before, rows, start, by)
            for number, one in enumerate(entered)
        ]
        pane.waiting += len(found)
        self._spawn(self._record(pane, found))

    def _fold(self, pane: Pane, typed: Typed, mode: Mode) -> list[Entered]:
        doubt, before = pane.line.doubt, pane.line.before_caret
        if typed.keys:
            entered = pane.line.press(typed.keys, mode)
        elif typed.paste:
            entered = pane.line.paste(typed.data, mode)
        else:
            entered = pane.line.type(typed.data, mode)
        if pane.line.doubt or any(one.doubt for one in entered):
            if not doubt or len(typed.data) + len(typed.keys) > 1 or not entered:
                pane.doubted_at = time.monotonic()
            if not doubt:
                pane.start = self._spawn(_begins(self._rows(pane), before))
        return entered

    def _shoot(self, pane: Pane) -> Coroutine[Any, Any, Picture]:
        return self._tmux.shoot(pane.id, join=not pane.runtime)

    def _rows(self, pane: Pane, above: int = 0) -> Coroutine[Any, Any, Picture]:
        return self._tmux.shoot(pane.id, above=above)

    # --- afterwards ---

    async def _record(self, pane: Pane, found: list[_Submission]) -> None:
        try:
            async with pane.work:
                for submission in found:
                    await self._record_one(pane, submission)
        except WebtmuxError as failure:
            log.info("a line for %s was not recorded: %s", pane.id, failure.message)
        finally:
            pane.waiting -= len(found)

    async def _record_one(self, pane: Pane, found: _Submission) -> None:
        before = await found.before
        if not found.later:
            await self._pictures.keep(pane, before)
        text = await self._text(pane, found, before)
        if not text.strip():
            return
        window = await self._memory.window(before.row.window_id)
        new = New(role=Role.USER, text=text, ts=found.ts, pane=pane.id, by=found.by)
        await in_db(records.add_record)(window=window, new=new)
        pane.screen = None

    async def _text(self, pane: Pane, found: _Submission, before: Picture) -> str:
        """Empty: nothing was submitted, or it was not shown."""
        if found.mode is Mode.AGENT:
            known = rules.load(pane.runtime)
            size = sum(map(len, before.lines))
            return await by_size(
                size, submissions.from_composer, before.lines, known, found.entered
            )
        if before.row.alternate:
            return ""  # keys of a full-screen program are no lines
        if found.echo is Echo.SHOWN and not found.entered.doubt:
            return found.entered.text
        start = await found.start if found.start is not None else None
        shown = view(await found.rows)
        if found.entered.blank and not found.entered.doubt:
            return _after_prompt(shown, shown.cursor_row)
        return await self._seen(pane, found, shown, start)

    async def _seen(self, pane: Pane, found: _Submission, shown: View, start: Place | None) -> str:
        """The line as the screen shows it: at its Enter, or a moment later."""
        entered, row = found.entered, shown.cursor_row
        for pause in (0.0, *ECHO_PAUSES):
            if pause:
                await asyncio.sleep(pause)
                shown = view(await self._rows(pane, above=ECHO_LINES))
            later = found.later or pause > 0
            if entered.doubt < Doubt.GREAT and submissions.is_seen(
                shown, row, entered.text, later=later
            ):
                return entered.text
            if entered.doubt and start is not None and (pause or found.settled):
                cut = not pause and entered.at_end
                if text := submissions.read_line(shown, start, up_to_cursor=cut):
                    return text
        return "" if entered.doubt < Doubt.GREAT else _after_prompt(shown, row)

    async def _meet(self, pane: Pane) -> None:
        with contextlib.suppress(WebtmuxError):
            row = await self._tmux.pane(pane.id)
            pane.tty, pane.window_id = row.tty, row.window_id
            self._memory.stir(pane)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = asyncio.create_task(work, name="chat", context=self._context.copy())
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, WebtmuxError):
            log.error("a line was not recorded: %s", type(error).__name__, exc_info=error)


def _mode(pane: Pane, echo: Echo) -> Mode:
    if pane.runtime:
        return Mode.AGENT
    return Mode.KERNEL if echo is Echo.SHOWN else Mode.EDITOR


def _executed(typed: Typed) -> list[Entered]:
    text = typed.data.decode("utf-8", "replace")
    return [Entered(text)] if text.strip() else []


async def _begins(shot: Coroutine[Any, Any, Picture], typed: str) -> Place | None:
    return submissions.begins(view(await shot), typed)


def _after_prompt(shown: View, row: int) -> str:
    """What somebody typed at a terminal of their own, or what came too fast to be followed."""
    return rules.after_prompt("".join(shown.between(row, row))) or ""
