"""Where a new picture continues what was seen before: overlapping pictures become one text.

Pure. A picture shows the end of a text that grows; its last lines may still change. Lines repeat,
so the place is found by what matches, by the row it was taken at, and by what must be new in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

SKIPPED = 6  # first lines of a picture that may have changed: half a line, a title with a clock
SURE = 3  # lines with text that must be the same where others are skipped
LOST = 24  # last lines of the text that may have been drawn anew: a table, a list of tools


@dataclass(frozen=True, slots=True)
class Place:
    at: int  # the line of the text that the picture's first counted line is
    skipped: int = 0  # lines of the picture that do not count


@dataclass(frozen=True, slots=True)
class _Fit:
    at: int
    skipped: int
    same: int  # lines that are the same
    matched: int  # those of them with text
    lost: int  # lines of the text that the picture shows otherwise


def place(
    text: Sequence[str],
    picture: Sequence[str],
    *,
    row: int | None = None,
    is_new: Callable[[Sequence[str]], bool] = lambda lines: True,
) -> Place:
    """`row`: where it should be by its number; `is_new`: what lines that are added must hold."""
    for skipped in range(min(SKIPPED, len(picture))):
        fits = _fits(text, picture[skipped:], skipped)
        if not fits:
            continue
        wanted = [fit for fit in fits if is_new(_added(fit, text, picture))] or fits
        best = max(wanted, key=lambda fit: _worth(fit, row))
        return Place(best.at, best.skipped)
    return Place(len(text))


def _worth(fit: _Fit, row: int | None) -> tuple[int, int, int]:
    """By its number where that is known; else the one that repeats most and loses least."""
    near = -abs(fit.at - fit.skipped - row) if row is not None else 0
    return near, fit.matched - fit.lost, -fit.at


def _added(fit: _Fit, text: Sequence[str], picture: Sequence[str]) -> Sequence[str]:
    return picture[fit.skipped + fit.same :]


def _fits(text: Sequence[str], picture: Sequence[str], skipped: int) -> list[_Fit]:
    first = max(0, len(text) - len(picture) - LOST)
    texts = [0, *accumulate(map(bool, picture))]  # lines with text among the first so many
    runs = enumerate(_runs(text[first:], picture), first)
    found = (_fit(text, picture, at, skipped, same, texts[same]) for at, same in runs)
    return [fit for fit in found if fit is not None]


def _fit(
    text: Sequence[str], picture: Sequence[str], at: int, skipped: int, same: int, matched: int
) -> _Fit | None:
    lost = len(text) - at - same
    if lost == 1 and _grows(text[-1], picture[same:]):
        matched, lost = matched + 1, 0
    if matched < (SURE if skipped else 1) or lost > min(LOST, 4 * matched):
        return None
    return _Fit(at, skipped, same, matched, lost)


def _runs(text: Sequence[str], picture: Sequence[str]) -> list[int]:
    """For each line of the text, how many lines from there on are the first of the picture.

    The Z algorithm, in time linear in both: a program may print the same line for ever.
    """
    lines: list[str | None] = [*picture, None, *text]
    runs, left, right = [0] * len(lines), 0, 0  # lines[left:right] equals the beginning
    for at in range(1, len(lines)):
        same = min(right - at, runs[at - left]) if at < right else 0
        while at + same < len(lines) and lines[same] == lines[at + same]:
            same += 1
        if at + same > right:
            left, right = at, at + same
        runs[at] = same
    return runs[len(picture) + 1 :]


def _grows(last: str, picture: Sequence[str]) -> bool:
    """The last line of the text may have been half of one, such as a prompt."""
    return bool(last) and bool(picture) and picture[0].startswith(last)
