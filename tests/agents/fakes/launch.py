"""Starts fake agents in panes of a tmux server, under the names of the real ones.

Each has a log of its own, which is the truth that a delivery is compared with.
"""

import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from terminals.tmux.driver import Tmux
from tests.terminals.tmux.waiting import eventually

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Fake:
    name: str  # of its session
    runtime: str
    pane_id: str
    window_id: str
    session_id: str
    pid: int
    log: Path
    work_dir: str

    def events(self, event: str) -> list[bytes]:
        """What the fake itself saw of one kind, in order."""
        if not self.log.exists():
            return []
        lines = map(json.loads, self.log.read_text().splitlines())
        return [bytes.fromhex(line["hex"]) for line in lines if line["event"] == event]

    @property
    def prompts(self) -> list[bytes]:
        return self.events("prompt")

    @property
    def answers(self) -> list[str]:
        return [answer.decode() for answer in self.events("answer")]


async def _first(children: Path) -> str:
    return (children.read_text().split() or [""])[0]


def install(directory: Path, runtime: str) -> Path:
    """A Python under the name of an agent: the kernel and tmux both tell that name."""
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / runtime
    if not program.exists():
        program.symlink_to(os.path.realpath(sys.executable))
    return program


def command(program: Path, *, stoppable: bool = False) -> str:
    """`-S`: it needs no packages; `-P`: nothing is imported from the pane's directory.

    tmux continues a stopped process at once if it is the pane's own; `stoppable`: it is not.
    """
    line = f"{shlex.quote(str(program))} -S -P -m tests.agents.fakes.start"
    return f"{line}; true" if stoppable else f"exec {line}"


def environment(
    runtime: str, log: Path, faults: Iterable[str] = (), turn: float = 0.15
) -> Mapping[str, str]:
    return {
        "FAKE_KIND": runtime,
        "FAKE_LOG": str(log),
        "FAKE_FAULTS": ",".join(faults),
        "FAKE_TURN": str(turn),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
    }


async def launch(
    tmux: Tmux,
    directory: Path,
    runtime: str,
    *,
    faults: Iterable[str] = (),
    name: str = "",
    turn: float = 0.15,
    stoppable: bool = False,
) -> Fake:
    """In a session of its own; the log and the installed program are in `directory`."""
    name = name or runtime
    log = directory / f"{name}.log"
    made = await tmux.new_session(
        name,
        cwd=str(directory),
        command=command(install(directory / "bin", runtime), stoppable=stoppable),
        env=environment(runtime, log, faults, turn),
    )
    pid = (await tmux.pane(made.pane_id)).pid  # the shell that tmux started has become the fake
    if stoppable:
        children = Path(f"/proc/{pid}/task/{pid}/children")
        pid = int(await eventually(lambda: _first(children)))
    return Fake(
        name, runtime, made.pane_id, made.window_id, made.session_id, pid, log, str(directory)
    )
