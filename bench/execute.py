"""`make soak-execute`: 300 random commands in each shell, compared with subprocess."""

import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

from bench.private_tmux import Bench, ms, private_tmux
from terminals.tmux.execution.execute import Executor
from tests.terminals.tmux.execution.random_commands import SHELLS, expected, random_cases

COMMANDS = 300
TRUES = 100


async def soak(bench: Bench, shell: str, directory: Path) -> int:
    """The number of wrong results."""
    session = await bench.tmux.new_session(
        shell, command=f"exec {SHELLS[shell]}", env={"HOME": str(directory)}, cwd=str(directory)
    )
    executor, wrong = Executor(bench.tmux), 0
    for case in random_cases(shell, COMMANDS, seed=42):
        result = await executor.execute(session.pane_id, case.command, seconds=30)
        if (result.output, result.exit_code) != expected(shell, case, directory):
            wrong += 1
            print(f"  wrong in {shell}: {case.command[:80]!r} -> {result.output[:80]!r}")
    times = []
    for _ in range(TRUES):
        began = time.perf_counter()
        await executor.execute(session.pane_id, "true")
        times.append(time.perf_counter() - began)
    print(f"  {shell:6}{COMMANDS - wrong}/{COMMANDS} exact   true: {ms(times)}")
    return wrong


async def main() -> int:
    wrong = 0
    async with private_tmux() as bench:
        with tempfile.TemporaryDirectory() as directory:
            for shell in SHELLS:
                if shutil.which(shell):
                    wrong += await soak(bench, shell, Path(directory))
    return wrong


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(main()) else 0)
