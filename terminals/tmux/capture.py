"""Captures: what a pane shows at one moment, as text or as a repaint.

`PaneCaptures` is the part of the driver (`Tmux`) that reads text: screens, history, and captures
that are taken before the next key. `RepaintCapture` reads everything that a terminal needs to show
the same screen; viewers (fanout.py) and recordings start from it.

Every capture goes into a tmux buffer and from there into a private file: what `capture-pane -p`
prints in control mode stays in the memory of the tmux server for good, up to tmux 3.5.
"""

import asyncio
import itertools
from collections.abc import Coroutine
from dataclasses import dataclass

from core.errors import NotFound, TmuxAway, TmuxFailed
from core.private_paths import PrivateDirectory, PrivateFile
from terminals.tmux import commands
from terminals.tmux.client import REPLY_SECONDS, ignore_result
from terminals.tmux.commands import Command
from terminals.tmux.monitor import Monitor
from terminals.tmux.repaint import PaneContents, StreamState, TerminalState, repaint
from terminals.tmux.rows import CaptureRow, HistoryRow

LARGE_BYTES = 1024 * 1024  # larger captures are read in a thread
REPAINT_PARTS = ("rows", "joined", "saved")
_repaint_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Capture:
    """The lines of a pane and its state at the same moment."""

    row: CaptureRow
    lines: tuple[str, ...]
    above: int  # how many of the lines are history


@dataclass(frozen=True, slots=True)
class PipeStart:
    """The screen from which the bytes of a new pipe continue; `data` paints it, without history."""

    width: int
    height: int
    data: bytes


class RepaintCapture:
    """One capture of a pane from which a terminal can be repainted.

    The caller sends `line` and passes the replies to `data` or `contents`; `remove` deletes the
    files. All commands of a line run at one moment: tmux reads no output of the pane in between.
    """

    def __init__(
        self,
        pane_id: str,
        lines: int,
        files: PrivateDirectory,
        *,
        resume: bool = False,
        following: tuple[Command, ...] = (),
    ) -> None:
        """`lines`: how much history. `following`: commands that run right after the capture."""
        self.pane_id = pane_id
        self.stream_state = StreamState()
        self.abandoned = False
        self.resume_index = 0 if resume else -1
        number = next(_repaint_numbers)
        buffers = {part: f"webtmux{number}{part}" for part in REPAINT_PARTS}
        self._files = {part: files.create(f"{number}.{part}") for part in REPAINT_PARTS}
        save = {
            part: commands.take_buffer(buffers[part], self._files[part].path)
            for part in REPAINT_PARTS
        }
        first = (commands.flow(pane_id, "continue"),) if resume else ()
        start = f"-{lines}"  # "-0" is the top of the screen
        self.line = (
            *first,
            commands.display(TerminalState.form(), pane_id),
            commands.capture(
                pane_id, buffer=buffers["rows"], start=start, escapes=True, keep_blanks=True
            ),
            commands.capture(pane_id, buffer=buffers["joined"], start=start, join=True),
            commands.capture(
                pane_id, buffer=buffers["saved"], escapes=True, keep_blanks=True, saved=True
            ),
            commands.capture_pending(pane_id),
            *following,
            *save["rows"],
            *save["joined"],
            *save["saved"],  # last: it fails where there is no alternate screen, and ends the line
        )
        self._state_index = len(first)
        # The reply after which output is new: of the last capture. Files are written after it.
        self.moment_index = len(first) + 4
        self._shortest_reply = self.moment_index + len(following) + 5

    @property
    def large(self) -> bool:
        return sum(file.size for file in self._files.values()) > LARGE_BYTES

    def data(self, replies: list[list[bytes]]) -> bytes:
        """The bytes that paint the capture on any terminal."""
        return repaint(*self.contents(replies), self.stream_state)

    def contents(self, replies: list[list[bytes]]) -> tuple[TerminalState, PaneContents]:
        if len(replies) < self._shortest_reply:
            raise TmuxFailed("the pane is gone")
        state = TerminalState.only(replies[self._state_index])
        if state is None or state.pane_id != self.pane_id:
            raise TmuxFailed("tmux answered for another pane: try again")
        pending = b"".join(replies[self.moment_index])
        parts = {part: file.read() for part, file in self._files.items()}
        return state, PaneContents(pending=pending, **parts)

    def remove(self) -> None:
        for file in self._files.values():
            file.remove()


