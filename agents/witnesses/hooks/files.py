"""The files that agents run or load for their hooks, and the sockets in the same directory.

Each data directory has them in `hooks/`, for agents that webtmux starts. A user who installs hooks
gets another copy in ~/.local/share/webtmux/hooks, which stays where it is if webtmux is moved; each
running server adds a link to its socket there. The scripts send to every `*.sock` in their
directory.
"""

import contextlib
import json
import os
import shutil
from pathlib import Path

from agents.witnesses.hooks import launch
from core.private_paths import make_directories, make_private

SCRIPTS = Path(__file__).parent / "scripts"
NAMES = ("report", "report.pl", "report.py", "send.mjs", "opencode.js", "pi.mjs")
DIRECTORY = "hooks"


def data_directory(data_dir: Path) -> Path:
    return data_dir / DIRECTORY


def user_directory(home: Path) -> Path:
    """$XDG_DATA_HOME is not used: an agent may run without it, and must find the same files."""
    return home / ".local" / "share" / "webtmux" / DIRECTORY


def write_scripts(directory: Path) -> str:
    """Create or update the files. Returns what is wrong with the directory, if anything."""
    with contextlib.suppress(OSError):
        make_directories(directory.parent)
    if problem := make_private(directory):
        return problem
    try:
        for name in NAMES:
            _write(directory / name, (SCRIPTS / name).read_bytes(), executable=name == "report")
        plugin = directory / "copilot"
        for path in (plugin, plugin / "hooks"):
            path.mkdir(mode=0o700, exist_ok=True)
            path.chmod(0o700)
        for name, content in launch.copilot_plugin(directory).items():
            _write(plugin / name, (json.dumps(content, indent=2) + "\n").encode())
    except OSError as error:
        return f"cannot write {error.filename}: {error.strerror}"
    return ""


def _write(path: Path, content: bytes, *, executable: bool = False) -> None:
    """Atomically: an agent may be starting the script."""
    if path.is_file() and path.read_bytes() == content:
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(content)
    draft.chmod(0o700 if executable else 0o600)
    draft.replace(path)


def remove_scripts(directory: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)


def sockets(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.sock"))


def sweep(directory: Path) -> None:
    """Remove sockets of processes that have ended, and links to them. Names contain the pid."""
    for path in sockets(directory):
        pid = path.name.partition("-")[0].partition(".")[0]
        if not pid.isdigit() or not _is_alive(int(pid)) or not path.exists():
            path.unlink(missing_ok=True)


def link(directory: Path, socket: Path) -> Path:
    """Make a socket reachable for the scripts in another directory."""
    place = directory / socket.name
    draft = place.with_suffix(".new")
    draft.unlink(missing_ok=True)
    draft.symlink_to(socket)
    draft.replace(place)
    return place


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's: the pid was reused
        return False
    return True
