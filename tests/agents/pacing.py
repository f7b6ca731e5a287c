"""Makes deliveries independent of the machine's speed: their clock slows down with the machine.

A delivery gives up after a number of milliseconds, and so does an answer. On a loaded machine a
fake agent may need longer than that to read a key and paint. Here the time between two captures of
a pane counts at most `LONGEST_STEP_MS`, so that a time-out always means a number of captures. Each
capture needs an answer from tmux: if the machine stalls, so does the clock.
"""

from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

import pytest

from agents.delivery import answers, runner
from agents.delivery.runner import PaneReading, ScreenReader
from agents.delivery.settings import CheckedPrompt, DeliverySettings
from agents.delivery.state_machine import PromptDelivery

LONGEST_STEP_MS = 60.0  # on an idle machine a capture takes 2 ms, and the pause after it 40 ms
LONGEST_SECONDS = 600.0  # of a delivery, on the real clock
QUICK_ENTER_MS = 50


@pytest.fixture
def paced_deliveries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    clocks: WeakKeyDictionary[ScreenReader, tuple[float, float]] = WeakKeyDictionary()
    read = ScreenReader.read

    async def paced_read(reader: ScreenReader) -> PaneReading:
        reading = await read(reader)
        real = reading.observation.timestamp
        last_real, last_paced = clocks.get(reader, (real, real))
        paced = last_paced + min(real - last_real, LONGEST_STEP_MS)
        clocks[reader] = real, paced
        return replace(reading, observation=replace(reading.observation, timestamp=paced))

    with monkeypatch.context() as patch:
        patch.setattr(ScreenReader, "read", paced_read)
        patch.setattr(runner, "DELIVERY_LIMIT_SECONDS", LONGEST_SECONDS)
        patch.setattr(answers, "ANSWER_LIMIT_SECONDS", LONGEST_SECONDS)
        yield


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deliveries press Enter again after a moment, for fakes that ignore Enter. With the times of
    the rules files each such delivery takes 3.5 seconds.
    """

    def quick(settings: DeliverySettings, prompt: CheckedPrompt) -> PromptDelivery:
        return PromptDelivery(replace(settings, enter_settle_ms=QUICK_ENTER_MS), prompt)

    monkeypatch.setattr(runner, "PromptDelivery", quick)
