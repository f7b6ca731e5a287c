"""Managed tabs: windows on our own separate tmux server, each with a durable log.

That server has a private socket and keeps running when webtmux stops. The user's own tmux is
driven by terminals/services.py.
"""

import contextlib
import hashlib
import os
import shlex
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import Invalid, NotFound, Refused, TmuxAway
from core.private_paths import make_private
from terminals.logs.writer import LogLimits
from terminals.tmux.driver import Tmux
from terminals.tmux.execution.execute import Executor, signal_foreground
from terminals.tmux.execution.markers import Execution
from terminals.tmux.pane_logs import PaneLog, PaneLogs
from terminals.tmux.rows import PaneRow, WindowRow
from terminals.tmux.sockets import PATH_BYTES, UnsafeSocket, is_listening, tmux_directory
from terminals.windows.directories import resolve_directory
from terminals.windows.launch import check_environment
from terminals.windows.targets import is_id

SESSION = "tabs"
HISTORY_LIMIT = 50_000
HISTORY_BOUNDS = (100, 1_000_000)
SIGNALS = {"SIGINT": None, "SIGTERM": signal.SIGTERM}


class Tabs:
    name = "tabs"

    def __init__(
        self,
        *,
        data_dir: Path,
        roots: Sequence[Path] = (),
        login: bool = False,
        log_limits: LogLimits | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._login = login
        self.tmux = Tmux(socket=str(tabs_socket(data_dir)), config=Path("/dev/null"), roots=roots)
        root = data_dir / "logs"
        self._logs = PaneLogs(
            self.tmux, root / "tabs", root=root, limits=log_limits, by_window=True
        )
        self._executor = Executor(self.tmux)

    async def start(self) -> None:
        await self.tmux.start()

    async def stop(self) -> None:
        await self.tmux.stop()

    # --- tabs ---

    async def create_tab(
        self,
        *,
        name: str = "",
        cwd: str = "",
        env: Mapping[str, str] | None = None,
        login: bool | None = None,
    ) -> WindowRow:
        """A new tab with a shell. `login` overrides the setting."""
        home = str(Path.home())
        directory = await resolve_directory(cwd, base=home) if cwd else home
        check_environment(env or {})
        shell = os.environ.get("SHELL") or "/bin/sh"
        # Without a command tmux always starts a login shell.
        flags = ["-l"] if (self._login if login is None else login) else []
        command = f"exec {shlex.join([shell, *flags])}"
        async with self.tmux.lock(SESSION):
            pane_id = await self._new(name, directory, command, env)
        await self._logs.attach(pane_id)
        tab = await self._tab_of(pane_id)
        if name and tab.name != name:
            await self.tmux.kill(tab.id)
            raise Invalid(f"this tmux keeps the name {name!r} as {tab.name!r}: use another one")
        return tab

    async def list_tabs(self) -> list[WindowRow]:
        try:
            return await self.tmux.windows()
        except TmuxAway:
            return []  # no tab was created yet, or the last one has ended

    async def close_tab(self, *, window_id: str) -> None:
        """End a tab and what runs in it. Its log stays readable."""
        await self.tmux.kill((await self._pane(window_id)).window_id)

    # --- logs ---

    async def log(self, *, window_id: str) -> PaneLog:
        """Also of a tab that has ended."""
        try:
            pane = await self._pane(window_id)
        except NotFound:
            log = self._logs.find_ended(window_id) if is_id(window_id, "@") else None
            if log is None:
                raise
            return log
        return await self._logs.find(pane.id)

    # --- programs ---

    async def execute_command(
        self, *, window_id: str, command: str, seconds: float = 10.0
    ) -> Execution:
        pane = await self._pane(window_id)
        return await self._executor.execute(pane.id, command, seconds=seconds)

    async def start_process(
        self, *, window_id: str, command: str, append_newline: bool = True
    ) -> None:
        """Type a command and return at once. Its output is in the log."""
        pane = await self._pane(window_id)
        async with self.tmux.lock(pane.id):
            await self.tmux.put_text(pane.id, command, submit=append_newline, locked=True)
            if append_newline:
                await self.tmux.press(pane.id, "Enter", locked=True)

    async def stop_process(self, *, window_id: str, with_signal: str = "SIGINT") -> None:
        """C-c, or SIGTERM to the foreground process group, but never to the tab's shell."""
        if with_signal not in SIGNALS:
            raise Invalid("signal must be SIGINT or SIGTERM")
        pane = await self._pane(window_id)
        number = SIGNALS[with_signal]
        if number is None:
            await self.tmux.press(pane.id, "C-c")
        elif not signal_foreground(pane.pid, number):
            raise Refused("only the tab's own shell is running: there is nothing to stop")

    async def set_history_limit(self, *, limit: int) -> None:
        """For tabs created from now on: tmux sets the limit of a pane when it is created."""
        low, high = HISTORY_BOUNDS
        if not low <= limit <= high:
            raise Invalid(f"a history limit is {low} to {high} lines")
        await self._ensure_server()
        await self.tmux.set_option("history-limit", str(limit))

    # --- helpers ---

    async def _new(self, name: str, cwd: str, command: str, env: Mapping[str, str] | None) -> str:
        """The id of the new tab's pane."""
        await self._ensure_server()
        sessions = [row.id for row in await self.tmux.sessions() if row.name == SESSION]
        if sessions:
            created = await self.tmux.new_window(
                sessions[0], name=name, cwd=cwd, command=command, env=env, verbatim=True
            )
        else:
            created = await self.tmux.new_session(
                SESSION, window=name, cwd=cwd, command=command, env=env, verbatim=True
            )
        return created.pane_id

    async def _ensure_server(self) -> None:
        if not self.tmux.problem:
            return
        await self.tmux.monitor.start_server()
        shell = os.environ.get("SHELL") or "/bin/sh"
        await self.tmux.set_option("default-shell", shell)
        await self.tmux.set_option("history-limit", str(HISTORY_LIMIT))

    async def _pane(self, window_id: str) -> PaneRow:
        if not window_id.startswith("@"):
            raise Invalid(f"{window_id!r} is not a window id such as @1; see list_tabs")
        try:
            return await self.tmux.pane(window_id)
        except TmuxAway:
            raise NotFound(f"can't find window: {window_id}") from None

    async def _tab_of(self, pane_id: str) -> WindowRow:
        window_id = (await self.tmux.pane(pane_id)).window_id
        return next(row for row in await self.list_tabs() if row.id == window_id)


def tabs_socket(data_dir: Path) -> Path:
    """The socket of our server: the same after a restart, in a directory that only we can change.

    It is in the data directory, or next to the user's own sockets if that path is too long for a
    socket or other users could change it. Earlier versions used a directory in /tmp: a server that
    still listens there keeps its tabs.
    """
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:8]
    earlier = tmux_directory().parent / f"webtmux-{os.getuid()}-{digest}" / "tabs"
    with contextlib.suppress(UnsafeSocket):
        if is_listening(earlier):
            return earlier
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "run" / "tabs"
    if len(os.fsencode(path)) <= PATH_BYTES and not make_private(path.parent):
        return path
    return tmux_directory() / f"webtmux-{digest}"
