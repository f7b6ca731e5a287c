"""Managed tabs: windows on a tmux server of our own, each with a durable log.

The server has a private socket and outlives us. Not the person's tmux: that is services.py.
"""

import contextlib
import hashlib
import os
import shlex
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from terminals.errors import Invalid, NotFound, Refused, TmuxAway
from terminals.log_writer import Limits
from terminals.private_paths import make_private
from terminals.tmux.driver import Tmux
from terminals.tmux.execute import Executor, stop_front
from terminals.tmux.logs import Log, Logs
from terminals.tmux.markers import Execution
from terminals.tmux.rows import PaneRow, WindowRow
from terminals.tmux.sockets import PATH_BYTES, UnsafeSocket, is_listening, tmux_directory

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
        log_limits: Limits | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._login = login
        self.tmux = Tmux(socket=str(tabs_socket(data_dir)), config=Path("/dev/null"), roots=roots)
        root = data_dir / "logs"
        self._logs = Logs(self.tmux, root / "tabs", root=root, limits=log_limits)
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
        """A new tab with a shell; `login` overrides the setting."""
        directory = str(Path(cwd).expanduser()) if cwd else str(Path.home())
        if not Path(directory).is_dir():
            raise Invalid(f"{cwd!r} is not a directory")
        _check(env)
        shell = os.environ.get("SHELL") or "/bin/sh"
        # Given no command, tmux starts a login shell always.
        flags = ["-l"] if (self._login if login is None else login) else []
        command = f"exec {shlex.join([shell, *flags])}"
        async with self.tmux.lock(SESSION):
            made = await self._new(name, directory, command, env)
        await self._logs.attach(made)
        return await self._tab_of(made)

    async def list_tabs(self) -> list[WindowRow]:
        try:
            return await self.tmux.windows()
        except TmuxAway:
            return []  # no tab was made yet, or the last one has ended

    async def close_tab(self, *, window_id: str) -> None:
        await self.tmux.kill((await self._pane(window_id)).window_id)

    # --- logs ---

    async def log(self, *, window_id: str) -> Log:
        return await self._logs.find((await self._pane(window_id)).id)

    # --- programs ---

    async def execute_command(
        self, *, window_id: str, command: str, seconds: float = 10.0
    ) -> Execution:
        pane = await self._pane(window_id)
        return await self._executor.execute(pane.id, command, seconds=seconds)

    async def start_process(
        self, *, window_id: str, command: str, append_newline: bool = True
    ) -> None:
        """Type a command and return at once; its output is in the log."""
        pane = await self._pane(window_id)
        async with self.tmux.lock(pane.id):
            await self.tmux.put_text(pane.id, command, submit=append_newline, locked=True)
            if append_newline:
                await self.tmux.press(pane.id, "Enter", locked=True)

    async def stop_process(self, *, window_id: str, with_signal: str = "SIGINT") -> None:
        """C-c, or a real SIGTERM to the foreground process group; never to the tab's shell."""
        if with_signal not in SIGNALS:
            raise Invalid("signal must be SIGINT or SIGTERM")
        pane = await self._pane(window_id)
        number = SIGNALS[with_signal]
        if number is None:
            await self.tmux.press(pane.id, "C-c")
        elif not stop_front(pane.pid, number):
            raise Refused("only the tab's own shell is running: there is nothing to stop")

    async def set_history_limit(self, *, limit: int) -> None:
        """For tabs that are made from now on: tmux fixes a pane's history when it is made."""
        low, high = HISTORY_BOUNDS
        if not low <= limit <= high:
            raise Invalid(f"a history limit is {low} to {high} lines")
        await self._ensure_server()
        await self.tmux.set_option("history-limit", str(limit), "-g")

    # --- inside ---

    async def _new(self, name: str, cwd: str, command: str, env: Mapping[str, str] | None) -> str:
        """The new tab's pane."""
        await self._ensure_server()
        found = [row.id for row in await self.tmux.sessions() if row.name == SESSION]
        if found:
            made = await self.tmux.new_window(
                found[0], name=name, cwd=cwd, command=command, env=env
            )
        else:
            made = await self.tmux.new_session(
                SESSION, window=name, cwd=cwd, command=command, env=env
            )
        return made.pane_id

    async def _ensure_server(self) -> None:
        if not self.tmux.problem:
            return
        await self.tmux.link.start_server()
        shell = os.environ.get("SHELL") or "/bin/sh"
        await self.tmux.set_option("default-shell", shell, "-g")
        await self.tmux.set_option("history-limit", str(HISTORY_LIMIT), "-g")

    async def _pane(self, window_id: str) -> PaneRow:
        if not window_id.startswith("@"):
            raise Invalid(f"{window_id!r} is not a window id such as @1; see list_tabs")
        try:
            return await self.tmux.pane(window_id)
        except TmuxAway:
            raise NotFound(f"can't find window: {window_id}") from None

    async def _tab_of(self, pane_id: str) -> WindowRow:
        window_id = (await self.tmux.pane(pane_id)).window_id
        return next(row for row in await self.tmux.windows() if row.id == window_id)


def tabs_socket(data_dir: Path) -> Path:
    """Where our server listens: the same after a restart, and in a directory of ours.

    In the data directory, or beside the person's own sockets where that path is too long for a
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


def _check(env: Mapping[str, str] | None) -> None:
    for key, value in (env or {}).items():
        if not key.isidentifier() or "\n" in value:
            raise Invalid(
                f"{key!r} cannot be an environment variable, or its value has a line break"
            )
