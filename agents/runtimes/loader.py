"""Loads and checks agents/runtimes/*.toml: how each agent looks on a screen, and how to drive it.

Each file is read once per process. docs/agents.md explains how to add one. Screens are read in
screen/, prompts are delivered in delivery/; the meaning of `[delivery]` is in delivery/settings.py.
Pure.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from agents.delivery.settings import DeliverySettings

DIRECTORY = Path(__file__).parent
GENERIC = "generic"  # for runtimes without a file; its [[shared]] state rules apply to all


class AgentState(StrEnum):
    WORKING = "working"
    WAITING = "waiting"  # for an answer to its question
    IDLE = "idle"
    UNKNOWN = "unknown"


class ComposerFrame(StrEnum):
    """How the input box is drawn."""

    BOX = "box"  # in a box of lines
    RULES = "rules"  # between two horizontal lines
    BARE = "bare"  # after a mark at the left edge, with a blank line below
    BAR = "bar"  # to the right of a vertical line


class Choose(StrEnum):
    """How to choose an option of a dialog. A key that may answer is pressed once, never twice."""

    DIGIT = "digit"  # its digit answers at once
    DIGIT_POINTS = "digit-points"  # its digit moves the pointer there, Enter answers
    POINT = "point"  # arrow keys move the pointer, Enter answers


@dataclass(frozen=True, slots=True)
class ComposerRule:
    frame: ComposerFrame
    prompt: re.Pattern[str]  # the mark before the text; what it matches is not part of the text
    # BAR: the last line, which names the model. BARE: the first line below it.
    ends: re.Pattern[str] | None
    placeholders: re.Pattern[str] | None  # what an empty composer shows
    popup: re.Pattern[str] | None = None  # a line of the suggestions that may be shown below it


@dataclass(frozen=True, slots=True)
class MenuRule:
    pointer: str  # the characters that mark the selected option
    numbered: bool  # whether options are numbered
    asks: re.Pattern[str]  # the line that asks
    hint: re.Pattern[str] | None  # must be shown below the options
    inline: re.Pattern[str] | None  # options on one line, one group each
    choose: Choose = Choose.POINT
    steps: tuple[str, str] = ("Down", "Up")  # the keys that move the pointer forward and back
    # The key that chooses the options whose label matches, if neither digit nor pointer does.
    keys: tuple[tuple[re.Pattern[str], str], ...] = ()
    title: re.Pattern[str] | None = None  # the agent's own question, which the model cannot write
    form: re.Pattern[str] | None = None  # the hint below options that have no numbers
    coloured: bool = False  # a numbered option may be marked by its background alone


@dataclass(frozen=True, slots=True)
class StateRule:
    name: str
    state: AgentState
    region: str
    pattern: re.Pattern[str]
    priority: int
    unless: re.Pattern[str] | None = None  # not if a line of the region matches this
    below: re.Pattern[str] | None = None  # only lines below the last one that matches this count
    footer: re.Pattern[str] | None = None  # only if a line below the composer matches this
    coloured: bool = False  # only if the first character of the line has a colour of its own


@dataclass(frozen=True, slots=True)
class ChatRule:
    """Which parts of a screen are not conversation, and how the other parts begin."""

    echo: re.Pattern[str] | None = None  # the mark before what the user sent
    said: re.Pattern[str] | None = None  # the mark before what the agent says; not part of it
    noise: tuple[re.Pattern[str], ...] = ()  # lines to drop: spinners, counters, hints
    margin: re.Pattern[str] | None = None  # the end of a line to drop: a scroll bar, a clock
    tool: re.Pattern[str] | None = None  # the first line of a tool call
    output: re.Pattern[str] | None = None  # the first line of its output: what is above is the call


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that one TOML file says about a runtime."""

    runtime: str
    order: int  # if two runtimes match a process, the lower number wins
    processes: tuple[str, ...]  # names of the process; a star at the end matches any rest
    packages: tuple[str, ...]  # parts of the path of a script that an interpreter runs
    transcript: re.Pattern[str] | None  # begins a part of the conversation: no status is above it
    composers: tuple[ComposerRule, ...]
    menu: MenuRule
    states: tuple[StateRule, ...]  # highest priority first
    delivery: DeliverySettings
    chat: ChatRule = ChatRule()
    cursor: bool = False  # visible in the composer, and only there, while that has the keyboard
    title: str = ""  # the name of the product
    install: str = ""  # a command that installs it

    @property
    def program(self) -> str:
        """The name of the program that starts it."""
        return self.processes[0]

    @property
    def is_shell(self) -> bool:
        return not self.composers


# --- the tables of a file -----------------------------------------------------------------------


class StateTable(TypedDict):
    name: str
    state: str
    region: str
    pattern: str
    priority: int
    unless: NotRequired[str]
    below: NotRequired[str]
    footer: NotRequired[str]
    coloured: NotRequired[bool]


class ComposerTable(TypedDict):
    frame: str
    prompt: NotRequired[str]
    ends: NotRequired[str]
    placeholders: NotRequired[list[str]]
    popup: NotRequired[str]


