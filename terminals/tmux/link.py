"""The monitor: one control client that is attached whenever there is a tmux server to attach to.

It never starts a server by itself (a server keeps the environment of whoever started it, and that
should be the person), and never keeps one alive that the person has emptied.
"""

import asyncio
import contextlib
import logging
import os
import re
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path

from terminals.errors import TmuxAway, TmuxFailed
from terminals.tmux import commands
from terminals.tmux.client import ControlClient, end, environment, forget
from terminals.tmux.commands import HIDDEN_SESSION, Command
from terminals.tmux.control import Notice
from terminals.tmux.rows import ServerRow, SessionRow, framed
from terminals.tmux.sockets import is_listening

log = logging.getLogger(__name__)
OLDEST = (3, 2)
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  # a look at the socket costs 50 µs
START_SECONDS = 10.0
POLL_SECONDS = 1.0
# What raises no notice: splits, sizes, titles, commands and deaths, in all sessions. Asked for
# every second and not subscribed to (`refresh-client -B`): when the session of a subscribed client
# ends before the client does, tmux 3.3a crashes, and takes the person's work along.
# No comma: inside a loop it would separate the formats of active and inactive items.
EVERYTHING = framed(
    "#{S:#{session_id} #{session_name}[#{W:#{window_id} #{window_index} #{window_name}"
    " #{window_layout}[#{P:#{pane_id} #{pane_dead} #{pane_current_command} #{pane_title};}]}]}"
)
NO_SERVER = "no tmux server is running"
UNUSABLE = "tmux cannot be used: see webtmux's log"
# Notices of our own: the server came, or went, or something in it is not as it was.
UP, DOWN, CHANGED = "webtmux-up", "webtmux-down", "webtmux-changed"
# An idle program for the hidden session; it ends with its terminal.
HIDDEN_PROGRAM = "exec cat >/dev/null 2>&1"

Listener = Callable[[Notice], None]


