"""The worker that records the chat of windows: submitted lines and what the windows show.

input_recorder.py records submitted lines, screen_recorder.py what windows show. The worker is
started and supervised by config/server/lifecycle.py.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from agents.chat.input_recorder import InputRecorder
from agents.chat.pane_state import RecorderState
from agents.chat.screen_recorder import ScreenRecorder
from core.errors import TmuxAway, TmuxFailed
from core.workers import wait_for
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux

log = logging.getLogger(__name__)

SETTLE_SECONDS = 0.4  # a window that has not changed for this long has settled
POLL_SECONDS = 1.0  # tmux reports the last output of a window in whole seconds


@contextlib.asynccontextmanager
async def recording(tmux: Tmux) -> AsyncIterator[tuple[RecorderState, ScreenRecorder]]:
    """Record every line that is submitted to this tmux server while the context is open."""
    state = RecorderState(tmux)
    screens = ScreenRecorder(tmux, state)
    inputs = InputRecorder(tmux, state, screens)
    tmux.observers.append(inputs.on_input)
    try:
        yield state, screens
    finally:
        tmux.observers.remove(inputs.on_input)
        await inputs.close()


async def record_chat(runtime: Runtime, *, stop: asyncio.Event) -> None:
    """Run until `stop` is set. Only windows that have printed are captured."""
    tmux = runtime.main
    async with recording(tmux) as (state, screens):
        with tmux.watching() as changed:
            while not stop.is_set():
                if changed.is_set():
                    changed.clear()
                    state.forget_windows()
                state.input_event.clear()
                await capture_once(screens)
                await _pause(state, stop)


async def capture_once(screens: ScreenRecorder) -> None:
    try:
        await screens.capture_active_windows()
    except TmuxAway:
        return  # the next round tries again
    except TmuxFailed as failure:
        log.warning("could not capture a window: %s", failure.message)


async def _pause(state: RecorderState, stop: asyncio.Event) -> None:
    if state.active:
        await wait_for(stop, seconds=SETTLE_SECONDS)
    elif await wait_for(stop, state.input_event, seconds=POLL_SECONDS) is state.input_event:
        await wait_for(
            stop, seconds=SETTLE_SECONDS / 4
        )  # gives the program time to print something
