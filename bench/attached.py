"""A raw `tmux attach` on a pty: the baseline for terminal benchmarks."""

import contextlib
import os
import pty
import re
import select
import time
from collections.abc import Iterator
from dataclasses import dataclass

WAIT_SECONDS = 120.0
_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|[)(][0-9A-Z]|[=>]|\].*?(?:\x07|\x1b\\))")


@dataclass(frozen=True)
class Attached:
    terminal: int

    def type(self, data: bytes) -> None:
        os.write(self.terminal, data)

    def read_until(self, text: bytes) -> None:
        tail, deadline = b"", time.monotonic() + WAIT_SECONDS
        while text not in _ESCAPE.sub(b"", tail):
            ready, _, _ = select.select([self.terminal], [], [], deadline - time.monotonic())
            assert ready, f"{text!r} was never shown"
            tail = tail[-1000:] + os.read(self.terminal, 65536)

    def drain(self, seconds: float = 0.05) -> None:
        """Read until there was no output for `seconds`."""
        while select.select([self.terminal], [], [], seconds)[0]:
            os.read(self.terminal, 65536)


@contextlib.contextmanager
def attached(socket: str, session: str) -> Iterator[Attached]:
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("tmux", ["tmux", "-u", "-S", socket, "attach", "-t", f"={session}"],
                   {"TERM": "xterm-256color", "PATH": os.environ["PATH"]})  # fmt: skip
    try:
        os.read(terminal, 1000)
        yield Attached(terminal)
    finally:
        os.kill(pid, 15)
        os.waitpid(pid, 0)
        os.close(terminal)
