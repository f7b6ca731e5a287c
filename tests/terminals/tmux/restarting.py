"""Ending a tmux server, and starting another on the same socket."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.waiting import eventually, wait_until

RunTmux = Callable[..., str]


async def end_server(run_tmux: RunTmux) -> None:
    """Returns when the process has ended.

    A server that is about to exit still accepts a new session, lists it, and ends it with itself.
    """
    pid = run_tmux("display-message", "-p", "#{pid}")
    run_tmux("kill-server")
    await eventually(lambda: not is_running(pid), description="the tmux server exits")


def is_running(pid: str) -> bool:
    """A zombie has ended: in a container it may wait for ever to be reaped."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def start_server(run_tmux: RunTmux, command: str = "exec sh", *, name: str = "") -> None:
    """Another server, with the session `work` as in the fixture `tmux`.

    A loaded machine may refuse the first attempts: tmux reports that a server exited unexpectedly.
    """
    window = ("-n", name) if name else ()
    arguments = ("new-session", "-d", "-s", "work", *window, "-x", "80", "-y", "24", command)

    def is_started() -> bool:
        try:
            run_tmux(*arguments)
        except subprocess.CalledProcessError:
            return False
        return True

    wait_until(is_started, description="tmux starts a server")
