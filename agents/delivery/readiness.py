"""Waits until an agent that was started a moment ago shows its composer, or asks something.

The wait is outside of the delivery, which locks the pane: the user may have to type there, for
example to log in.
"""

import asyncio
import time

from agents.delivery.runner import ScreenReader
from agents.registry import Agent
from agents.runtimes.loader import Rules
from agents.witnesses import processes
from core.errors import NotFound
from terminals.tmux.driver import Tmux

STARTING_SECONDS = 90.0  # from the start of the process
STILL_SECONDS = 8.0  # a screen with text that does not change so long is not that of a start
POLL_SECONDS = 0.2


async def wait_until_ready(*, tmux: Tmux, agent: Agent, rules: Rules) -> None:
    """Returns also if it is not ready in time: the delivery reads the screen again, and says why
    nothing can be typed."""
    deadline = processes.started(agent.pid) + STARTING_SECONDS
    screen = ScreenReader(tmux, agent.pane_id, rules)
    shown, shown_since, composer_since = "", time.monotonic(), 0.0
    while time.time() < deadline:
        try:
            observation = (await screen.read()).observation
        except NotFound:
            return
        if observation.waiting or observation.working:
            return
        if observation.composer is None:
            composer_since = 0.0
        else:
            composer_since = composer_since or time.monotonic()
            if (time.monotonic() - composer_since) * 1000 >= rules.delivery.opens_ms:
                return
        if observation.above != shown:
            shown, shown_since = observation.above, time.monotonic()
        if shown.strip() and time.monotonic() - shown_since > STILL_SECONDS:
            return
        await asyncio.sleep(POLL_SECONDS)
        if not processes.started(agent.pid):
            return
