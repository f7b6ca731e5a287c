"""Compares messages with the texts that they should have, and reads saved records again.

`python -m lab replay FILE…` reads the records that the chat suite saved as the screen alone shows
them, and prints the same figures: a change of the rules can be tried without an agent.
"""

import difflib
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Rule = Literal["exact", "beginning", "optional"]
NOTE_LINES = 400
_WORD = re.compile(r"\w+", re.UNICODE)
_UNSEEN = re.compile(r"(?m)^[ \t]*```.*$|^[ \t]*\w{1,3}[.)](?= )|\(https?://[^)\s]*\)")


@dataclass(frozen=True)
class Expected:
    role: str
    text: str
    # "beginning": of a reply that was interrupted, perhaps nothing. "optional": may be missing.
    rule: Rule = "exact"

    def fits(self, role: str, text: str) -> bool:
        if role != self.role:
            return False
        if self.rule == "beginning":
            return bool(text) and self.text.strip().startswith(text)
        return text == self.text.strip()


@dataclass
class Comparison:
    total: int = 0  # texts that must be there
    exact: int = 0
    same_words: int = 0  # texts with the same words in the same order, at their place
    words: int = 0
    found: int = 0  # words that are there, in their order
    extra: int = 0  # words that nobody said
    problems: list[str] = field(default_factory=list)
    wrong_confirmed: list[str] = field(default_factory=list)

    @property
    def is_exact(self) -> bool:
        return not self.problems

    @property
    def note(self) -> str:
        return "\n".join(self.problems[:NOTE_LINES])

    def words_line(self) -> str:
        return (
            f"{self.exact} of {self.total} texts exact, {self.same_words} with the same words;"
            f" {self.found} of {self.words} words ({self.found / max(1, self.words):.1%}) in order,"
            f" {self.extra} extra"
        )


def compare(expected: Sequence[Expected], messages: Sequence[dict[str, Any]]) -> Comparison:
    """`messages` as REST returns them; tool calls and answers to dialogs are left out."""
    result = Comparison()
    shown = [
        (each["role"], each["text"].strip(), bool(each.get("confirmed")))
        for each in messages
        if each.get("kind", "text") == "text"
    ]
    places, used = _align(expected, shown)
    for index, wanted in enumerate(expected):
        needed = wanted.rule == "exact"
        result.total += needed
        place = places.get(index)
        if place is None:
            if needed:
                result.problems.append(f"missing {wanted.role}: {wanted.text!r:.300}")
            continue
        text = shown[place][1]
        if wanted.fits(wanted.role, text):
            result.exact += needed
            result.same_words += needed
            continue
        same = words(text) == words(wanted.text)
        result.same_words += same and needed
        result.problems.append(
            f"{'other marks' if same else 'other words'} {wanted.role}:\n"
            f"    {wanted.text!r:.500}\n    {text!r:.500}"
        )
        if shown[place][2]:
            result.wrong_confirmed.append(text)
    for index, (role, text, sure) in enumerate(shown):
        if index not in used:
            result.problems.append(f"extra {role} after {shown[index - 1][1]!r:.60}: {text!r:.300}")
            texts = {each.text.strip() for each in expected}
            if sure and text not in texts:
                result.wrong_confirmed.append(text)
    _count_words(result, expected, shown)
    return result


def _align(
    expected: Sequence[Expected], shown: Sequence[tuple[str, str, bool]]
) -> tuple[dict[int, int], set[int]]:
    """Which message is which text: equal ones in order, then the only ones in between by role."""
    size, count = len(expected), len(shown)
    best = [[0] * (count + 1) for _ in range(size + 1)]
    for row in range(size - 1, -1, -1):
        for column in range(count - 1, -1, -1):
            best[row][column] = max(best[row + 1][column], best[row][column + 1])
            if expected[row].fits(*shown[column][:2]):
                best[row][column] = max(best[row][column], 1 + best[row + 1][column + 1])
    places: dict[int, int] = {}
    row = column = 0
    while row < size and column < count:
        if (
            expected[row].fits(*shown[column][:2])
            and best[row][column] == 1 + best[row + 1][column + 1]
        ):
            places[row] = column
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
    used = set(places.values())
    for index, wanted in enumerate(expected):
        if index in places:
            continue
        first = max((places[each] for each in places if each < index), default=-1) + 1
        last = min((places[each] for each in places if each > index), default=count)
        near = [
            index
            for index in range(first, last)
            if index not in used and shown[index][0] == wanted.role
        ]
        if near and wanted.rule == "exact":
            places[index] = near[0]
            used.add(near[0])
    return places, used


def words(text: str) -> list[str]:
    """Without what terminals do not show of Markdown: fences, addresses of links, numbers of
    lists."""
    return _WORD.findall(_UNSEEN.sub("", unicodedata.normalize("NFC", text)))


def _count_words(
    result: Comparison, expected: Sequence[Expected], shown: Sequence[tuple[str, str, bool]]
) -> None:
    wanted = [word for each in expected if each.rule == "exact" for word in words(each.text)]
    present = [word for _, text, _ in shown for word in words(text)]
    matcher = difflib.SequenceMatcher(None, wanted, present, autojunk=False)
    result.words = len(wanted)
    result.found = sum(block.size for block in matcher.get_matching_blocks())
    optional = {word for each in expected if each.rule != "exact" for word in words(each.text)}
    result.extra = sum(
        word not in optional
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag in {"insert", "replace"}
        for word in present[start:end]
    )


def replay(path: Path) -> Comparison:
    """The messages of saved records, as the screen alone shows them. Needs Django."""
    from agents.chat.selectors import conversation
    from agents.models import ChatRecord

    content = json.loads(path.read_text(encoding="utf-8"))
    records = [ChatRecord(**fields) for fields in content["records"]]
    messages = [
        {"role": each.role, "text": each.text, "kind": each.kind.value, "confirmed": each.confirmed}
        for each in conversation(records)
    ]
    return compare([Expected(**each) for each in content["expected"]], messages)


def main(paths: Sequence[Path], *, verbose: bool) -> None:
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    for path in paths:
        result = replay(path)
        print(f"{path.parent.name}: {result.words_line()}")
        if verbose:
            print(result.note)
