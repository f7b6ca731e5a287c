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
from tests.agents.delivery import deliveries  # noqa: E402

PROMPTS = 2000
LONGEST_SECONDS = 3600.0


async def soak(prompts: int) -> int:
    """The number of failures. Each pair of fault and fake agent gets the same number of prompts."""
    pairs = list(deliveries.combinations())
    each = -(-prompts // len(pairs))
    began = time.monotonic()
    async with private_tmux() as bench:
        with tempfile.TemporaryDirectory(prefix="wtd") as directory:
            tallies = await deliveries.soak_all(bench.tmux, Path(directory), prompts=each)
    print("\n".join(deliveries.table(tallies)))
    results = list(tallies.values())
    ok, failed = sum(tally.ok for tally in results), sum(tally.failed for tally in results)
    print(
        f"\n{ok + failed} prompts in {time.monotonic() - began:.0f} s: {ok} ok, {failed} not ok\n"
        f"lost silently {sum(tally.lost for tally in results)}, "
        f"twice {sum(tally.twice for tally in results)}, "
        f"altered {sum(tally.altered for tally in results)}, "
        f"stray keys {sum(tally.stray for tally in results)}, "
        f"sent but reported as failed {sum(tally.denied for tally in results)}"
    )
    return sum(tally.wrong for tally in results)


async def main() -> int:
    prompts = int(sys.argv[1]) if len(sys.argv) > 1 else PROMPTS
    return await asyncio.wait_for(soak(prompts), LONGEST_SECONDS)


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(main()) else 0)
