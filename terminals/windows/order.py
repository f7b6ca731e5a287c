"""The order of the windows of a session. Pure."""

from collections.abc import Sequence


def windows_to_pass(order: Sequence[str], window: str, other: str, *, after: bool) -> list[str]:
    """The neighbours that `window` has to pass, nearest first, to be before or after `other`."""
    start, end = order.index(window), order.index(other)
    if start < end:
        return list(order[start + 1 : end + after])
    return list(reversed(order[end + after : start]))
