"""Strips terminal control sequences: CSI, OSC, DCS and other strings, charsets, C1. Pure.

Does not emulate a terminal: cursor movements are dropped, not executed. For the text as shown,
capture the pane. Every function reads its text once, whatever it contains. `strip` may take 0.2 s
for 1 MB: on the event loop it is used only for the lines of a screen.

By hand: the libraries for this strip CSI and OSC, but not DCS, APC and strings that never end.
"""

import re

# In order: strings that end with BEL or ST (or are cut off), CSI, two- and three-byte escapes.
# C1 controls are taken only in their 7-bit form and as characters U+0080 to U+009F, since in UTF-8
# the bytes 0x80 to 0x9f are parts of ordinary characters.
_TEXT = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\x18\x1a]*"
    r"(?:\x1b(?!\\)[^\x07\x1b\x9c\x18\x1a]*)*(?:\x07|\x1b\\|\x9c|[\x18\x1a]|\Z)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|\Z)"
    r"|\x1b[ -/]*(?:[0-~]|\Z)"
    r"|[\x00-\x06\x07\x0e-\x1a\x1c-\x1f\x7f\x80-\x8f\x91-\x97\x99\x9a\x9c]+|\x9b"
)


LONG = 64 * 1024  # characters


def strip(text: str) -> str:
    """Only the readable text. Line breaks and tabs stay, CR LF becomes LF."""
    if _PLAIN.fullmatch(text):
        return text
    return _erased(_without_controls(text)).replace("\r\n", "\n").replace("\x1b", "")


def _without_controls(text: str) -> str:
    """Long text is handled match by match: one call of `sub` would hold the GIL throughout."""
    if len(text) <= LONG:
        return _TEXT.sub("", text)
    kept, end = list[str](), 0
    for match in _TEXT.finditer(text):
        if match.start() > end:
            kept.append(text[end : match.start()])
        end = match.end()
    kept.append(text[end:])
    return "".join(kept)


def _erased(text: str) -> str:
    """Each backspace removes the character before it, except a line break. Reads once."""
    if "\x08" not in text:
        return text
    kept = list[tuple[str, int]]()  # pieces, and how many characters of each remain
    for match in _ERASING.finditer(text):
        piece = match[0]
        if piece[0] != "\x08":
            kept.append((piece, len(piece)))
            continue
        left = len(piece)
        while left and kept:
            before, end = kept.pop()
            begin = max(0, end - left)
            line_break = before.rfind("\n", begin, end)
            if line_break >= 0:
                kept.append((before, line_break + 1))
                break
            if begin:
                kept.append((before, begin))
            left -= end - begin
    return "".join(piece[:end] for piece, end in kept)


_ERASING = re.compile(r"[^\x08]+|\x08+")
_PLAIN = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f]*")


# What may continue in the next bytes: half a character, an escape sequence without its end, a CR
# that may be followed by LF.
_CUT_CHARACTER = re.compile(
    rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z"
)
_CUT_ESCAPE = re.compile(
    rb"(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x18\x1a]*\x1b?|[ -/]*)|\r)\Z"
)
CUT_LIMIT = 4096  # an escape sequence longer than this is not waited for


def finished(data: bytes, *, escapes: bool) -> int:
    """How many bytes can be used now; the rest waits for the next bytes. `escapes`: sequences
    will be stripped, so they must be complete."""
    cut = _CUT_CHARACTER.search(data, max(0, len(data) - 3))
    end = cut.start() if cut else len(data)
    if escapes and (open_ := _CUT_ESCAPE.search(data, max(0, end - CUT_LIMIT), end)):
        return open_.start()
    return end
