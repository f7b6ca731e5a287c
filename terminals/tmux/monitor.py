"""The monitor: one control client that stays attached while there is a tmux server.

All commands of the driver go over it, and it reports tmux's notices. It is attached to a hidden
session of its own, so that it exists whenever a stream client does: a single client that is stuck
can freeze the user's program.

It never starts a server by itself, because a server keeps the environment of the process that
started it, and that should be the user's shell. And it never keeps a server alive after the user
has ended the last session.
"""

import asyncio
import contextlib
import logging
import os
import re
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path

from core.errors import TmuxAway, TmuxFailed
from terminals.tmux import commands
from terminals.tmux.client import ControlClient, cancel, environment, ignore_result
from terminals.tmux.commands import HIDDEN_SESSION, Command
from terminals.tmux.control import Notice
from terminals.tmux.rows import ServerRow, SessionRow, framed
from terminals.tmux.sockets import is_listening

log = logging.getLogger(__name__)
OLDEST_VERSION = (3, 2)
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  # between two checks of the socket; one costs 50 µs
# tmux 3.3a crashes if it has something to report while a control client is still connecting, and a
# server that has just started reports a lot. One that others have started is left alone so long.
NEW_SERVER_SECONDS = 0.25
START_SECONDS = 10.0
LEAVE_SECONDS = 1.0
POLL_SECONDS = 1.0
# What raises no notice: splits, sizes, titles, commands and deaths, in all sessions. It is polled
# every second instead of subscribed to (`refresh-client -B`): when the session of a subscribed
# client ends before the client does, tmux 3.3a crashes, with everything that runs in it.
# No comma: inside a loop it would separate the formats of active and inactive items.
EVERYTHING = framed(
    "#{S:#{session_id} #{session_name}[#{W:#{window_id} #{window_index} #{window_name}"
    " #{window_layout}[#{P:#{pane_id} #{pane_dead} #{pane_current_command} #{pane_title};}]}]}"
)
NO_SERVER = "no tmux server is running"
UNUSABLE = "tmux cannot be used: see webtmux's log"
# Notices of our own: the server appeared, the server is gone, something in it has changed.
UP, DOWN, CHANGED = "webtmux-up", "webtmux-down", "webtmux-changed"

Listener = Callable[[Notice], None]


