"""A tour of each agent's screens: idle, working, asking, and every menu.

Each screen is saved with its colours to DIRECTORY/AGENT/SIZE--STATE--SITUATION.txt, labelled as
`manage.py score_screens` expects. Another version may open menus with other words, so misread
screens of a tour are looked at before they become part of the corpus.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.panes import Pane

# Text of an idle screen.
IDLE = {
    "claude": re.compile(r"\? for shortcuts|(?:accept edits|plan mode|auto mode) on"),
    # Before its background server runs, it shows a composer but loses what is typed.
    "codex": re.compile(r"← for agents"),
    "opencode": re.compile(r"ctrl\+p commands"),
    "copilot": re.compile(r"/ commands ·"),
    "gemini": re.compile(r"Type your message"),
    "pi": re.compile(r"\(auto\) +lab"),
}
# Menus that leave the text of an idle screen visible.
COVERED = {"opencode": re.compile(r"\S {4,}esc(?:/enter)?\s*$|^\s*┃ [/@].* ┃", re.MULTILINE)}
# Text of an approval dialog that is never part of a prompt.
ASKS = {
    "claude": re.compile(r"Do you want to .*\?\s*\n\s*❯ 1\."),
    "codex": re.compile(r"Press enter to confirm or esc to cancel"),
    "opencode": re.compile(r"Permission required"),
    "copilot": re.compile(r"↑/↓ to navigate · enter to select"),
    "gemini": re.compile(r"● 1\. "),
    "pi": re.compile(r"(?!)"),  # it never asks
}
# Text of the dialogs before the composer is shown.
STARTS = re.compile(r"(?i)\btrust\b|hooks need review")
LONG = "\n".join(f"line {number} of a long paste" for number in range(1, 31))
MENUS = {
    "claude": (
        "/model", "/config", "/permissions", "/resume", "/agents", "/mcp", "/theme", "/help",
        "/hooks", "/memory", "/output-style", "/status", "/statusline", "/rewind", "/export",
        "/effort", "/fast", "/plugin", "/tasks", "/skills", "/context",
    ),
    "codex": (
        "/permissions", "/model", "/approvals", "/resume", "/review", "/mcp", "/status",
        "/experimental", "/skills", "/hooks", "/theme", "/personality", "/agent", "/diff",
        "/statusline", "/title", "/keymap", "/plugins", "/feedback",
    ),
    "opencode": (
        "/models", "/agents", "/sessions", "/themes", "/help", "/status", "/mcps", "/variants",
        "/connect", "/skills", "/timeline", "/export",
    ),
    "copilot": (
        "/model", "/theme", "/resume", "/permissions", "/allow-all", "/agent", "/mcp", "/skills",
        "/help", "/context", "/settings", "/statusline", "/rewind", "/reset-allowed-tools",
        "/experimental", "/session", "/usage", "/list-dirs", "/plugin", "/tasks", "/terminal-setup",
    ),
    "gemini": ("/model", "/settings", "/theme", "/editor", "/auth", "/permissions", "/resume",
               "/agents", "/help", "/privacy", "/tools"),
    "pi": ("/model", "/settings", "/resume", "/tree", "/login", "/scoped-models", "/hotkeys"),
}  # fmt: skip  # one row of commands per line
# Slash words that only print text.
PRINTS = {
    "claude": ("/context", "/mcp", "/output-style", "/statusline"),
    "codex": ("/mcp", "/status"),
    "copilot": ("/allow-all", "/context", "/experimental", "/list-dirs", "/reset-allowed-tools",
                "/terminal-setup", "/usage"),
    "gemini": ("/agents", "/help", "/permissions", "/theme", "/tools"),
    "pi": ("/hotkeys",),
}  # fmt: skip  # as above
# Slash words that this version does not know, or that only complete: they stay in the composer.
UNKNOWN_WORDS = {
    "codex": ("/approvals", "/personality"),
    "opencode": ("/export", "/timeline", "/variants"),
}
PALETTES = {"opencode": ("C-p",), "codex": ("F2",)}
PAGER = re.compile(r"^ *q (?:close|to quit)", re.MULTILINE)
SHELL_KEY = "!"


# The random part of the directory of a launch.
_RANDOM = re.compile(r"(lab-[a-z]+-)[A-Za-z0-9_]{8}")


def save(screen: str, directory: Path, pane: Pane, state: str, situation: str) -> Path:
    """Writes a labelled screen, without the random part of the launch's directory."""
    path = directory / pane.kind.name / f"{pane.size}--{state}--{situation}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    # A path may wrap between its name and its random part.
    random = pane.place.home.parent.name.rpartition("-")[2]
    text = _RANDOM.sub(r"\g<1>00000000", screen.replace(random, "0" * len(random)))
    path.write_text(text, encoding="utf-8")
    return path


