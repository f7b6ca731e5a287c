"""Programs that lie about themselves to whoever lists panes."""

import json
import shlex
import sys
import tempfile
from pathlib import Path

from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually

# Fields of a pane's row in the order of the driver before it framed its rows.
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
    """A row that says what is true of another pane."""
    form = json.dumps(
        {key: f"#{{{key}}}" for key in ("pane_id", "window_id", "session_id", "pane_pid")}
        | {"tty": "#{pane_tty}"}
    )
    told = json.loads(run_tmux("display-message", "-p", "-t", pane, form))
    return FORGED_PANE.format(
        pane=told["pane_id"], window=told["window_id"], session=told["session_id"],
        pid=told["pane_pid"], tty=told["tty"],
    )  # fmt: skip


async def impostor(run_tmux: RunTmux, name: bytes, *, directory: Path | None = None) -> str:
    """The pane of a program that reads its terminal and calls itself `name`."""
    handle, told = tempfile.mkstemp(prefix="wtname")  # too long for tmux's command line
    with open(handle, "wb") as file:
        file.write(name)
    program = shlex.join([sys.executable, "-I", "-c", PROGRAM, told])
    place = ("-c", str(directory)) if directory else ()
    form = "#{pane_id} #{pane_pid}"
    pane, pid = run_tmux(
        "new-window", "-dP", "-F", form, "-t", "work:", *place, f"exec {program}"
    ).split()

    async def renamed() -> bool:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == name + b"\0"

    await eventually(renamed)
    return pane
