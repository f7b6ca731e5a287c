"""Which task of a rewritten body is which of the body before, so that keys are kept.

Pure. And the lines that make a change readable.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from difflib import SequenceMatcher

# Beyond, comparing every line with every other takes seconds.
DIFF_LIMIT = 2000
LINES_LIMIT = 20_000
CUT = "…"


def carry(keys: Sequence[str], before: Sequence[str], after: Sequence[str]) -> list[str | None]:
    """For each text of `after` the key of the task it was; None for a new one.

    The same text keeps its key wherever it went; among the others, those that stand where as many
    were before are taken for renamed.
    """
    kept: list[str | None] = [None] * len(after)
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, text in enumerate(before):
        waiting[text].append(place)
    taken = set()
    for place, text in enumerate(after):
        if waiting[text]:
            taken.add(old := waiting[text].popleft())
            kept[place] = keys[old]
    _pair_renamed(kept, keys, taken)
    return kept


def _pair_renamed(kept: list[str | None], keys: Sequence[str], taken: set[int]) -> None:
    """A task without a pair, between the same two neighbours as one that lost its own."""
    place_of = {key: place for place, key in enumerate(keys)}
    for place, key in enumerate(kept):
        if key is not None:
            continue
        above = kept[place - 1] if place else None
        old = place_of[above] + 1 if above is not None else 0 if place == 0 else None
        if old is not None and old < len(keys) and old not in taken:
            kept[place] = keys[old]
            taken.add(old)


def difference(before: str, after: str) -> str:
    """The lines that went (`- `) and came (`+ `), at most LINES_LIMIT characters."""
    old, new = before.splitlines(), after.splitlines()
    start = _shared(old, new)
    old, new = old[start:], new[start:]
    end = _shared(old[::-1], new[::-1])
    old, new = old[: len(old) - end], new[: len(new) - end]
    told = "\n".join(_compare(old, new))
    return told if len(told) <= LINES_LIMIT else told[: LINES_LIMIT - 1] + CUT


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _compare(old: Sequence[str], new: Sequence[str]) -> list[str]:
    if len(old) > DIFF_LIMIT or len(new) > DIFF_LIMIT:
        return [f"- {len(old)} lines", f"+ {len(new)} lines"]
    told = []
    for kind, start, end, from_, to in SequenceMatcher(None, old, new, False).get_opcodes():
        if kind != "equal":
            told += [f"- {line}" for line in old[start:end]]
            told += [f"+ {line}" for line in new[from_:to]]
    return told
