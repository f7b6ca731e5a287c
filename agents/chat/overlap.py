"""Finds where a new screen continues the text that earlier screens have shown.

Pure. A screen shows the end of a growing text, whose last lines may still change. Lines repeat, so
the position is found by matching lines, by row number, and by lines that must be new.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

SKIPPED = 6  # first lines of a screen that may have changed: half a line, a title with a clock
SURE = 3  # lines with text that must match if others are skipped
LOST = 24  # last lines of the text that may have been redrawn: a table, a list of tools


@dataclass(frozen=True, slots=True)
class Overlap:
    index: int  # the line of the text that equals the first line of the screen after `skipped`
    skipped: int = 0  # first lines of the screen to ignore


@dataclass(frozen=True, slots=True)
class _Fit:
    index: int
    skipped: int
    same: int  # equal lines
    matched: int  # equal lines with text
    lost: int  # lines of the text that the screen shows differently


def find(
    text: Sequence[str],
    screen: Sequence[str],
    *,
    row: int | None = None,
    is_new: Callable[[Sequence[str]], bool] = lambda lines: True,
) -> Overlap:
    """`row`: the expected index by row number. `is_new`: a condition on the added lines."""
    for skipped in range(min(SKIPPED, len(screen))):
        fits = _fits(text, screen[skipped:], skipped)
        if not fits:
            continue
        wanted = [fit for fit in fits if is_new(_added(fit, text, screen))] or fits
        best = max(wanted, key=lambda fit: _worth(fit, row))
        return Overlap(best.index, best.skipped)
    return Overlap(len(text))


def _worth(fit: _Fit, row: int | None) -> tuple[int, int, int]:
    """Prefer the expected row if it is known, then the most matching and fewest lost lines."""
    near = -abs(fit.index - fit.skipped - row) if row is not None else 0
    return near, fit.matched - fit.lost, -fit.index


def _added(fit: _Fit, text: Sequence[str], screen: Sequence[str]) -> Sequence[str]:
    return screen[fit.skipped + fit.same :]


def _fits(text: Sequence[str], screen: Sequence[str], skipped: int) -> list[_Fit]:
    first = max(0, len(text) - len(screen) - LOST)
    texts = [0, *accumulate(map(bool, screen))]  # the number of lines with text among the first n
    runs = enumerate(_runs(text[first:], screen), first)
    fits = (_fit(text, screen, index, skipped, same, texts[same]) for index, same in runs)
    return [fit for fit in fits if fit is not None]


def _fit(
    text: Sequence[str], screen: Sequence[str], index: int, skipped: int, same: int, matched: int
) -> _Fit | None:
    lost = len(text) - index - same
    if lost == 1 and _grows(text[-1], screen[same:]):
        matched, lost = matched + 1, 0
    if matched < (SURE if skipped else 1) or lost > min(LOST, 4 * matched):
        return None
    return _Fit(index, skipped, same, matched, lost)


def _runs(text: Sequence[str], screen: Sequence[str]) -> list[int]:
    """For each line of the text, how many lines from there on equal the first lines of the screen.

    The Z algorithm, linear in both lengths: a program may print the same line forever.
    """
    lines: list[str | None] = [*screen, None, *text]
    runs, left, right = [0] * len(lines), 0, 0  # lines[left:right] equals the beginning
    for index in range(1, len(lines)):
        same = min(right - index, runs[index - left]) if index < right else 0
        while index + same < len(lines) and lines[same] == lines[index + same]:
            same += 1
        if index + same > right:
            left, right = index, index + same
        runs[index] = same
    return runs[len(screen) + 1 :]


def _grows(last: str, screen: Sequence[str]) -> bool:
    """Whether the last line of the text was incomplete, such as a prompt."""
    return bool(last) and bool(screen) and screen[0].startswith(last)
