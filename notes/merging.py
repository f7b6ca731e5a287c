"""Two versions of the same notes made one, so that no line of either is lost. Pure."""

from collections import Counter


def merge(*, base: str, ours: str, theirs: str) -> str:
    """`base`: what both had in common last. Where both have changed since, ours goes below."""
    if not ours.strip() or ours in (base, theirs):
        return theirs
    if not theirs.strip() or theirs == base:
        return ours
    missing = _missing(ours, theirs)
    return "\n".join([theirs.rstrip("\n"), *missing]) if missing else theirs


def _missing(ours: str, theirs: str) -> list[str]:
    """The lines that only we have; one that we have twice and they once is missing once."""
    there = Counter(theirs.splitlines())
    missing = []
    for line in ours.splitlines():
        if there[line]:
            there[line] -= 1
        elif line.strip():
            missing.append(line)
    return missing
