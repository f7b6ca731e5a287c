"""Bounded execution: run a command in a pane's shell; get exactly its output and its exit code.

One short line is typed, which sources a file of ours. The file prints OSC markers with a nonce
around the command, and they are looked for in the raw bytes: the echo, the prompt, the width of
the pane and its history cannot disturb that.
"""

import asyncio
import contextlib
import os
import secrets
import shlex
import signal
from collections.abc import Callable
from typing import TypeVar

from terminals.errors import Invalid, NotFound, Refused
from terminals.tmux.driver import Tmux, Typed
from terminals.tmux.foreground import edits_a_line, in_front, is_idle, shell_in_front
from terminals.tmux.markers import Execution, Markers
from terminals.tmux.rows import PaneRow

T = TypeVar("T")
LONGEST_SECONDS = 600.0
QUIET_SECONDS = 0.15  # silent for so long with the shell back in front: the end marker was skipped
BUSY_SECONDS = 2.0  # a program that has the terminal may be about to end
GRACE_SECONDS = 1.0  # between C-c, SIGTERM and SIGKILL after a time-out
SH_WRAPPER = """printf '\\033]7717;S;{nonce}\\007'
. {script}
__wt_s=$?
printf '\\033]7717;E;{nonce};%s\\007' "$__wt_s"
return "$__wt_s"
"""
FISH_WRAPPER = """printf '\\033]7717;S;{nonce}\\007'
source {script}
set -l __wt_s $status
printf '\\033]7717;E;{nonce};%s\\007' "$__wt_s"
return $__wt_s
"""
UNSUPPORTED = {"tcsh", "csh"}
LINE_EDITORS = {"bash", "zsh", "fish"}


class Executor:
    """Runs commands in the panes of one tmux server, one at a time in each pane."""

    def __init__(self, tmux: Tmux) -> None:
        self._tmux = tmux

    async def execute(self, pane_id: str, command: str, *, seconds: float = 10.0) -> Execution:
        if not 0 < seconds <= LONGEST_SECONDS:
            raise Invalid(f"a time limit is more than 0 and at most {LONGEST_SECONDS:.0f} seconds")
        if "\0" in command:
            raise Invalid("a command cannot contain NUL")
        async with self._tmux.lock(f"execute {pane_id}"):
            deadline = asyncio.get_running_loop().time() + seconds
            return await self._execute(pane_id, command, deadline)

    async def _execute(self, pane_id: str, command: str, deadline: float) -> Execution:
        pane = await self._tmux.pane(pane_id)
        run = _Run(self._tmux, pane, await self._shell(pane, deadline))
        if run.shell not in LINE_EDITORS:
            run.prompt = await self._cursor_line(pane_id)
        form = FISH_WRAPPER if run.shell == "fish" else SH_WRAPPER
        with contextlib.ExitStack() as files:

            def file(name: str, text: str) -> str:
                content = text.encode("utf-8", "surrogateescape")
                made = self._tmux.files.create(name, content)
                files.callback(made.remove)
                return quoted(str(made.path), run.shell)

            script = file(f"{run.nonce}.c", command + "\n")
            wrapper = file(run.nonce, form.format(nonce=run.nonce, script=script))
            async with self._tmux.tapping(pane_id, run.hear):
                self._tmux.files.require_intact()
                await run.type(f". {wrapper}", meant=command)
                return await run.finish(deadline)

    async def _shell(self, pane: PaneRow, deadline: float) -> str:
        """Which shell waits in the pane; one that still reads its rc files gets all the time."""
        soon = min(deadline, asyncio.get_running_loop().time() + BUSY_SECONDS)
        name = await _until(lambda: _ready_shell(pane), soon)
        if not name and shell_in_front(pane.pid):
            name = await _until(lambda: _ready_shell(pane), deadline)
        if not name:
            leader = in_front(pane.pid)
            busy = f"{leader.name} (pid {leader.pid}) is running" if leader else "no shell is there"
            raise Refused(f"the pane is busy: {busy}; wait for it or stop it first")
        if name in UNSUPPORTED:
            raise Refused(f"{name} is not supported: use bash, zsh, fish, ksh, dash or sh")
        return name

    async def _cursor_line(self, pane_id: str) -> bytes:
        """What a shell without an editor shows as its prompt."""
        lines = (await self._tmux.capture(pane_id)).rstrip(b"\n").split(b"\n")
        return lines[-1].rstrip()


