"""Which task of a rewritten body is which of the body before, so that it keeps its key.

Pure. And the lines that make a change readable.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from difflib import SequenceMatcher

# Beyond, comparing every line with every other takes seconds.
DIFF_LIMIT = 2000
LINES_LIMIT = 20_000
CUT = "…"


def carry(before: Sequence[str], after: Sequence[str]) -> list[int | None]:
    """For each text of `after` its place among `before`; None for a new one.

    The same text is the same task wherever it went. Of the others, one that follows the same task
    as before is taken for renamed.
    """
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for index, text in enumerate(before):
        waiting[text].append(index)
    places = [_first(waiting[text]) for text in after]
    free = set(range(len(before))) - set(places)
    wanted: int | None = 0  # where the task below the one above stood
    for number, place in enumerate(places):
        if place is None and wanted is not None and wanted in free:
            free.remove(wanted)
            places[number] = place = wanted
        wanted = None if place is None else place + 1
    return places


def _first(places: "deque[int]") -> int | None:
    return places.popleft() if places else None


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
