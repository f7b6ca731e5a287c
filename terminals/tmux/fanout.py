"""One stream client and its viewers: the output of a session, given to each viewer of a pane.

A viewer joins without a gap or a repeat, because in a control stream the reply to `capture-pane`
is exactly where it belongs among the output (5,600 joins under racing writers: none wrong).
Which session has a stream, and for how long, is decided in streams.py.
"""

import asyncio
import re
from collections.abc import Callable, Container
from dataclasses import dataclass, field

from core.private_paths import PrivateDirectory
from terminals.tmux import commands
from terminals.tmux.capture import RepaintCapture
from terminals.tmux.client import ControlClient, ignore_result
from terminals.tmux.commands import Command
from terminals.tmux.control import Notice
from terminals.tmux.paste_mode import PasteMode
from terminals.tmux.pen import OutputPen
from terminals.tmux.repaint import BRACKETED_PASTE, FOCUS_EVENTS, StreamState
from terminals.tmux.viewer import Viewer

TAIL_BYTES = 16  # remembered of a pane: more than a cut character or mode switch needs
REMEMBERED_MODES = {b"%d" % BRACKETED_PASTE, b"%d" % FOCUS_EVENTS}
_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")

Tap = Callable[[bytes], None]
GAP = b""  # passed to a tap: tmux has dropped output here, because this process was behind


@dataclass(slots=True)
class StreamPane:
    """One pane of a stream: its viewers and taps, and what only the stream shows of it."""

    viewers: set[Viewer] = field(default_factory=set)
    taps: list[Tap] = field(default_factory=list)
    state: StreamState = field(default_factory=StreamState)
    paste_mode: PasteMode = field(default_factory=PasteMode)
    pen: OutputPen = field(default_factory=OutputPen)
    joining: int = 0  # viewers that wait for their capture
    fresh: bool = True  # no output yet: the first byte may be inside a character
    paused: bool = False
    ended: bool = False  # its program; the pane stays

    @property
    def followed(self) -> bool:
        return bool(self.viewers or self.taps or self.joining)

    def resume(self) -> None:
        """The output of the time while it was paused is lost."""
        if self.paused:
            self.paused, self.fresh, self.state.tail = False, True, b""
            self.paste_mode.forget()
            self.pen.forget()


