"""Edits JSON with comments as text, so that everything else stays as its owner wrote it. Pure.

The parser accepts what agents accept in their settings: comments and trailing commas. It keeps the
position of every value; an edit replaces only the characters between two positions.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.errors import Invalid

DEPTH = 100
_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


@dataclass(slots=True)
class Node:
    """A value and where it stands: text[start:end]."""

    start: int
    end: int = 0
    value: Any = None  # of a text, number, true, false or null
    members: dict[str, "Node"] | None = None  # of an object
    items: list["Node"] | None = None  # of an array
    names: dict[str, int] = field(default_factory=dict)  # where the name of each member starts

    def plain(self) -> Any:
        if self.members is not None:
            return {name: node.plain() for name, node in self.members.items()}
        if self.items is not None:
            return [node.plain() for node in self.items]
        return self.value


def parse(text: str) -> Node:
    """Raises Invalid, with the line."""
    node, position = _value(text, _skip(text, 0), 0)
    if _skip(text, position) != len(text):
        raise _invalid(text, position, "something follows the value")
    return node


def append_item(text: str, path: tuple[str, str], value: object) -> str:
    """Adds a value to the array at `path`, two names from the top; creates what is missing."""
    root = _object(text, parse(text))
    first, second = path
    outer = root.members[first] if root.members and first in root.members else None
    if outer is None:
        return _add_member(text, root, first, {second: [value]})
    inner = (_object(text, outer).members or {}).get(second)
    if inner is None:
        return _add_member(text, outer, second, [value])
    if inner.items is None:
        raise Invalid(f"{first}.{second} is not a list")
    last = inner.items[-1] if inner.items else None
    return _insert(text, inner, last.start if last else -1, last.end if last else 0, _dump(value))


def remove_items(text: str, name: str, is_ours: Callable[[Any], bool]) -> str:
    """Removes items from the arrays in the object `name`; also what is empty afterwards."""
    while True:
        root = _object(text, parse(text))
        outer = (root.members or {}).get(name)
        if outer is None or outer.members is None:
            return text
        edited = _remove_one(text, root, name, outer, is_ours)
        if edited is None:
            return text
        text = edited


def _remove_one(
    text: str, root: Node, name: str, outer: Node, is_ours: Callable[[Any], bool]
) -> str | None:
    for key, array in (outer.members or {}).items():
        for index, item in enumerate(array.items or ()):
            if not is_ours(item.plain()):
                continue
            siblings = [(node.start, node.end) for node in array.items or ()]
            if len(siblings) > 1:
                return _cut(text, siblings, index)
            members = _spans(outer)
            if len(members) > 1:
                return _cut(text, members, list(outer.members or {}).index(key))
            return _cut(text, _spans(root), list(root.members or {}).index(name))
    return None


def _spans(node: Node) -> list[tuple[int, int]]:
    return [(node.names[name], member.end) for name, member in (node.members or {}).items()]


def _cut(text: str, spans: list[tuple[int, int]], index: int) -> str:
    """Removes one of several values that are separated by commas."""
    start, end = spans[index]
    if index:
        return text[: spans[index - 1][1]] + text[end:]
    if len(spans) > 1:
        return text[:start] + text[spans[1][0] :]
    after = _skip(text, end)
    end = after + 1 if text[after : after + 1] == "," else end
    return text[:start].rstrip() + text[end:].lstrip()


def _add_member(text: str, node: Node, name: str, value: object) -> str:
    new = f"{json.dumps(name)}: {_dump(value)}"
    last = next(reversed(node.members), None) if node.members else None
    if last is None or node.members is None:
        return _insert(text, node, -1, 0, new)
    return _insert(text, node, node.names[last], node.members[last].end, new)


def _insert(text: str, parent: Node, last_start: int, last_end: int, new: str) -> str:
    """After the last value of `parent`, on a line of its own if that one is."""
    if last_start < 0:
        return text[: parent.start + 1] + new + text[parent.start + 1 :]
    line = text.rfind("\n", 0, last_start) + 1
    indent = text[line:last_start]
    newline = "\r\n" if text[line - 2 : line] == "\r\n" else "\n"
    separator = f",{newline}{indent}" if line and not indent.strip() else ", "
    return text[:last_end] + separator + new + text[last_end:]


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object(text: str, node: Node) -> Node:
    if node.members is None:
        raise _invalid(text, node.start, "an object is expected")
    return node


# --- parser -----------------------------------------------------------------------------------


def _invalid(text: str, position: int, problem: str) -> Invalid:
    return Invalid(f"line {text.count(chr(10), 0, position) + 1}: {problem}")


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _value(text: str, position: int, depth: int) -> tuple[Node, int]:
    if depth > DEPTH:
        raise _invalid(text, position, "the values are nested too deeply")
    character = text[position : position + 1]
    if character == "{":
        return _members(text, position, depth)
    if character == "[":
        return _items(text, position, depth)
    match = (_STRING if character == '"' else _SCALAR).match(text, position)
    if match is None:
        raise _invalid(text, position, "a value is expected")
    try:
        value = json.loads(match[0])
    except ValueError as error:
        raise _invalid(text, position, "a value is expected") from error
    return Node(position, match.end(), value), match.end()


def _members(text: str, start: int, depth: int) -> tuple[Node, int]:
    node = Node(start, members={})
    assert node.members is not None
    position = _skip(text, start + 1)
    while text[position : position + 1] != "}":
        name, end = _value(text, position, depth)
        colon = _skip(text, end)
        if not isinstance(name.value, str) or text[colon : colon + 1] != ":":
            raise _invalid(text, position, 'a "name": is expected')
        member, end = _value(text, _skip(text, colon + 1), depth + 1)
        node.members.pop(name.value, None)  # of two, the last counts
        node.members[name.value] = member
        node.names[name.value] = position
        position = _comma(text, end, "}")
    node.end = position + 1
    return node, node.end


def _items(text: str, start: int, depth: int) -> tuple[Node, int]:
    node = Node(start, items=[])
    assert node.items is not None
    position = _skip(text, start + 1)
    while text[position : position + 1] != "]":
        item, end = _value(text, position, depth + 1)
        node.items.append(item)
        position = _comma(text, end, "]")
    node.end = position + 1
    return node, node.end


def _comma(text: str, end: int, closing: str) -> int:
    position = _skip(text, end)
    character = text[position : position + 1]
    if character == ",":
        return _skip(text, position + 1)
    if character != closing:
        raise _invalid(text, position, f'"," or "{closing}" is expected')
    return position
