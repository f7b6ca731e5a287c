"""How prompts are delivered to one runtime: the `[delivery]` table of agents/rules/*.toml, typed.

Not the steps: those are in delivery.py. Nothing here is about reading a screen.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from agents import composer

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # ESC would end a bracketed paste


# What a first character makes of a text. Only the first two are sent.
Prefix = Literal["text", "command", "shell", "memory", "background", "help"]
_REFUSED = {
    "shell": "runs what follows as a shell command, without asking",
    "memory": "writes what follows to its memory",
    "background": "hands what follows to another agent",
    "help": "opens its help",
}
PREFIXES: Mapping[str, Prefix] = {"!": "shell", "/": "command"}


@dataclass(frozen=True, slots=True)
class Plan:
    """The `[delivery]` table of a runtime's rules. Times are milliseconds."""

    lines: bool = True  # takes line breaks as part of a prompt: it asks for bracketed paste
    scrolls: bool = False  # a plain prompt: no box, and what was sent stays where it was typed
    working: Literal["queue", "wait", "refuse"] = "wait"  # when a turn is running
    draft: Literal["clear", "refuse"] = "clear"  # what somebody left on the composer
    clear: tuple[str, ...] = ("C-e", "C-u")  # keys that empty one line of it
    escape: Literal["never", "idle"] = "never"  # before Enter; in no case while it works
    folds: str = ""  # the label that a long paste is shown as, as a pattern
    not_last: str = ""  # characters after which its Enter makes a line break
    completes: str = ""  # characters that open a list for the last word, where Enter chooses
    # What the first character that is not blank makes of a text: some agents drop leading blanks.
    prefixes: Mapping[str, Prefix] = field(default_factory=lambda: dict(PREFIXES))
    attempts: int = 3  # at Enter
    ready_ms: int = 2000  # for its composer to be seen; a program that starts needs about 1000
    busy_ms: int = 30_000  # for a turn to end, where it must
    clear_ms: int = 600  # for a key that clears to be seen: twice a slow paint
    paste_ms: int = 4000  # for the text to be seen
    paste_settle_ms: int = 150  # from the paste, and from its last change, to Enter
    escape_ms: int = 100  # from Escape to Enter: closer together they are Meta-Enter
    enter_settle_ms: int = 500  # from Enter to the next try, longer each time
    confirm_ms: int = 200  # an empty composer without other evidence: not a half-drawn screen
    start_ms: int = 600  # for the turn to be seen

    @classmethod
    def of(cls, table: Mapping[str, object]) -> "Plan":
        """Unknown names are a mistake in a rules file, and said so."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(table) - known):
            raise ValueError(f"[delivery] does not know {', '.join(unknown)}")
        given = {name: tuple(v) if isinstance(v, list) else v for name, v in table.items()}
        plan = cls(**given)  # type: ignore[arg-type]
        for mark, meaning in plan.prefixes.items():
            if len(mark) != 1 or meaning not in get_args(Prefix):
                raise ValueError(f"[delivery] prefixes does not know {mark!r} = {meaning!r}")
        return plan

    def prefix(self, prompt: str) -> Prefix:
        return self.prefixes.get(prompt.lstrip()[:1], "text")

    def became(self, prompt: str) -> str:
        """What the agent takes the prompt for, as the receipt says it."""
        meaning = self.prefix(prompt)
        return "prompt" if meaning == "text" else meaning

    def refusal(self, prompt: str) -> str:
        """Why this agent cannot get this prompt; empty when it can."""
        if not composer.letters(prompt):
            return "a prompt needs text"
        if _CONTROL.search(prompt):
            return "a prompt cannot hold control characters other than tab and line feed"
        if why := _REFUSED.get(self.prefix(prompt)):
            mark = prompt.lstrip()[:1]
            return (
                f"a prompt that begins with {mark!r} was not sent, because this agent {why}:"
                " put a word before it, or type it in the terminal"
            )
        if "\n" in prompt and not self.lines:
            return "this agent takes one line at a time: send a prompt without line breaks"
        if self.not_last and prompt[-1] in self.not_last:
            return f"after a last {prompt[-1]!r} this agent's Enter makes a line: end otherwise"
        last = prompt.split()[-1]
        if last[0] in self.completes and not prompt[-1].isspace():
            return (
                f"a prompt that ends with {last[:40]!r} was not sent, because this agent completes"
                " that word and Enter would choose from its list: put words after it"
            )
        return ""
