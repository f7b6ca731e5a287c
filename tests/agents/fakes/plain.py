"""The fake that is a plain prompt: it prints as it goes, and echoes what is typed.

Not a full-screen program: those are in program.py.
"""

import time
from pathlib import Path

from tests.agents.fakes.program import Program
from tests.agents.fakes.terminal import write
from tests.agents.fakes.typed import Did, Event

THINKING = "⠋ Thinking… (esc to cancel)"


class Plain(Program):
    """A prompt that scrolls by: no box, no bracketed paste, deaf while it works."""

    def __init__(self, name: str, log: Path, faults: frozenset[str], turn: float) -> None:
        super().__init__(name, log, faults, turn)
        self.shown = ""  # of the composer, as it stands on the screen
        self.prompted = False
        self.thinks = False  # and says so on its last line
        self.unread = b""
        self.asked, self.letter = False, ""  # a question stands there; what was typed behind it

    def start(self, prompt: bytes) -> None:
        now = time.monotonic()
        self.began, self.ends = now, now + self.turn
        if prompt.startswith(b"ask:"):
            self.ask()

    def take(self, event: Event) -> None:
        """A line feed ends a line as Enter does: nothing tells a paste from typing."""
        if event.did is not Did.TEXT or b"\n" not in event.data:
            super().take(event)
            return
        line, _, self.unread = event.data.partition(b"\n")
        if line:
            super().take(Event(Did.TEXT, line))
        self.key("enter")

    def tick(self, now: float) -> None:
        """What was not read during a turn is read after it."""
        super().tick(now)
        if self.unread and (self.began is None or self.asking):
            unread, self.unread = self.unread, b""
            self.take(Event(Did.TEXT, unread))
            self.dirty(now)

    def enter(self) -> None:
        if "slow-paint" not in self.faults:
            self.paint(time.monotonic())  # it echoes every key before it reads the next
        super().enter()

    def choose_by(self, data: bytes) -> None:
        self.chosen = {b"y": 0, b"n": 1}.get(data, self.chosen)
        self.letter += data.decode("utf-8", "replace")

    def answer(self) -> None:
        super().answer()
        self.asked = False

    def ask(self) -> None:
        self.asking, self.chosen = True, 1

    def paint(self, now: float) -> None:
        self.paint_at = None
        lines, self.transcript = self.transcript, []
        out = "\r\x1b[K" if self.thinks else ""
        self.thinks = False
        more = bool(lines) or (self.began is not None and not self.asked)
        out += "\r\n" if more and self.prompted else ""
        self.prompted = self.prompted and not more
        out += "".join(f"{line}\r\n" for line in lines)
        if self.asking:
            out += "" if self.prompted and self.asked else f"{self.kind.question} "
            out, self.letter = out + self.letter, ""
            self.prompted, self.asked, self.shown = True, True, ""
        elif self.began is None:
            out += self.line()
        elif out:
            out += THINKING
            self.thinks = True
        write(out)

    def line(self) -> str:
        """What brings the last line from what stands there to what should."""
        wanted = self.composer.shown
        if self.prompted and wanted.startswith(self.shown):
            out = wanted[len(self.shown) :].replace("\n", "\r\n")
        else:
            out = ("\r\n" if self.prompted else "") + "> " + wanted.replace("\n", "\r\n")
        self.prompted, self.shown = True, wanted
        return out
