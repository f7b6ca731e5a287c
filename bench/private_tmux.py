"""A private tmux server for benchmarks, stopped afterwards."""

import contextlib
import statistics
import subprocess
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from terminals.tmux.driver import Tmux


@dataclass(frozen=True)
class Bench:
    socket: str
    tmux: Tmux

    def cli(self, *arguments: str) -> str:
        """Fork a tmux process, as most programs do."""
        command = ["tmux", "-S", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@contextlib.asynccontextmanager
async def private_tmux() -> AsyncIterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="wtb") as directory:
        socket = f"{directory}/s"
        bench = Bench(socket, Tmux(socket=socket))
        bench.cli("new-session", "-d", "-s", "bench", "-x", "120", "-y", "40", "exec sh")
        await bench.tmux.start()
        try:
            yield bench
        finally:
            await bench.tmux.stop()
            bench.cli("kill-server")


def ms(seconds: Sequence[float]) -> str:
    """p50 and p99 of some timings."""
    ordered = sorted(second * 1000 for second in seconds)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"p50 {statistics.median(ordered):8.3f} ms   p99 {p99:8.3f} ms   n {len(ordered)}"
