"""The line that photographs a pane, and what becomes of its replies: state, screen, history.

Who sends it decides what the picture is for: a viewer (fanout.py), a recording (driver.py).
"""

import itertools

from terminals.errors import TmuxFailed
from terminals.private_paths import PrivateDirectory
from terminals.tmux import commands
from terminals.tmux.commands import Command
from terminals.tmux.snapshot import Captured, Screen, Seen, restore

Line = tuple[Command, ...]
_numbers = itertools.count(1)


class Shot:
    """One picture of one pane."""

    def __init__(
        self,
        pane: str,
        lines: int,
        files: PrivateDirectory,
        *,
        resume: bool = False,
        then: Line = (),
    ) -> None:
        """`then`: commands of the very same moment, before tmux reads on."""
        self.pane = pane
        self.seen = Seen()
        self.resumed_at = 0 if resume else -1
        self.given_up = False
        number = next(_numbers)
        kinds = ("screen", "history", "saved")
        self._buffers = {kind: f"webtmux{number}{kind}" for kind in kinds}
        self._files = {kind: files.create(f"{number}.{kind}") for kind in kinds}
        take = {
            kind: commands.take_buffer(self._buffers[kind], self._files[kind].path)
            for kind in kinds
        }
        first = (commands.flow(pane, "continue"),) if resume else ()
        self.line = (
            *first,
            commands.display(Screen.form(), pane),
            commands.capture(pane, buffer=self._buffers["screen"], escapes=True, keep_blanks=True),
            commands.capture(
                pane, buffer=self._buffers["history"], escapes=True, join=True,
                start=f"-{lines}", end="-1",
            ),
            commands.capture(
                pane, buffer=self._buffers["saved"], escapes=True, keep_blanks=True, saved=True
            ),
            commands.capture_pending(pane),
            *then,
            *take["screen"],
            *take["history"],
            *take["saved"],  # last: without an alternate screen there is no such buffer
        )  # fmt: skip
        self._state, self._then = len(first), len(then)
        self.moment = len(first) + 4  # the last capture; the files are written after it

    def picture(self, told: list[list[bytes]]) -> bytes:
        state, captured = self.developed(told)
        return restore(state, captured, self.seen)

    def developed(self, told: list[list[bytes]]) -> tuple[Screen, Captured]:
        if len(told) <= self.moment + self._then + 4:
            raise TmuxFailed("the pane is gone")
        state = Screen.only(told[self._state])
        if state is None or state.pane != self.pane:
            raise TmuxFailed("tmux answered for another pane: try again")
        pending = b"".join(told[self.moment])
        files = {kind: file.read() for kind, file in self._files.items()}
        return state, Captured(pending=pending, **files)

    def clean(self) -> None:
        for file in self._files.values():
            file.remove()
