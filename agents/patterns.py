"""Regular expressions from strangers: searched in time that grows only with text and pattern.

Not Python's matcher, which `(a+)+$` can keep busy for years: the same syntax, read by Python's own
parser, but followed as a set of states. Look-arounds and back-references are refused.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

LENGTH = 256
STATES = 2000  # a{1000} counts as a thousand
TEXT = 4096  # a path is no longer

Test = Callable[[str], bool]  # of one character
Spot = Callable[[str, int], bool]  # of a place in the text
MANY = 1_000_000  # more than any text has


@dataclass(slots=True)
class _State:
    test: Test | None = None  # consumes a character, else moves on freely
    spot: Spot | None = None
    after: list[int] = field(default_factory=list)


class Pattern:
    def __init__(self, states: Sequence[_State], start: int, end: int) -> None:
        self._states, self._start, self._end = states, start, end

    def search(self, text: str) -> bool:
        """Whether it matches anywhere."""
        text, here = text[:TEXT], set[int]()
        for place in range(len(text) + 1):
            here = self._free(here | {self._start}, text, place)
            if self._end in here:
                return True
            if place < len(text):
                here = self._step(here, text[place])
        return False

    def _free(self, here: set[int], text: str, place: int) -> set[int]:
        """All states that can be reached without a character."""
        reached, todo = set[int](), list(here)
        while todo:
            number = todo.pop()
            state = self._states[number]
            if number in reached or (state.spot and not state.spot(text, place)):
                continue
            reached.add(number)
            if state.test is None:
                todo += state.after
        return reached

    def _step(self, here: set[int], character: str) -> set[int]:
        found = (self._states[number] for number in here)
        return {
            after
            for state in found
            if state.test and state.test(character)
            for after in state.after
        }


def compile(text: str) -> Pattern:
    """ValueError says what is wrong with it."""
    if len(text) > LENGTH:
        raise ValueError(f"longer than {LENGTH} characters")
    try:
        tree = _parser.parse(text)
    except (re.error, RecursionError, OverflowError) as problem:
        raise ValueError(str(problem)) from None
    builder = _Builder(tree.state.flags)
    start = builder.state()
    end = builder.sequence(tree, start)
    return Pattern(builder.states, start, end)


class _Builder:
    """Each method adds states after `at` and returns the one where it ends."""

    def __init__(self, flags: int) -> None:
        self.states: list[_State] = []
        self._fold = bool(flags & re.IGNORECASE)
        self._dotall = bool(flags & re.DOTALL)

    def state(self, test: Test | None = None, spot: Spot | None = None) -> int:
        if len(self.states) >= STATES:
            raise ValueError("too large")
        self.states.append(_State(test, spot))
        return len(self.states) - 1

    def link(self, at: int, to: int) -> int:
        self.states[at].after.append(to)
        return to

    def sequence(self, tree: Any, at: int) -> int:
        for kind, value in tree:
            at = self._node(kind, value, at)
        return at

    def _node(self, kind: Any, value: Any, at: int) -> int:
        if kind is kinds.BRANCH:
            end = self.state()
            for branch in value[1]:
                self.link(self.sequence(branch, self.link(at, self.state())), end)
            return end
        if kind is kinds.SUBPATTERN:
            return self.sequence(value[3], at)
        if kind in {kinds.MAX_REPEAT, kinds.MIN_REPEAT}:
            least, most, tree = value
            return self._repeat(least, most, tree, at)
        if kind is kinds.AT:
            if value not in _SPOTS:
                raise ValueError("this kind of anchor is not supported")
            return self.link(at, self.state(spot=_SPOTS[value]))
        return self._one(self._test(kind, value), at)

    def _one(self, test: Test, at: int) -> int:
        consuming = self.link(at, self.state(test))
        return self.link(consuming, self.state())

    def _repeat(self, least: int, most: int, tree: Any, at: int) -> int:
        for _ in range(least):
            at = self.sequence(tree, at)
        if most >= MANY:
            begin = self.link(at, self.state())
            self.link(self.sequence(tree, begin), begin)
            return self.link(begin, self.state())
        end = self.state()
        for _ in range(most - least):
            self.link(at, end)
            at = self.sequence(tree, at)
        return self.link(at, end)

    # --- one character ---

    def _test(self, kind: Any, value: Any) -> Test:
        if kind is kinds.ANY:
            return (lambda one: True) if self._dotall else (lambda one: one != "\n")
        if kind is kinds.LITERAL:
            return self._literal(value)
        if kind is kinds.NOT_LITERAL:
            same = self._literal(value)
            return lambda one: not same(one)
        if kind is kinds.IN:
            return self._in(value)
        raise ValueError("look-arounds and back-references are not supported")

    def _literal(self, code: int) -> Test:
        wanted = chr(code)
        if self._fold:
            folded = wanted.lower()
            return lambda one: one.lower() == folded
        return lambda one: one == wanted

    def _in(self, members: Any) -> Test:
        negated = members[0][0] is kinds.NEGATE
        tests = [self._member(kind, value) for kind, value in members[negated:]]
        return lambda one: any(test(one) for test in tests) is not negated

    def _member(self, kind: Any, value: Any) -> Test:
        if kind is kinds.LITERAL:
            return self._literal(value)
        if kind is kinds.RANGE:
            low, high = value
            if self._fold:
                return lambda one: any(low <= ord(case) <= high for case in _cases(one))
            return lambda one: low <= ord(one) <= high
        if kind is kinds.CATEGORY and value in _CATEGORIES:
            return _CATEGORIES[value]
        raise ValueError("this set of characters is not supported")


def _cases(one: str) -> set[str]:
    return {case for case in (one, one.lower(), one.upper()) if len(case) == 1}


def _is_word(one: str) -> bool:
    return one.isalnum() or one == "_"


def _at_word(text: str, place: int) -> bool:
    before = place > 0 and _is_word(text[place - 1])
    return before is not (place < len(text) and _is_word(text[place]))


_CATEGORIES: dict[Any, Test] = {
    kinds.CATEGORY_DIGIT: str.isdecimal,
    kinds.CATEGORY_NOT_DIGIT: lambda one: not one.isdecimal(),
    kinds.CATEGORY_SPACE: str.isspace,
    kinds.CATEGORY_NOT_SPACE: lambda one: not one.isspace(),
    kinds.CATEGORY_WORD: _is_word,
    kinds.CATEGORY_NOT_WORD: lambda one: not _is_word(one),
}
_SPOTS: dict[Any, Spot] = {
    kinds.AT_BEGINNING: lambda text, place: place == 0,
    kinds.AT_BEGINNING_STRING: lambda text, place: place == 0,
    kinds.AT_END: lambda text, place: place == len(text) or text[place:] == "\n",
    kinds.AT_END_STRING: lambda text, place: place == len(text),
    kinds.AT_BOUNDARY: _at_word,
    kinds.AT_NON_BOUNDARY: lambda text, place: not _at_word(text, place),
}
