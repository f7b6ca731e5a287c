"""The bytes of a keyboard, split into keys that tmux knows by name and bytes between them.

A named key reaches a program in the form of its current mode (cursor keys change with it);
everything else is sent byte for byte. Pure: input.py sends the parts with the driver.

By hand: the tables map the bytes of a keyboard to the key names of tmux, which no library knows.
"""

import re
from collections.abc import Iterable, Iterator

Part = str | bytes  # the tmux name of a key, or bytes to be sent unchanged
Batch = bytes | tuple[str, ...]  # the same, for one command of tmux

# More bytes than this in one frame are a paste, and nothing in a paste is a key.
TYPED_LIMIT = 4096
BATCH_KEYS = 64  # in one tmux command

LETTERS = {
    b"A": "Up", b"B": "Down", b"C": "Right", b"D": "Left", b"H": "Home", b"F": "End",
    b"P": "F1", b"Q": "F2", b"R": "F3", b"S": "F4",
}  # fmt: skip  # a table
NUMBERS = {
    b"1": "Home", b"2": "IC", b"3": "DC", b"4": "End", b"5": "PPage", b"6": "NPage",
    b"7": "Home", b"8": "End", b"15": "F5", b"17": "F6", b"18": "F7", b"19": "F8",
    b"20": "F9", b"21": "F10", b"23": "F11", b"24": "F12",
}  # fmt: skip  # a table
# xterm counts from 1: shift adds 1, alt 2, control 4, meta 8; tmux has one name for alt and meta.
SHIFT, ALT, CONTROL, META = 1, 2, 4, 8

_TOKEN = re.compile(
    rb"(?P<paste>\x1b\[200~.*?(?:\x1b\[201~|\Z))"
    rb"|\x1b\[(?P<back>Z)"
    rb"|\x1bO(?P<single>[ABCDHFPQRS])"
    rb"|\x1b\[(?P<cursor>[ABCDHF])"
    rb"|\x1b\[1;(?P<modified>[1-9]|1[0-6])(?P<letter>[ABCDHFPQRS])"
    rb"|\x1b\[(?P<number>[1-8]|1[5789]|2[0134])(?:;(?P<modifier>[1-9]|1[0-6]))?~"
    rb"|(?P<lone>\x1b(?=\x1b|\Z))"
    rb"|(?P<erase>\x7f)",
    re.DOTALL,
)


def batches(data: bytes) -> Iterator[Batch]:
    """The parts in their order, with successive keys together."""
    names: list[str] = []
    for part in split(data):
        if isinstance(part, bytes) or len(names) == BATCH_KEYS:
            if names:
                yield tuple(names)
            names = []
        if isinstance(part, bytes):
            yield part
        else:
            names.append(part)
    if names:
        yield tuple(names)


def split(data: bytes) -> list[Part]:
    """The parts in their order; no two of them in succession are bytes."""
    if len(data) > TYPED_LIMIT:
        return [data]
    return _joined(_parts(data))


def _parts(data: bytes) -> Iterator[Part]:
    end = 0
    for token in _TOKEN.finditer(data):
        yield data[end : token.start()]
        yield _part(token)
        end = token.end()
    yield data[end:]


def _part(token: "re.Match[bytes]") -> Part:
    match token.lastgroup:
        case "paste":
            return token[0]
        case "back":
            return "BTab"
        case "lone":
            return "Escape"
        case "erase":
            return "BSpace"
        case "single" | "cursor":
            return LETTERS[token[token.lastgroup]]
        case "letter":
            return _modifiers(token["modified"]) + LETTERS[token["letter"]]
        case _:
            return _modifiers(token["modifier"]) + NUMBERS[token["number"]]


def _modifiers(number: bytes | None) -> str:
    bits = int(number or b"1") - 1
    return (
        ("C-" if bits & CONTROL else "")
        + ("M-" if bits & (ALT | META) else "")
        + ("S-" if bits & SHIFT else "")
    )


def _joined(parts: Iterable[Part]) -> list[Part]:
    joined: list[Part] = []
    for part in parts:
        if isinstance(part, bytes) and joined and isinstance(joined[-1], bytes):
            joined[-1] += part
        elif part:
            joined.append(part)
    return joined
