"""Whether a prompt stands in an agent's input box, judged by what the screen shows of it.

Pure, and nothing about agents' states: that is states.py. A composer wraps, scrolls, pads and folds
what is in it, so texts are compared by their letters: what is neither blank, mark nor control.
"""

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher

TAIL = 24  # letters at the end of a prompt that tell it from any other text on the screen
COMPARED = 160  # letters that are compared in order where some may be shown as others
NEAR = 0.8  # of a prompt's letters: what a terminal without some glyphs still shows
SHOWN_LIMIT = 200  # characters of a composer that are told to the caller
_DROPPED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me", "Mc"})


def letters(text: str) -> str:
    if text.isascii():
        return "".join(text.split())
    return "".join(char for char in text if unicodedata.category(char) not in _DROPPED)


def unfold(composer: str, folds: re.Pattern[str] | None) -> tuple[str, bool]:
    """The letters without the labels that stand for a long paste, and whether there were any."""
    there = letters(composer)
    if folds is None:
        return there, False
    plain, count = folds.subn("", there)
    return plain, count > 0


def fold_pattern(pattern: str) -> re.Pattern[str] | None:
    """Blanks do not count in it: a label may be wrapped anywhere."""
    return re.compile(pattern.replace(" ", "")) if pattern else None


def stands(
    composer: str, prompt: str, folds: re.Pattern[str] | None, *, whole: bool = False
) -> bool:
    """The prompt or a label, and nothing before it; if not `whole`, its end in one that scrolls."""
    wanted = letters(prompt)
    there, folded = unfold(composer, folds)
    if folded:
        return wanted.endswith(there)
    if whole or len(there) < min(len(wanted), TAIL):
        return there == wanted
    return wanted.endswith(there)


def is_folded(composer: str, folds: re.Pattern[str] | None) -> bool:
    return unfold(composer, folds)[1]


def nearly_stands(composer: str, prompt: str) -> bool:
    """Where some characters are shown as others: most of it, at the same place."""
    there, wanted = letters(composer), letters(prompt)
    if not min(len(wanted), TAIL) * NEAR <= len(there) <= len(wanted):
        return False
    # In order only the last letters are compared: that takes time quadratic in their number. Of the
    # rest it is counted how many are the same.
    end = wanted[-len(there) :]
    if sum((Counter(there) & Counter(end)).values()) < NEAR * len(end):
        return False
    last = SequenceMatcher(None, there[-COMPARED:], end[-COMPARED:], autojunk=False)
    return last.ratio() >= NEAR


def tail(prompt: str) -> str:
    """The end of a prompt as it is searched for on a screen: of its last line that has letters."""
    lines = [found for line in prompt.split("\n") if (found := letters(line))]
    return lines[-1][-TAIL:] if lines else ""


def ends_with(screen: str, prompt: str) -> bool:
    """Whether the last thing on a screen is the end of the prompt, for agents without a box."""
    return letters(screen).endswith(tail(prompt))


def excerpt(text: str) -> str:
    text = text.strip()
    return text if len(text) <= SHOWN_LIMIT else text[:SHOWN_LIMIT] + "…"
