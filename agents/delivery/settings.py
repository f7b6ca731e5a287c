"""How prompts are delivered to a runtime: the `[delivery]` table of agents/runtimes/*.toml. Pure.

The loader parses the table once per runtime. `DeliverySettings.check` is the only check of a
prompt; services.py calls it before anything is claimed or typed.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NewType, get_args

from agents.delivery import composer
from core.errors import Invalid

PROMPT_LIMIT = 256 * 1024  # bytes, as for the text of an upload: more belongs in a file
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # ESC would end a bracketed paste

CheckedPrompt = NewType("CheckedPrompt", str)  # normalised, and accepted for this runtime

# What the first character makes of a text. Only "text" and "command" are sent.
Prefix = Literal["text", "command", "shell", "memory", "background", "help"]
_REFUSED = {
    "shell": "runs what follows as a shell command, without asking",
    "memory": "writes what follows to its memory",
    "background": "passes what follows to another agent",
    "help": "opens its help",
}
PREFIXES: Mapping[str, Prefix] = {"!": "shell", "/": "command"}


@dataclass(frozen=True, slots=True)
class DeliverySettings:
    """The `[delivery]` table of a runtime. Times are milliseconds."""

    lines: bool = True  # accepts line breaks in a prompt, because it uses bracketed paste
    scrolls: bool = False  # a plain prompt: no box, and submitted text stays where it was typed
    working: Literal["queue", "wait", "refuse"] = "wait"  # what to do while a turn is running
    draft: Literal["clear", "refuse"] = "clear"  # what to do with text left on the composer
    clear: tuple[str, ...] = ("C-e", "C-u")  # keys that empty one line of the composer
    escape: Literal["never", "idle"] = "never"  # before Enter; never while a turn is running
    folds: str = ""  # the label that replaces a long paste, as a pattern
    # A text whose end would change the meaning of Enter is sent with a blank at its end, which the
    # agent removes: characters after which Enter makes a line break, and those that open a list of
    # completions for the last word.
    not_last: str = ""
    completes: str = ""
    # A line of the suggestions for a command, with the command as its group. Enter takes the first:
    # so a command without arguments is sent only if that is the command itself.
    suggests: str = ""
    # How the agent's own input box changes a text. Receipts say so; with a hook or a journal they
    # say what arrived instead.
    tabs: str = "\t"  # what becomes of each tab
    composes: bool = False  # accents
    mentions: bool = False  # it may replace a word that begins with @ by the file that it finds
    # What the agent says above the composer if it has no such command, as a pattern. If the text
    # then stays on the composer, and is removed from there. {word} is the command.
    unknown: str = ""
    # What the first character that is not blank makes of a text: some agents drop leading blanks.
    prefixes: Mapping[str, Prefix] = field(default_factory=lambda: dict(PREFIXES))
    attempts: int = 3  # at Enter
    ready_ms: int = 900  # until the composer is visible: readiness.py has waited for a new agent
    blocked_ms: int = 500  # until a menu that is seen to be open has closed by itself
    hidden_ms: int = 2000  # until the cursor is visible again: some hide it while they paint
    opens_ms: int = 0  # a new agent may show its composer for so long before its first dialog
    busy_ms: int = 30_000  # until a running turn ends, where a prompt must wait for that
    clear_ms: int = 600  # until a clearing key has an effect: twice a slow paint
    paste_ms: int = 4000  # until the text is visible
    paste_settle_ms: int = 150  # from the paste, and from its last change, to Enter
    escape_ms: int = 100  # from Escape to Enter: closer together they are Meta-Enter
    enter_settle_ms: int = 500  # from Enter to the next attempt, longer each time
    # How long an empty composer must last without other evidence: the screen may be half drawn.
    confirm_ms: int = 200
    # How long a submitted text is watched for the turn that it starts. A command is watched longer,
    # because the agent may say that it has no such command.
    start_ms: int = 150
    command_ms: int = 600

    @classmethod
    def of(cls, table: Mapping[str, object]) -> "DeliverySettings":
        """From a rules file. An unknown name is a mistake in the file and raises ValueError."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(table) - known):
            raise ValueError(f"[delivery] has unknown keys: {', '.join(unknown)}")
        values: dict[str, Any] = {  # TOML; the tests load every file
            name: tuple(value) if isinstance(value, list) else value
            for name, value in table.items()
        }
        settings = cls(**values)
        for mark, meaning in settings.prefixes.items():
            if len(mark) != 1 or meaning not in get_args(Prefix):
                raise ValueError(f"[delivery] prefixes: {mark!r} = {meaning!r} is not supported")
        return settings

    def check(self, prompt: str) -> CheckedPrompt:
        """The prompt as it will be typed. Raises Invalid if this agent cannot receive it."""
        text = normalized(prompt)
        if reason := self.refusal(text):
            raise Invalid(reason)
        return CheckedPrompt(text + " " * self._needs_blank(text))

    def received(self, prompt: CheckedPrompt) -> str:
        """The text as this agent is known to receive it."""
        text = prompt.replace("\t", self.tabs)
        return unicodedata.normalize("NFC", text) if self.composes else text

    def may_resolve(self, text: str) -> bool:
        """Whether the agent may have put the name and the content of a file into the text."""
        return self.mentions and any(word[0] == "@" and len(word) > 1 for word in text.split())

    def refusal(self, text: str) -> str:
        """Why this agent cannot receive this text; empty if it can."""
        if not composer.letters(text):
            return "a prompt needs text"
        if _CONTROL.search(text):
            return "a prompt cannot contain control characters other than tab and line feed"
        if effect := _REFUSED.get(self._prefix(text)):
            mark = text.lstrip()[:1]
            return (
                f"a prompt that begins with {mark!r} was not sent, because this agent {effect}:"
                " put a word before it, or type it in the terminal"
            )
        if "\n" in text and not self.lines:
            return "this agent takes one line at a time: send a prompt without line breaks"
        return ""

    def kind_of(self, text: str) -> str:
        """What the agent takes the text for, as the receipt reports it: prompt, command…"""
        meaning = self._prefix(text)
        return "prompt" if meaning == "text" else meaning

    def suggested_command(self, text: str) -> str:
        """The command, without its slash, which the agent must suggest before Enter; or nothing."""
        word = text.strip()
        is_bare = self.kind_of(text) == "command" and word.split() == [word]
        return word[1:] if self.suggests and is_bare else ""

    def without_blank(self, prompt: CheckedPrompt) -> str:
        """The text that the caller sent, without the blank that `check` may have added."""
        return prompt[:-1] if prompt[-1] == " " and self._needs_blank(prompt[:-1]) else prompt

    def _needs_blank(self, text: str) -> bool:
        if text[-1].isspace() or self.suggested_command(text):
            return False
        return text[-1] in self.not_last or text.split()[-1][0] in self.completes

    def _prefix(self, text: str) -> Prefix:
        return self.prefixes.get(text.lstrip()[:1], "text")


def normalized(prompt: str) -> str:
    """Line ends as terminals paste them, and none at the end: Enter is implied."""
    if len(prompt.encode("utf-8", "surrogatepass")) > PROMPT_LIMIT:
        raise Invalid(f"a prompt has at most {PROMPT_LIMIT // 1024} KiB: put it in a file")
    try:
        prompt.encode()
    except UnicodeEncodeError:
        raise Invalid("a prompt must be valid Unicode: it contains a lone surrogate") from None
    return prompt.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
