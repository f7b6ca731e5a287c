"""`make soak-delivery`: prompts to every fake agent with every fault, compared with their logs."""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.private_tmux import private_tmux  # noqa: E402
from tests.agents import deliveries  # noqa: E402

PROMPTS = 2000
LONGEST_SECONDS = 3600.0


async def soak(prompts: int) -> int:
    """How many went wrong. The same number to each pair of fault and fake."""
    pairs = list(deliveries.combinations())
    each = -(-prompts // len(pairs))
    began = time.monotonic()
    async with private_tmux() as bench:
        with tempfile.TemporaryDirectory(prefix="wtd") as directory:
            tallies = await deliveries.soak_all(bench.tmux, Path(directory), prompts=each)
    print("\n".join(deliveries.table(tallies)))
    told = list(tallies.values())
    ok, failed = sum(tally.ok for tally in told), sum(tally.failed for tally in told)
    print(
        f"\n{ok + failed} prompts in {time.monotonic() - began:.0f} s: {ok} ok, {failed} not ok\n"
        f"lost in silence {sum(tally.lost for tally in told)}, "
        f"twice {sum(tally.twice for tally in told)}, "
        f"altered {sum(tally.altered for tally in told)}, "
        f"stray keys {sum(tally.stray for tally in told)}, "
        f"sent though said not to be {sum(tally.denied for tally in told)}"
    )
    return sum(tally.wrong for tally in told)


async def main() -> int:
    prompts = int(sys.argv[1]) if len(sys.argv) > 1 else PROMPTS
    return await asyncio.wait_for(soak(prompts), LONGEST_SECONDS)


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(main()) else 0)
