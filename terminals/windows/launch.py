"""Starts programs in new sessions and windows, through the user's login shell.

`Launch` says what to start and where; `start_session` and `start_window` start it. The pane of a
program that ends at once, or fails later, stays, so that its output and exit status can be read.
Rows of the database are the business of terminals/services.py.
"""

import asyncio
import contextlib
import os
import pwd
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from django.conf import settings

from core import callers
from core.callers import Scope
from core.errors import Invalid, Refused, TmuxAway, WebtmuxError
from terminals.tmux.driver import IDLE_PROGRAM, Tmux
from terminals.tmux.rows import CreatedRow, PaneRow
from terminals.windows import directories
from terminals.windows.directories import Completions, resolve_directory
from terminals.windows.login_shell import run_argv, run_line

EARLY_SECONDS = 1.0  # a command that cannot run ends within this time, unless the machine is loaded
POLL_SECONDS = 0.05
STATUS_SECONDS = 2.0  # until the status of a program that has ended is known
COMMAND_LIMIT = 32_000  # characters; Linux accepts 128 KiB for one argument
OUTPUT_LINES = 50  # of a program that has ended
FORBIDDEN = "\n\r\0"
KEEP = {"remain-on-exit": "on"}
KEEP_FAILED = "failed"  # the value for a program that has run for a while
KEEP_SECONDS = 5.0  # how long it must have run, to close its pane when it ends successfully

_releases: set["asyncio.Task[None]"] = set()  # end by themselves


@dataclass(frozen=True, slots=True)
class Launch:
    """`command` is a line for the user's shell, `argv` a program with its arguments.

    With neither, tmux starts a shell. `keep`: the pane stays if the program ends at once or fails.
    """

    directory: str = ""
    command: str = ""
    argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    keep: bool = True

    @property
    def has_program(self) -> bool:
        return bool(self.command.strip() or self.argv)


@dataclass(frozen=True, slots=True)
class EndedProgram:
    """`signal` is 0 unless a signal ended it."""

    status: int
    signal: int
    output: str

    def __str__(self) -> str:
        outcome = f"by signal {self.signal}" if self.signal else f"with status {self.status}"
        return f"The command ended {outcome}."


async def start_session(tmux: Tmux, session: str, launch: Launch) -> CreatedRow:
    """In the work directory, or at home, unless the launch names a directory."""
    check(launch)
    directory = await resolve_directory(launch.directory, base=base_directory())
    created = await tmux.new_session(
        session,
        cwd=directory,
        window=launch.name,
        **_first_program(launch),
    )
    await _run(tmux, created, launch, directory)
    return created


async def start_window(
    tmux: Tmux, session_id: str, launch: Launch, *, background: bool = False
) -> CreatedRow:
    """In the directory of the session, unless the launch names another."""
    check(launch)
    directory = launch.directory
    if directory:
        directory = await resolve_directory(directory, base=base_directory())
    created = await tmux.new_window(
        session_id,
        name=launch.name,
        cwd=directory,
        background=background,
        **_first_program(launch),
    )
    await _run(tmux, created, launch, directory)
    return created


async def early_end(
    tmux: Tmux, pane_id: str, *, seconds: float = EARLY_SECONDS
) -> EndedProgram | None:
    """How the program of a pane ended, if it does so within this time."""
    clock = asyncio.get_running_loop().time
    deadline, dead_since = clock() + seconds, None
    while True:
        row = await tmux.pane(pane_id)
        if row.dead:
            dead_since = clock() if dead_since is None else dead_since
            lines = await _last_lines(tmux, row)
            # tmux closes the terminal of a program first, and learns its status a moment later.
            is_known = row.dead_status or row.dead_signal or any(map(_is_notice, lines))
            if is_known or clock() - dead_since > STATUS_SECONDS:
                return _ended(row, lines)
            await tmux.reap()
        elif clock() > deadline:
            return None
        await asyncio.sleep(POLL_SECONDS)


async def _last_lines(tmux: Tmux, row: PaneRow) -> list[str]:
    captured = await tmux.capture(row.id, start=-OUTPUT_LINES)
    return captured.decode("utf-8", "replace").splitlines()