def _label(name: str, word: str) -> str:
    if word in PRINTS.get(name, ()):
        return "idle"
    return "idle+unknown" if word in UNKNOWN_WORDS.get(name, ()) else "menu"


@dataclass
class Tour:
    pane: Pane
    directory: Path

    def snap(self, state: str, situation: str) -> str:
        save(self.pane.screen(colours=True), self.directory, self.pane, state, situation)
        return self.pane.screen()

    def idle(self, seconds: float = 60.0) -> None:
        self.pane.until(self.is_idle, seconds)
        self.pane.settle()

    def is_idle(self, screen: str) -> bool:
        name = self.pane.kind.name
        covered = name in COVERED and COVERED[name].search(screen)
        return IDLE[name].search(screen) is not None and not covered

    def submit(self, prompt: str) -> None:
        self.pane.type(prompt)
        self.pane.settle(0.4, 5)
        self.pane.press("Enter")
        time.sleep(1.5)
        # Codex ignores Enter while its background server starts.
        for _ in range(10):
            screen = self.pane.screen()
            if not re.search(rf"^› {re.escape(prompt[:20])}.*\n\n  lab ", screen, re.M):
                break
            self.pane.press("Enter")
            time.sleep(1.5)

    def asks(self) -> None:
        self.pane.until(self.is_asking, 30)
        self.pane.settle()

    def is_asking(self, screen: str) -> bool:
        return ASKS[self.pane.kind.name].search(screen) is not None

    def close(self, keys: Sequence[str] = ("Escape",), tries: int = 4) -> bool:
        """Presses Escape until the agent is idle with an empty composer. Returns whether it is."""
        for _ in range(tries):
            self.pane.press(*(["q"] if PAGER.search(self.pane.screen()) else keys))
            time.sleep(0.5)
            self.pane.press("C-e", "C-u")
            screen = self.pane.settle(0.5, 5)
            if self.is_idle(screen):
                return True
        return False

    def dialogs(self) -> None:
        work = self.pane.place.work
        self.idle()
        self.snap("idle", "start")
        self.submit("SAY Hello there, this is a reply.")
        time.sleep(2)
        self.idle()
        self.snap("idle", "after-reply")
        self.submit("SLEEP 6 ;; SAY slept")
        time.sleep(3)
        self.snap("working", "waits-for-model")
        time.sleep(4)
        self.idle()
        for name, prompt in (
            ("command", "RUN touch marker"),
            ("write", f"WRITE {work}/notes.txt some words"),
        ):
            self.submit(prompt)
            self.asks()
            self.snap("waiting", name)
            self.pane.press("Escape")
            self.idle()
            self.snap("idle", f"after-{name}-rejected")
            self.close()

    def menu(self, word: str) -> None:
        """One slash word; "/" alone is the list of them, and the palettes."""
        name = self.pane.kind.name
        if word == "/":
            for key in PALETTES.get(name, ()):
                self.pane.press(key)
                self.pane.settle()
                self.snap("menu", f"palette-{key}")
                self.close()
        self.pane.type(word)
        self.pane.settle()
        if word in ("/", MENUS[name][0]):
            self.snap("idle+unknown", "slash-popup" if word == "/" else "slash-popup-typed")
        if word != "/":
            before = self.pane.screen()
            self.pane.press("Enter")
            self.pane.until(lambda screen: screen != before, 10)
            self.pane.settle(1.2, 8)
            self.snap(_label(name, word), word.strip("/"))
        if not self.close(tries=8):
            raise RuntimeError(f"{name} does not leave {word}:\n{self.pane.screen()}")

    def composer(self) -> None:
        self.pane.type(SHELL_KEY)
        self.pane.settle()
        self.snap("unknown", "shell-empty")
        self.pane.type("echo hi")
        self.pane.settle()
        self.snap("unknown", "shell-typed")
        self._clear()
        self.pane.type("@")
        self.pane.settle()
        self.snap("idle+unknown", "at-popup")
        self._clear()
        for situation, text in (("paste-30-lines", LONG), ("paste-4-lines", LONG[:100])):
            self.pane.paste(text)
            self.pane.settle()
            self.snap("idle", f"draft-{situation}")
            self._clear()
        self.pane.type("a short draft")
        self.pane.settle()
        self.snap("idle", "draft-short")
        self._clear()
        self.pane.type("?")
        self.pane.settle()
        self.snap("idle+unknown", "question-mark")
        self._clear()

    def _clear(self) -> None:
        self.pane.press("Escape")
        time.sleep(0.3)
        self.pane.press("C-e", "C-u")
        self.pane.press(*["BSpace"] * 12)
        self.pane.settle(0.4, 4)
