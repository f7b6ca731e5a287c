"""The workers that follow tmux: one keeps the facts true, one tells pages what is shown.

Not where rows are written: that is facts.py. They are started and supervised by config/process.py.
"""

import asyncio
import logging

from terminals import facts, live
from terminals.errors import TmuxAway, TmuxFailed
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.workspace import WORKSPACE

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0  # for what no notice tells, and for rows that somebody else changed
SETTLE_SECONDS = 0.05  # notices come in bursts: one look for all of them
LOOK_SECONDS = 1.0  # a title, a directory, a process: nothing tells that they have changed
AWAY_SECONDS = 1.0  # our connection may be lost and made again while tmux lives on


async def track_windows(tmux: Tmux, *, stop: asyncio.Event) -> None:
    """Until `stop`. A tmux that goes away or returns is a change like any other."""
    with tmux.watching() as changed:
        while not stop.is_set():
            changed.clear()
            await look_once(tmux, changed, stop)
            if await wait_for(stop, changed, seconds=POLL_SECONDS) is changed:
                await wait_for(stop, seconds=SETTLE_SECONDS)


async def look_once(tmux: Tmux, changed: asyncio.Event, stop: asyncio.Event) -> None:
    try:
        await facts.look(tmux)
    except TmuxAway:
        if await wait_for(stop, changed, seconds=AWAY_SECONDS) is None:
            await facts.mark_all_gone(tmux)
    except TmuxFailed as failure:
        log.warning("tmux did not tell its windows: %s", failure.message)


async def watch_workspace(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Until `stop`; tmux is asked only while somebody listens."""
    with runtime.main.watching() as changed:
        while not stop.is_set():
            changed.clear()
            try:
                if live.may_be_heard(WORKSPACE):
                    await runtime.workspace.look()
            except TmuxFailed as failure:
                log.warning("tmux did not tell what it shows: %s", failure.message)
            if await wait_for(stop, changed, seconds=LOOK_SECONDS) is changed:
                await wait_for(stop, seconds=SETTLE_SECONDS)


async def wait_for(*events: asyncio.Event, seconds: float) -> asyncio.Event | None:
    """The first of the events that is set, at most `seconds`."""
    waits = {asyncio.ensure_future(event.wait()): event for event in events}
    try:
        done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    return next((event for wait, event in waits.items() if wait in done), None)
