"""The worker that records what is said in windows: what is submitted, and what they show.

Not how: keystrokes.py hears what is typed, pictures.py looks. Supervised by config/process.py.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from agents.keystrokes import Keystrokes
from agents.pictures import Pictures
from agents.recorded import Memory
from terminals.errors import TmuxAway, TmuxFailed
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.workers import wait_for

log = logging.getLogger(__name__)

SETTLE_SECONDS = 0.4  # a window that shows the same for so long has settled
POLL_SECONDS = 1.0  # tmux tells when a window printed in whole seconds


@contextlib.asynccontextmanager
async def recording(tmux: Tmux) -> AsyncIterator[tuple[Memory, Pictures]]:
    """While the context lasts, every line that is submitted to the server is recorded."""
    memory = Memory(tmux)
    pictures = Pictures(tmux, memory)
    keystrokes = Keystrokes(tmux, memory, pictures)
    tmux.observers.append(keystrokes.hear)
    try:
        yield memory, pictures
    finally:
        tmux.observers.remove(keystrokes.hear)
        await keystrokes.close()


async def record_chat(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Until `stop`. Windows that nobody uses and that print nothing are not looked at."""
    tmux = runtime.main
    async with recording(tmux) as (memory, pictures):
        with tmux.watching() as changed:
            while not stop.is_set():
                if changed.is_set():
                    changed.clear()
                    memory.forget_windows()
                memory.stirred.clear()
                await look_once(pictures)
                await _pause(memory, stop)


async def look_once(pictures: Pictures) -> None:
    try:
        await pictures.look()
    except TmuxAway:
        return  # it is looked for again in a moment
    except TmuxFailed as failure:
        log.warning("tmux did not show a window: %s", failure.message)


async def _pause(memory: Memory, stop: asyncio.Event) -> None:
    if memory.active:
        await wait_for(stop, seconds=SETTLE_SECONDS)
    elif await wait_for(stop, memory.stirred, seconds=POLL_SECONDS) is memory.stirred:
        await wait_for(stop, seconds=SETTLE_SECONDS / 4)  # for the first of what it prints
