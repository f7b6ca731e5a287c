"""The panes whose output one client watches: a pump for each, straight from the fan-out.

Never through the channel layer. A client that reads slowly holds up its own pumps and nobody else:
the fan-out drops what it cannot take and draws the screen anew.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from terminals.errors import Refused
from terminals.frames import FrameType, prefix
from terminals.tmux.driver import Kind, Viewer

log = logging.getLogger(__name__)

OUTPUT_LIMIT = 256  # panes that one client may watch at the same time
CREDIT_WINDOW = 256 * 1024  # bytes under way to a terminal that tells what it has parsed

SendBytes = Callable[[bytes], Awaitable[None]]
SendMessage = Callable[[dict[str, Any]], Awaitable[None]]


class Outputs:
    def __init__(self, send_bytes: SendBytes, send: SendMessage) -> None:
        self._send_bytes, self._send = send_bytes, send
        self._viewers: dict[str, Viewer] = {}
        self._pumps: dict[str, asyncio.Task[None]] = {}

    def pane_of(self, name: str, life: str) -> str | None:
        """The pane that the client sees under this name, in this life of tmux."""
        viewer = self._viewers.get(name)
        return viewer.pane if viewer is not None and viewer.life == life else None

    def start(self, name: str, viewer: Viewer, *, reset: bool) -> None:
        """`reset`: pictures come in frames of their own kind."""
        self._viewers[name] = viewer
        work = self._pump(name, viewer, FrameType.RESET if reset else FrameType.OUTPUT)
        self._pumps[name] = pump = asyncio.create_task(work, name=f"pump {viewer.pane}")
        pump.add_done_callback(lambda pump: self._forget(name, pump))

    def require_room(self, name: str) -> None:
        if len(self._viewers) >= OUTPUT_LIMIT and name not in self._viewers:
            raise Refused(f"{OUTPUT_LIMIT} outputs are subscribed: unsubscribe one first")

    async def stop(self, name: str) -> None:
        """No frame of this name comes after it returns."""
        if (pump := self._pumps.get(name)) is not None:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)
            self._forget(name, pump)

    async def close(self) -> None:
        await asyncio.gather(*(self.stop(name) for name in list(self._pumps)))

    def acknowledge(self, name: str, count: int) -> None:
        """What is told of an output that has just ended is nobody's fault."""
        if (viewer := self._viewers.get(name)) is not None:
            viewer.acknowledge(count)

    async def _pump(self, name: str, viewer: Viewer, picture: FrameType) -> None:
        heads = {
            Kind.SNAPSHOT: prefix(picture, name),
            Kind.OUTPUT: prefix(FrameType.OUTPUT, name),
        }
        try:
            while (chunk := await viewer.read()) is not None:
                if chunk.kind is Kind.AWAY:
                    await self._send({"type": "output-away", "agent": name})
                else:
                    await self._send_bytes(heads[chunk.kind] + chunk.data)
            await self._send({"type": "output-ended", "agent": name, "reason": viewer.ended})
        except Exception:
            log.exception("the output of %s broke off", viewer.pane)
            await self._send({"type": "output-ended", "agent": name, "reason": "internal error"})

    def _forget(self, name: str, pump: "asyncio.Task[None]") -> None:
        """Also of a pump that was cancelled before it began."""
        if self._pumps.get(name) is pump:
            del self._pumps[name]
            self._viewers.pop(name).close()