class _Run:
    """One command under way in one pane."""

    def __init__(self, tmux: Tmux, pane: PaneRow, shell: str) -> None:
        self.nonce = secrets.token_hex(6)
        self.shell, self.prompt = shell, b""
        self.markers = Markers(self.nonce)
        self._heard = asyncio.Event()
        self._tmux, self._pane = tmux, pane
        leader = in_front(pane.pid)
        self._leader = leader.pid if leader is not None else pane.pid
        self._asked = False

    async def type(self, text: str, *, meant: str = "") -> None:
        """C-e C-u: whatever stands on the line goes. The blank keeps it out of histories. Who
        observes the pane hears of the command that is meant, not of our line."""
        told = Typed(self._pane.id, meant.encode("utf-8", "surrogateescape"), executed=True)
        await self._tmux.type(self._pane.id, f"\x05\x15 {text}\r".encode(), told=told)

    def hear(self, data: bytes) -> None:
        self.markers.feed(data)
        self._heard.set()

    async def finish(self, deadline: float) -> Execution:
        if await self._ended(deadline):
            return await asyncio.to_thread(self.markers.result, pane_exited=not self.markers.done)
        self.markers.cut(prompt=False)
        await self._interrupt()
        return await asyncio.to_thread(self.markers.result, timed_out=True)

    async def _ended(self, deadline: float, *, interrupted: bool = False) -> bool:
        """Wait for the end marker until the deadline; ask for it where the shell skipped it."""
        loop = asyncio.get_running_loop()
        while not self.markers.done:
            if (left := deadline - loop.time()) <= 0:
                return False
            self._heard.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(QUIET_SECONDS, left)):
                    await self._heard.wait()
                continue
            if not await self._exists():
                return True
            if not self._asked and self._at_prompt(interrupted):
                await self._ask()
        return True

    def _at_prompt(self, interrupted: bool) -> bool:
        """Not merely silent: a command that reads from the terminal must not read our question."""
        if not shell_in_front(self._pane.pid) or not is_idle(self._pane.pid):
            return False
        if self.shell in LINE_EDITORS:
            return edits_a_line(self._pane.tty)
        return interrupted or (
            self.prompt != b"" and self.markers.last_line().strip() == self.prompt
        )

    async def _ask(self) -> None:
        """A syntax error in dash, or somebody's C-c: the shell dropped the rest of our file."""
        self._asked = True
        self.markers.cut(prompt=True)
        status = "$status" if self.shell == "fish" else '"$?"'
        await self.type(f"printf '\\033]7717;E;{self.nonce};%s\\007' {status}")

    async def _interrupt(self) -> None:
        """C-c; what ignores it is ended by signals. The shell is left with an empty line."""
        loop = asyncio.get_running_loop()
        for step in (None, signal.SIGTERM, signal.SIGKILL):
            if not await self._exists():
                return
            if step is None:
                await self._tmux.press(self._pane.id, "C-c")
            else:
                stop_front(self._pane.pid, step, spare=self._leader)
            if await self._ended(loop.time() + GRACE_SECONDS, interrupted=True):
                return

    async def _exists(self) -> bool:
        """The same pane: a restarted tmux gives its id to another, with another process."""
        try:
            row = await self._tmux.pane(self._pane.id)
        except NotFound:
            return False
        return not row.dead and row.pid == self._pane.pid


def _ready_shell(pane: PaneRow) -> str:
    """The shell that waits for a command line in a pane."""
    name = shell_in_front(pane.pid)
    ready = edits_a_line(pane.tty) if name in LINE_EDITORS else is_idle(pane.pid)
    return name if ready else ""


def stop_front(pane_pid: int, number: signal.Signals, *, spare: int = 0) -> bool:
    """Signal the foreground group of a pane, unless it is the pane's own shell or `spare`'s."""
    leader = in_front(pane_pid)
    if leader is None or leader.pid in {pane_pid, spare}:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader.group, number)
        return True
    return False


async def _until(look: Callable[[], T], deadline: float) -> T:
    """A process tells nobody when it comes to the front: look every millisecond."""
    loop = asyncio.get_running_loop()
    while not (found := look()) and loop.time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    return found


def quoted(path: str, shell: str) -> str:
    """One word for a shell. fish alone reads backslashes inside single quotes."""
    if shell == "fish":
        escaped = path.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    return shlex.quote(path)
