"""The stream clients of a tmux server: one per watched session, opened by the first who looks.

They close some seconds after the last viewer has gone, and hand viewers on when a pane moves,
ends, or tmux cannot be reached for a while.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine

from terminals.errors import NotFound, Refused, TmuxAway, TmuxFailed, WebtmuxError
from terminals.private_paths import PrivateDirectory
from terminals.tmux import commands
from terminals.tmux.control import Notice
from terminals.tmux.fanout import Stream, Tap
from terminals.tmux.link import CHANGED, DOWN, UP, Link
from terminals.tmux.rows import PaneRow, PlaceRow
from terminals.tmux.viewer import Viewer

LINGER_SECONDS = 10.0  # people switch back and forth between windows
RETRY_SECONDS = 0.05
STRUCTURE = frozenset(
    "sessions-changed session-renamed session-window-changed window-add window-close window-renamed"
    " unlinked-window-add unlinked-window-close unlinked-window-renamed window-pane-changed"
    " layout-change client-session-changed client-detached"
    f" {UP} {DOWN} {CHANGED}".split()
)


class Streams:
    def __init__(self, link: Link, files: PrivateDirectory) -> None:
        self._link = link
        self._files = files
        self._streams: dict[str, Stream] = {}
        self._opening: dict[str, asyncio.Task[Stream]] = {}
        self._lingering: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking = False
        link.listen(self._notice)

    def view(self, pane_id: str, *, window: int) -> Viewer:
        life = self._link.life

        async def attach(viewer: Viewer) -> Stream:
            """Waits while tmux is away; a pane of another life of the server is another pane."""
            while True:
                await self._link.wait_up()
                if self._link.life != life:
                    raise NotFound("tmux was restarted: this pane is gone")
                try:
                    return await self.of(pane_id)
                except TmuxAway:
                    await asyncio.sleep(RETRY_SECONDS)

        return Viewer(pane_id, attach, self._left, window=window, life=life)

    @contextlib.asynccontextmanager
    async def tapping(self, pane_id: str, tap: Tap) -> AsyncIterator[None]:
        stream = await self.of(pane_id)
        await stream.tap(pane_id, tap)
        try:
            yield
        finally:
            stream.untap(pane_id, tap)
            self._left(stream)

    async def of(self, pane_id: str) -> Stream:
        """The stream of the session that shows this pane, opened if need be."""
        [told] = await self._link.run(commands.display(PaneRow.form(), pane_id))
        row = PaneRow.only(told)
        if row is None or not row.pid or row.id != pane_id:
            raise NotFound(f"can't find pane: {pane_id}")
        session = row.session_id
        stream = self._streams.get(session)
        if stream is None:
            task = self._opening.get(session) or self._start_opening(session)
            stream = await asyncio.shield(task)
        self._left(stream)
        return stream

    async def bracketed_paste(self, pane_id: str) -> bool | None:
        """What the streams that are open know of a pane; none is opened for this."""
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
        [told] = await self._link.run(commands.show_option("destroy-unattached", "-At", session))
        if told not in ([], [b"off"]):
            raise Refused("destroy-unattached is on: our leaving would end it; turn it off first")
        stream = Stream(session, self._files)
        stream.on_notice = lambda notice: self._stream_notice(stream, notice)
        flags = "ignore-size,pause-after=2"
        await stream.client.open(
            self._link.argv("attach-session", "-E", "-t", session, "-f", flags)
        )
        self._streams[session] = stream
        stream.client.lost.add_done_callback(lambda _: self._spawn(self._close(stream)))
        return stream

    def _left(self, stream: Stream) -> None:
        """Somebody came or went: (re)start the time after which an unused stream is closed."""
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

    def _stream_notice(self, stream: Stream, notice: Notice) -> None:
        if (
            notice.name == "session-changed"
            and notice.rest.split(b" ")[0] != stream.session_id.encode()
        ):
            self._spawn(self._close(stream))  # its session ended, and tmux moved us to another
        self._notice(notice)

    def _notice(self, notice: Notice) -> None:
        if notice.name not in STRUCTURE:
            return
        if notice.name == DOWN:
            for stream in list(self._streams.values()):
                self._spawn(self._close(stream))
        elif self._streams and not self._looking:
            self._looking = True
            self._spawn(self._look())

    async def _look(self) -> None:
        """Are the panes that somebody watches still there, and in the same session?"""
        try:
            await asyncio.sleep(0.02)  # notices come in bursts
            self._looking = False
            [told] = await self._link.run(commands.rows("list-panes", PlaceRow.form(), "-a"))
            rows = PlaceRow.parse(told)
        except WebtmuxError:
            self._looking = False
            return
        places: dict[str, set[str]] = {}
        for row in rows:
            places.setdefault(row.pane_id, set()).add(row.session_id)
        for stream in list(self._streams.values()):
            for viewer in stream.viewers():
                if viewer.pane not in places:
                    stream.leave(viewer)
                    viewer.end("the pane has ended")
                elif stream.session_id not in places[viewer.pane]:
                    viewer.cut_off()
            stream.keep(places)
