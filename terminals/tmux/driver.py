"""The driver: everything that webtmux does with one tmux server, as typed calls.

Targets are tmux ids; terminals/windows/targets.py resolves names. Commands go over the monitor
client; output and sizes go over one stream client per watched session. Captures are in capture.py.
"""

import asyncio
import contextlib
import logging
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import Invalid, NotFound
from core.private_paths import PrivateDirectory
from terminals.tmux import commands, safe_text
from terminals.tmux.capture import Capture, PaneCaptures, PipeStart
from terminals.tmux.commands import HIDDEN_SESSION, IDLE_PROGRAM, Command, Direction
from terminals.tmux.control import Notice
from terminals.tmux.fanout import Tap
from terminals.tmux.foreground import takes_pastes
from terminals.tmux.monitor import Monitor, version
from terminals.tmux.rows import (
    ClientRow,
    CreatedRow,
    PaneRow,
    SessionRow,
    WindowRow,
    framed,
    unframed,
)
from terminals.tmux.shared_list import SharedList
from terminals.tmux.sockets import socket_path
from terminals.tmux.streams import STRUCTURE_NOTICES, Streams
from terminals.tmux.viewer import Chunk, ChunkKind, Viewer

__all__ = [
    "HIDDEN_SESSION",
    "IDLE_PROGRAM",
    "Capture",
    "Chunk",
    "ChunkKind",
    "PipeStart",
    "Tmux",
    "Typed",
    "Viewer",
]

log = logging.getLogger(__name__)

SHORT_INPUT = 64  # bytes; send-keys -H takes quadratic time, so longer input goes through a buffer
RAW_PASTE_SINCE = (3, 7)
# Every window and when it last printed, in whole seconds. No comma: see monitor.EVERYTHING.
ACTIVITY = framed("#{S:#{W:#{window_id} #{window_activity};}}")


@dataclass(frozen=True, slots=True)
class Typed:
    """Input that is about to be sent to a pane: bytes, or keys by their names."""

    pane_id: str
    data: bytes = b""
    keys: tuple[str, ...] = ()
    paste: bool = False
    executed: bool = False  # a whole command for the shell, submitted; empty: webtmux's own query


class PaneLock(asyncio.Lock):
    """Remembers the run of the tmux server in which its holder requested it.

    A restarted tmux gives the same ids to other panes. A task that waited for the lock, or holds it
    while tmux restarts, must not type into the new pane with that id.
    """

    def __init__(self, monitor: Monitor) -> None:
        super().__init__()
        self._monitor, self._server_run = monitor, ""

    async def acquire(self) -> Literal[True]:
        requested_in = self._current_run()
        await super().acquire()
        self._server_run = requested_in
        return True

    def require_same_run(self) -> None:
        if self.locked() and self._server_run != self._current_run():
            raise NotFound("tmux was restarted: this pane is gone, and nothing was sent")

    def _current_run(self) -> str:
        return self._monitor.server.run if self._monitor.server else ""


