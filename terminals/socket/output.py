"""The outputs that one client watches: a task for each, which sends the chunks of a viewer.

Output never goes through the channel layer. A client that reads slowly delays only its own tasks:
the viewer drops its backlog and repaints (terminals/tmux/viewer.py).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from core.errors import Refused
from terminals.schemas import OutputAway, OutputEnded
from terminals.socket.frames import FrameType, prefix
from terminals.tmux.driver import ChunkKind, Viewer

log = logging.getLogger(__name__)

OUTPUT_LIMIT = 256  # panes that one client may watch at the same time
CREDIT_WINDOW = 256 * 1024  # bytes sent to a client with `credit` and not acknowledged

SendBytes = Callable[[bytes], Awaitable[None]]
SendMessage = Callable[[dict[str, object]], Awaitable[None]]


class Outputs:
    def __init__(self, send_bytes: SendBytes, send: SendMessage) -> None:
        self._send_bytes, self._send = send_bytes, send
        self._viewers: dict[str, Viewer] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def pane_of(self, name: str, server_run: str) -> str | None:
        """The pane that the client watches under this name, in this run of the tmux server."""
        viewer = self._viewers.get(name)
        return viewer.pane_id if viewer is not None and viewer.server_run == server_run else None

    def start(self, name: str, viewer: Viewer, *, reset: bool) -> None:
        """`reset`: captures are sent in frames of the type RESET."""
        self._viewers[name] = viewer
        work = self._send_output(name, viewer, FrameType.RESET if reset else FrameType.OUTPUT)
        self._tasks[name] = task = asyncio.create_task(work, name=f"output {viewer.pane_id}")
        task.add_done_callback(lambda task: self._forget(name, task))

    def require_room(self, name: str) -> None:
        if len(self._viewers) >= OUTPUT_LIMIT and name not in self._viewers:
            raise Refused(f"{OUTPUT_LIMIT} outputs are subscribed: unsubscribe from one first")

    async def stop(self, name: str) -> None:
        """When this returns, no more frames of this name are sent."""
        if (task := self._tasks.get(name)) is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self._forget(name, task)

    async def close(self) -> None:
        await asyncio.gather(*(self.stop(name) for name in list(self._tasks)))

    def acknowledge(self, name: str, count: int) -> None:
        """Not an error for an output that has just ended."""
        if (viewer := self._viewers.get(name)) is not None:
            viewer.acknowledge(count)

    async def _send_output(self, name: str, viewer: Viewer, capture_type: FrameType) -> None:
        prefixes = {
            ChunkKind.CAPTURE: prefix(capture_type, name),
            ChunkKind.OUTPUT: prefix(FrameType.OUTPUT, name),
        }
        try:
            while (chunk := await viewer.read()) is not None:
                if chunk.kind is ChunkKind.AWAY:
                    await self._send(OutputAway(agent=name).message())
                else:
                    await self._send_bytes(prefixes[chunk.kind] + chunk.data)
            await self._send(OutputEnded(agent=name, reason=viewer.ended).message())
        except Exception:
            log.exception("sending the output of %s failed", viewer.pane_id)
            await self._send(OutputEnded(agent=name, reason="internal error").message())

    def _forget(self, name: str, task: "asyncio.Task[None]") -> None:
        """A done callback: it also runs for a task that was cancelled before it started."""
        if self._tasks.get(name) is task:
            del self._tasks[name]
            self._viewers.pop(name).close()
