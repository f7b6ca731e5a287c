"""Which tmux sockets are safe to use: in a directory of ours, and with our own server behind them.

Whoever answers on the socket gets every key that is typed and can make our client run commands.
tmux checks its directory only when it is not given `-S`, and never looks at who listens.

Checking before tmux connects by itself leaves no gap: nobody but us and root can change the
directory, nor any directory above it, so what was checked is what tmux will find. A path in a
sticky directory such as /tmp is used only while a socket of ours exists there, which others cannot
replace. No server is started there: another user could put a socket in its place first.
"""

import os
import socket
import stat
import struct
from collections.abc import Mapping
from pathlib import Path

from terminals.errors import TmuxAway
from terminals.private_paths import make_private, others_may_write, owner, problem_with_chain

PATH_BYTES = 107  # what fits into a sockaddr_un, without its NUL
_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid


class UnsafeSocket(TmuxAway):
    """The socket, or a directory above it, is not only ours."""


def socket_path(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Where tmux listens: a path as it is, a name (or none) in tmux's directory of this user."""
    if "/" in name:
        return Path(name).expanduser()
    return tmux_directory(environ) / (name or "default")


def tmux_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """As tmux finds it: a TMUX_TMPDIR that does not exist counts as not set."""
    root = Path(environ.get("TMUX_TMPDIR") or "/tmp")  # noqa: S108 - tmux's own choice
    if not root.is_dir():
        root = Path("/tmp")  # noqa: S108
    return root.resolve() / f"tmux-{os.getuid()}"


def is_named(path: Path) -> bool:
    """Whether a socket lies in a directory that tmux makes by itself."""
    return path.parent.name == f"tmux-{os.getuid()}"


def require_safe_place(path: Path) -> None:
    """Before tmux may connect to `path`, or start a server there; makes tmux's own directory."""
    problem = _problem_with_place(path)
    if problem:
        raise UnsafeSocket(
            f"the tmux socket {path} cannot be used: {problem}. Remove or repair that, or set "
            "WEBTMUX_TMUX_SOCKET to a path in a directory that only you can change."
        )


def _problem_with_place(path: Path) -> str:
    directory = path.parent
    try:
        if is_named(path) and not directory.exists():
            return make_private(directory)
        # A symbolic link does not count: its target may be replaced.
        has_socket = path.is_socket() and not path.is_symlink()
        return _problem_with_directory(directory, has_socket=has_socket) or _problem_with_file(path)
    except OSError as error:
        return f"{error.filename}: {error.strerror}"


def _problem_with_directory(directory: Path, *, has_socket: bool) -> str:
    """tmux's own rule (ours, nothing for others), and no write permission for a group either."""
    found = directory.lstat() if is_named(directory / "any") else directory.stat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{directory} is not a directory"
    mode = f"mode {stat.S_IMODE(found.st_mode):04o}"
    if is_named(directory / "any"):
        if found.st_uid != os.getuid():
            return f"{directory} belongs to {owner(found.st_uid)}, not to {owner(os.getuid())}"
        if found.st_mode & stat.S_IRWXO:
            return f"{directory} is open to other users ({mode})"
    if others_may_write(found) and not (found.st_mode & stat.S_ISVTX and has_socket):
        return f"{directory} can be changed by other users ({mode})"
    return problem_with_chain(directory)


def _problem_with_file(path: Path) -> str:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return ""  # no server has run here yet
    if not stat.S_ISSOCK(found.st_mode):
        return f"{path} is not a socket"
    if found.st_uid != os.getuid():
        return f"{path} belongs to {owner(found.st_uid)}, not to {owner(os.getuid())}"
    return ""


def is_listening(path: Path) -> bool:
    """Whether a server of ours answers on its socket; the file alone may be left from a dead one.

    Raises UnsafeSocket if somebody else's process answers. root's too, unless we are root: what is
    typed into its panes would run as root.
    """
    require_safe_place(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        # A stopped server accepts nobody: behind 128 of our own looks we would wait for ever.
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        _, uid = peer_of(probe)
    if uid != os.getuid():
        raise UnsafeSocket(
            f"the server on the tmux socket {path} runs as {owner(uid)}, not as "
            f"{owner(os.getuid())}: end it, or set WEBTMUX_TMUX_SOCKET to another socket."
        )
    return True


def peer_of(connection: socket.socket) -> tuple[int, int]:
    """The pid and uid of the process that connected, or called listen(), at the other end."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _gid = _CREDENTIALS.unpack(credentials)
    return pid, uid
