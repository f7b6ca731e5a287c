"""Combines two versions of the same notes so that no line of either is lost. Pure.

Not a three-way merge: lines that only we have are appended.
"""

from collections import Counter


def append_missing(*, base: str, ours: str, theirs: str) -> str:
    """`base` is the last common text. Where both sides have changed, our lines are appended."""
    if not ours.strip() or ours in (base, theirs):
        return theirs
    if not theirs.strip() or theirs == base:
        return ours
    missing = _missing(ours, theirs)
    return "\n".join([theirs.rstrip("\n"), *missing]) if missing else theirs


def _missing(ours: str, theirs: str) -> list[str]:
    """The lines that only we have. One that we have twice and they once is missing once."""
    remaining = Counter(theirs.splitlines())
    missing = []
    for line in ours.splitlines():
        if remaining[line]:
            remaining[line] -= 1
        elif line.strip():
            missing.append(line)
    return missing
