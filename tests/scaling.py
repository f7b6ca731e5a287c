"""Whether the time of a function grows about linearly with its input: for tests of parsers.

Compares processor times of the same function, never a time with a number of seconds: a slow or busy
machine changes both. Times below `FLOOR` are rounding.
"""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

FACTOR = 8
MOST = 3 * FACTOR  # a quadratic function takes FACTOR * FACTOR times as long
FLOOR = 0.004  # seconds


def grows_linearly(function: Callable[[T], object], make: Callable[[int], T], size: int) -> bool:
    """`make(n)` gives an input of size n; compares `size` with `FACTOR * size`."""
    small, large = make(size), make(FACTOR * size)
    for _ in range(3):  # a garbage collection may fall into one of them
        if _seconds(function, large) <= FLOOR + MOST * _seconds(function, small):
            return True
    return False


def _seconds(function: Callable[[T], object], value: T) -> float:
    began = time.thread_time()
    function(value)
    return time.thread_time() - began
