"""Decides which AI agent runs in a pane, from its processes; and how the agent is named.

Pure: scanner.py reads the processes. There are three tiers, the cheapest first: the program in the
foreground (or the script that an interpreter runs), the children of a shell, and the children of an
unknown program.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.runtimes.loader import Rules
from terminals.tmux.foreground import SHELLS

INTERPRETERS = {"node", "nodejs", "bun", "deno", "python", "python3", "tsx", "ts-node"}
RUNNERS = {"npx", "npm", "pnpm", "yarn", "bunx", "uvx", "uv", "pipx", "env", "sudo"}
_SCRIPT = re.compile(r".*/.*|.*\.(?:[cm]?[jt]s|py|sh)$")
_NUMBERED = re.compile(r"(?:node|bun|python)[\d.]+")


@dataclass(frozen=True, slots=True)
class PaneProcess:
    pid: int
    name: str  # as the kernel knows it: at most 15 characters
    group: int = 0
    stopped: bool = False
    arguments: tuple[str, ...] = ()
    program: str = ""  # the path of the executable, if it was read
    threads: int = 1


class RuntimeTable:
    """Runtimes by process name and package. If two share a name, the first has it."""

    def __init__(self, rules: Iterable[Rules]) -> None:
        self._exact: dict[str, str] = {}
        self._begins: list[tuple[str, str]] = []
        self._packages: list[tuple[str, str]] = []
        for runtime in rules:
            for name in runtime.processes:
                if name.endswith("*"):
                    self._begins.append((name[:-1], runtime.runtime))
                else:
                    self._exact.setdefault(name, runtime.runtime)
            self._packages += [(part, runtime.runtime) for part in runtime.packages]

    def by_name(self, name: str) -> str | None:
        if runtime := self._exact.get(name):
            return runtime
        return next((runtime for start, runtime in self._begins if name.startswith(start)), None)

    def by_path(self, path: str) -> str | None:
        """By the last part of a path, or by the package that contains it."""
        if runtime := self.by_name(_base(path)):
            return runtime
        return next((runtime for part, runtime in self._packages if part in path), None)


@dataclass(frozen=True, slots=True)
class DetectedAgent:
    runtime: str
    pid: int
    tier: int
    evidence: str


@dataclass(frozen=True, slots=True)
class AgentPlace:
    """Where an agent runs; its name is built from this."""

    pane_id: str
    session_id: str
    session: str
    window_index: int
    pane_index: int


@dataclass(frozen=True, slots=True)
class AgentName:
    session_id: str
    name: str
    first: bool  # whether it has the session's own name


def is_interpreter(name: str) -> bool:
    return name in INTERPRETERS or _NUMBERED.fullmatch(name) is not None


def in_front(leader: PaneProcess, table: RuntimeTable) -> DetectedAgent | None:
    """Tier 1: by the name of the program in the foreground, or by its script."""
    return _by_name(leader, table, tier=1) or _by_script(leader, table, tier=1)


def behind(
    leader: PaneProcess, started: Iterable[PaneProcess], table: RuntimeTable
) -> DetectedAgent | None:
    """Tiers 2 and 3: behind a shell, or behind an unknown program.

    Of a shell's children only those in its own process group count: the others are in the
    background, and typed keys go to the shell.
    """
    shell = _base(leader.name.removeprefix("-")) in SHELLS
    tier = 2 if shell else 3
    if not shell and (agent := _by_path(leader, table)):
        return agent
    for process in started:
        if process.stopped or (shell and process.group != leader.group):
            continue
        if agent := _by_name(process, table, tier) or _by_script(process, table, tier):
            return agent
    return None


def _by_name(process: PaneProcess, table: RuntimeTable, tier: int) -> DetectedAgent | None:
    for name in (process.name, _base(process.arguments[0]) if process.arguments else ""):
        if runtime := table.by_name(name):
            return DetectedAgent(runtime, process.pid, tier, f"process {name}")
    return None


def _by_script(process: PaneProcess, table: RuntimeTable, tier: int) -> DetectedAgent | None:
    """`node server.js claude` is not an agent: what follows the script are its arguments."""
    first = _base(process.arguments[0]) if process.arguments else ""
    if not (is_interpreter(first) or is_interpreter(process.name) or first in RUNNERS):
        return None
    for argument in process.arguments[1:]:
        if argument.startswith("-"):
            continue
        if runtime := table.by_path(argument):
            return DetectedAgent(runtime, process.pid, tier, f"{first} {_base(argument)}")
        if _SCRIPT.fullmatch(argument):
            return None
    return None


def _by_path(process: PaneProcess, table: RuntimeTable) -> DetectedAgent | None:
    """A program whose name is its version, such as 2.1.38, is recognised by its directory."""
    runtime = table.by_path(process.program) if process.program else None
    return (
        DetectedAgent(runtime, process.pid, 3, f"program {_base(process.program)}")
        if runtime
        else None
    )


def wants_path(process: PaneProcess) -> bool:
    """Whether its name is unknown, so that the path of its executable must be read."""
    name = _base(process.name.removeprefix("-"))
    return not (name in SHELLS or name in RUNNERS or is_interpreter(name))


def _base(path: str) -> str:
    return path.rpartition("/")[2]


# --- names ------------------------------------------------------------------------------------


def names(places: Sequence[AgentPlace], before: Mapping[str, AgentName]) -> dict[str, AgentName]:
    """Names by pane. One agent has the session's name, the others add their window and pane.

    An agent keeps its name, and a running agent never inherits one: a prompt for one agent must not
    reach another because an agent started or ended.
    """
    earlier = {place.pane_id: before.get(place.pane_id) for place in places}
    kept = {pane: old for pane, old in earlier.items() if old}
    taken = {old.session_id for old in kept.values() if old.first}
    named: dict[str, AgentName] = {}
    for place in sorted(places, key=lambda place: (place.window_index, place.pane_index)):
        old = kept.get(place.pane_id)
        if old and old.session_id == place.session_id:
            first = old.first
        else:
            first = place.session_id not in taken
        taken |= {place.session_id} if first else set()
        suffix = "" if first else f":{place.window_index}.{place.pane_index}"
        named[place.pane_id] = AgentName(place.session_id, place.session + suffix, first)
    return named


def is_under(path: str, roots: Sequence[str]) -> bool:
    """Whether it is a root or below one: /tmp/gt contains /tmp/gt/work, not /tmp/gt-other."""
    inside = path.rstrip("/") + "/"
    return not roots or any(inside.startswith(root.rstrip("/") + "/") for root in roots)