def _is_notice(line: str) -> bool:
    """tmux's own last line in a pane: "Pane is dead (status 1, …)"."""
    return line.startswith("Pane is dead (")


def _ended(row: PaneRow, lines: list[str]) -> EndedProgram:
    printed = "\n".join(line for line in lines if not _is_notice(line))
    output = printed.strip("\n").splitlines()[-OUTPUT_LINES:]
    return EndedProgram(row.dead_status, row.dead_signal, "\n".join(output))


async def complete_directory(prefix: str) -> tuple[str, Completions]:
    """The base of relative paths, and the directories that begin with `prefix`.

    Only for callers that could start a shell there: others learn nothing of the file system.
    """
    if not callers.current().principal.scope.includes(Scope.WRITE):
        raise Refused("this needs the scope `write`, as starting a session does")
    base = base_directory()
    return base, await directories.complete_directory(prefix, base=base)


def base_directory() -> str:
    """What relative paths are relative to, and where sessions start."""
    return settings.WEBTMUX.work_dir or str(Path.home())


def check(launch: Launch) -> None:
    """Everything that can be refused before anything is created."""
    if launch.command and launch.argv:
        raise Invalid("give a command line or an argument list, not both")
    texts = [launch.command, *launch.argv]
    if any(char in text for text in texts for char in FORBIDDEN):
        raise Invalid("a command is one line: join several with `;` or `&&`", field="command")
    if sum(map(len, texts)) > COMMAND_LIMIT:
        raise Invalid(
            f"a command has at most {COMMAND_LIMIT} characters: put it into a script",
            field="command",
        )
    check_environment(launch.env)


def check_environment(env: Mapping[str, str]) -> None:
    for key, value in env.items():
        if not (key.isascii() and key.isidentifier()) or any(char in value for char in FORBIDDEN):
            raise Invalid(
                f"{key!r} cannot be an environment variable: its name has letters, digits and _,"
                " its value no line break"
            )


class _FirstProgram(TypedDict):
    command: str
    env: Mapping[str, str]


def _first_program(launch: Launch) -> _FirstProgram:
    """What tmux starts in a new pane: a shell, or the idle program that `_run` replaces.

    The variables of a session are those of all its windows, so those of a program are set later.
    """
    if launch.has_program:
        return {"command": IDLE_PROGRAM, "env": {}}
    return {"command": "", "env": launch.env}


async def _run(tmux: Tmux, created: CreatedRow, launch: Launch, directory: str) -> None:
    """Replace the idle program of a new pane.

    The options of the pane are set before its program starts: a program that ends at once would
    otherwise take the pane, and its output, with it.
    """
    if not launch.has_program:
        return
    shell = await login_shell(tmux)
    argv = run_argv(shell, launch.argv) if launch.argv else run_line(shell, launch.command)
    try:
        await tmux.respawn_pane(
            created.pane_id,
            argv=argv,
            cwd=directory,
            env=launch.env,
            options=KEEP if launch.keep else None,
        )
    except BaseException:  # also of a request that is cancelled: no pane without its program
        await tmux.kill(created.pane_id)
        raise
    if launch.keep:
        task = asyncio.create_task(_release(tmux, created.pane_id), name="release pane")
        _releases.add(task)
        task.add_done_callback(_releases.discard)


async def _release(tmux: Tmux, pane_id: str) -> None:
    """Lets the pane of a program that runs close when it ends successfully, as tmux always does."""
    await asyncio.sleep(KEEP_SECONDS)
    with contextlib.suppress(WebtmuxError):
        row = await tmux.pane(pane_id)
        if row.dead:
            await tmux.reap()
        else:
            await tmux.set_option("remain-on-exit", KEEP_FAILED, pane_id)


async def login_shell(tmux: Tmux) -> str:
    """The shell that tmux starts in new windows."""
    shell = ""
    with contextlib.suppress(TmuxAway):  # it starts with the first session
        shell = await tmux.show_option("default-shell")
    return shell or os.environ.get("SHELL") or pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"
