"""Logs requests that the gate refuses: one line each, and a summary for floods."""

import logging
import time
from collections.abc import Callable

from config.gate.refusals import Refusal
from config.gate.request import Call

logger = logging.getLogger(__name__)

LINES = 5  # for one reason and address within a window
WINDOW_SECONDS = 60.0
MOST_KEYS = 1000  # with more, further addresses are counted together
PATH_SHOWN = 100
OTHERS = "other addresses"


class RefusalLog:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: dict[tuple[str, str], int] = {}
        self._since = clock()

    def note(self, call: Call, refusal: Refusal, address: str) -> None:
        if refusal.status < 400:
            return
        if self._clock() - self._since >= WINDOW_SECONDS:
            self._summarise()
        key = (refusal.code, address)
        if key not in self._counts and len(self._counts) >= MOST_KEYS:
            key = (refusal.code, OTHERS)
        self._counts[key] = count = self._counts.get(key, 0) + 1
        if count <= LINES:
            # Without the query, which may contain a secret.
            logger.warning(
                "refused %s %.*r from %s: %d, %s",
                call.method,
                PATH_SHOWN,
                call.path,
                address,
                refusal.status,
                refusal.message,
            )

    def _summarise(self) -> None:
        """Summarise the last window; called at the first refusal after it."""
        hidden = {key: count - LINES for key, count in self._counts.items() if count > LINES}
        for (code, address), more in sorted(hidden.items(), key=lambda item: -item[1])[:LINES]:
            logger.warning("refused %d more requests from %s: %s", more, address, code)
        if len(hidden) > LINES:
            logger.warning("refused floods of requests from %d sources in all", len(hidden))
        self._counts, self._since = {}, self._clock()
