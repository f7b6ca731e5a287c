"""What is known of each agent's looks and manners: agents/rules/*.toml, read and checked once.

Not where a screen is read: that is states.py. What [delivery] means is up to delivery.py.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).parent / "rules"
GENERIC = "generic"  # for a runtime that no file describes; its shared state rules hold for all


class State(StrEnum):
    WORKING = "working"
    WAITING = "waiting"  # for an answer to its question
    IDLE = "idle"
    UNKNOWN = "unknown"


class Frame(StrEnum):
    """How the place is drawn where a person types."""

    BOX = "box"  # in a box of lines
    RULES = "rules"  # between two horizontal lines
    BARE = "bare"  # after a mark at the left edge, with a blank line below
    BAR = "bar"  # beside a vertical line


class Choose(StrEnum):
    """How an option of a dialog is reached. A key that may answer is pressed once, never twice."""

    DIGIT = "digit"  # its digit answers at once
    DIGIT_POINTS = "digit-points"  # its digit moves the pointer there, Enter answers
    POINT = "point"  # arrow keys move the pointer, Enter answers


@dataclass(frozen=True, slots=True)
class ComposerRule:
    frame: Frame
    prompt: re.Pattern[str]  # the mark before the text; what it matches is not part of the text
    ends: re.Pattern[str] | None  # BAR: the last line, which tells the model
    placeholders: re.Pattern[str] | None  # what stands there when nothing was typed
    popup: re.Pattern[str] | None = None  # a line of the suggestions that may stand below it


@dataclass(frozen=True, slots=True)
class MenuRule:
    pointer: str  # the characters that mark the chosen option
    numbered: bool  # whether options carry numbers
    asks: re.Pattern[str]  # the line that asks
    hint: re.Pattern[str] | None  # must stand below the options
    inline: re.Pattern[str] | None  # options in one line, one group each
    choose: Choose = Choose.POINT
    steps: tuple[str, str] = ("Down", "Up")  # the keys that move the pointer on and back
    # The key that chooses the options whose label matches, where neither digit nor pointer does.
    keys: tuple[tuple[re.Pattern[str], str], ...] = ()
    title: re.Pattern[str] | None = None  # the agent's own question, which the model cannot write


@dataclass(frozen=True, slots=True)
class StateRule:
    name: str
    state: State
    region: str
    pattern: re.Pattern[str]
    priority: int


@dataclass(frozen=True, slots=True)
class ChatRule:
    """What of a screen is no part of the conversation, and how its parts begin."""

    echo: re.Pattern[str] | None = None  # the mark before what the person sent
    said: re.Pattern[str] | None = None  # the mark before what the agent says; not part of it
    noise: tuple[re.Pattern[str], ...] = ()  # lines that are dropped: spinners, counters, hints


@dataclass(frozen=True, slots=True)
class Rules:
    runtime: str
    order: int  # of two runtimes that fit, the lower wins
    processes: tuple[str, ...]  # names of the process; a star at the end stands for any rest
    packages: tuple[str, ...]  # parts of the path of a script that an interpreter runs
    transcript: re.Pattern[str] | None  # begins something said: nothing above it is a status
    composers: tuple[ComposerRule, ...]
    menu: MenuRule
    states: tuple[StateRule, ...]  # highest priority first
    delivery: Mapping[str, Any]
    chat: ChatRule = ChatRule()
    cursor: bool = False  # shown in the composer, and only there, while that has the keyboard

    @property
    def is_shell(self) -> bool:
        return not self.composers


@cache
def load(runtime: str) -> Rules:
    """Of a runtime; one that has no file of its own gets the generic rules."""
    path = DIRECTORY / f"{runtime}.toml"
    known = runtime in _names() and path.is_file()
    return parse(_read(path if known else DIRECTORY / f"{GENERIC}.toml"), shared=_shared())


@cache
def shell() -> Rules:
    """Of a pane without an agent: nothing is drawn there but what programs print."""
    table = _read(DIRECTORY / f"{GENERIC}.toml")
    return Rules(
        runtime="", order=table["order"], processes=(), packages=(), transcript=None, composers=(),
        menu=_menu(table["menu"]), states=(), delivery={}, chat=_chat(table["shell"]),
    )  # fmt: skip


def after_prompt(line: str) -> str | None:
    """What stands behind a shell's prompt; None: there is none that looks like one."""
    for rule in _shared():
        if rule.region == "last" and (found := rule.pattern.match(line)):
            return line[found.end() :].strip()
    return None


@cache
def runtimes() -> tuple[Rules, ...]:
    """Every runtime that can be detected, in the order of their priority."""
    found = (load(name) for name in _names() if name != GENERIC)
    return tuple(sorted(found, key=lambda rules: (rules.order, rules.runtime)))


def parse(table: Mapping[str, Any], *, shared: Iterable[StateRule] = ()) -> Rules:
    states = [*map(_state, table.get("state", ())), *shared]
    return Rules(
        runtime=table["runtime"],
        order=table["order"],
        processes=tuple(table.get("processes", ())),
        packages=tuple(table.get("packages", ())),
        transcript=_pattern(table.get("transcript")),
        composers=tuple(map(_composer, table.get("composer", ()))),
        menu=_menu(table["menu"]),
        states=tuple(sorted(states, key=lambda rule: -rule.priority)),
        delivery=dict(table["delivery"]),
        chat=_chat(table.get("chat", {})),
        cursor=table.get("cursor", False),
    )


def _state(table: Mapping[str, Any]) -> StateRule:
    return StateRule(
        table["name"],
        State(table["state"]),
        table["region"],
        re.compile(table["pattern"]),
        table["priority"],
    )


def _composer(table: Mapping[str, Any]) -> ComposerRule:
    return ComposerRule(
        Frame(table["frame"]),
        re.compile(table.get("prompt", "")),
        _pattern(table.get("ends")),
        _pattern("|".join(f"(?:{text})" for text in table.get("placeholders", ()))),
        _pattern(table.get("popup")),
    )


def _menu(table: Mapping[str, Any]) -> MenuRule:
    return MenuRule(
        table["pointer"],
        table.get("numbered", True),
        re.compile(table.get("asks", r"\?[ )]*$")),
        _pattern(table.get("hint")),
        _pattern(table.get("inline")),
        Choose(table.get("choose", Choose.POINT)),
        tuple(table.get("steps", ("Down", "Up"))),
        tuple((re.compile(label), key) for label, key in table.get("keys", {}).items()),
        _pattern(table.get("title")),
    )


def _chat(table: Mapping[str, Any]) -> ChatRule:
    noise = tuple(re.compile(text) for text in table.get("noise", ()))
    return ChatRule(_pattern(table.get("echo")), _pattern(table.get("said")), noise)


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


@cache
def _shared() -> tuple[StateRule, ...]:
    return tuple(map(_state, _read(DIRECTORY / f"{GENERIC}.toml")["shared"]))


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in DIRECTORY.glob("*.toml")))


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
