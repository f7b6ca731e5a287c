"""What a keyboard's bytes mean to tmux: named keys, and the bytes between them as they are.

A named key reaches a program the way it asked for (cursor keys change with the mode); everything
else goes byte for byte. Pure: pressing and typing is the driver's.
"""

import re
from collections.abc import Iterable

Part = str | bytes  # a key's tmux name, or bytes to be typed exactly

# A person does not press this much at once: it is a paste, and nothing in a paste is a key.
TYPED_LIMIT = 4096

LETTERS = {
    b"A": "Up", b"B": "Down", b"C": "Right", b"D": "Left", b"H": "Home", b"F": "End",
    b"P": "F1", b"Q": "F2", b"R": "F3", b"S": "F4",
}  # fmt: skip
NUMBERS = {
    b"1": "Home", b"2": "IC", b"3": "DC", b"4": "End", b"5": "PPage", b"6": "NPage",
    b"7": "Home", b"8": "End", b"15": "F5", b"17": "F6", b"18": "F7", b"19": "F8",
    b"20": "F9", b"21": "F10", b"23": "F11", b"24": "F12",
}  # fmt: skip
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


def split(data: bytes) -> list[Part]:
    """In the order they came; no two runs of bytes follow each other."""
    if len(data) > TYPED_LIMIT:
        return [data]
    return _joined(_parts(data))


def _parts(data: bytes) -> Iterable[Part]:
    done = 0
    for found in _TOKEN.finditer(data):
        yield data[done : found.start()]
        yield _meaning(found)
        done = found.end()
    yield data[done:]


def _meaning(found: "re.Match[bytes]") -> Part:
    match found.lastgroup:
        case "paste":
            return found[0]
        case "back":
            return "BTab"
        case "lone":
            return "Escape"
        case "erase":
            return "BSpace"
        case "single" | "cursor":
            return LETTERS[found[found.lastgroup]]
        case "letter":
            return _modifiers(found["modified"]) + LETTERS[found["letter"]]
        case _:
            return _modifiers(found["modifier"]) + NUMBERS[found["number"]]


def _modifiers(told: bytes | None) -> str:
    bits = int(told or b"1") - 1
    return (
        ("C-" if bits & CONTROL else "")
        + ("M-" if bits & (ALT | META) else "")
        + ("S-" if bits & SHIFT else "")
    )


def _joined(parts: Iterable[Part]) -> list[Part]:
    out: list[Part] = []
    for part in parts:
        if isinstance(part, bytes) and out and isinstance(out[-1], bytes):
            out[-1] += part
        elif part:
            out.append(part)
    return out
