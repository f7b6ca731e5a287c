"""Bounded execution: run a command in the shell of a pane; get exactly its output and exit code.

One short line is typed, which sources one of our files. The file prints OSC markers with a nonce
before and after the command. They are searched in the raw output, so the echo, the prompt, the
width of the pane and its history do not matter.
"""

import asyncio
import contextlib
import os
import secrets
import shlex
import signal
from collections.abc import Callable
from typing import TypeVar

from core.errors import Invalid, NotFound, Refused
from terminals.tmux.driver import Tmux, Typed
from terminals.tmux.execution.markers import Execution, Markers
from terminals.tmux.fanout import GAP
from terminals.tmux.foreground import edits_a_line, in_front, is_idle, shell_in_front
from terminals.tmux.rows import PaneRow

T = TypeVar("T")
EXECUTE_LIMIT_SECONDS = 600.0
QUIET_SECONDS = 0.15  # without output, and the shell is in the foreground: it skipped the marker
BUSY_SECONDS = 2.0  # a program in the foreground may be about to end
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
        if not 0 < seconds <= EXECUTE_LIMIT_SECONDS:
            raise Invalid(f"seconds must be more than 0 and at most {EXECUTE_LIMIT_SECONDS:.0f}")
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

            def create(name: str, text: str) -> str:
                """The quoted path of a new file."""
                content = text.encode("utf-8", "surrogateescape")
                file = self._tmux.files.create(name, content)
                files.callback(file.remove)
                return quoted(str(file.path), run.shell)

            script = create(f"{run.nonce}.c", command + "\n")
            wrapper = create(run.nonce, form.format(nonce=run.nonce, script=script))
            async with self._tmux.tapping(pane_id, run.on_output):
                self._tmux.files.require_intact()
                await run.type(f". {wrapper}", observed_as=command)
                return await run.finish(deadline)

    async def _shell(self, pane: PaneRow, deadline: float) -> str:
        """The shell that waits in the pane; while it reads its rc files, until the deadline."""
        soon = min(deadline, asyncio.get_running_loop().time() + BUSY_SECONDS)
        name = await _until(lambda: _ready_shell(pane), soon)
        if not name and shell_in_front(pane.pid):
            name = await _until(lambda: _ready_shell(pane), deadline)
        if not name:
            leader = in_front(pane.pid)
            busy = f"{leader.name} (pid {leader.pid}) is running" if leader else "it has no shell"
            raise Refused(f"the pane is busy: {busy}; wait for it or stop it first")
        if name in UNSUPPORTED:
            raise Refused(f"{name} is not supported: use bash, zsh, fish, ksh, dash or sh")
        return name

    async def _cursor_line(self, pane_id: str) -> bytes:
        """The prompt of a shell without a line editor."""
        lines = (await self._tmux.capture(pane_id)).rstrip(b"\n").split(b"\n")
        return lines[-1].rstrip()


class _Run:
    """One command that runs in one pane."""

    def __init__(self, tmux: Tmux, pane: PaneRow, shell: str) -> None:
        self.nonce = secrets.token_hex(6)
        self.shell, self.prompt = shell, b""
        self.markers = Markers(self.nonce)
        self._output_came = asyncio.Event()
        self._tmux, self._pane = tmux, pane
        leader = in_front(pane.pid)
        self._leader = leader.pid if leader is not None else pane.pid
        self._marker_requested = False

    async def type(self, text: str, *, observed_as: str = "") -> None:
        """Type a line. C-e C-u first: it deletes what is on the line. The leading blank keeps the
        line out of the shell's history. Observers get the user's command, not our line."""
        command = observed_as.encode("utf-8", "surrogateescape")
        observed = Typed(self._pane.id, command, executed=True)
        await self._tmux.type(self._pane.id, f"\x05\x15 {text}\r".encode(), observed=observed)

    def on_output(self, data: bytes) -> None:
        if data == GAP:
            self.markers.note_gap()
        self.markers.feed(data)
        self._output_came.set()

    async def finish(self, deadline: float) -> Execution:
        if await self._ended(deadline):
            return await asyncio.to_thread(self.markers.result, pane_exited=not self.markers.done)
        self.markers.cut(prompt=False)
        await self._interrupt()
        return await asyncio.to_thread(self.markers.result, timed_out=True)

    async def _ended(self, deadline: float, *, interrupted: bool = False) -> bool:
        """Wait for the end marker until the deadline; request it if the shell has skipped it."""
        loop = asyncio.get_running_loop()
        while not self.markers.done:
            if (left := deadline - loop.time()) <= 0:
                return False
            self._output_came.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(QUIET_SECONDS, left)):
                    await self._output_came.wait()
                continue
            if not await self._exists():
                return True
            if not self._marker_requested and self._at_prompt(interrupted):
                await self._request_marker()
        return True

    def _at_prompt(self, interrupted: bool) -> bool:
        """Silence is not enough: a command that reads from the terminal must not read our line."""
        if not shell_in_front(self._pane.pid) or not is_idle(self._pane.pid):
            return False
        if self.shell in LINE_EDITORS:
            return edits_a_line(self._pane.tty)
        return interrupted or (
            self.prompt != b"" and self.markers.last_line().strip() == self.prompt
        )

    async def _request_marker(self) -> None:
        """After a syntax error in dash, or C-c of a user, the shell skips the rest of our file."""
        self._marker_requested = True
        # Without a start marker the shell may not have read our line yet, and its output follows.
        if self.markers.started:
            self.markers.cut(prompt=True)
        status = "$status" if self.shell == "fish" else '"$?"'
        await self.type(f"printf '\\033]7717;R;{self.nonce};%s\\007' {status}")

    async def _interrupt(self) -> None:
        """C-c, then signals for a program that ignores it. The shell keeps an empty line."""
        loop = asyncio.get_running_loop()
        for step in (None, signal.SIGTERM, signal.SIGKILL):
            if not await self._exists():
                return
            if step is None:
                await self._tmux.press(self._pane.id, "C-c")
            else:
                signal_foreground(self._pane.pid, step, spare=self._leader)
            if await self._ended(loop.time() + GRACE_SECONDS, interrupted=True):
                return

    async def _exists(self) -> bool:
        """Whether it is the same pane: a restarted tmux gives its id to another process."""
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


def signal_foreground(pane_pid: int, number: signal.Signals, *, spare: int = 0) -> bool:
    """Signal the foreground group of a pane, unless its leader is the pane's shell or `spare`."""
    leader = in_front(pane_pid)
    if leader is None or leader.pid in {pane_pid, spare}:
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader.group, number)
        return True
    return False


async def _until(check: Callable[[], T], deadline: float) -> T:
    """Poll every millisecond: no event says that a process has come to the foreground."""
    loop = asyncio.get_running_loop()
    while not (result := check()) and loop.time() < deadline:  # noqa: ASYNC110 - see above
        await asyncio.sleep(0.001)
    return result


def quoted(path: str, shell: str) -> str:
    """One word for a shell. Only fish interprets backslashes inside single quotes."""
    if shell == "fish":
        escaped = path.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    return shlex.quote(path)
