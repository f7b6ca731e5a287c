"""The fake agent with a plain prompt: it prints line by line and echoes what is typed.

The full-screen fakes are in program.py.
"""

import time
from pathlib import Path

from tests.agents.fakes.program import Program
from tests.agents.fakes.terminal import write
from tests.agents.fakes.typed import Event, EventKind

THINKING = "⠋ Thinking… (esc to cancel)"


class Plain(Program):
    """A prompt that scrolls: no box, no bracketed paste, and no reading while it works."""

    def __init__(self, name: str, log: Path, faults: frozenset[str], turn: float) -> None:
        super().__init__(name, log, faults, turn)
        self.shown = ""  # the text of the composer that is on the screen
        self.prompted = False
        self.thinks = False  # whether its last line says so
        self.unread = b""
        self.question_shown, self.letter = (
            False,
            "",
        )  # whether a question is shown, and the text behind it

    def start(self, prompt: bytes) -> None:
        now = time.monotonic()
        self.began, self.ends = now, now + self.turn
        if prompt.startswith(b"ask:"):
            self.ask()

    def take(self, event: Event) -> None:
        """A line feed submits a line as Enter does: a paste looks like typing."""
        if event.kind is not EventKind.TEXT or b"\n" not in event.data:
            super().take(event)
            return
        line, _, self.unread = event.data.partition(b"\n")
        if line:
            super().take(Event(EventKind.TEXT, line))
        self.key("enter")

    def tick(self, now: float) -> None:
        """Reads after a turn what was not read during it."""
        super().tick(now)
        if self.unread and (self.began is None or self.asking):
            unread, self.unread = self.unread, b""
            self.take(Event(EventKind.TEXT, unread))
            self.dirty(now)

    def enter(self) -> None:
        if "slow-paint" not in self.faults:
            self.paint(time.monotonic())  # it echoes each key before it reads the next
        super().enter()

    def choose_by(self, data: bytes) -> None:
        self.chosen = {b"y": 0, b"n": 1}.get(data, self.chosen)
        self.letter += data.decode("utf-8", "replace")

    def answer(self) -> None:
        super().answer()
        self.question_shown = False

    def ask(self) -> None:
        self.asking, self.chosen = True, 1

    def paint(self, now: float) -> None:
        self.paint_at = None
        lines, self.transcript = self.transcript, []
        out = "\r\x1b[K" if self.thinks else ""
        self.thinks = False
        more = bool(lines) or (self.began is not None and not self.question_shown)
        out += "\r\n" if more and self.prompted else ""
        self.prompted = self.prompted and not more
        out += "".join(f"{line}\r\n" for line in lines)
        if self.asking:
            out += "" if self.prompted and self.question_shown else f"{self.kind.question} "
            out, self.letter = out + self.letter, ""
            self.prompted, self.question_shown, self.shown = True, True, ""
        elif self.began is None:
            out += self.line()
        elif out:
            out += THINKING
            self.thinks = True
        write(out)

    def line(self) -> str:
        """The output that changes the last line from what it shows to what it should show."""
        wanted = self.composer.shown
        if self.prompted and wanted.startswith(self.shown):
            out = wanted[len(self.shown) :].replace("\n", "\r\n")
        else:
            out = ("\r\n" if self.prompted else "") + "> " + wanted.replace("\n", "\r\n")
        self.prompted, self.shown = True, wanted
        return out
