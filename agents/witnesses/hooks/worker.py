"""Receives what hooks report, on a unix socket, and records it in the store of events.

The socket is in a private directory, and every peer must have our uid. Connections are read
concurrently within limits; events are processed one after the other, in the order of their arrival.
Started and supervised by config/server/lifecycle.py.
"""

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from agents import registry
from agents.witnesses import store
from agents.witnesses.evidence import AgentEvent
from agents.witnesses.hooks import files
from agents.witnesses.hooks.mapping import SHARED_DAEMONS, PaneCandidate, pane_of_event
from agents.witnesses.hooks.message import MESSAGE_LIMIT, HookReport, parse
from agents.witnesses.hooks.processes import ProcessReader
from agents.witnesses.hooks.translate import translate
from core.errors import Invalid, TmuxFailed
from core.offload import by_size
from core.private_paths import owner
from core.workers import wait_for
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.tmux.sockets import peer_of

log = logging.getLogger(__name__)

BACKLOG = 64
CONNECTIONS = 32  # read at once; more wait in the backlog, and then get an error at once
READ_SECONDS = 5.0  # a plugin in a busy agent may send late
PIECE = 64 * 1024
QUEUED = 256
EVENTS_PER_SECOND = 200  # on average; an agent reports a few
BURST = 1000
CHECK_SECONDS = 5.0  # for the end of processes that left the registry while they ran
SHORT_PATH = 100  # bytes; Linux takes 107