class Monitor:
    def __init__(self, *, path: Path, config: Path | None = None) -> None:
        self.path = path
        self.server: ServerRow | None = None
        self.problem = "not started"  # with paths: for callers that the gate admitted
        self.public_problem = self.problem  # without: for everyone, as in /readyz
        self._config = config
        self._client: ControlClient | None = None
        self._listeners: list[Listener] = []
        self._retry_now = asyncio.Event()
        self._up = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_user_sessions = False
        self._server_is_new = False  # the last attempt has found no server, or a dying one

    # --- start and stop ---

    async def start(self) -> None:
        """Attach now if there is a server, and stay attached until `stop`."""
        if self._task is None:
            await self._connect()
            self._task = asyncio.create_task(
                self._stay_connected(), name=f"tmux-monitor {self.path.name}"
            )

    async def stop(self) -> None:
        if self._task is not None:
            await cancel(self._task)
            self._task = None
        for task in tuple(self._tasks):
            task.cancel()
        if self._client is not None:
            await self._leave(self._client)
        self._set_down("stopped", "stopped")

    async def start_server(self) -> None:
        """For a caller that creates a session: start tmux if it is not running."""
        if self._client is not None:
            return
        _require_tmux()
        is_listening(self.path)  # as in `open`; also creates tmux's directory if missing
        process = await asyncio.create_subprocess_exec(
            *commands.server_argv(self.path, self._config),
            *commands.start_hidden_session(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=environment(os.environ),
            cwd=Path.home(),
        )
        async with asyncio.timeout(START_SECONDS):
            _, errors = await process.communicate()
        if process.returncode and b"duplicate session" not in errors:
            raise TmuxAway(f"cannot start tmux: {errors.decode('utf-8', 'replace').strip()}")
        self._server_is_new = False
        self._retry_now.set()
        await self.wait_up(START_SECONDS)

    async def wait_up(self, seconds: float | None = None) -> None:
        """Wait for a server, at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._client is None or self._client.lost.done():
                    self._up.clear()
                    await self._up.wait()
        if self._client is None:
            raise TmuxAway(self.problem)

    # --- for the driver and the streams ---

    @property
    def server_run(self) -> str:
        """Identifies this run of the server: ids are unique only within one run."""
        if self.server is None or self._client is None:
            raise TmuxAway(self.problem)
        return self.server.run

    @property
    def client(self) -> ControlClient:
        if self._client is None:
            raise TmuxAway(self.problem)
        return self._client

    async def run(self, *line: Command) -> list[list[bytes]]:
        return await self.client.run(*line)

    async def open(self, client: ControlClient, attach: Command) -> None:
        """Connect a control client."""
        is_listening(self.path)  # raises if the server belongs to another user
        await client.open(
            self.path, lambda path: [*commands.server_argv(path, self._config), *attach]
        )

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def unlisten(self, listener: Listener) -> None:
        self._listeners.remove(listener)

    # --- the connection ---

    async def _stay_connected(self) -> None:
        pause = FIRST_PAUSE
        while True:
            if self._client is not None:
                pause = FIRST_PAUSE
                client = self._client
                await self._poll(client)
                self._set_down(f"no tmux server: {client.reason}", NO_SERVER)
                await client.close()
            elif not await self._connect():
                self._retry_now.clear()
                await self._wait_for_retry(pause)
                pause = min(pause * 1.5, LONGEST_PAUSE)

    async def _wait_for_retry(self, seconds: float) -> None:
        """At most `seconds`: `start_server` ends it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._retry_now.wait()

    async def _poll(self, client: ControlClient) -> None:
        """Until the client is lost. Also detects a server that no longer answers."""
        before: list[bytes] = []
        while not client.lost.done():
            with contextlib.suppress(TmuxFailed):
                [everything] = await client.run(commands.display(EVERYTHING))
                if everything != before:
                    before = everything
                    self._notify(Notice(CHANGED, b""))
            await asyncio.wait([client.lost], timeout=POLL_SECONDS)

    async def _connect(self) -> bool:
        try:
            _require_tmux()
            if not is_listening(self.path):
                self._server_is_new = True
                self._set_problem(f"no tmux server running on {self.path}", NO_SERVER)
                return False
            if self._server_is_new:
                await self._wait_for_retry(NEW_SERVER_SECONDS)
            self._client = await self._attach()
        except TmuxFailed as error:
            self._server_is_new = True
            if self.problem != error.message:  # log it once, although it is tried every second
                log.error("%s", error.message)
            self._set_problem(error.message, UNUSABLE)
            return False
        except Exception as error:
            log.exception("cannot talk to tmux on %s", self.path)
            self._set_problem(f"cannot talk to tmux: {error}", UNUSABLE)
            return False
        self._server_is_new = False
        self._set_problem("", "")
        self._up.set()
        self._notify(Notice(UP, b""))
        return True

    async def _attach(self) -> ControlClient:
        client = ControlClient(lambda pane, data: None, self._on_notice)
        await self.open(client, commands.attach_monitor())
        try:
            [reply] = await client.run(commands.display(ServerRow.form()))
            self.server = ServerRow.only(reply)
            if self.server is None:
                raise TmuxAway("tmux did not report its version")
            if version(self.server.version) < OLDEST_VERSION:
                raise TmuxAway(
                    f"tmux {self.server.version} is too old: webtmux needs 3.2a or newer"
                )
        except BaseException:
            await client.close()
            raise
        return client

    async def _leave(self, client: ControlClient) -> None:
        """End the hidden session, unless another webtmux is attached to it."""
        with contextlib.suppress(TmuxAway):
            [reply] = await client.run(commands.list_sessions(SessionRow.form()))
            hidden = [row for row in SessionRow.parse(reply) if row.name == HIDDEN_SESSION]
            if hidden and hidden[0].clients <= 1:
                client.send(commands.kill(hidden[0].id)).add_done_callback(ignore_result)
                await asyncio.wait([client.lost], timeout=LEAVE_SECONDS)
        await client.close()

    # --- state and notices ---

    def _set_problem(self, problem: str, public: str) -> None:
        self.problem, self.public_problem = problem, public

    def _set_down(self, problem: str, public: str) -> None:
        was_up = self._client is not None
        self._client, self._has_user_sessions = None, False
        self._set_problem(problem, public)
        self._up.clear()
        if was_up:
            self._notify(Notice(DOWN, b""))

    def _on_notice(self, notice: Notice) -> None:
        if notice.name == "session-changed" and self._client is not None:
            # Our session was ended, and tmux moved us to a session of the user.
            self._spawn(self._client.close())
        elif notice.name == "sessions-changed":
            self._spawn(self._end_with_the_last_session())
        self._notify(notice)

    def _notify(self, notice: Notice) -> None:
        for listener in tuple(self._listeners):
            listener(notice)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(ignore_result)

    async def _end_with_the_last_session(self) -> None:
        """When the user has ended the last session, end ours: then tmux exits, as without us."""
        [reply] = await self.run(commands.list_sessions(SessionRow.form()))
        has_user_sessions = any(row.name != HIDDEN_SESSION for row in SessionRow.parse(reply))
        if self._has_user_sessions and not has_user_sessions:
            await self.run(commands.kill_hidden_session())
        self._has_user_sessions = has_user_sessions


def _require_tmux() -> None:
    if shutil.which("tmux") is None:
        raise TmuxAway("tmux is not installed: apt-get install tmux")


def version(text: str) -> tuple[int, int]:
    """(3, 3) for "3.3a"; a build without a number counts as the newest."""
    match = re.search(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (99, 0)
