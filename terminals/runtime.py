"""What one process holds while it runs: the tmux servers it drives, their logs, the page's focus.

Not a place for facts: those are in the database.
"""

from pathlib import Path

from terminals.errors import TmuxAway
from terminals.log_writer import Limits
from terminals.private_paths import runtime_directory
from terminals.tabs import Tabs
from terminals.tmux.driver import Tmux
from terminals.tmux.execute import Executor
from terminals.tmux.logs import Logs
from terminals.tmux.sockets import tmux_directory
from terminals.workspace import Workspace

_current: "Runtime | None" = None


class Runtime:
    name = "tmux"

    def __init__(
        self,
        *,
        socket: str,
        data_dir: Path,
        login_shell: bool = False,
        log_limits: Limits | None = None,
    ) -> None:
        self.data_dir = data_dir
        roots = temporary_roots(data_dir)
        self.main = Tmux(socket=socket, roots=roots)  # the person's own server
        root = data_dir / "logs"
        self.logs = Logs(self.main, root / "main", root=root, limits=log_limits)
        self.executor = Executor(self.main)
        self.tabs = Tabs(data_dir=data_dir, roots=roots, login=login_shell, log_limits=log_limits)
        self.workspace = Workspace(self.main)
        self.page_focus = ""  # the window (@1) that the person last looked at in a browser

    async def start(self) -> None:
        """Never fails for want of a tmux server: the driver waits for one."""
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
    """Where temporary files may go; the first that no other user can change is taken."""
    session = runtime_directory()
    return (*((session,) if session else ()), data_dir / "run", tmux_directory())


def current() -> Runtime:
    """The runtime of this process; the doors ask for it at each call, not at import."""
    if _current is None:
        raise TmuxAway("webtmux is starting or stopping")
    return _current
