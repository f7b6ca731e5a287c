"""The state of one server process: the tmux servers it drives, their logs, the page's focus.

Nothing here is persistent: what must survive a restart is in the database.
"""

from pathlib import Path

from core.errors import TmuxAway
from core.private_paths import runtime_directory
from terminals.logs.writer import LogLimits
from terminals.tmux.driver import Tmux
from terminals.tmux.execution.execute import Executor
from terminals.tmux.pane_logs import PaneLogs
from terminals.tmux.sockets import tmux_directory
from terminals.windows.tabs import Tabs
from terminals.windows.workspace import Workspace

_current: "Runtime | None" = None


class Runtime:
    name = "tmux"

    def __init__(
        self,
        *,
        socket: str,
        data_dir: Path,
        login_shell: bool = False,
        log_limits: LogLimits | None = None,
    ) -> None:
        self.data_dir = data_dir
        roots = temporary_roots(data_dir)
        self.main = Tmux(socket=socket, roots=roots)  # the user's own server
        root = data_dir / "logs"
        self.logs = PaneLogs(self.main, root / "main", root=root, limits=log_limits)
        self.executor = Executor(self.main)
        self.tabs = Tabs(data_dir=data_dir, roots=roots, login=login_shell, log_limits=log_limits)
        self.workspace = Workspace(self.main)
        self.page_focus = ""  # the window (@1) that was last shown in a browser

    async def start(self) -> None:
        """Does not need a running tmux server: the driver waits for one."""
        global _current
        await self.main.start()
        await self.tabs.start()
        _current = self

    async def stop(self) -> None:
        global _current
        _current = None
        await self.tabs.stop()
        await self.main.stop()


def temporary_roots(data_dir: Path) -> tuple[Path, ...]:
    """Candidates for temporary files. The first that no other user can change is used."""
    session = runtime_directory()
    return (*((session,) if session else ()), data_dir / "run", tmux_directory())


def current() -> Runtime:
    """The runtime of this process. Call it for each request: at import there is none."""
    if _current is None:
        raise TmuxAway("webtmux is starting or stopping: try again in a moment")
    return _current


def main_tmux() -> Tmux:
    """The user's own tmux server."""
    return current().main
