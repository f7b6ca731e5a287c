"""The workers that follow tmux: one synchronises the rows, one refreshes the state for pages.

Rows are written by windows/sync.py. config/server/lifecycle.py starts and supervises the workers.
"""

import asyncio
import logging

from core import events
from core.errors import TmuxAway, TmuxFailed
from core.workers import wait_for
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.windows import sync
from terminals.windows.workspace import WORKSPACE

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0  # for changes without a notification, and for rows changed by other processes
SETTLE_SECONDS = 0.05  # notifications come in bursts: one synchronisation for all of them
REFRESH_SECONDS = 1.0  # tmux does not notify of a changed title, directory or process
AWAY_SECONDS = 1.0  # our connection may be lost and restored while tmux keeps running


async def track_windows(tmux: Tmux, *, stop: asyncio.Event) -> None:
    """Runs until `stop`. A tmux that goes away or returns is a change like any other."""
    with tmux.watching() as changed:
        while not stop.is_set():
            changed.clear()
            await sync_once(tmux, changed, stop)
            if await wait_for(stop, changed, seconds=POLL_SECONDS) is changed:
                await wait_for(stop, seconds=SETTLE_SECONDS)


async def sync_once(tmux: Tmux, changed: asyncio.Event, stop: asyncio.Event) -> None:
    try:
        await sync.sync(tmux)
    except TmuxAway:
        if await wait_for(stop, changed, seconds=AWAY_SECONDS) is None:
            await sync.mark_all_gone(tmux)
    except TmuxFailed as failure:
        log.warning("cannot list tmux's windows: %s", failure.message)


async def watch_workspace(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Runs until `stop`. tmux is queried only while a socket is subscribed."""
    with runtime.main.watching() as changed:
        while not stop.is_set():
            changed.clear()
            try:
                if events.may_have_listeners(WORKSPACE):
                    await runtime.workspace.refresh()
            except TmuxFailed as failure:
                log.warning("cannot read tmux's state: %s", failure.message)
            if await wait_for(stop, changed, seconds=REFRESH_SECONDS) is changed:
                await wait_for(stop, seconds=SETTLE_SECONDS)
