"""Compares a prompt with the text that an agent's input box shows.

Pure, and independent of agent states (screen/states.py). A composer wraps, scrolls, pads and folds
its text, so texts are compared by their letters: everything except blanks, marks and controls.
"""

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher

TAIL = 24  # letters at the end of a prompt that distinguish it from other text on the screen
COMPARED = 160  # letters that are compared in order where some may be shown as others
SIMILAR = 0.8  # the part of a prompt's letters that a terminal without some glyphs still shows
EXCERPT_LIMIT = 200  # characters of a composer that are returned to the caller
_DROPPED = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me", "Mc"})


def letters(text: str) -> str:
    if text.isascii():
        return "".join(text.split())
    # Some agents compose accents, others show them as they were sent.
    text = unicodedata.normalize("NFC", text)
    return "".join(char for char in text if unicodedata.category(char) not in _DROPPED)


def unfold(composer: str, folds: re.Pattern[str] | None) -> tuple[str, bool]:
    """The letters without the labels that replace a long paste, and whether there were any."""
    shown = letters(composer)
    if folds is None:
        return shown, False
    unfolded, count = folds.subn("", shown)
    return unfolded, count > 0


def fold_pattern(pattern: str) -> re.Pattern[str] | None:
    """Blanks in the pattern are ignored, because a label may be wrapped anywhere."""
    return re.compile(pattern.replace(" ", "")) if pattern else None


def holds(
    composer: str, prompt: str, folds: re.Pattern[str] | None, *, whole: bool = False
) -> bool:
    """Whether the composer shows the prompt or its label, and nothing before it.

    If not `whole`, the end of the prompt is enough, since a composer may scroll.
    """
    wanted = letters(prompt)
    shown, folded = unfold(composer, folds)
    if folded:
        return wanted.endswith(shown)
    if whole or len(shown) < min(len(wanted), TAIL):
        return shown == wanted
    return wanted.endswith(shown)


def is_folded(composer: str, folds: re.Pattern[str] | None) -> bool:
    return unfold(composer, folds)[1]


def nearly_holds(composer: str, prompt: str) -> bool:
    """Whether most of the prompt is shown in place, for terminals that lack some glyphs."""
    shown, wanted = letters(composer), letters(prompt)
    if not min(len(wanted), TAIL) * SIMILAR <= len(shown) <= len(wanted):
        return False
    # Only the last letters are compared in order, because that takes time quadratic in their
    # number. For the rest it is counted how many are the same.
    end = wanted[-len(shown) :]
    if sum((Counter(shown) & Counter(end)).values()) < SIMILAR * len(end):
        return False
    last = SequenceMatcher(None, shown[-COMPARED:], end[-COMPARED:], autojunk=False)
    return last.ratio() >= SIMILAR


def tail(prompt: str) -> str:
    """The end of a prompt, to search for on a screen: from its last line that has letters."""
    lines = [text for line in prompt.split("\n") if (text := letters(line))]
    return lines[-1][-TAIL:] if lines else ""


def ends_with(screen: str, prompt: str) -> bool:
    """Whether a screen ends with the end of the prompt, for agents without a box."""
    return letters(screen).endswith(tail(prompt))


def excerpt(text: str) -> str:
    text = text.strip()
    return text if len(text) <= EXCERPT_LIMIT else text[:EXCERPT_LIMIT] + "…"
