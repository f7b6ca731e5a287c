"""The main loop of a full-screen fake agent: reads keys, paints, takes turns, and logs prompts.

The fake with a plain prompt is in plain.py. Faults misbehave on purpose.
"""

import json
import math
import os
import select
import signal
import sys
import time
import unicodedata
from pathlib import Path

from tests.agents.fakes.composer import Composer
from tests.agents.fakes.kinds import COMMANDS, KINDS, MENU, Scene, Unknown
from tests.agents.fakes.terminal import size, write
from tests.agents.fakes.typed import Event, EventKind, InputParser

SLOW_SECONDS = 0.3  # from a change to its paint, with the fault "slow-paint"
SPLIT_BYTES, SPLIT_SECONDS = 1024, 0.06  # of one read, and the pause after it ("split-paste")
FRAME_SECONDS = 0.08  # between two frames of a spinner
NEXT_SECONDS = 0.03  # from an answer to the next question
BUSY_SECONDS, PAUSE_SECONDS = 0.8, 0.3  # of the turns that start by themselves ("busy")
END_TURN = signal.SIGUSR1  # ends the running turn
DRAFT = b"half a thought\nthat was never sent"


class Program:
    def __init__(self, name: str, log: Path, faults: frozenset[str], turn: float) -> None:
        self.kind = KINDS[name]
        self.faults, self.turn = faults, turn
        self.composer = Composer(self.kind.fold)
        self.input = InputParser(
            self.kind.bracketed, "meta-enter" in faults, "split-paste" in faults
        )
        self.transcript: list[str] = [f"{name} (a fake)", ""]
        self.queue: list[bytes] = []
        self.began: float | None = None
        self.ends, self.busy_at = 0.0, 0.0 if "busy" in faults else None
        self.asking, self.chosen = False, 0
        self.questions: list[tuple[str, float]] = []  # commands that it will ask about, and when
        self.command, self.menu, self.shell = "make build", "", False
        self.stall = 0.0  # seconds without reading after the next key; infinite: until END_TURN
        self.swallowed = False
        self.paint_at: float | None = 0.0
        self.read_at = 0.0
        self.wake = -1  # a pipe that receives the numbers of signals
        self._log = log
        script = os.environ.get("FAKE_REPLIES")
        self.replies: list[list[str]] = json.loads(Path(script).read_text()) if script else []
        self.draft()
        for fault in faults:
            self.apply_fault(*fault.partition(":")[::2])

    def apply_fault(self, name: str, value: str) -> None:
        """Faults that take effect at the start; some have a value: "stall:0.5", "menu:Title"."""
        if name == "dialog":
            self.command = value or self.command
            self.ask()
        elif name == "then":
            self.questions.append((value or self.command, 0.0))
        elif name == "stall":
            self.stall = float(value)
        elif name == "menu":
            self.menu = value
        elif name == "shell":
            self.shell = True

    # --- text ---

    def log(self, event: str, data: bytes = b"") -> None:
        with self._log.open("a") as file:
            file.write(json.dumps({"event": event, "hex": data.hex()}) + "\n")

    def draft(self) -> None:
        if "draft" in self.faults:
            self.composer.type(DRAFT if self.kind.bracketed else DRAFT.split(b"\n")[0])

    def ask(self) -> None:
        self.asking, self.chosen = True, 0

    def reply(self) -> list[str]:
        """The next reply of its script, with the mark that agents put before what they say."""
        first, *rest = self.replies.pop(0) if self.replies else ["Done, nothing was changed."]
        return [f"{self.kind.reply_mark} {first}", *(f"  {line}" if line else "" for line in rest)]

    # --- keys ---

    def take(self, event: Event) -> None:
        if event.kind is EventKind.KEY:
            self.key(event.key)
        elif self.asking or self.menu:
            if event.kind is EventKind.TEXT:  # dialogs and menus ignore pastes
                for character in event.data:
                    self.choose_by(bytes([character]))
        elif event.kind is EventKind.PASTE:
            self.swallowed = False
            self.composer.paste(event.data)
        elif event.data.startswith(b"!") and not self.composer.value and self.kind.bracketed:
            self.shell = True
            self.composer.type(event.data[1:])
        else:
            self.swallowed = False
            self.composer.type(event.data)

    def key(self, key: str) -> None:
        if key == "sync":
            self.log("sync")
        elif self.asking or self.menu:
            self.dialog_key(key)
        elif key == "enter":
            self.enter()
        elif key == "escape":
            self.escape()
        elif key == "back":
            self.composer.back()
        elif key == "kill":
            self.composer.kill()
        elif key == "clear":
            if not self.composer.value:
                sys.exit(0)
            self.composer.clear()

    def enter(self) -> None:
        if "enter-never" in self.faults:
            return
        if "enter-once" in self.faults and not self.swallowed:
            self.swallowed = True
            return
        if not self.composer.value or (self.began is not None and not self.kind.queues):
            return
        prompt = self.composer.value
        if prompt.startswith(b"/") and not self.shell and self.command_entered(prompt):
            return
        self.composer.clear()
        if self.shell:
            self.log("shell", prompt)
            return
        prompt = self.received(prompt)
        self.log("prompt", prompt)
        if self.began is None:
            self.start(prompt)
        else:
            self.queue.append(prompt)

    @property
    def suggestions(self) -> list[str]:
        """As long as a command is typed; a blank closes the list of most agents."""
        typed = self.composer.value.decode("utf-8", "replace")
        typed = typed if self.kind.blank_closes else typed.rstrip(" ")
        if self.shell or not typed.startswith("/") or typed.split() != [typed]:
            return []
        return [command for command in COMMANDS if command.startswith(typed)]

    def command_entered(self, typed: bytes) -> bool:
        """Whether it is no prompt. Enter takes the first suggestion."""
        word = self.suggestions[0] if self.suggestions else typed.decode("utf-8", "replace").strip()
        is_command = word in COMMANDS and (self.kind.commands_end or bool(self.suggestions))
        if is_command:
            self.composer.clear()
            self.log("command", word.encode())
            self.menu, self.chosen = word, 0
            return True
        if self.kind.unknown is Unknown.PROMPT or not self.kind.bracketed:
            return False
        name = word.split()[0]
        kept = self.kind.unknown is Unknown.KEPT
        notice = f"Unrecognized command '{name}'." if kept else f"Unknown command: {name}"
        self.transcript.append(f"{self.kind.reply_mark} {notice}")
        if not kept:
            self.composer.clear()
        return True

    def received(self, prompt: bytes) -> bytes:
        """As the model gets it: agents drop blanks at the end, and some change more."""
        if not self.kind.bracketed:
            return prompt
        text = prompt.replace(b"\t", self.kind.tab).rstrip(b" ").decode("utf-8", "replace")
        return (unicodedata.normalize("NFC", text) if self.kind.composes else text).encode()

    def escape(self) -> None:
        if self.began is not None:
            self.log("cancelled")
            self.transcript += ["  ⎿ Interrupted by user", ""]
            self.began = None
        elif self.kind.escape_clears:
            self.composer.clear()

    # --- dialogs ---

    @property
    def shown_options(self) -> tuple[str, ...]:
        return self.kind.options if self.asking else MENU

    def choose_by(self, data: bytes) -> None:
        if self.menu or self.asking:
            if not data.isdigit() or not 0 < int(data) <= len(self.shown_options):
                return
            if self.kind.inline:
                return
            self.chosen = int(data) - 1
            if not (self.asking and self.chosen == self.kind.words):
                self.answer()

    def dialog_key(self, key: str) -> None:
        last = len(self.shown_options) - 1
        if key == "enter":
            if not (self.asking and self.chosen == self.kind.words):
                self.answer()
        elif key == "escape" and self.menu:
            self.menu = ""
        elif key == "escape":
            self.chosen = last
            self.answer()
        elif key in ({"left", "right"} if self.kind.inline else {"up", "down"}):
            step = 1 if key in {"down", "right"} else -1
            moved = self.chosen + step
            inside = moved % (last + 1) if self.kind.inline else min(last, max(0, moved))
            self.chosen = inside

    def answer(self) -> None:
        """Logs which option of which dialog was chosen: tests compare with this."""
        if self.menu:
            self.log("chosen", MENU[self.chosen].encode())
            self.menu = ""
            return
        self.asking = False
        self.log("answer", self.kind.options[self.chosen].encode())
        self.log("answered", f"{self.command}: {self.chosen + 1}".encode())
        self.transcript += [f"  ⎿ {self.kind.options[self.chosen]}", ""]
        if self.questions:
            self.questions[0] = (self.questions[0][0], time.monotonic() + NEXT_SECONDS)

    # --- turns ---

    def start(self, prompt: bytes) -> None:
        now = time.monotonic()
        self.began, self.ends = now, now + self.turn
        if prompt:
            shown = prompt.decode("utf-8", "replace").replace("\t", "    ").split("\n")
            self.transcript += [f"{self.kind.mark} {shown[0]}", *(f"  {row}" for row in shown[1:])]
            self.transcript.append("")
        if prompt.startswith(b"ask:"):
            self.ask()
        del self.transcript[:-200]

    def tick(self, now: float) -> None:
        if self.questions and not self.asking and 0 < self.questions[0][1] <= now:
            self.command = self.questions.pop(0)[0]
            self.ask()
            self.dirty(now)
        if self.asking:
            self.ends = max(self.ends, now + self.turn)
        elif self.began is not None and now >= self.ends:
            self.transcript += [*self.reply(), ""]
            self.began, self.busy_at = (
                None,
                now + PAUSE_SECONDS if self.busy_at is not None else None,
            )
            if self.queue:
                self.start(self.queue.pop(0))
            elif not self.composer.value:
                self.draft()
            self.dirty(now)
        elif self.busy_at is not None and self.began is None and now >= self.busy_at:
            self.began, self.ends = now, now + BUSY_SECONDS
            self.dirty(now)

    # --- the screen ---

    def dirty(self, now: float) -> None:
        due = now + (SLOW_SECONDS if "slow-paint" in self.faults else 0.0)
        self.paint_at = due if self.paint_at is None else min(self.paint_at, due)

    def paint(self, now: float) -> None:
        columns, rows = size()
        asking = self.asking
        scene = Scene(
            composer=self.composer.shown,
            transcript=self.transcript,
            queued=[text.decode("utf-8", "replace").split("\n")[0][:40] for text in self.queue],
            seconds=None if self.began is None else now - self.began,
            question=self.kind.question if asking else "",
            options=self.kind.options if asking else (),
            chosen=self.chosen,
            width=columns,
            height=rows,
            command=self.command,
            menu=self.menu,
            shell=self.shell,
            suggestions=self.suggestions,
        )
        frame = self.kind.paint(scene)[-rows:]
        painted = "\r\n".join(f"{row}\x1b[K" for row in frame)
        write(f"\x1b[?25l\x1b[H{painted}\x1b[J{self.cursor(len(frame))}")
        self.paint_at = None if self.began is None or asking else now + FRAME_SECONDS

    def cursor(self, rows: int) -> str:
        """In the composer while that has the keyboard; some agents hide it and draw their own."""
        if self.asking or self.menu:
            return ""
        if "away" in self.faults:  # something unknown covers the composer
            return "\x1b[1;1H\x1b[?25h"
        shown = "\x1b[?25h" if self.kind.cursor else ""
        return f"\x1b[{max(1, rows - self.kind.below)};4H{shown}"

    # --- the loop ---

    def run(self, wake: int) -> None:
        self.wake = wake
        while True:
            now = time.monotonic()
            self.tick(now)
            for event in self.input.late(now):
                self.take(event)
                self.dirty(now)
            if self.paint_at is not None and now >= self.paint_at:
                self.paint(now)
            self.wait(now, wake)

    def wait(self, now: float, wake: int) -> None:
        deaf = self.began is not None and not self.asking and not self.kind.reads_at_work
        reads = now >= self.read_at and not deaf
        due = [moment for moment in (self.paint_at, self.busy_at) if moment is not None]
        due += [asks_at for _, asks_at in self.questions[:1] if asks_at]
        due += [self.ends] if self.began is not None else []
        due += [self.read_at] if not reads else []
        due += [now + 0.01] if self.input.waiting else []
        timeout = max(0.0, min(due) - now) if due else None
        ready, _, _ = select.select([0, wake] if reads else [wake], [], [], timeout)
        if wake in ready:
            if END_TURN in os.read(wake, 4096):  # the numbers of the signals that arrived
                self.ends = now
            self.dirty(now)
        if 0 in ready:
            self.read(now)

    def stall_for(self, seconds: float) -> None:
        """The fault "stall": neither reads nor paints."""
        if math.isfinite(seconds):
            time.sleep(seconds)
            return
        while END_TURN not in os.read(self.wake, 4096):
            pass

    def read(self, now: float) -> None:
        split = "split-paste" in self.faults
        if self.stall and self.asking:
            stall, self.stall = self.stall, 0.0
            self.stall_for(stall)
        data = os.read(0, SPLIT_BYTES if split else 65536)
        if not data:
            sys.exit(0)
        if split and len(data) > 1:
            self.read_at = now + SPLIT_SECONDS
        for event in self.input.feed(data, now):
            self.take(event)
        self.dirty(now)
