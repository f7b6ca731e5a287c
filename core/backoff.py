"""Growing pauses after failed attempts, by key: an address, an account. In memory and bounded.

An attempt counts as failed from its start and is forgotten when it succeeds, so parallel attempts
gain nothing. Safe to use from threads. Pure.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

MOST_KEYS = 4096  # with more, the key that failed least recently is forgotten


@dataclass(frozen=True, slots=True)
class Pauses:
    free: int  # attempts without a pause
    first: float  # seconds; doubled with every further attempt
    longest: float
    forget: float  # seconds without an attempt after which a key is forgotten

    def after(self, attempts: int) -> float:
        """The pause after this many attempts."""
        beyond = attempts - self.free
        return 0.0 if beyond < 0 else min(self.first * 2.0 ** min(beyond, 60), self.longest)


class Attempts:
    def __init__(
        self,
        pauses: Pauses,
        *,
        most_keys: int = MOST_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pauses, self._most_keys, self._clock = pauses, most_keys, clock
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, key: str) -> float:
        """Seconds until the next attempt is allowed; 0: now."""
        with self._lock:
            return self._wait(key)

    def begin(self, key: str) -> float:
        """As `wait`; an attempt that is allowed counts as failed from now on."""
        with self._lock:
            if wait := self._wait(key):
                return wait
            count, _ = self._failed.get(key, (0, 0.0))
            self._failed[key] = (count + 1, self._clock())
            self._failed.move_to_end(key)
            while len(self._failed) > self._most_keys:
                self._failed.popitem(last=False)
            return 0.0

    def succeed(self, key: str) -> None:
        with self._lock:
            self._failed.pop(key, None)

    def _wait(self, key: str) -> float:
        if key not in self._failed:
            return 0.0
        count, last_attempt = self._failed[key]
        passed = self._clock() - last_attempt
        if passed > self._pauses.forget:
            del self._failed[key]
            return 0.0
        return max(0.0, self._pauses.after(count) - passed)