class HookServer:
    """The socket, its limits, and the queue of messages."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / f"{os.getpid()}.sock"
        self.messages: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(QUEUED)
        self.dropped = 0
        self._readers = asyncio.Semaphore(CONNECTIONS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._allowance, self._counted_at = float(BURST), time.monotonic()

    async def serve(self, stop: asyncio.Event) -> None:
        with listening(self.path) as listener:
            accepting = asyncio.create_task(self._accept(listener))
            try:
                stopping = asyncio.create_task(stop.wait())
                await asyncio.wait({accepting, stopping}, return_when=asyncio.FIRST_COMPLETED)
                stopping.cancel()
                if accepting.done():
                    accepting.result()
            finally:
                for task in (accepting, *self._tasks):
                    task.cancel()
                await asyncio.gather(accepting, *self._tasks, return_exceptions=True)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._readers.acquire()
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError as error:  # no descriptors are left, or the peer is gone already
                self._readers.release()
                log.warning("cannot accept a report of an agent: %s", error.strerror)
                await asyncio.sleep(0.1)
                continue
            task = loop.create_task(self._receive(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda _: self._readers.release())

    async def _receive(self, connection: socket.socket) -> None:
        with connection:
            _, uid = peer_of(connection)
            if uid != os.getuid():
                log.warning("refused a report of an agent by %s", owner(uid))
                return
            if not self._is_allowed():
                self._drop()
                return
            try:
                async with asyncio.timeout(READ_SECONDS):
                    message = await _read(connection)
            except (OSError, TimeoutError):
                return
        try:
            self.messages.put_nowait((time.time(), message))
        except asyncio.QueueFull:
            self._drop()

    def _is_allowed(self) -> bool:
        now = time.monotonic()
        gained = (now - self._counted_at) * EVENTS_PER_SECOND
        self._allowance, self._counted_at = min(BURST, self._allowance + gained), now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def _drop(self) -> None:
        self.dropped += 1
        if self.dropped & (self.dropped - 1) == 0:  # 1, 2, 4, 8…: a flood must not fill the log
            log.warning("agents report too much: %s events were dropped so far", self.dropped)


async def _read(connection: socket.socket) -> bytes:
    """At most one byte more than allowed, so that the parser sees that it is too long."""
    loop, pieces, size = asyncio.get_running_loop(), [], 0
    while size <= MESSAGE_LIMIT and (piece := await loop.sock_recv(connection, PIECE)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


@contextlib.contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """A listening socket with mode 0600, removed at the end. Its directory must be private."""
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with _short_name(path) as name:
            listener.bind(name)
        path.chmod(0o600)
        listener.listen(BACKLOG)
        listener.setblocking(False)
        try:
            yield listener
        finally:
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def _short_name(path: Path) -> Iterator[str]:
    if len(os.fsencode(path)) <= SHORT_PATH:
        yield str(path)
        return
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)


# --- from a message to an event of a pane -----------------------------------------------------


class Receiver:
    """Turns messages into events with a pane."""

    def __init__(self, tmux: Tmux) -> None:
        self._tmux = tmux
        self._processes = ProcessReader()

    async def receive(self, message: bytes, timestamp: float) -> AgentEvent | None:
        """None for a message that cannot be used or says nothing."""
        try:
            report = await by_size(len(message), parse, message)
            event = await by_size(len(message), translate, report, timestamp)
        except Invalid as problem:
            log.info("a report of an agent was ignored: %s", problem.message)
            return None
        if event is None:
            return None
        pane_id = await self._pane(report, event)
        return replace(event, pane_id=pane_id)

    async def _pane(self, report: HookReport, event: AgentEvent) -> str:
        try:
            rows = await self._tmux.panes()
        except TmuxFailed:
            return ""
        agents = {agent.pane_id: agent for agent in registry.current().agents.values()}
        shared = report.runtime in SHARED_DAEMONS
        candidates: list[PaneCandidate] = []
        for row in rows:
            agent = agents.get(row.id)
            reads = shared and agent is not None and agent.runtime == report.runtime
            candidates.append(
                PaneCandidate(
                    pane_id=row.id,
                    pid=row.pid,
                    runtime=agent.runtime if agent else "",
                    agent_pid=agent.pid if agent else 0,
                    work_dir=agent.work_dir if agent else "",
                    open_files=self._processes.open_files(agent.pid) if agent and reads else (),
                )
            )
        return pane_of_event(
            report,
            transcript_path=event.transcript_path,
            work_dir=event.work_dir,
            panes=candidates,
            tmux_socket=str(self._tmux.monitor.path),
            is_agent=self._processes.is_agent,
            is_daemon=self._processes.is_daemon,
        )


class EndedAgents:
    """Forgets the events of a pane when the process of its agent has ended."""

    def __init__(self) -> None:
        self._pids: dict[str, int] = {}

    def update(self, running: Sequence[registry.Agent], processes: ProcessReader) -> None:
        now = {agent.pane_id: agent.pid for agent in running}
        for pane_id, pid in list(self._pids.items()):
            if now.get(pane_id) != pid and not processes.exists(pid):
                store.forget(pane_id)
                del self._pids[pane_id]
        self._pids |= now


async def receive_hooks(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Until `stop`."""
    directory = files.data_directory(runtime.data_dir)
    if problem := await asyncio.to_thread(files.write_scripts, directory):
        log.error("agents cannot report to webtmux: %s", problem)
        await stop.wait()
        return
    files.sweep(directory)
    server = HookServer(directory)
    links = await asyncio.to_thread(_announce, server.path)
    try:
        async with asyncio.TaskGroup() as tasks:
            jobs = [
                tasks.create_task(_process(server, Receiver(runtime.main))),
                tasks.create_task(_forget_ended()),
            ]
            await server.serve(stop)
            for job in jobs:
                job.cancel()
    finally:
        for path in links:
            path.unlink(missing_ok=True)


def _announce(path: Path) -> list[Path]:
    """Link our socket to where the hooks of the user's own agents look for it, if installed."""
    directory = files.user_directory(Path.home())
    if not (directory / "report").exists():
        return []
    if problem := files.write_scripts(directory):
        log.error("agents that were not started by webtmux cannot report to it: %s", problem)
        return []
    files.sweep(directory)
    return [files.link(directory, path)]


async def _process(server: HookServer, receiver: Receiver) -> None:
    while True:
        timestamp, message = await server.messages.get()
        try:
            event = await receiver.receive(message, timestamp)
        except Exception:
            log.exception("a report of an agent could not be processed")
            continue
        if event is not None:
            store.record(event)


async def _forget_ended() -> None:
    changed, ended, processes = asyncio.Event(), EndedAgents(), ProcessReader()
    with registry.current().watching(changed):
        while True:
            ended.update(list(registry.current().agents.values()), processes)
            await wait_for(changed, seconds=CHECK_SECONDS)
            changed.clear()