class Link:
    def __init__(self, *, path: Path, config: Path | None = None) -> None:
        self.path = path
        self.server: ServerRow | None = None
        self.problem = "not started"  # with paths: for callers that were admitted
        self.public_problem = self.problem  # for everybody, as /readyz
        self._base = ["tmux", "-u", "-S", str(path), *(["-f", str(config)] if config else [])]
        self._client: ControlClient | None = None
        self._listeners: list[Listener] = []
        self._kick = asyncio.Event()
        self._up = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._peopled = False  # whether there was a session besides ours

    # --- life ---

    async def start(self) -> None:
        """Attach now if there is a server, and keep attached until `stop`."""
        if self._task is None:
            await self._connect()
            self._task = asyncio.create_task(self._keep(), name=f"tmux-link {self.path.name}")

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None
        for task in tuple(self._tasks):
            task.cancel()
        if self._client is not None:
            await self._leave()
        self._down("stopped", "stopped")

    async def start_server(self) -> None:
        """For a session that a caller asked for: start tmux if it is not running."""
        if self._client is not None:
            return
        self._need_tmux()
        is_listening(self.path)  # as in `argv`; it also makes tmux's directory where it is missing
        process = await asyncio.create_subprocess_exec(
            *(*self._base, "new-session", "-d", "-E", "-s", HIDDEN_SESSION, "-c", "/"),
            HIDDEN_PROGRAM,
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
        self._kick.set()
        await self.wait_up(START_SECONDS)

    async def wait_up(self, seconds: float | None = None) -> None:
        """Until there is a server, at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._client is None or self._client.lost.done():
                    self._up.clear()
                    await self._up.wait()
        if self._client is None:
            raise TmuxAway(self.problem)

    @property
    def life(self) -> str:
        """This life of the server; ids are unique only within it."""
        if self.server is None or self._client is None:
            raise TmuxAway(self.problem)
        return self.server.life

    # --- use ---

    def argv(self, *arguments: str) -> list[str]:
        """A control client of this server, to be started at once. `-N`: it must not start one."""
        is_listening(self.path)  # refuses a server of somebody else
        return [*self._base, "-N", "-C", *arguments]

    @property
    def client(self) -> ControlClient:
        if self._client is None:
            raise TmuxAway(self.problem)
        return self._client

    async def run(self, *line: Command) -> list[list[bytes]]:
        return await self.client.run(*line)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def unlisten(self, listener: Listener) -> None:
        self._listeners.remove(listener)

    # --- inside ---

    async def _keep(self) -> None:
        pause = FIRST_PAUSE
        while True:
            if self._client is not None:
                pause = FIRST_PAUSE
                client = self._client
                await self._poll(client)
                self._down(f"no tmux server: {client.reason}", NO_SERVER)
                await client.close()
            elif not await self._connect():
                self._kick.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._kick.wait()
                pause = min(pause * 1.5, LONGEST_PAUSE)

    async def _poll(self, client: ControlClient) -> None:
        """Until the client is lost; also what finds out that a server no longer answers."""
        before: list[bytes] = []
        while not client.lost.done():
            with contextlib.suppress(TmuxFailed):
                [told] = await client.run(commands.display(EVERYTHING))
                if told != before:
                    before = told
                    self._tell(Notice(CHANGED, b""))
            await asyncio.wait([client.lost], timeout=POLL_SECONDS)

    async def _connect(self) -> bool:
        try:
            self._need_tmux()
            if not is_listening(self.path):
                self._away(f"no tmux server running on {self.path}", NO_SERVER)
                return False
            self._client = await self._attach()
        except TmuxFailed as error:
            if self.problem != error.message:  # once, although it is tried again every second
                log.error("%s", error.message)
            self._away(error.message, UNUSABLE)
            return False
        except Exception as error:
            log.exception("cannot talk to tmux on %s", self.path)
            self._away(f"cannot talk to tmux: {error}", UNUSABLE)
            return False
        self._away("", "")
        self._up.set()
        self._tell(Notice(UP, b""))
        return True

    async def _attach(self) -> ControlClient:
        client = ControlClient(lambda pane, data: None, self._notice)
        await client.open(
            self.argv(
                *("new-session", "-A", "-E", "-s", HIDDEN_SESSION, "-c", "/", "-x", "80"),
                *("-y", "24", "-f", "ignore-size,no-output", HIDDEN_PROGRAM),
            )
        )
        try:
            [told] = await client.run(commands.display(ServerRow.form()))
            self.server = ServerRow.only(told)
            if self.server is None:
                raise TmuxAway("tmux did not say which version it is")
            if version(self.server.version) < OLDEST:
                raise TmuxAway(
                    f"tmux {self.server.version} is too old: webtmux needs 3.2a or newer"
                )
        except BaseException:
            await client.close()
            raise
        return client

    def _need_tmux(self) -> None:
        if shutil.which("tmux") is None:
            raise TmuxAway("tmux is not installed: apt-get install tmux")

    def _away(self, problem: str, public: str) -> None:
        self.problem, self.public_problem = problem, public

    def _down(self, problem: str, public: str) -> None:
        was_up = self._client is not None
        self._client, self._peopled = None, False
        self._away(problem, public)
        self._up.clear()
        if was_up:
            self._tell(Notice(DOWN, b""))

    def _notice(self, notice: Notice) -> None:
        if notice.name == "session-changed" and self._client is not None:
            # Somebody ended our session and tmux moved us to one of the person's.
            self._spawn(self._client.close())
        elif notice.name == "sessions-changed":
            self._spawn(self._let_go_if_last())
        self._tell(notice)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(forget)

    def _tell(self, notice: Notice) -> None:
        for listener in tuple(self._listeners):
            listener(notice)

    async def _let_go_if_last(self) -> None:
        """When the person has ended the last session, tmux ends, as it would without us."""
        others = await self._others()
        if self._peopled and not others:
            await self.run(("kill-session", "-t", f"={HIDDEN_SESSION}:"))
        self._peopled = bool(others)

    async def _others(self) -> list[SessionRow]:
        [told] = await self.run(commands.rows("list-sessions", SessionRow.form()))
        return [row for row in SessionRow.parse(told) if row.name != HIDDEN_SESSION]

    async def _leave(self) -> None:
        """Take our session along, unless another webtmux is attached to it."""
        client = self.client
        with contextlib.suppress(TmuxAway):
            [told] = await client.run(commands.rows("list-sessions", SessionRow.form()))
            ours = [row for row in SessionRow.parse(told) if row.name == HIDDEN_SESSION]
            if ours and ours[0].clients <= 1:
                client.send(commands.kill(ours[0].id)).add_done_callback(forget)
                await asyncio.wait([client.lost], timeout=1)
        await client.close()


def version(text: str) -> tuple[int, int]:
    """(3, 3) of "3.3a"; a build without a number counts as the newest."""
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (99, 0)
