"""The stream clients of a tmux server: one for each session that is watched.

The first viewer or tap opens a stream; it closes some seconds after the last one has left. When a
pane moves to another session, its viewers change to that session's stream; when it ends, so do
they; while tmux cannot be reached, they wait.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine

from core.errors import NotFound, Refused, TmuxAway, TmuxFailed, WebtmuxError
from core.private_paths import PrivateDirectory
from terminals.tmux import commands
from terminals.tmux.control import Notice
from terminals.tmux.fanout import Stream, Tap
from terminals.tmux.monitor import CHANGED, DOWN, UP, Monitor
from terminals.tmux.rows import PaneRow, PaneSessionRow
from terminals.tmux.viewer import Viewer

LINGER_SECONDS = 10.0  # users switch back and forth between windows
RETRY_SECONDS = 0.05
BURST_SECONDS = 0.02  # notices come in bursts
# The notices after which sessions, windows or panes may be different.
STRUCTURE_NOTICES = frozenset(
    "sessions-changed session-renamed session-window-changed window-add window-close window-renamed"
    " unlinked-window-add unlinked-window-close unlinked-window-renamed window-pane-changed"
    " layout-change client-session-changed client-detached"
    f" {UP} {DOWN} {CHANGED}".split()
)


class Streams:
    def __init__(self, monitor: Monitor, files: PrivateDirectory) -> None:
        self._monitor = monitor
        self._files = files
        self._streams: dict[str, Stream] = {}
        self._opening: dict[str, asyncio.Task[Stream]] = {}
        self._lingering: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._check_due = False
        monitor.listen(self._on_notice)

    def view(self, pane_id: str, *, window: int) -> Viewer:
        server_run = self._monitor.server_run

        async def attach(viewer: Viewer) -> Stream:
            """Wait while tmux is away. In another run of the server the id means another pane."""
            while True:
                await self._monitor.wait_up()
                if self._monitor.server_run != server_run:
                    raise NotFound("tmux was restarted: this pane is gone")
                try:
                    return await self.stream_of(pane_id)
                except TmuxAway:
                    await asyncio.sleep(RETRY_SECONDS)

        return Viewer(pane_id, attach, self._restart_linger, window=window, server_run=server_run)

    @contextlib.asynccontextmanager
    async def tapping(self, pane_id: str, tap: Tap) -> AsyncIterator[None]:
        stream = await self.stream_of(pane_id)
        await stream.tap(pane_id, tap)
        try:
            yield
        finally:
            stream.untap(pane_id, tap)
            self._restart_linger(stream)

    async def stream_of(self, pane_id: str) -> Stream:
        """The stream of the session that shows this pane, opened if it is not open."""
        [reply] = await self._monitor.run(commands.display(PaneRow.form(), pane_id))
        row = PaneRow.only(reply)
        if row is None or not row.pid or row.id != pane_id:
            raise NotFound(f"can't find pane: {pane_id}")
        session = row.session_id
        stream = self._streams.get(session)
        if stream is None:
            task = self._opening.get(session) or self._start_opening(session)
            stream = await asyncio.shield(task)
        self._restart_linger(stream)
        return stream

    async def open_stream(self, pane_id: str) -> Stream | None:
        """The stream of the session that shows this pane, if it is open."""
        [reply] = await self._monitor.run(commands.display(PaneRow.form(), pane_id))
        row = PaneRow.only(reply)
        stream = self._streams.get(row.session_id) if row is not None else None
        return stream if stream is not None and stream.client.usable else None

    async def bracketed_paste(self, pane_id: str) -> bool | None:
        """Whether the program in a pane takes bracketed pastes; None if no open stream shows it."""
        for stream in list(self._streams.values()):
            with contextlib.suppress(TmuxFailed):
                if (known := await stream.bracketed_paste(pane_id)) is not None:
                    return known
        return None

    async def stop(self) -> None:
        for stream in list(self._streams.values()):
            for viewer in stream.viewers():
                viewer.end("webtmux is stopping")
            await self._close(stream)
        tasks = [*self._tasks, *self._opening.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- inside ---

    def _start_opening(self, session: str) -> "asyncio.Task[Stream]":
        task = asyncio.create_task(self._open(session), name=f"tmux-stream {session}")
        self._opening[session] = task
        task.add_done_callback(lambda _: self._opening.pop(session, None))
        return task

    async def _open(self, session: str) -> Stream:
        option = commands.show_session_option("destroy-unattached", session)
        [value] = await self._monitor.run(option)
        if value not in ([], [b"off"]):
            raise Refused(
                "destroy-unattached is on: the session would end when webtmux detaches; turn it off"
            )
        stream = Stream(session, self._files)
        stream.on_notice = lambda notice: self._on_stream_notice(stream, notice)
        await self._monitor.open(stream.client, commands.attach_stream(session))
        self._streams[session] = stream
        stream.client.lost.add_done_callback(lambda _: self._spawn(self._close(stream)))
        return stream

    def _restart_linger(self, stream: Stream) -> None:
        """A viewer or tap came or left: restart the time after which an unused stream closes."""
        if (handle := self._lingering.pop(stream.session_id, None)) is not None:
            handle.cancel()
        if self._streams.get(stream.session_id) is stream:
            loop = asyncio.get_running_loop()
            self._lingering[stream.session_id] = loop.call_later(
                LINGER_SECONDS, self._close_unused, stream
            )

    def _close_unused(self, stream: Stream) -> None:
        self._lingering.pop(stream.session_id, None)
        if not stream.busy:
            self._spawn(self._close(stream))

    async def _close(self, stream: Stream) -> None:
        if self._streams.get(stream.session_id) is stream:
            del self._streams[stream.session_id]
            if (handle := self._lingering.pop(stream.session_id, None)) is not None:
                handle.cancel()
            await stream.close()

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- notices ---

    def _on_stream_notice(self, stream: Stream, notice: Notice) -> None:
        if (
            notice.name == "session-changed"
            and notice.rest.split(b" ")[0] != stream.session_id.encode()
        ):
            self._spawn(self._close(stream))  # its session ended, and tmux moved us to another
        self._on_notice(notice)

    def _on_notice(self, notice: Notice) -> None:
        if notice.name not in STRUCTURE_NOTICES:
            return
        if notice.name == DOWN:
            for stream in list(self._streams.values()):
                self._spawn(self._close(stream))
        elif self._streams and not self._check_due:
            self._check_due = True
            self._spawn(self._check_viewers())

    async def _check_viewers(self) -> None:
        """End the viewers of panes that are gone; move those whose pane changed its session; show
        the last output of panes whose program has ended."""
        await asyncio.sleep(BURST_SECONDS)
        self._check_due = False
        try:
            [reply] = await self._monitor.run(commands.list_panes(PaneSessionRow.form()))
            rows = PaneSessionRow.parse(reply)
        except WebtmuxError:
            return
        sessions: dict[str, set[str]] = {}
        for row in rows:
            sessions.setdefault(row.pane_id, set()).add(row.session_id)
        for stream in list(self._streams.values()):
            for viewer in stream.viewers():
                if viewer.pane_id not in sessions:
                    stream.leave(viewer)
                    viewer.end("the pane has ended")
                elif stream.session_id not in sessions[viewer.pane_id]:
                    viewer.leave_stream()
            stream.forget_panes_except(sessions)
            stream.repaint_ended({row.pane_id for row in rows if row.dead})
