"""Starts fake agents in panes of a tmux server, under the names of the real ones.

Each writes a log of what it received. Tests compare the results of deliveries with it.
"""

import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from terminals.tmux.driver import Tmux
from tests.agents.fakes.program import END_TURN
from tests.agents.fakes.typed import SYNC
from tests.waiting import eventually

ROOT = Path(__file__).parents[3]
ENDLESS = 3600.0  # seconds of a turn that ends with `Fake.end_turn`


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
        """The logged events of one kind, in order."""
        if not self.log.exists():
            return []
        lines = map(json.loads, self.log.read_text().splitlines())
        return [bytes.fromhex(line["hex"]) for line in lines if line["event"] == event]

    @property
    def prompts(self) -> list[bytes]:
        return self.events("prompt")

    def end_turn(self) -> None:
        """Ends the running turn. Tests that observe a turn start it with `turn=ENDLESS`."""
        os.kill(self.pid, END_TURN)

    def end_stall(self) -> None:
        """Ends the fault "stall:inf"."""
        os.kill(self.pid, END_TURN)

    async def read_everything(self, tmux: Tmux) -> None:
        """Until the fake has read every key that was sent to its terminal before this call."""
        count = len(self.events("sync"))
        await tmux.type(self.pane_id, SYNC)
        await eventually(lambda: len(self.events("sync")) > count)

    @property
    def answers(self) -> list[str]:
        return [answer.decode() for answer in self.events("answer")]


async def _first(children: Path) -> str:
    return (children.read_text().split() or [""])[0]


def install(directory: Path, runtime: str) -> Path:
    """Python under the name of an agent, which is the name that the kernel and tmux report."""
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / runtime
    if not program.exists():
        program.symlink_to(os.path.realpath(sys.executable))
    return program


def command(program: Path, *, stoppable: bool = False) -> str:
    """`-S`: no packages are needed; `-P`: nothing is imported from the pane's directory.

    tmux continues the pane's own process at once if it is stopped. With `stoppable`, the fake is a
    child of that process.
    """
    line = f"{shlex.quote(str(program))} -S -P -m tests.agents.fakes.start"
    return f"{line}; true" if stoppable else f"exec {line}"


def install_command(
    directory: Path,
    runtime: str,
    log: Path,
    *,
    faults: Iterable[str] = (),
    turn: float = 0.15,
) -> Path:
    """A command in `directory` that starts the fake, as on the PATH of a user."""
    directory.mkdir(parents=True, exist_ok=True)
    program = install(directory / "programs", runtime)
    exports = "".join(
        f"export {name}={shlex.quote(value)}\n"
        for name, value in environment(runtime, log, faults, turn).items()
    )
    path = directory / runtime
    path.write_text(
        f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {shlex.quote(str(arguments_of(log)))}\n"
        f"{exports}{command(program)}\n"
    )
    path.chmod(0o755)
    return path


def arguments_of(log: Path) -> Path:
    """Where the command of `install_command` writes its arguments, one each line."""
    return log.with_suffix(".arguments")


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
    """In a new session; the log and the installed program are in `directory`."""
    name = name or runtime
    log = directory / f"{name}.log"
    session = await tmux.new_session(
        name,
        cwd=str(directory),
        command=command(install(directory / "bin", runtime), stoppable=stoppable),
        env=environment(runtime, log, faults, turn),
    )
    pid = (await tmux.pane(session.pane_id)).pid  # the shell that tmux started has become the fake
    if stoppable:
        children = Path(f"/proc/{pid}/task/{pid}/children")
        pid = int(await eventually(lambda: _first(children)))
    return Fake(
        name,
        runtime,
        session.pane_id,
        session.window_id,
        session.session_id,
        pid,
        log,
        str(directory),
    )
