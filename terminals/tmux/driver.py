"""Tmux: everything webtmux does with one tmux server, as typed calls.

Targets are ids; names are resolved by the caller (terminals/targets.py). Commands go over the
monitor, output and its viewers over one stream client per watched session.
"""

import asyncio
import contextlib
import itertools
import logging
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from terminals.errors import Invalid, NotFound, TmuxAway
from terminals.private_paths import PrivateDirectory, PrivateFile
from terminals.tmux import commands, text
from terminals.tmux.client import REPLY_SECONDS, forget
from terminals.tmux.commands import HIDDEN_SESSION, Command, Direction
from terminals.tmux.control import Notice
from terminals.tmux.fanout import Tap
from terminals.tmux.foreground import takes_pastes
from terminals.tmux.link import Link, version
from terminals.tmux.rows import (
    ClientRow,
    Created,
    HistoryRow,
    PaneRow,
    SessionRow,
    ShownRow,
    WindowRow,
    framed,
    unframed,
)
from terminals.tmux.shots import Shot
from terminals.tmux.snapshot import Seen, restore
from terminals.tmux.sockets import socket_path
from terminals.tmux.streams import STRUCTURE, Streams
from terminals.tmux.viewer import Chunk, Kind, Viewer

__all__ = [
    "HIDDEN_SESSION", "Chunk", "Kind", "Picture", "PipedPicture", "Tmux", "Typed", "Viewer",
]  # fmt: skip

log = logging.getLogger(__name__)

LARGE = 1024 * 1024  # bytes of a capture that are read in a thread
SHORT_INPUT = 64  # bytes by send-keys -H, whose cost is quadratic; more go through a buffer
RAW_PASTE_SINCE = (3, 7)
# Every window and when it last printed, in whole seconds. No comma: see link.EVERYTHING.
ACTIVITY = framed("#{S:#{W:#{window_id} #{window_activity};}}")


@dataclass(frozen=True, slots=True)
class Typed:
    """What is about to reach a pane: bytes, or keys by their names."""

    pane_id: str
    data: bytes = b""
    keys: tuple[str, ...] = ()
    paste: bool = False
    executed: bool = False  # a whole command for the shell, submitted; empty: a question of ours


@dataclass(frozen=True, slots=True)
class PipedPicture:
    """What makes an empty terminal of this size show the pane's screen, without its history."""

    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A pane's lines and how it stood, of one moment."""

    row: ShownRow
    lines: tuple[str, ...]
    above: int  # how many rows of history they begin with


class PaneLock(asyncio.Lock):
    """Remembers which life of tmux its holder meant when it asked for the lock.

    A restarted tmux gives the same ids to other panes. Whoever waited for the lock, or holds it
    while tmux restarts, must not type into the new pane of that id.
    """

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link, self._life = link, ""

    async def acquire(self) -> Literal[True]:
        asked_in = self._now()
        await super().acquire()
        self._life = asked_in
        return True

    def require_same_life(self) -> None:
        if self.locked() and self._life != self._now():
            raise NotFound("tmux was restarted: this pane is gone, and nothing was sent")

    def _now(self) -> str:
        return self._link.server.life if self._link.server else ""


