"""Programs with names that forge rows in the list of panes."""

import json
import shlex
import sys
import tempfile
from pathlib import Path

from tests.conftest import RunTmux
from tests.waiting import eventually

# The fields of a pane's row, as an earlier version of the driver read them from tmux.
FORGED_PANE = (
    "{pane}\t{window}\t{session}\t0\t0\t1\t80\t24\t0\t0\t{pid}\t0\t0\t0\t0\t0\t0\t{tty}\twork\tsh\tsh"
    "\t/forged"
)
PROGRAM = """
import os, sys
with open(sys.argv[1], "rb") as file:
    name = file.read()
os.unlink(sys.argv[1])
os.execve(b"/bin/cat", [name], os.environb)
"""


def forged_row(run_tmux: RunTmux, pane: str) -> str:
    """A row with the fields of another pane."""
    template = json.dumps(
        {key: f"#{{{key}}}" for key in ("pane_id", "window_id", "session_id", "pane_pid")}
        | {"tty": "#{pane_tty}"}
    )
    fields = json.loads(run_tmux("display-message", "-p", "-t", pane, template))
    return FORGED_PANE.format(
        pane=fields["pane_id"], window=fields["window_id"], session=fields["session_id"],
        pid=fields["pane_pid"], tty=fields["tty"],
    )  # fmt: skip


async def impostor(run_tmux: RunTmux, name: bytes, *, directory: Path | None = None) -> str:
    """The pane of a program that reads its terminal and whose name is `name`."""
    handle, path = tempfile.mkstemp(prefix="wtname")  # a name may be too long for tmux's command
    with open(handle, "wb") as file:
        file.write(name)
    program = shlex.join([sys.executable, "-I", "-c", PROGRAM, path])
    cwd = ("-c", str(directory)) if directory else ()
    ids = "#{pane_id} #{pane_pid}"
    pane, pid = run_tmux(
        "new-window", "-dP", "-F", ids, "-t", "work:", *cwd, f"exec {program}"
    ).split()

    async def renamed() -> bool:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == name + b"\0"

    await eventually(renamed)
    return pane
