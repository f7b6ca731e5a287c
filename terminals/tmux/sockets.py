"""Which tmux sockets are safe to use: in a private directory, with a server of the same user.

The process behind the socket gets every key that is typed and can make our client run commands.
tmux checks its directory only without `-S`, and never checks which user listens.

There is no gap between our check and the moment when tmux connects: only we and root can change the
directory, or any directory above it, so tmux finds what was checked. A path in a sticky directory
such as /tmp is used only while one of our sockets exists there, which others cannot replace. No
server is started there: another user could create the socket first.
"""

import os
import shlex
import socket
import stat
import struct
from collections.abc import Mapping
from pathlib import Path

from core.errors import TmuxAway
from core.private_paths import make_private, others_may_write, owner, problem_with_chain

PATH_BYTES = 107  # fit into a sockaddr_un, without the NUL
_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid


class UnsafeSocket(TmuxAway):
    """Another user controls the socket or a directory above it."""


def socket_path(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Where tmux listens: a path unchanged, a name (or none) in tmux's directory of this user."""
    if "/" in name:
        return Path(name).expanduser()
    return tmux_directory(environ) / (name or "default")


def tmux_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """As tmux determines it: a TMUX_TMPDIR that does not exist counts as not set."""
    root = Path(environ.get("TMUX_TMPDIR") or "/tmp")  # noqa: S108 - tmux's own choice
    if not root.is_dir():
        root = Path("/tmp")  # noqa: S108 - tmux's own choice
    return root.resolve() / f"tmux-{os.getuid()}"


def client_command(path: Path) -> str:
    """The command for a shell that runs tmux with this socket, such as `tmux -L work`."""
    if path.parent != tmux_directory({}):  # a shell may have another TMUX_TMPDIR than this process
        return shlex.join(["tmux", "-S", str(path)])
    return "tmux" if path.name == "default" else shlex.join(["tmux", "-L", path.name])


def is_in_tmux_directory(path: Path) -> bool:
    """Whether a socket is in the directory that tmux creates by itself."""
    return path.parent.name == f"tmux-{os.getuid()}"


def require_safe_path(path: Path) -> None:
    """Before tmux connects to `path` or starts a server there. Creates tmux's own directory."""
    problem = _problem_with_path(path)
    if problem:
        raise UnsafeSocket(
            f"the tmux socket {path} cannot be used: {problem}. Correct that, or set "
            "WEBTMUX_TMUX_SOCKET to a path in a directory that only you can change."
        )


def _problem_with_path(path: Path) -> str:
    directory = path.parent
    try:
        if is_in_tmux_directory(path) and not directory.exists():
            return make_private(directory)
        # A symbolic link does not count: its target may be replaced.
        has_socket = path.is_socket() and not path.is_symlink()
        return _problem_with_directory(directory, has_socket=has_socket) or _problem_with_file(path)
    except OSError as error:
        return f"{error.filename}: {error.strerror}"


def _problem_with_directory(directory: Path, *, has_socket: bool) -> str:
    """The rule of tmux (ours, closed to others), and no write permission for a group either."""
    status = directory.lstat() if is_in_tmux_directory(directory / "any") else directory.stat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is not a directory"
    mode = f"mode {stat.S_IMODE(status.st_mode):04o}"
    if is_in_tmux_directory(directory / "any"):
        if status.st_uid != os.getuid():
            return f"{directory} belongs to {owner(status.st_uid)}, not to {owner(os.getuid())}"
        if status.st_mode & stat.S_IRWXO:
            return f"{directory} is open to other users ({mode})"
    if others_may_write(status) and not (status.st_mode & stat.S_ISVTX and has_socket):
        return f"{directory} can be changed by other users ({mode})"
    return problem_with_chain(directory)


def _problem_with_file(path: Path) -> str:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return ""  # no server has run here yet
    if not stat.S_ISSOCK(status.st_mode):
        return f"{path} is not a socket"
    if status.st_uid != os.getuid():
        return f"{path} belongs to {owner(status.st_uid)}, not to {owner(os.getuid())}"
    return ""


def is_listening(path: Path) -> bool:
    """Whether one of our servers accepts connections; the file alone may be left from a dead one.

    Raises UnsafeSocket if the process of another user answers. Also for root, unless we are root:
    text that is typed into its panes would run as root.
    """
    require_safe_path(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        # A stopped server accepts no connection: after 128 checks a blocking one would hang.
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        _, uid = peer_of(probe)
    if uid != os.getuid():
        raise UnsafeSocket(
            f"the server on the tmux socket {path} runs as {owner(uid)}, not as "
            f"{owner(os.getuid())}: stop it, or set WEBTMUX_TMUX_SOCKET to another socket."
        )
    return True


def peer_of(connection: socket.socket) -> tuple[int, int]:
    """The pid and uid of the process that connected, or called listen(), at the other end."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _gid = _CREDENTIALS.unpack(credentials)
    return pid, uid
