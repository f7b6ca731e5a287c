"""From one stream client to any number of viewers: exact joins, and no slow bystander.

Which session has a stream, and for how long, is up to streams.py.
"""

import re
from collections.abc import Callable, Container
from dataclasses import dataclass, field

from terminals.private_paths import PrivateDirectory
from terminals.tmux import commands
from terminals.tmux.client import ControlClient, forget
from terminals.tmux.control import Notice
from terminals.tmux.paste_mode import PasteMode
from terminals.tmux.shots import Shot
from terminals.tmux.snapshot import (
    BRACKETED_PASTE,
    FOCUS_EVENTS,
    Seen,
)
from terminals.tmux.viewer import Viewer

TAIL = 16  # bytes remembered of a pane: more than a cut character or mode switch needs
REMEMBERED_MODES = {b"%d" % BRACKETED_PASTE, b"%d" % FOCUS_EVENTS}
_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")

Tap = Callable[[bytes], None]


@dataclass(slots=True)
class Pane:
    """One pane of a stream: who follows it, and what only the stream knows of it."""

    viewers: set[Viewer] = field(default_factory=set)
    taps: list[Tap] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    paste_mode: PasteMode = field(default_factory=PasteMode)
    joining: int = 0  # viewers whose picture is under way
    fresh: bool = True  # no byte of it was seen yet: a first one may be inside a character
    paused: bool = False

    @property
    def followed(self) -> bool:
        return bool(self.viewers or self.taps or self.joining)

    def resume(self) -> None:
        """What it printed while it was paused went by unseen."""
        if self.paused:
            self.paused, self.fresh, self.seen.tail = False, True, b""
            self.paste_mode.forget()


class Stream:
    """The output of one session's panes. It reads always, and sheds load at its viewers."""

    def __init__(self, session_id: str, files: PrivateDirectory) -> None:
        self.session_id = session_id
        self.client = ControlClient(self._output, self._notice)
        self._panes: dict[str, Pane] = {}
        self._files = files
        self.on_notice: Callable[[Notice], None] = lambda notice: None
        self.sized = False  # it has asked for a size: from then on tmux counts all of its sizes

    @property
    def lost(self) -> bool:
        return self.client.lost.done()

    @property
    def busy(self) -> bool:
        return any(pane.followed for pane in self._panes.values())

    def viewers(self) -> list[Viewer]:
        return [viewer for pane in self._panes.values() for viewer in pane.viewers]

    async def bracketed_paste(self, pane_id: str) -> bool | None:
        """Whether the program in a pane takes a bracketed paste; None: not known.

        The empty command is a barrier: its reply comes after all output that tmux has read.
        """
        await self.client.run(commands.display(""))
        pane = self._panes.get(pane_id)
        if pane is None or pane.paused or not pane.followed:
            return None
        return pane.paste_mode.on

    async def join(self, viewer: Viewer, lines: int) -> bytes:
        """A picture of the pane; from its moment on, `viewer` gets every byte and none twice."""
        pane = self._panes.setdefault(viewer.pane, Pane())
        shot = Shot(viewer.pane, lines, self._files, resume=pane.paused)

        def on_block(number: int, told: list[bytes]) -> None:
            if number == shot.resumed_at:
                pane.resume()
            if number == shot.moment and not (viewer.ended or shot.given_up):
                pane.viewers.add(viewer)
                shot.seen = Seen(dict(pane.seen.modes), pane.seen.tail)

        pane.joining += 1
        try:
            told = await self.client.run(*shot.line, on_block=on_block, lenient=True)
            return shot.picture(told)
        except BaseException:
            shot.given_up = True
            pane.viewers.discard(viewer)
            raise
        finally:
            pane.joining -= 1
            shot.clean()

    def leave(self, viewer: Viewer) -> None:
        if (pane := self._panes.get(viewer.pane)) is not None:
            pane.viewers.discard(viewer)

    async def tap(self, pane_id: str, tap: Tap) -> None:
        """Every byte that the pane prints from now on, as it comes."""
        pane = self._panes.setdefault(pane_id, Pane())
        pane.taps.append(tap)
        if pane.paused:
            pane.resume()
            await self.client.run(commands.flow(pane_id, "continue"))
            pane.paste_mode.forget()  # the last bytes before the pause may have come only now

    def untap(self, pane_id: str, tap: Tap) -> None:
        if (pane := self._panes.get(pane_id)) is not None and tap in pane.taps:
            pane.taps.remove(tap)

    def keep(self, panes: Container[str]) -> None:
        """Forget what is known of panes that have ended."""
        for pane_id in [pane for pane in self._panes if pane not in panes]:
            if not self._panes[pane_id].followed:
                del self._panes[pane_id]

    async def close(self) -> None:
        """The viewers look for another stream by themselves."""
        for viewer in self.viewers():
            viewer.cut_off()
        await self.client.close()

    # --- events of the client, in the order of the stream ---

    def _output(self, pane_id: str, data: bytes) -> None:
        pane = self._panes.get(pane_id)
        if pane is None or not pane.followed:
            self._spare(pane_id)
            return
        if pane.fresh:
            pane.fresh = False
            data = _whole_start(data)
        _remember(pane.seen, data)
        pane.paste_mode.feed(data)
        for tap in tuple(pane.taps):
            tap(data)
        for viewer in tuple(pane.viewers):
            viewer.push(data)

    def _spare(self, pane_id: str) -> None:
        """Nobody follows this pane: tmux need not send it."""
        pane = self._panes.setdefault(pane_id, Pane())
        if not pane.paused and self.client.usable:
            pane.paused = True
            self.client.send(commands.flow(pane_id, "pause")).add_done_callback(forget)

    def _notice(self, notice: Notice) -> None:
        if notice.name == "pause":
            pane_id = notice.rest.decode("ascii", "replace")
            pane = self._panes.setdefault(pane_id, Pane())
            pane.paused = True
            for viewer in tuple(pane.viewers):
                viewer.stale()
            if pane.taps:  # they go on with a gap; a viewer resumes the pane with its new picture
                pane.resume()
                self.client.send(commands.flow(pane_id, "continue")).add_done_callback(forget)
        self.on_notice(notice)


def _whole_start(data: bytes) -> bytes:
    """Without the rest of a character whose beginning went by before we looked."""
    start = 0
    while start < min(3, len(data)) and 0x80 <= data[start] < 0xC0:
        start += 1
    return data[start:]


def _remember(seen: Seen, data: bytes) -> None:
    """Keep the end of what went by, and the modes it switched, also where a read cut them."""
    if b"\x1b[?" in data or b"\x1b" in seen.tail:
        for numbers, switch in _MODE.findall(seen.tail + data):
            for mode in REMEMBERED_MODES.intersection(numbers.split(b";")):
                seen.modes[int(mode)] = switch == b"h"
    seen.tail = (seen.tail + data[-TAIL:])[-TAIL:]