class Stream:
    """The output of the panes of one session. It always reads; slow viewers drop their backlog."""

    def __init__(self, session_id: str, files: PrivateDirectory) -> None:
        self.session_id = session_id
        self.client = ControlClient(self._on_output, self._on_notice)
        self._panes: dict[str, StreamPane] = {}
        self._files = files
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        self.sized = False  # whether it has requested a size: see commands.keep_sizes

    @property
    def lost(self) -> bool:
        return self.client.lost.done()

    @property
    def busy(self) -> bool:
        return any(pane.followed for pane in self._panes.values())

    def viewers(self) -> list[Viewer]:
        return [viewer for pane in self._panes.values() for viewer in pane.viewers]

    async def bracketed_paste(self, pane_id: str) -> bool | None:
        """Whether the program in a pane takes bracketed pastes; None: not known.

        The empty command is a barrier: its reply comes after all output that tmux has read.
        """
        await self.client.run(commands.display(""))
        pane = self._panes.get(pane_id)
        if pane is None or pane.paused or not pane.followed:
            return None
        return pane.paste_mode.on

    async def join(self, viewer: Viewer, lines: int) -> bytes:
        """A capture of the pane. From its moment on `viewer` gets every byte, and none twice."""
        pane = self._panes.setdefault(viewer.pane_id, StreamPane())
        capture = RepaintCapture(viewer.pane_id, lines, self._files, resume=pane.paused)

        def on_block(number: int, reply: list[bytes]) -> None:
            if number == capture.resume_index:
                pane.resume()
            if number == capture.moment_index and not (viewer.ended or capture.abandoned):
                pane.viewers.add(viewer)
                state = pane.state
                capture.stream_state = StreamState(dict(state.modes), state.tail, pane.pen.sequence)

        pane.joining += 1
        try:
            replies = await self.client.run(*capture.line, on_block=on_block, lenient=True)
            if capture.large:
                return await asyncio.to_thread(capture.data, replies)
            return capture.data(replies)
        except BaseException:
            capture.abandoned = True
            pane.viewers.discard(viewer)
            raise
        finally:
            pane.joining -= 1
            capture.remove()

    def leave(self, viewer: Viewer) -> None:
        if (pane := self._panes.get(viewer.pane_id)) is not None:
            pane.viewers.discard(viewer)

    async def run_paused(self, pane_id: str, *line: Command) -> None:
        """Run commands while tmux sends no output of the pane.

        tmux (up to 3.7c) crashes if the program of a pane is replaced while output of that pane
        waits for a control client. Viewers get a new capture.
        """
        pause, resume = (commands.flow(pane_id, "pause"), commands.flow(pane_id, "continue"))
        await self.client.run(pause, *line, resume)

    async def tap(self, pane_id: str, tap: Tap) -> None:
        """Call `tap` with every byte that the pane prints from now on; GAP where some were lost."""
        pane = self._panes.setdefault(pane_id, StreamPane())
        pane.taps.append(tap)
        if pane.paused:
            pane.resume()
            await self.client.run(commands.flow(pane_id, "continue"))
            pane.paste_mode.forget()  # the last bytes before the pause may arrive only now
            pane.pen.forget()

    def untap(self, pane_id: str, tap: Tap) -> None:
        if (pane := self._panes.get(pane_id)) is not None and tap in pane.taps:
            pane.taps.remove(tap)

    def forget_panes_except(self, panes: Container[str]) -> None:
        """Drop the state of panes that have ended."""
        for pane_id in [pane for pane in self._panes if pane not in panes]:
            if not self._panes[pane_id].followed:
                del self._panes[pane_id]

    def repaint_ended(self, ended: Container[str]) -> None:
        """Panes whose program has just ended: tmux drops output that still waits for us then, and
        what it writes below it is no output of the pane."""
        for pane_id, pane in self._panes.items():
            if pane_id in ended and not pane.ended:
                for viewer in tuple(pane.viewers):
                    viewer.mark_stale()
            pane.ended = pane_id in ended

    async def close(self) -> None:
        """The viewers find another stream by themselves."""
        for viewer in self.viewers():
            viewer.leave_stream()
        await self.client.close()

    # --- events of the client, in the order of the stream ---

    def _on_output(self, pane_id: str, data: bytes) -> None:
        pane = self._panes.get(pane_id)
        if pane is None or not pane.followed:
            self._pause(pane_id)
            return
        if pane.fresh:
            pane.fresh = False
            data = _whole_start(data)
        _remember(pane.state, data)
        pane.paste_mode.feed(data)
        pane.pen.feed(data)
        for tap in tuple(pane.taps):
            tap(data)
        for viewer in tuple(pane.viewers):
            viewer.push(data)

    def _pause(self, pane_id: str) -> None:
        """The pane has no viewer and no tap: tmux need not send its output."""
        pane = self._panes.setdefault(pane_id, StreamPane())
        if not pane.paused and self.client.usable:
            pane.paused = True
            self.client.send(commands.flow(pane_id, "pause")).add_done_callback(ignore_result)

    def _on_notice(self, notice: Notice) -> None:
        if notice.name == "pause":
            pane_id = notice.rest.decode("ascii", "replace")
            pane = self._panes.setdefault(pane_id, StreamPane())
            pane.paused = True
            for viewer in tuple(pane.viewers):
                viewer.mark_stale()
            if pane.taps:  # a viewer resumes the pane with its next capture
                pane.resume()
                for tap in tuple(pane.taps):
                    tap(GAP)
                self.client.send(commands.flow(pane_id, "continue")).add_done_callback(
                    ignore_result
                )
        self.on_notice(notice)


def _whole_start(data: bytes) -> bytes:
    """Without the rest of a UTF-8 character whose start was not received."""
    start = 0
    while start < min(3, len(data)) and 0x80 <= data[start] < 0xC0:
        start += 1
    return data[start:]


def _remember(state: StreamState, data: bytes) -> None:
    """Keep the end of the output, and the modes that it switched, even where a read cut them."""
    if b"\x1b[?" in data or b"\x1b" in state.tail:
        for numbers, switch in _MODE.findall(state.tail + data):
            for mode in REMEMBERED_MODES.intersection(numbers.split(b";")):
                state.modes[int(mode)] = switch == b"h"
    state.tail = (state.tail + data[-TAIL_BYTES:])[-TAIL_BYTES:]
