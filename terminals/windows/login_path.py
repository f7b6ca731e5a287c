"""The PATH of the user's login shell, and the programs on it.

webtmux itself may run with another PATH (systemd, cron), without what nvm, pyenv and the like add.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterable

from terminals.windows.login_shell import run_argv

log = logging.getLogger(__name__)

SHELL_SECONDS = 10.0  # a shell with many plugins needs one or two
OUTPUT_LIMIT = 256 * 1024  # bytes; what start-up files print comes before the PATH
KEPT_SECONDS = 60.0

_paths: dict[str, tuple[float, str]] = {}  # by shell: when its PATH was read, and the PATH


async def find_programs(names: Iterable[str], *, shell: str, again: bool = False) -> dict[str, str]:
    """The absolute paths of the programs that are installed. `again`: do not use the PATH that was
    read within the last minute."""
    path = await login_path(shell, again=again)
    return await asyncio.to_thread(_search, list(names), path)


async def login_path(shell: str, *, again: bool = False) -> str:
    """Our own PATH if the shell does not answer in time."""
    read_at, path = _paths.get(shell, (0.0, ""))
    if path and not again and time.monotonic() - read_at < KEPT_SECONDS:
        return path
    path = await _ask(shell)
    if not path:
        log.warning("the login shell did not print its PATH: using that of webtmux")
        path = os.environ.get("PATH", os.defpath)
    _paths[shell] = time.monotonic(), path
    return path


def _search(names: list[str], path: str) -> dict[str, str]:
    # A relative part of the PATH would depend on the directory that webtmux was started in.
    absolute = os.pathsep.join(part for part in path.split(os.pathsep) if os.path.isabs(part))
    every = {name: shutil.which(name, path=absolute) for name in names}
    return {name: program for name, program in every.items() if program}


async def _ask(shell: str) -> str:
    """Empty if it fails. The mark tells the PATH from what start-up files print."""
    mark = secrets.token_hex(8)
    script = 'printf "\\n%s%s%s\\n" "$1" "$PATH" "$1"'
    argv = run_argv(shell, ["/bin/sh", "-c", script, "sh", mark])
    try:
        # In a session of its own: an interactive shell would take our terminal.
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(SHELL_SECONDS):
            output = await _read(process, mark.encode())
    except TimeoutError:
        return ""
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    _, _, rest = output.partition(mark.encode())
    path, end, _ = rest.partition(mark.encode())
    return os.fsdecode(path) if end else ""


async def _read(process: Process, mark: bytes) -> bytes:
    """Until both marks are there: a process that a start-up file started may keep the pipe open."""
    assert process.stdout is not None
    output = b""
    while len(output) < OUTPUT_LIMIT and output.count(mark) < 2:
        piece = await process.stdout.read(OUTPUT_LIMIT)
        if not piece:
            break
        output += piece
    return output
