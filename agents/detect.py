"""Which AI agent runs in a pane, decided from its processes; and what it is called.

Not where processes are read: that is processes.py. Three tiers, the cheapest first: the program in
front, what an interpreter was told to run, and what a shell or an unknown program has started.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.rules import Rules
from terminals.tmux.foreground import SHELLS

INTERPRETERS = {"node", "nodejs", "bun", "deno", "python", "python3", "tsx", "ts-node"}
RUNNERS = {"npx", "npm", "pnpm", "yarn", "bunx", "uvx", "uv", "pipx", "env", "sudo"}
_SCRIPT = re.compile(r".*/.*|.*\.(?:[cm]?[jt]s|py|sh)$")
_NUMBERED = re.compile(r"(?:node|bun|python)[\d.]+")


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    name: str  # as the kernel knows it: at most 15 characters
    group: int = 0
    stopped: bool = False
    arguments: tuple[str, ...] = ()
    program: str = ""  # the path of the file that runs, where it was asked for
    threads: int = 1


class Table:
    """The names of all runtimes, for a quick look; the first of two that share one has it."""

    def __init__(self, rules: Iterable[Rules]) -> None:
        self._exact: dict[str, str] = {}
        self._begins: list[tuple[str, str]] = []
        self._packages: list[tuple[str, str]] = []
        for one in rules:
            for name in one.processes:
                if name.endswith("*"):
                    self._begins.append((name[:-1], one.runtime))
                else:
                    self._exact.setdefault(name, one.runtime)
            self._packages += [(part, one.runtime) for part in one.packages]

    def named(self, name: str) -> str | None:
        if runtime := self._exact.get(name):
            return runtime
        return next((runtime for start, runtime in self._begins if name.startswith(start)), None)

    def at(self, path: str) -> str | None:
        """By the last part of a path, or by the package that it lies in."""
        if runtime := self.named(_base(path)):
            return runtime
        return next((runtime for part, runtime in self._packages if part in path), None)


@dataclass(frozen=True, slots=True)
class Found:
    runtime: str
    pid: int
    tier: int
    evidence: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent was found, for its name."""

    pane_id: str
    session_id: str
    session: str
    window_index: int
    pane_index: int


@dataclass(frozen=True, slots=True)
class Named:
    session_id: str
    name: str
    first: bool  # has the session's own name


def is_interpreter(name: str) -> bool:
    return name in INTERPRETERS or _NUMBERED.fullmatch(name) is not None


def in_front(leader: Process, table: Table) -> Found | None:
    """Tier 1: by the name of the program that has the terminal, or by its script."""
    return _by_name(leader, table, tier=1) or _by_script(leader, table, tier=1)


def behind(leader: Process, started: Iterable[Process], table: Table) -> Found | None:
    """Tiers 2 and 3: behind a shell, or behind a program that nobody knows.

    Of a shell's children only those count that share its group: the others are in the background,
    and what is typed goes to the shell.
    """
    shell = _base(leader.name.removeprefix("-")) in SHELLS
    tier = 2 if shell else 3
    if not shell and (found := _by_path(leader, table)):
        return found
    for process in started:
        if process.stopped or (shell and process.group != leader.group):
            continue
        found = _by_name(process, table, tier) or _by_script(process, table, tier)
        if found:
            return found
    return None


def _by_name(process: Process, table: Table, tier: int) -> Found | None:
    for name in (process.name, _base(process.arguments[0]) if process.arguments else ""):
        if runtime := table.named(name):
            return Found(runtime, process.pid, tier, f"process {name}")
    return None


def _by_script(process: Process, table: Table, tier: int) -> Found | None:
    """`node server.js claude` is no agent: after the script come its own arguments."""
    first = _base(process.arguments[0]) if process.arguments else ""
    if not (is_interpreter(first) or is_interpreter(process.name) or first in RUNNERS):
        return None
    for argument in process.arguments[1:]:
        if argument.startswith("-"):
            continue
        if runtime := table.at(argument):
            return Found(runtime, process.pid, tier, f"{first} {_base(argument)}")
        if _SCRIPT.fullmatch(argument):
            return None
    return None


def _by_path(process: Process, table: Table) -> Found | None:
    """A program that calls itself by its version, 2.1.38, is known by where it lies."""
    runtime = table.at(process.program) if process.program else None
    return Found(runtime, process.pid, 3, f"program {_base(process.program)}") if runtime else None


def wants_path(process: Process) -> bool:
    """Whether nobody knows its name, so that the file it runs must be looked at."""
    name = _base(process.name.removeprefix("-"))
    return not (name in SHELLS or name in RUNNERS or is_interpreter(name))


def _base(path: str) -> str:
    return path.rpartition("/")[2]


# --- names ------------------------------------------------------------------------------------


def names(places: Sequence[Place], before: Mapping[str, Named]) -> dict[str, Named]:
    """Pane → name. One agent has the session's name, the others say where they are.

    Whoever has the name keeps it, and nobody inherits it while it lives: what is meant for one
    agent must not reach another because of who came or went.
    """
    known = {one.pane_id: before.get(one.pane_id) for one in places}
    stays = {pane: old for pane, old in known.items() if old}
    taken = {old.session_id for old in stays.values() if old.first}
    named: dict[str, Named] = {}
    for place in sorted(places, key=lambda one: (one.window_index, one.pane_index)):
        old = stays.get(place.pane_id)
        if old and old.session_id == place.session_id:
            first = old.first
        else:
            first = place.session_id not in taken
        taken |= {place.session_id} if first else set()
        where = "" if first else f":{place.window_index}.{place.pane_index}"
        named[place.pane_id] = Named(place.session_id, place.session + where, first)
    return named


def is_under(path: str, roots: Sequence[str]) -> bool:
    """The directory itself or one below it: /tmp/gt holds /tmp/gt/work, not /tmp/gt-other."""
    inside = path.rstrip("/") + "/"
    return not roots or any(inside.startswith(root.rstrip("/") + "/") for root in roots)
