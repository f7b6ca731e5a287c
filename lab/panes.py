"""A private tmux server with one agent in one pane: start, press keys, read the screen, end."""

import contextlib
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

from lab import agents
from lab.agents import AgentProgram, Launch

COMMAND_SECONDS = 30
POLL_SECONDS = 0.1
START_SECONDS = 90.0
END_SECONDS = 10.0

# Changes the command line and the environment of a launch.
Adapt = Callable[
    [Launch, AgentProgram, list[str], dict[str, str]], tuple[list[str], dict[str, str]]
]


class Pane:
    """The pane of one agent."""

    def __init__(
        self,
        kind: AgentProgram,
        launch: Launch,
        socket: Path,
        size: str,
        adapt: Adapt | None = None,
        *,
        session: str = "",
    ) -> None:
        self.kind, self.place, self.socket, self.size = kind, launch, socket, size
        self.session = session or kind.name
        self.adapt = adapt

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self.socket), "-f", "/dev/null", *arguments],
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            env={**os.environ, "TMUX": ""},
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def _line(self, *arguments: str) -> str:
        argv, environment = agents.command(self.kind, self.place)
        if self.adapt:
            argv, environment = self.adapt(self.place, self.kind, argv, environment)
        pairs = [f"{name}={value}" for name, value in environment.items()]
        line = shlex.join(["env", "-i", "TERM=tmux-256color", *pairs, *argv, *arguments])
        # A shell stays above the agent, because tmux continues the pane's own process if stopped.
        return f"{line}; true"

    def restart(self, *arguments: str) -> None:
        """Runs the agent again in the same pane, with these arguments."""
        self.tmux(
            *("respawn-pane", "-k", "-t", f"{self.session}:", "-c", str(self.place.work)),
            self._line(*arguments),
        )

    def start(self) -> None:
        width, _, height = self.size.partition("x")
        self.tmux(
            *("new-session", "-d", "-s", self.session, "-x", width, "-y", height),
            *("-c", str(self.place.work), self._line()),
        )
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("set-option", "-g", "remain-on-exit", "on")

    def screen(self, *, colours: bool = False) -> str:
        return self.tmux("capture-pane", "-p", "-t", f"{self.session}:", *["-e"] * colours)

    def press(self, *keys: str) -> None:
        """Presses keys, by tmux's names."""
        self.tmux("send-keys", "-t", f"{self.session}:", *keys)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-t", f"{self.session}:", "-l", "--", text)

    def paste(self, text: str) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            self.tmux("load-buffer", "-b", "lab", file.name)
        self.tmux("paste-buffer", "-p", "-r", "-d", "-b", "lab", "-t", f"{self.session}:")

    def until(self, condition: Callable[[str], bool], seconds: float = START_SECONDS) -> str:
        """The first screen that satisfies the condition."""
        deadline = time.monotonic() + seconds
        while not condition(screen := self.screen()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.kind.name} does not show the expected screen:\n{screen}")
            time.sleep(POLL_SECONDS)
        return screen

    def settle(self, quiet: float = 0.6, seconds: float = 15.0) -> str:
        """The screen once it has not changed for `quiet` seconds, or after `seconds`."""
        deadline, since, last = time.monotonic() + seconds, time.monotonic(), self.screen()
        while time.monotonic() < deadline and time.monotonic() - since < quiet:
            time.sleep(POLL_SECONDS)
            if (now := self.screen()) != last:
                since, last = time.monotonic(), now
        return last

    def pid(self) -> int:
        return int(self.tmux("display-message", "-p", "-t", f"{self.session}:", "#{pane_pid}"))

    def end(self) -> None:
        """Ends the tmux server and every process that was started with this home."""
        with contextlib.suppress(RuntimeError, subprocess.TimeoutExpired):
            self.tmux("kill-server")
        remaining = [process for process in psutil.process_iter() if self._is_ours(process)]
        for process in remaining:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(remaining, timeout=END_SECONDS)

    def _is_ours(self, process: psutil.Process) -> bool:
        """Codex leaves a server running that is not a child of its pane."""
        with contextlib.suppress(psutil.Error):
            return process.environ().get("HOME") == str(self.place.home)
        return False


@contextlib.contextmanager
def running(
    kind: AgentProgram,
    model: str,
    *,
    size: str = "120x40",
    dialog: str = "",
    adapt: Adapt | None = None,
) -> Iterator[Pane]:
    """An agent in a new home and directory; everything is removed at the end."""
    root = Path(tempfile.mkdtemp(prefix=f"lab-{kind.name}-"))
    launch = Launch(root / "home", root / "work", model, dialog)
    pane = Pane(kind, launch, root / "tmux.sock", size, adapt)
    try:
        pane.start()
        yield pane
    finally:
        pane.end()
        shutil.rmtree(root, ignore_errors=True)
