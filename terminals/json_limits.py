"""How much structure a JSON text may have, found out without parsing it. Pure.

A parser takes a second for four megabytes of `[],[],…` and holds the event loop meanwhile; one long
string of that size takes some milliseconds. Depth is the parsers' own matter: they refuse it early.
"""

from terminals.errors import Invalid

# Shorter texts cannot hold enough to matter.
CHECKED_LENGTH = 64 * 1024
MOST_VALUES = 20_000


def check_structure(data: bytes) -> None:
    """Whole searches of bytes only: a few milliseconds for four megabytes of anything."""
    if len(data) < CHECKED_LENGTH:
        return
    unescaped = data.replace(rb"\\", b"").replace(rb"\"", b"")
    if unescaped.count(b'"') <= 2 * MOST_VALUES:
        outside = b"".join(unescaped.split(b'"')[::2])
        if sum(map(outside.count, (b",", b"[", b"{"))) <= MOST_VALUES:
            return
    raise Invalid(f"the JSON has more than {MOST_VALUES} values: send it in parts")