class MenuTable(TypedDict):
    pointer: str
    numbered: NotRequired[bool]
    asks: NotRequired[str]
    hint: NotRequired[str]
    inline: NotRequired[str]
    choose: NotRequired[str]
    steps: NotRequired[list[str]]
    keys: NotRequired[dict[str, str]]
    title: NotRequired[str]
    form: NotRequired[str]
    coloured: NotRequired[bool]


class ChatTable(TypedDict, total=False):
    echo: str
    said: str
    noise: list[str]
    margin: str
    tool: str
    output: str


class RuntimeFile(TypedDict):
    runtime: str
    title: NotRequired[str]
    install: NotRequired[str]
    order: int
    processes: NotRequired[list[str]]
    packages: NotRequired[list[str]]
    transcript: NotRequired[str]
    composer: NotRequired[list[ComposerTable]]
    menu: MenuTable
    state: NotRequired[list[StateTable]]
    shared: NotRequired[list[StateTable]]  # in the generic file only
    delivery: dict[str, object]  # delivery/settings.py has the types
    chat: NotRequired[ChatTable]
    shell: NotRequired[ChatTable]  # in the generic file only
    cursor: NotRequired[bool]


# --- loading ------------------------------------------------------------------------------------


@cache
def load(runtime: str) -> Rules:
    """The rules of a runtime, or the generic rules if it has no file."""
    path = DIRECTORY / f"{runtime}.toml"
    known = runtime in _names() and path.is_file()
    return parse(_read(path if known else DIRECTORY / f"{GENERIC}.toml"), shared=_shared())


@cache
def shell() -> Rules:
    """For a pane without an agent, which shows only what programs print."""
    table = _read(DIRECTORY / f"{GENERIC}.toml")
    return Rules(
        runtime="",
        order=table["order"],
        processes=(),
        packages=(),
        transcript=None,
        composers=(),
        menu=_menu(table["menu"]),
        states=(),
        delivery=DeliverySettings(),
        chat=_chat(table["shell"]),
    )


def after_prompt(line: str) -> str | None:
    """The text after a shell's prompt; None if the line has no recognisable prompt."""
    for rule in _shared():
        if rule.region == "last" and (match := rule.pattern.match(line)):
            return line[match.end() :].strip()
    return None


@cache
def runtimes() -> tuple[Rules, ...]:
    """Every runtime that can be detected, in the order of their priority."""
    every = (load(name) for name in _names() if name != GENERIC)
    return tuple(sorted(every, key=lambda rules: (rules.order, rules.runtime)))


def parse(table: RuntimeFile, *, shared: Iterable[StateRule] = ()) -> Rules:
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
        delivery=DeliverySettings.of(table["delivery"]),
        chat=_chat(table.get("chat", {})),
        cursor=table.get("cursor", False),
        title=table.get("title", table["runtime"]),
        install=table.get("install", ""),
    )


def _state(table: StateTable) -> StateRule:
    return StateRule(
        table["name"],
        AgentState(table["state"]),
        table["region"],
        re.compile(table["pattern"]),
        table["priority"],
        _pattern(table.get("unless")),
        _pattern(table.get("below")),
        _pattern(table.get("footer")),
        table.get("coloured", False),
    )


def _composer(table: ComposerTable) -> ComposerRule:
    return ComposerRule(
        ComposerFrame(table["frame"]),
        re.compile(table.get("prompt", "")),
        _pattern(table.get("ends")),
        _pattern("|".join(f"(?:{text})" for text in table.get("placeholders", ()))),
        _pattern(table.get("popup")),
    )


def _menu(table: MenuTable) -> MenuRule:
    forward, back = table.get("steps", ["Down", "Up"])
    return MenuRule(
        table["pointer"],
        table.get("numbered", True),
        re.compile(table.get("asks", r"\?[ )]*$")),
        _pattern(table.get("hint")),
        _pattern(table.get("inline")),
        Choose(table.get("choose", Choose.POINT)),
        (forward, back),
        tuple((re.compile(label), key) for label, key in table.get("keys", {}).items()),
        _pattern(table.get("title")),
        _pattern(table.get("form")),
        table.get("coloured", False),
    )


def _chat(table: ChatTable) -> ChatRule:
    noise = tuple(re.compile(text) for text in table.get("noise", ()))
    return ChatRule(
        _pattern(table.get("echo")),
        _pattern(table.get("said")),
        noise,
        _pattern(table.get("margin")),
        _pattern(table.get("tool")),
        _pattern(table.get("output")),
    )


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


@cache
def _shared() -> tuple[StateRule, ...]:
    return tuple(map(_state, _read(DIRECTORY / f"{GENERIC}.toml")["shared"]))


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in DIRECTORY.glob("*.toml")))


def _read(path: Path) -> RuntimeFile:
    # Not validated here: the tests load every file.
    return cast("RuntimeFile", tomllib.loads(path.read_text(encoding="utf-8")))