class PaneCaptures:
    """The captures of the driver, which inherits them."""

    def __init__(self, monitor: Monitor, files: PrivateDirectory) -> None:
        self.monitor, self.files = monitor, files
        self._numbers = itertools.count(1)  # of buffers and files

    async def capture(
        self,
        pane_id: str,
        *,
        start: int | None = None,
        end: int | None = None,
        history: bool = False,
        escapes: bool = False,
        join: bool = False,
    ) -> bytes:
        """The screen, or lines `start` to `end` (0 is its top, negative the history), or all."""
        first = "-" if history else "" if start is None else str(int(start))
        last = "" if end is None else str(int(end))
        _, text = await self._capture_text(
            pane_id, start=first, end=last, escapes=escapes, join=join
        )
        return text

    async def capture_history(
        self, pane_id: str, *, start: int | None = None, join: bool = False
    ) -> tuple[HistoryRow, bytes]:
        """The text from line `start` on, or all of it, and the size of the history at that moment.

        Without the size of the same moment a line number means nothing: output moves the lines.
        """
        first = "-" if start is None else str(int(start))
        size = commands.display(HistoryRow.form(), commands.target(pane_id, "%"))
        reply, text = await self._capture_text(pane_id, size, start=first, join=join)
        row = HistoryRow.only(reply)
        if row is None or row.id != pane_id:
            raise NotFound(f"can't find pane: {pane_id}")
        return row, text

    def capture_now(
        self, pane_id: str, *, above: int = 0, join: bool = False, escapes: bool = False
    ) -> Coroutine[object, None, Capture]:
        """A capture with `above` lines of history, sent to tmux before this function returns.

        So what is typed after this call is not in the capture, even if the caller awaits the
        coroutine much later. A coroutine function could not promise that.
        """
        number = next(self._numbers)
        client, buffer = self.monitor.client, f"webtmux{number}"
        start = f"-{int(above)}" if above else ""
        state = commands.display(CaptureRow.form(), commands.target(pane_id, "%"))
        capture = commands.capture(pane_id, buffer=buffer, start=start, join=join, escapes=escapes)
        file = self.files.create(f"{number}.now")
        sent = client.send(state, capture, *commands.take_buffer(buffer, file.path))
        sent.add_done_callback(ignore_result)
        return _read_capture(pane_id, sent, file, above)

    async def pipe_from_capture(self, pane_id: str, shell_command: str) -> PipeStart:
        """Pipe a pane, and capture the screen at the moment the pipe starts: no gap, no repeat."""
        pipe = commands.pipe_pane(pane_id, shell_command)
        capture = RepaintCapture(commands.target(pane_id, "%"), 0, self.files, following=(pipe,))
        try:
            replies = await self.monitor.client.run(*capture.line, lenient=True)
            state, contents = capture.contents(replies)
        finally:
            capture.remove()
        data = repaint(state, contents, StreamState())
        return PipeStart(state.width, state.height, data)

    async def _capture_text(
        self,
        pane_id: str,
        *before: Command,
        start: str,
        end: str = "",
        escapes: bool = False,
        join: bool = False,
    ) -> tuple[list[bytes], bytes]:
        """The reply of the first command on the line, and the captured text."""
        number = next(self._numbers)
        buffer = f"webtmux{number}"
        capture = commands.capture(
            pane_id, buffer=buffer, start=start, end=end, escapes=escapes, join=join
        )
        file = self.files.create(f"{number}.capture")
        try:
            replies = await self.monitor.client.run(
                *before, capture, *commands.take_buffer(buffer, file.path)
            )
            large = file.size > LARGE_BYTES
            return replies[0], await asyncio.to_thread(file.read) if large else file.read()
        finally:
            file.remove()


async def _read_capture(
    pane_id: str, sent: "asyncio.Future[list[list[bytes]]]", file: PrivateFile, above: int
) -> Capture:
    try:
        async with asyncio.timeout(REPLY_SECONDS):
            replies = await asyncio.shield(sent)
        row = CaptureRow.only(replies[0])
        if row is None or not row.pid or row.id != pane_id:
            raise NotFound("the pane is gone")
        lines = file.read().decode("utf-8", "replace").removesuffix("\n").split("\n")
        return Capture(row, tuple(lines), min(above, row.history))
    except TimeoutError:
        raise TmuxAway("tmux did not answer") from None
    finally:
        file.remove()