class Tmux:
    def __init__(
        self, *, socket: str = "", config: Path | None = None, roots: Sequence[Path] = ()
    ) -> None:
        """`roots`: where files may go between us and tmux; else beside the socket."""
        self.link = Link(path=socket_path(socket), config=config)
        self.files = PrivateDirectory(*(roots or [self.link.path.parent]))
        self.streams = Streams(self.link, self.files)
        self._locks: weakref.WeakValueDictionary[str, PaneLock] = weakref.WeakValueDictionary()
        self._numbers = itertools.count(1)
        self._activity: tuple[list[bytes], dict[str, int]] = ([], {})
        # Called with what is typed, just before it is sent. They must not wait, and never log it.
        self.observers: list[Callable[[Typed], None]] = []

    # --- life ---

    async def start(self) -> None:
        """Works with no server running: then `problem` says so until one appears."""
        await self.link.start()

    async def stop(self) -> None:
        await self.streams.stop()
        await self.link.stop()
        self.files.close()

    @property
    def problem(self) -> str:
        """Why tmux cannot be used now; empty when it can."""
        return self.link.problem

    @property
    def public_problem(self) -> str:
        """The same without paths, for everybody."""
        return self.link.public_problem

    @property
    def life(self) -> str:
        """This life of the server; ids are unique only within it."""
        return self.link.life

    @property
    def directory(self) -> Path:
        """A private place for files that go between us and tmux, checked now."""
        return self.files.path

    @contextlib.contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever something about sessions, windows or panes has changed."""
        changed = asyncio.Event()

        def listener(notice: Notice) -> None:
            if notice.name in STRUCTURE:
                changed.set()

        self.link.listen(listener)
        try:
            yield changed
        finally:
            self.link.unlisten(listener)

    # --- lists ---

    async def sessions(self) -> list[SessionRow]:
        [told] = await self.link.run(commands.rows("list-sessions", SessionRow.form()))
        return [row for row in SessionRow.parse(told) if row.name != HIDDEN_SESSION]

    async def windows(self, session_id: str = "") -> list[WindowRow]:
        scope = ("-t", commands.target(session_id, "$")) if session_id else ("-a",)
        [told] = await self.link.run(commands.rows("list-windows", WindowRow.form(), *scope))
        rows = [row for row in WindowRow.parse(told) if row.session_name != HIDDEN_SESSION]
        return [row for row in rows if row.session_id == session_id] if session_id else rows

    async def panes(self, target: str = "") -> list[PaneRow]:
        """Of a session ($1), of a window (@1), or all."""
        flag = ("-s",) if target.startswith("$") else ()
        scope = (*flag, "-t", commands.target(target, "$@")) if target else ("-a",)
        [told] = await self.link.run(commands.rows("list-panes", PaneRow.form(), *scope))
        rows = [row for row in PaneRow.parse(told) if row.session_name != HIDDEN_SESSION]
        return [row for row in rows if target in _ids(row)] if target else rows

    async def pane(self, pane_id: str) -> PaneRow:
        """Of a pane, or the active pane of a window or session."""
        [told] = await self.link.run(commands.display(PaneRow.form(), pane_id))
        row = PaneRow.only(told)
        if row is None or not row.pid or pane_id not in _ids(row):
            raise NotFound(f"can't find pane: {pane_id}")
        return row

    async def clients(self) -> list[ClientRow]:
        """The people who are attached; our own control clients are left out."""
        [told] = await self.link.run(commands.rows("list-clients", ClientRow.form()))
        return [row for row in ClientRow.parse(told) if not row.control]

    async def activity(self) -> dict[str, int]:
        """When each window last printed, in whole seconds; the same object if nothing is new."""
        [told] = await self.link.run(commands.display(ACTIVITY))
        if told != self._activity[0]:
            pairs = (pair.split() for pair in unframed(told).split(";"))
            self._activity = told, {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
        return self._activity[1]

    async def current_window(self, page_focus: str = "") -> WindowRow:
        """Where the person is: their latest client, else the page's window, else tmux's idea."""
        clients, windows = await asyncio.gather(self.clients(), self.windows())
        by_id = {row.id: row for row in windows}
        people = sorted(clients, key=lambda row: row.activity)
        if people and (window := by_id.get(people[-1].window_id)):
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
    ) -> Created:
        """Starts tmux if it is not running."""
        line = commands.new_session(
            name, form=Created.form(), cwd=cwd, command=command, window=window, env=env
        )
        await self.link.start_server()
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
    ) -> Created:
        form = Created.form()
        return await self._create(
            commands.new_window(
                session_id, form=form, window=name, cwd=cwd, command=command, env=env,
                background=background,
            )
        )  # fmt: skip

    async def split_window(
        self, pane_id: str, *, stacked: bool, size: str = "", cwd: str = "", command: str = ""
    ) -> Created:
        """`stacked`: one above the other; else side by side."""
        return await self._create(
            commands.split_window(
                pane_id, form=Created.form(), stacked=stacked, size=size, cwd=cwd, command=command
            )
        )

    async def rename_session(self, session_id: str, name: str) -> None:
        await self.link.run(commands.rename_session(session_id, name))

    async def rename_window(self, window_id: str, name: str) -> None:
        await self.link.run(commands.rename_window(window_id, name))

    async def kill(self, identifier: str) -> None:
        """End a session, window or pane; the sigil of the id says which."""
        await self.link.run(commands.kill(identifier))

    async def select_window(self, window_id: str) -> None:
        """Show a window to the person, on whichever session their client is."""
        rows = [row for row in await self.windows() if row.id == window_id]
        if not rows:
            raise NotFound(f"can't find window: {window_id}")
        people = sorted(await self.clients(), key=lambda row: row.activity)
        here = people[-1].session_id if people else ""
        row = next((row for row in rows if row.session_id == here), rows[0])
        line = [commands.select_window(row.session_id, window_id)]
        if people and row.session_id != here:
            line.append(commands.switch_client(people[-1].name, row.session_id))
        await self.link.run(*line)

    async def select_pane(self, pane_id: str) -> None:
        await self.link.run(commands.select_pane(pane_id))

    async def zoom_pane(self, pane_id: str) -> None:
        """The pane fills its window; if it does already, the others come back."""
        await self.link.run(commands.zoom_pane(pane_id))

    async def resize_pane(
        self,
        pane_id: str,
        *,
        width: int | None = None,
        height: int | None = None,
        direction: Direction | None = None,
        amount: int = 5,
    ) -> None:
        await self.link.run(
            commands.resize_pane(
                pane_id, width=width, height=height, direction=direction, amount=amount
            )
        )

    async def show_option(self, option: str, *scope: str) -> str:
        [told] = await self.link.run(commands.show_option(option, *scope))
        return b"\n".join(told).decode("utf-8", "replace")

    async def set_option(self, option: str, value: str, *scope: str) -> None:
        await self.link.run(commands.set_option(option, value, *scope))

    async def pipe(self, pane_id: str, shell_command: str) -> None:
        await self.link.run(commands.pipe_pane(pane_id, shell_command))

    async def pipe_from_picture(self, pane_id: str, shell_command: str) -> PipedPicture:
        """Pipe a pane, and the picture that the piped bytes go on from: no gap, no repeat."""
        pipe = commands.pipe_pane(pane_id, shell_command)
        shot = Shot(commands.target(pane_id, "%"), 1, self.files, then=(pipe,))
        try:
            told = await self.link.client.run(*shot.line, lenient=True)
            state, captured = shot.developed(told)
        finally:
            shot.clean()
        data = restore(state, replace(captured, history=b""), Seen())
        return PipedPicture(state.width, state.height, data)

    async def close_pipe(self, pane_id: str) -> None:
        await self.link.run(commands.close_pipe(pane_id))

    # --- reading ---

    async def capture(
        self,
        pane_id: str,
        *,
        start: int | None = None,
        end: int | None = None,
        history: bool = False,
        escapes: bool = False,
        join: bool = False,
    ) -> bytes:
        """The screen, or lines `start` to `end` (0 is its top, negative the history), or all."""
        first = "-" if history else "" if start is None else str(int(start))
        last = "" if end is None else str(int(end))
        _, text = await self._shot(pane_id, start=first, end=last, escapes=escapes, join=join)
        return text

    async def photograph(
        self, pane_id: str, *, start: int | None = None, join: bool = False
    ) -> tuple[HistoryRow, bytes]:
        """The text from line `start` on, or all, and the history's size at that very moment."""
        first = "-" if start is None else str(int(start))
        size = commands.display(HistoryRow.form(), commands.target(pane_id, "%"))
        told, text = await self._shot(pane_id, size, start=first, join=join)
        row = HistoryRow.only(told)
        if row is None or row.id != pane_id:
            raise NotFound(f"can't find pane: {pane_id}")
        return row, text

    def shoot(
        self, pane_id: str, *, above: int = 0, join: bool = False, escapes: bool = False
    ) -> Coroutine[Any, Any, Picture]:
        """A picture with `above` lines of history. Asked for at once: what is typed after this
        call is not in it, also if the answer is awaited later."""
        number = next(self._numbers)
        client, buffer = self.link.client, f"webtmux{number}"
        start = f"-{int(above)}" if above else ""
        look = commands.display(ShownRow.form(), commands.target(pane_id, "%"))
        shot = commands.capture(pane_id, buffer=buffer, start=start, join=join, escapes=escapes)
        file = self.files.create(f"{number}.picture")
        sent = client.send(look, shot, *commands.take_buffer(buffer, file.path))
        sent.add_done_callback(forget)
        return self._developed(pane_id, sent, file, above)

    def view(self, pane_id: str, *, window: int = 0) -> Viewer:
        """A viewer of a pane; `window`: bytes that may be under way before it acknowledges."""
        return self.streams.view(commands.target(pane_id, "%"), window=window)

    def tapping(self, pane_id: str, tap: Tap) -> contextlib.AbstractAsyncContextManager[None]:
        """Call `tap` with every byte that the pane prints, while the context lasts."""
        return self.streams.tapping(commands.target(pane_id, "%"), tap)

    # --- writing ---

    def lock(self, pane_id: str) -> "PaneLock":
        """Held by whoever types more than one thing that belong together."""
        lock = self._locks.get(pane_id)
        if lock is None:
            self._locks[pane_id] = lock = PaneLock(self.link)
        return lock

    async def type(
        self, pane_id: str, data: bytes, *, locked: bool = False, told: Typed | None = None
    ) -> None:
        """Send exactly these bytes, as keys. For the text of a caller use `put_text`.

        `locked`: the caller holds the pane's lock. `told`: what observers hear instead.
        """
        if not data:
            return
        async with contextlib.nullcontext() if locked else self.lock(pane_id):
            self._tell(told or Typed(pane_id, data))
            if len(data) <= SHORT_INPUT:
                await self._input(pane_id, commands.send_bytes(pane_id, data))
            else:
                await self._through_buffer(pane_id, data, bracketed=False)

    async def put_text(
        self, pane_id: str, content: str, *, submit: bool = False, locked: bool = False
    ) -> None:
        """Insert a caller's text. `submit`: the caller presses Enter next, so lines may run.

        Refuses text that could run by itself; the rules are in text.py. Presses no key.
        """
        content = text.checked(content)
        if text.acts_when_typed(content):
            await self.paste(pane_id, content, submit=submit, locked=locked)
        else:
            await self.type(pane_id, content.encode(), locked=locked)

    async def paste(
        self, pane_id: str, content: str, *, submit: bool = False, locked: bool = False
    ) -> None:
        """The same, as one paste: a program that asked for bracketed paste gets it in brackets."""
        content = text.checked(content)
        async with contextlib.nullcontext() if locked else self.lock(pane_id):
            if not submit and not await self.is_safe_text(pane_id, content):
                raise Invalid(text.NO_PASTE)
            self._tell(Typed(pane_id, content.encode(), paste=True))
            await self._through_buffer(pane_id, content.encode(), bracketed=True)

    async def is_safe_text(self, pane_id: str, content: str) -> bool:
        """Whether a paste of this text runs nothing: it is one plain line, or stays in brackets.

        tmux below 3.7 does not tell whether the program asked for brackets. There it is known only
        while somebody watches the pane, and only once the program has asked since.
        """
        if not text.acts_when_typed(content):
            return True
        row = await self.pane(pane_id)
        [told] = await self.link.run(commands.display("#{bracket_paste_flag}", row.id))
        flag = b"".join(told)
        known = flag == b"1" if flag else await self.streams.bracketed_paste(row.id)
        # Last, as it is the newest: the kernel knows at once when a shell starts a command.
        return known is True and takes_pastes(row.pid, row.tty)

    async def press(self, pane_id: str, *keys: str, locked: bool = False) -> None:
        """Keys by their tmux names: Enter, C-c, Up …"""
        async with contextlib.nullcontext() if locked else self.lock(pane_id):
            line = commands.send_keys(pane_id, keys)
            self._tell(Typed(pane_id, keys=keys))
            await self._input(pane_id, line)

    async def ask_size(self, window_id: str, width: int, height: int) -> None:
        """Ask for a size of a window; a person's own terminal wins while it is attached."""
        if not (2 <= width <= 1000 and 1 <= height <= 500):
            raise Invalid(f"{width}x{height} out of range: 2 to 1000 columns, 1 to 500 rows")
        row = await self.pane(commands.target(window_id, "@"))
        stream = await self.streams.of(row.id)
        before: list[Command] = []
        if not stream.sized:
            stream.sized = True
            rows = [other for other in await self.windows() if other.session_id == row.session_id]
            sizes = {other.id: other.size for other in rows if other.id != window_id}
            before = commands.keep_sizes(sizes, (width, height))
        await stream.client.run(*before, commands.window_size(window_id, width, height))

    # --- inside ---

    async def _create(self, line: Command) -> Created:
        [told] = await self.link.run(line)
        if (row := Created.only(told)) is None:
            raise Invalid("tmux made nothing")
        return row

    async def _shot(
        self,
        pane_id: str,
        *before: Command,
        start: str,
        end: str = "",
        escapes: bool = False,
        join: bool = False,
    ) -> tuple[list[bytes], bytes]:
        """What the first command on the line told, and the text that was captured."""
        number = next(self._numbers)
        buffer = f"webtmux{number}"
        shot = commands.capture(
            pane_id, buffer=buffer, start=start, end=end, escapes=escapes, join=join
        )
        file = self.files.create(f"{number}.capture")
        try:
            told = await self.link.run(*before, shot, *commands.take_buffer(buffer, file.path))
            return told[0], await asyncio.to_thread(file.read) if file.size > LARGE else file.read()
        finally:
            file.remove()

    def _tell(self, typed: Typed) -> None:
        for observer in self.observers:
            try:
                observer(typed)
            except Exception:  # a key must arrive, whoever listens
                log.exception("an observer of %s failed", typed.pane_id)

    async def _developed(
        self,
        pane_id: str,
        sent: "asyncio.Future[list[list[bytes]]]",
        file: PrivateFile,
        above: int,
    ) -> Picture:
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                told = await asyncio.shield(sent)
            row = ShownRow.only(told[0])
            if row is None or not row.pid or row.id != pane_id:
                raise NotFound("the pane is gone")
            lines = file.read().decode("utf-8", "replace").removesuffix("\n").split("\n")
            return Picture(row, tuple(lines), min(above, row.history))
        except TimeoutError:
            raise TmuxAway("tmux did not answer") from None
        finally:
            file.remove()

    async def _input(self, pane_id: str, *line: Command) -> None:
        self.lock(pane_id).require_same_life()
        await self.link.run(commands.leave_mode(pane_id), *line)

    async def _through_buffer(self, pane_id: str, data: bytes, *, bracketed: bool) -> None:
        number = next(self._numbers)
        buffer = f"webtmux{number}"
        raw = version(self.link.server.version) >= RAW_PASTE_SINCE if self.link.server else False
        file = self.files.create(f"{number}.paste", data)
        try:
            await self._input(
                pane_id,
                commands.load_buffer(buffer, file.path),
                commands.paste_buffer(buffer, pane_id, bracketed=bracketed, raw=raw),
            )
        finally:
            file.remove()


def _ids(row: PaneRow) -> tuple[str, str, str]:
    """What a pane may be addressed by."""
    return row.id, row.window_id, row.session_id