class Tmux(PaneCaptures):
    def __init__(
        self, *, socket: str = "", config: Path | None = None, roots: Sequence[Path] = ()
    ) -> None:
        """`roots`: where files for tmux may be created; by default next to the socket."""
        monitor = Monitor(path=socket_path(socket), config=config)
        super().__init__(monitor, PrivateDirectory(*(roots or [monitor.path.parent])))
        self.streams = Streams(self.monitor, self.files)
        self._locks: weakref.WeakValueDictionary[str, PaneLock] = weakref.WeakValueDictionary()
        self._activity: tuple[list[bytes], dict[str, int]] = ([], {})
        self._all_windows = SharedList(self._list_windows, _shown_windows)
        self._all_panes = SharedList(self._list_panes, _shown_panes)
        # Called with all input just before it is sent. They must not wait, and must never log it.
        self.observers: list[Callable[[Typed], None]] = []

    # --- start and stop ---

    async def start(self) -> None:
        """Works without a running server: `problem` has the reason until one appears."""
        await self.monitor.start()

    async def stop(self) -> None:
        await self.streams.stop()
        await self.monitor.stop()
        self.files.close()

    @property
    def problem(self) -> str:
        """Why tmux cannot be used now; empty if it can."""
        return self.monitor.problem

    @property
    def public_problem(self) -> str:
        """The same without paths, for callers that are not admitted."""
        return self.monitor.public_problem

    @property
    def server_run(self) -> str:
        """Identifies this run of the server: ids are unique only within one run."""
        return self.monitor.server_run

    @property
    def directory(self) -> Path:
        """A private directory for files that tmux reads or writes; checked at each access."""
        return self.files.path

    @contextlib.contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever sessions, windows or panes have changed."""
        changed = asyncio.Event()

        def listener(notice: Notice) -> None:
            if notice.name in STRUCTURE_NOTICES:
                changed.set()

        self.monitor.listen(listener)
        try:
            yield changed
        finally:
            self.monitor.unlisten(listener)

    # --- lists ---

    async def sessions(self) -> list[SessionRow]:
        [reply] = await self.monitor.run(commands.list_sessions(SessionRow.form()))
        return [row for row in SessionRow.parse(reply) if row.name != HIDDEN_SESSION]

    async def windows(self, session_id: str = "") -> list[WindowRow]:
        if not session_id:
            return await self._all_windows.read()
        [reply] = await self.monitor.run(commands.list_windows(WindowRow.form(), session_id))
        return [row for row in _shown_windows(reply) if row.session_id == session_id]

    async def panes(self, target: str = "") -> list[PaneRow]:
        """Of a session ($1), of a window (@1), or all."""
        if not target:
            return await self._all_panes.read()
        [reply] = await self.monitor.run(commands.list_panes(PaneRow.form(), target))
        return [row for row in _shown_panes(reply) if target in _ids(row)]

    async def _list_windows(self) -> list[bytes]:
        [reply] = await self.monitor.run(commands.list_windows(WindowRow.form()))
        return reply

    async def _list_panes(self) -> list[bytes]:
        [reply] = await self.monitor.run(commands.list_panes(PaneRow.form()))
        return reply

    async def pane(self, target: str) -> PaneRow:
        """A pane (%1), or the active pane of a window (@1) or session ($1)."""
        [reply] = await self.monitor.run(commands.display(PaneRow.form(), target))
        row = PaneRow.only(reply)
        if row is None or not row.pid or target not in _ids(row):
            raise NotFound(f"can't find pane: {target}")
        return row

    async def clients(self) -> list[ClientRow]:
        """The terminals of users that are attached, without our own control clients."""
        [reply] = await self.monitor.run(commands.list_clients(ClientRow.form()))
        return [row for row in ClientRow.parse(reply) if not row.control]

    async def activity(self) -> dict[str, int]:
        """When each window last printed, in whole seconds; the same object if nothing changed."""
        [reply] = await self.monitor.run(commands.display(ACTIVITY))
        if reply != self._activity[0]:
            pairs = (pair.split() for pair in unframed(reply).split(";"))
            self._activity = reply, {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
        return self._activity[1]

    async def current_window(self, page_focus: str = "") -> WindowRow:
        """Where the user is: in their latest client, else on the page, else in tmux itself."""
        clients, windows = await asyncio.gather(self.clients(), self.windows())
        by_id = {row.id: row for row in windows}
        latest = _latest(clients)
        if latest is not None and (window := by_id.get(latest.window_id)):
            return window
        if page_focus in by_id:
            return by_id[page_focus]
        if active := [row for row in windows if row.active]:
            recent = {row.id: row.activity for row in await self.sessions()}
            return max(active, key=lambda row: recent.get(row.session_id, 0))
        raise NotFound("there is no window: create a session first")

    # --- sessions, windows, panes ---

    async def new_session(
        self,
        name: str,
        *,
        cwd: str = "",
        command: str = "",
        window: str = "",
        env: Mapping[str, str] | None = None,
        verbatim: bool = False,
    ) -> CreatedRow:
        """Starts tmux if it is not running. `verbatim`: see commands.name."""
        line = commands.new_session(
            name,
            form=CreatedRow.form(),
            cwd=cwd,
            command=command,
            window=window,
            env=env,
            verbatim=verbatim,
        )
        await self.monitor.start_server()
        return await self._create(line)

    async def new_window(
        self,
        session_id: str,
        *,
        name: str = "",
        cwd: str = "",
        command: str = "",
        env: Mapping[str, str] | None = None,
        background: bool = False,
        verbatim: bool = False,
    ) -> CreatedRow:
        """`verbatim`: see commands.name."""
        form = CreatedRow.form()
        return await self._create(
            commands.new_window(
                session_id,
                form=form,
                window=name,
                cwd=cwd,
                command=command,
                env=env,
                background=background,
                verbatim=verbatim,
            )
        )

    async def split_window(
        self, pane_id: str, *, stacked: bool, size: str = "", cwd: str = "", command: str = ""
    ) -> CreatedRow:
        """`stacked`: the new pane below the old one, else to its right."""
        return await self._create(
            commands.split_window(
                pane_id,
                form=CreatedRow.form(),
                stacked=stacked,
                size=size,
                cwd=cwd,
                command=command,
            )
        )

    async def respawn_pane(
        self,
        pane_id: str,
        *,
        argv: Sequence[str] = (),
        cwd: str = "",
        env: Mapping[str, str] | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """Start the pane's program again, or another one, after setting options of the pane."""
        before = [
            commands.set_option(option, value, commands.target(pane_id, "%"))
            for option, value in (options or {}).items()
        ]
        line = (*before, commands.respawn_pane(pane_id, argv=argv, cwd=cwd, env=env))
        stream = await self.streams.open_stream(pane_id)
        await (stream.run_paused(pane_id, *line) if stream else self.monitor.run(*line))

    async def reap(self) -> None:
        await self.monitor.run(commands.reap())

    async def rename_session(self, session_id: str, name: str) -> None:
        await self.monitor.run(commands.rename_session(session_id, name))

    async def rename_window(self, window_id: str, name: str) -> None:
        await self.monitor.run(commands.rename_window(window_id, name))

    async def kill(self, identifier: str) -> None:
        """End a session ($1), window (@1) or pane (%1)."""
        await self.monitor.run(commands.kill(identifier))

    async def select_window(self, window_id: str) -> None:
        """Show a window to the user: in the session of their latest client if that has it."""
        rows = [row for row in await self.windows() if row.id == window_id]
        if not rows:
            raise NotFound(f"can't find window: {window_id}")
        latest = _latest(await self.clients())
        current = latest.session_id if latest is not None else ""
        row = next((row for row in rows if row.session_id == current), rows[0])
        line = [commands.select_window(row.session_id, window_id)]
        if latest is not None and row.session_id != current:
            line.append(commands.switch_client(latest.name, row.session_id))
        await self.monitor.run(*line)

    async def move_window(self, row: WindowRow, passed: Sequence[str]) -> None:
        """Move a window past its neighbours, given by their ids, nearest first.

        Only neighbours are exchanged, so that the session keeps its indexes.
        """
        if not passed:
            return
        shown = next(each.id for each in await self.windows(row.session_id) if each.active)
        swaps = [commands.swap_windows(row.session_id, row.id, other) for other in passed]
        await self.monitor.run(*swaps, commands.select_window(row.session_id, shown))

    async def select_pane(self, pane_id: str) -> None:
        await self.monitor.run(commands.select_pane(pane_id))

    async def zoom_pane(self, pane_id: str) -> None:
        """Let the pane fill its window; if it does already, show the others again."""
        await self.monitor.run(commands.zoom_pane(pane_id))

    async def resize_pane(
        self,
        pane_id: str,
        *,
        width: int | None = None,
        height: int | None = None,
        direction: Direction | None = None,
        amount: int = 5,
    ) -> None:
        await self.monitor.run(
            commands.resize_pane(
                pane_id, width=width, height=height, direction=direction, amount=amount
            )
        )

    async def show_option(self, option: str, pane_id: str = "") -> str:
        """An option of a pane, or a global one."""
        [value] = await self.monitor.run(commands.show_option(option, pane_id))
        return b"\n".join(value).decode("utf-8", "replace")

    async def set_option(self, option: str, value: str, pane_id: str = "") -> None:
        await self.monitor.run(commands.set_option(option, value, pane_id))

    async def pipe(self, pane_id: str, shell_command: str) -> None:
        await self.monitor.run(commands.pipe_pane(pane_id, shell_command))

    async def close_pipe(self, pane_id: str) -> None:
        await self.monitor.run(commands.close_pipe(pane_id))

    async def request_size(self, window_id: str, width: int, height: int) -> None:
        """Request a size for a window; the user's own terminal wins while it is attached."""
        if not (2 <= width <= 1000 and 1 <= height <= 500):
            raise Invalid(f"{width}x{height} out of range: 2 to 1000 columns, 1 to 500 rows")
        row = await self.pane(commands.target(window_id, "@"))
        stream = await self.streams.stream_of(row.id)
        before: list[Command] = []
        if not stream.sized:
            stream.sized = True
            rows = [other for other in await self.windows() if other.session_id == row.session_id]
            sizes = {other.id: other.size for other in rows if other.id != window_id}
            before = commands.keep_sizes(sizes, (width, height))
        await stream.client.run(*before, commands.window_size(window_id, width, height))

    # --- output ---

    def view(self, pane_id: str, *, window: int = 0) -> Viewer:
        """A viewer of a pane. `window`: bytes that may be sent unacknowledged; 0: no limit."""
        return self.streams.view(commands.target(pane_id, "%"), window=window)

    def tapping(self, pane_id: str, tap: Tap) -> contextlib.AbstractAsyncContextManager[None]:
        """Call `tap` with every byte that the pane prints inside the context."""
        return self.streams.tapping(commands.target(pane_id, "%"), tap)

    # --- input ---

    def lock(self, pane_id: str) -> PaneLock:
        """Hold it to send several inputs that no other input may separate."""
        lock = self._locks.get(pane_id)
        if lock is None:
            self._locks[pane_id] = lock = PaneLock(self.monitor)
        return lock

    async def type(
        self, pane_id: str, data: bytes, *, locked: bool = False, observed: Typed | None = None
    ) -> None:
        """Send exactly these bytes, as keys. For the text of a caller use `put_text`.

        `locked`: the caller holds the pane's lock. `observed`: what observers get instead.
        """
        if not data:
            return
        async with contextlib.nullcontext() if locked else self.lock(pane_id):
            self._notify_observers(observed or Typed(pane_id, data))
            if len(data) <= SHORT_INPUT:
                await self._send_input(pane_id, commands.send_bytes(pane_id, data))
            else:
                await self._through_buffer(pane_id, data, bracketed=False)

    async def put_text(
        self, pane_id: str, content: str, *, submit: bool = False, locked: bool = False
    ) -> None:
        """Insert the text of a caller. `submit`: the caller presses Enter next, so lines may run.

        Refuses text that could run by itself; the rules are in safe_text.py. Presses no key.
        """
        content = safe_text.checked(content)
        if safe_text.acts_when_typed(content):
            await self.paste(pane_id, content, submit=submit, locked=locked)
        else:
            await self.type(pane_id, content.encode(), locked=locked)

    async def paste(
        self,
        pane_id: str,
        content: str,
        *,
        submit: bool = False,
        locked: bool = False,
        observed: Typed | None = None,
    ) -> None:
        """The same as one paste: in brackets if the program has enabled bracketed paste."""
        content = safe_text.checked(content)
        async with contextlib.nullcontext() if locked else self.lock(pane_id):
            if not submit and not await self.is_safe_text(pane_id, content):
                raise Invalid(safe_text.NO_PASTE)
            self._notify_observers(observed or Typed(pane_id, content.encode(), paste=True))
            await self._through_buffer(pane_id, content.encode(), bracketed=True)

    async def is_safe_text(self, pane_id: str, content: str) -> bool:
        """Whether a paste of this text runs nothing: it is one plain line, or stays in brackets.

        tmux below 3.7 does not report whether the program has enabled brackets. There it is known
        only while the pane is watched, and only if the program enabled them since then.
        """
        if not safe_text.acts_when_typed(content):
            return True
        row = await self.pane(pane_id)
        [reply] = await self.monitor.run(commands.display("#{bracket_paste_flag}", row.id))
        flag = b"".join(reply)
        bracketed = flag == b"1" if flag else await self.streams.bracketed_paste(row.id)
        # Checked last, because it changes first: the kernel knows at once that a command started.
        return bracketed is True and takes_pastes(row.pid, row.tty)

    async def press(self, pane_id: str, *keys: str, locked: bool = False) -> None:
        """Keys by their tmux names: Enter, C-c, Up …"""
        async with contextlib.nullcontext() if locked else self.lock(pane_id):
            line = commands.send_keys(pane_id, keys)
            self._notify_observers(Typed(pane_id, keys=keys))
            await self._send_input(pane_id, line)

    # --- internal ---

    async def _create(self, line: Command) -> CreatedRow:
        [reply] = await self.monitor.run(line)
        if (row := CreatedRow.only(reply)) is None:
            raise Invalid("tmux created nothing")
        return row

    def _notify_observers(self, typed: Typed) -> None:
        for observer in self.observers:
            try:
                observer(typed)
            except Exception:  # the input must arrive even if an observer fails
                log.exception("an observer of %s failed", typed.pane_id)

    async def _send_input(self, pane_id: str, *line: Command) -> None:
        self.lock(pane_id).require_same_run()
        await self.monitor.client.run(commands.leave_mode(pane_id), *line)

    async def _through_buffer(self, pane_id: str, data: bytes, *, bracketed: bool) -> None:
        number = next(self._numbers)
        buffer = f"webtmux{number}"
        server = self.monitor.server
        raw = server is not None and version(server.version) >= RAW_PASTE_SINCE
        file = self.files.create(f"{number}.paste", data)
        try:
            await self._send_input(
                pane_id,
                commands.load_buffer(buffer, file.path),
                commands.paste_buffer(buffer, pane_id, bracketed=bracketed, raw=raw),
            )
        finally:
            file.remove()


def _latest(clients: Sequence[ClientRow]) -> ClientRow | None:
    return sorted(clients, key=lambda row: row.activity)[-1] if clients else None


def _ids(row: PaneRow) -> tuple[str, str, str]:
    """The ids that a pane can be addressed by."""
    return row.id, row.window_id, row.session_id


def _shown_windows(reply: list[bytes]) -> list[WindowRow]:
    return [row for row in WindowRow.parse(reply) if row.session_name != HIDDEN_SESSION]


def _shown_panes(reply: list[bytes]) -> list[PaneRow]:
    return [row for row in PaneRow.parse(reply) if row.session_name != HIDDEN_SESSION]
