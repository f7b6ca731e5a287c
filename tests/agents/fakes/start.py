"""Starts a fake agent: puts the terminal into raw mode, and restores it at the end.

launch.py runs this under the name of a real agent. FAKE_FAULTS lists what misbehaves on purpose.
"""

import contextlib
import os
import signal
import termios
import tty
from pathlib import Path

from tests.agents.fakes.kinds import KINDS
from tests.agents.fakes.plain import Plain
from tests.agents.fakes.program import END_TURN, Program
from tests.agents.fakes.terminal import write


def main() -> None:
    name = os.environ["FAKE_KIND"]
    faults = frozenset(filter(None, os.environ.get("FAKE_FAULTS", "").split(",")))
    before = termios.tcgetattr(0)
    wake, awake = os.pipe()
    os.set_blocking(awake, False)
    signal.set_wakeup_fd(awake)
    for number in (signal.SIGWINCH, END_TURN):
        signal.signal(number, lambda *_: None)
    tty.setraw(0)
    program = Program if KINDS[name].full_screen else Plain
    try:
        turn, log = float(os.environ.get("FAKE_TURN", "0.15")), Path(os.environ["FAKE_LOG"])
        if "late" in faults:  # paints nothing until END_TURN
            log.with_suffix(".late").touch()
            while END_TURN not in os.read(wake, 16):
                pass
        write("\x1b[2J\x1b[H" + ("\x1b[?2004h" if KINDS[name].bracketed else ""))
        program(name, log, faults, turn).run(wake)
    finally:
        write("\x1b[?2004l\x1b[?25h\r\n")
        with contextlib.suppress(termios.error):
            termios.tcsetattr(0, termios.TCSANOW, before)


if __name__ == "__main__":
    main()
