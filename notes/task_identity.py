"""Which task of a rewritten body is which task of the old body, so that tasks keep their keys.

Pure. Also renders the difference of two bodies for the history.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from difflib import SequenceMatcher

# Comparing more lines than this with each other takes seconds.
DIFF_LINES_LIMIT = 2000
DIFF_LENGTH_LIMIT = 20_000
ELLIPSIS = "…"


def match_tasks(before: Sequence[str], after: Sequence[str]) -> list[int | None]:
    """For each text of `after` its index in `before`, or None for a new task.

    Equal texts are the same task, wherever it moved. Of the others, a task that follows the same
    task as before counts as renamed.
    """
    unmatched: defaultdict[str, deque[int]] = defaultdict(deque)
    for index, text in enumerate(before):
        unmatched[text].append(index)
    origins = [unmatched[text].popleft() if unmatched[text] else None for text in after]
    free = set(range(len(before))) - set(origins)
    expected: int | None = 0  # the old index of the task that followed the previous one
    for index, origin in enumerate(origins):
        if origin is None and expected is not None and expected in free:
            free.remove(expected)
            origins[index] = origin = expected
        expected = None if origin is None else origin + 1
    return origins


def diff(before: str, after: str) -> str:
    """Removed (`- `) and added (`+ `) lines, at most DIFF_LENGTH_LIMIT characters."""
    old, new = before.splitlines(), after.splitlines()
    start = _common_prefix(old, new)
    old, new = old[start:], new[start:]
    end = _common_prefix(old[::-1], new[::-1])
    old, new = old[: len(old) - end], new[: len(new) - end]
    text = "\n".join(_compare(old, new))
    return text if len(text) <= DIFF_LENGTH_LIMIT else text[: DIFF_LENGTH_LIMIT - 1] + ELLIPSIS


def _common_prefix(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count


def _compare(old: Sequence[str], new: Sequence[str]) -> list[str]:
    if len(old) > DIFF_LINES_LIMIT or len(new) > DIFF_LINES_LIMIT:
        return [f"- {len(old)} lines", f"+ {len(new)} lines"]
    lines = []
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            lines += [f"- {line}" for line in old[start:end]]
            lines += [f"+ {line}" for line in new[new_start:new_end]]
    return lines
