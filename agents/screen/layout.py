"""Where things are on an agent's screen: the composer, its frame, the lines above and below it.

What they mean is decided in states.py and menus.py. Every capture is parsed once (`parse`), and the
`ScreenLayout` is handed to all that read it. Lines are those of a pane, top to bottom, with or
without colours; with colours, dim text in the composer is recognised as a mere suggestion. Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.runtimes.loader import ComposerFrame, ComposerRule, Rules
from terminals.scrollback import ansi

FOOTER_LINES = 8  # lines with text below a composer; with more, it is an old one that scrolled up
DRAFT_LINES = 200
LAST_LINES = 15  # where there is no composer, the status is searched in this many lines

# Lines have no trailing blanks. Each pattern reads a line once, because panes may be 1,000 wide.
_TOP = re.compile(r"^\s*[╭┌╔].*[╮┐╗]$")
_BOTTOM = re.compile(r"^\s*[╰└╚].*[╯┘╝]$")
_SIDE = re.compile(r"^\s*[│┃║]")
_RULE = re.compile(r"^\s?[─━═▔▁▀▄]{8,}(?:[^─━═▔▁▀▄].*[─━═▔▁▀▄]{2})?$")
_BAR = re.compile(r"^\s*┃")
_COLOURED_MARK = re.compile(r"^(?:\s|\x1b\[[0-9;:]*m)*(?<=m)[^\s\x1b](?=\x1b\[)")
_SGR = re.compile(r"\x1b\[([0-9;:]*)m")


@dataclass(frozen=True, slots=True)
class Composer:
    text: str  # typed and not yet sent
    first: int  # the indices of its first and last line, frame included
    last: int
    mark: str = ""  # what is shown before the text
    hint: str = ""  # what looks like a placeholder, though a user may have typed the same words


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    lines: tuple[str, ...]  # without colours, and without the blank lines at the end
    composer: Composer | None
    rules: Rules
    raw: tuple[str, ...] = ()  # with colours, as captured

    def raw_line(self, line: str) -> str:
        """The lowest line above the composer that reads so, with its colours, if any."""
        end = self.composer.first if self.composer else len(self.lines)
        indices = (index for index in range(end - 1, -1, -1) if self.lines[index] == line)
        return self.raw[index] if (index := next(indices, -1)) >= 0 else line

    def region(self, name: str) -> Sequence[str]:
        """The lines of a region; its name may end with a limit, as in status:8."""
        kind, _, limit = name.partition(":")
        return _REGIONS[kind](self, int(limit or LAST_LINES))


def parse(raw: Sequence[str], rules: Rules) -> ScreenLayout:
    lines = [plain(line) for line in raw]
    while lines and not lines[-1]:
        lines.pop()
    composer = _composer(lines, [bright(line) for line in raw], rules)
    return ScreenLayout(tuple(lines), composer, rules, tuple(raw))


def plain(line: str) -> str:
    return ansi.strip(line).rstrip()


def bright(line: str) -> str:
    """The line with dim text blanked, and also the cursor's block in front of such text."""
    if "\x1b" not in line:
        return line.rstrip()
    dim, inverse, kept, block = False, False, "", 0
    parts = _SGR.split(line)
    for codes, text in zip(["0", *parts[1::2]], parts[::2], strict=True):
        dim, inverse = _attributes(codes, dim, inverse)
        shown = ansi.strip(text)
        if dim and shown:
            kept = (kept[:-block] + " " * block if block else kept) + " " * len(shown)
        elif shown:
            kept += shown
        block = len(shown) if inverse and len(shown) == 1 else block if not shown else 0
    return kept.rstrip()


def _attributes(codes: str, dim: bool, inverse: bool) -> tuple[bool, bool]:
    if codes.startswith(("38", "48")):  # a colour: its numbers are not attributes
        return dim, inverse
    for code in codes.split(";"):
        if code in {"", "0"}:
            dim, inverse = False, False
        elif code in {"2", "22"}:
            dim = code == "2"
        elif code in {"7", "27"}:
            inverse = code == "7"
    return dim, inverse


def inner(line: str) -> str:
    """The line without the sides of a box or the bar; the indent is kept."""
    side = _SIDE.match(line)
    if side is None:
        return line
    return line[side.end() :].rstrip().removesuffix(line[side.end() - 1]).rstrip()


def styles(raw: Sequence[str], index: int) -> list[tuple[str, str]]:
    """The characters of one row, each with its background: "" plain, "7" reversed, "48;5;215"…

    tmux carries attributes over from row to row, so the rows above are read too.
    """
    ground, inverse, cells = "", False, list[tuple[str, str]]()
    for line in raw[: index + 1]:
        first, *rest = _SGR.split(line)
        cells = [(character, _style(ground, inverse)) for character in ansi.strip(first)]
        for codes, text in zip(rest[::2], rest[1::2], strict=True):
            ground, inverse = _ground(codes, ground, inverse)
            cells += [(character, _style(ground, inverse)) for character in ansi.strip(text)]
    return cells


def _style(ground: str, inverse: bool) -> str:
    return f"{ground}/7" if inverse else ground


def _ground(codes: str, ground: str, inverse: bool) -> tuple[str, bool]:
    """The background and the inverse attribute after one SGR sequence."""
    parts = re.split("[;:]", codes)
    while parts:
        code = parts.pop(0)
        if code in {"", "0"}:
            ground, inverse = "", False
        elif code in {"7", "27"}:
            inverse = code == "7"
        elif code in {"38", "48", "58"}:
            count = 2 if parts[:1] == ["5"] else 4
            if code == "48":
                ground = ";".join(["48", *parts[:count]])
            del parts[:count]
        elif code == "49":
            ground = ""
        elif (len(code), code[:1]) == (2, "4") or (len(code), code[:2]) == (3, "10"):
            ground = code
    return ground, inverse


def hint_style(screen: ScreenLayout) -> str:
    """The colour of the composer's hint: that of a placeholder is not that of typed text.

    The second character decides, because a block cursor may be on the first.
    """
    if screen.composer is None or not screen.composer.hint:
        return ""
    wanted, style = screen.composer.hint.split("\n")[0][:20], ("", False)
    for index, line in enumerate(screen.raw[: screen.composer.last + 1]):
        start = ansi.strip(line).find(wanted) if index >= screen.composer.first else -1
        text, *rest = _SGR.split(line)
        column = len(ansi.strip(text))
        for codes, text in zip(rest[::2], rest[1::2], strict=True):
            if 0 <= start + 1 < column:
                break
            style = _foreground(codes, style[0]), _attributes(codes, style[1], False)[0]
            column += len(ansi.strip(text))
        if start >= 0:
            break
    return f"{style[0]} dim" if style[1] else style[0]


def _foreground(codes: str, colour: str) -> str:
    if codes.startswith("38") or codes == "39" or (len(codes) == 2 and codes[0] in "39"):
        return "" if codes == "39" else codes
    return "" if codes in {"", "0"} else colour


def is_barred(line: str) -> bool:
    """Whether the line begins with a heavy bar. It is not a box: nothing closes it on the right."""
    return bool(_BAR.match(line))


def has_coloured_mark(raw: str) -> bool:
    """Whether the first character of a line with colours has a colour of its own."""
    return _COLOURED_MARK.match(raw) is not None


def is_border(line: str) -> bool:
    return bool(_TOP.match(line) or _BOTTOM.match(line) or _RULE.match(line))


# --- the composer -----------------------------------------------------------------------------


def _composer(lines: Sequence[str], typed: Sequence[str], rules: Rules) -> Composer | None:
    """The lowest composer on the screen, with any frame that the runtime uses."""
    candidates = [_FRAMES[rule.frame](lines, typed, rule) for rule in rules.composers]
    return max(filter(None, candidates), key=lambda composer: composer.last, default=None)


def _box(lines: Sequence[str], typed: Sequence[str], rule: ComposerRule) -> Composer | None:
    for last in _up_to_footer(lines, _BOTTOM, rule.popup):
        first = last - 1
        while first >= 0 and _SIDE.match(lines[first]) and last - first < DRAFT_LINES:
            first -= 1
        if first >= 0 and first < last - 1 and _TOP.match(lines[first]):
            body = [inner(line).strip() for line in typed[first + 1 : last]]
            shown = inner(lines[first + 1]).strip()
            if rule.prompt.match(shown):
                return _found(body, shown, rule, first, last)
    return None


def _ruled(lines: Sequence[str], typed: Sequence[str], rule: ComposerRule) -> Composer | None:
    for last in _up_to_footer(lines, _RULE, rule.popup):
        for first in range(last - 1, max(last - DRAFT_LINES, -1), -1):
            if _RULE.match(lines[first]):
                if first < last - 1 and rule.prompt.match(lines[first + 1]):
                    body = [line.strip() for line in typed[first + 1 : last]]
                    shown = lines[first + 1].strip()
                    return _found(body, shown, rule, first, last)
                break
    return None


def _bare(lines: Sequence[str], typed: Sequence[str], rule: ComposerRule) -> Composer | None:
    """The lowest line with the mark; the footer begins at `ends`, or after the last blank line."""
    for first in range(len(lines) - 1, -1, -1):
        if rule.prompt.match(lines[first]):
            break
    else:
        return None
    rest = range(first + 1, len(lines))
    below = (index for index in rest if rule.ends and rule.ends.match(lines[index]))
    blanks = [index for index in rest if not lines[index]]
    last = next(below, blanks[-1] if blanks else len(lines)) - 1
    while last > first and not lines[last]:
        last -= 1
    if any(lines[index][:1].strip() for index in rest) or len(lines) - 1 - last > FOOTER_LINES:
        return None  # something else begins at the left edge: conversation, not a draft
    body = [line.strip() for line in typed[first : last + 1]]
    shown = lines[first].strip()
    return _found(body, shown, rule, first, last)


def _barred(lines: Sequence[str], typed: Sequence[str], rule: ComposerRule) -> Composer | None:
    last = next((index for index in _up_to_footer(lines, _BAR)), None)
    if last is None:
        return None
    first = last
    # The lines of a suggestion list above it have a bar on their right side too.
    while first > 0 and _BAR.match(lines[first - 1]) and not _is_closed(lines[first - 1]):
        first -= 1
    end = last
    while end > first and not inner(lines[end]).strip():
        end -= 1
    if rule.ends is None or not rule.ends.match(inner(lines[end])):
        return None
    body = [inner(line).strip() for line in typed[first:end]]
    while body and not body[0]:
        body.pop(0)
    return _found(body, body[0] if body else "", rule, first, last)


def _is_closed(line: str) -> bool:
    return line.endswith(" ┃") and line.count("┃") > 1


_FRAMES = {
    ComposerFrame.BOX: _box,
    ComposerFrame.RULES: _ruled,
    ComposerFrame.BARE: _bare,
    ComposerFrame.BAR: _barred,
}


def _up_to_footer(
    lines: Sequence[str], edge: re.Pattern[str], popup: re.Pattern[str] | None = None
) -> list[int]:
    """Indices of the lines that match, from below, while few lines with text are below them.

    The lines of a suggestion list below the composer do not count.
    """
    indices, below = [], 0
    for index in range(len(lines) - 1, -1, -1):
        if edge.match(lines[index]):
            indices.append(index)
        below += bool(lines[index]) and not (popup and popup.match(lines[index]))
        if below > FOOTER_LINES:
            break
    return indices


def _found(body: Sequence[str], shown: str, rule: ComposerRule, first: int, last: int) -> Composer:
    """`shown`: its first line, mark included."""
    mark = rule.prompt.match(shown)
    start = body[0] if body else ""
    start = start[len(mark[0]) :].strip() if mark else start
    text, sign = "\n".join([start, *body[1:]]).strip(), mark[0].strip() if mark else ""
    if rule.placeholders and rule.placeholders.match(text):
        return Composer("", first, last, sign, text)
    return Composer(text, first, last, sign)


# --- regions ----------------------------------------------------------------------------------


def _status(screen: ScreenLayout, limit: int) -> list[str]:
    """The lines between the conversation and the composer: at most `limit` with text."""
    end = screen.composer.first if screen.composer else len(screen.lines)
    start, count = end, 0
    while start > 0 and count < limit:
        line = screen.lines[start - 1]
        if screen.rules.transcript and screen.rules.transcript.match(line):
            break
        count += bool(line)
        start -= 1
    return list(screen.lines[start:end])


def _turn(screen: ScreenLayout, limit: int) -> list[str]:
    """The lines from the last prompt in the conversation, or from the top, to the composer."""
    end = screen.composer.first if screen.composer else 0
    echo = screen.rules.chat.echo
    prompts = [index for index in range(end) if echo and echo.match(screen.lines[index])]
    return list(screen.lines[prompts[-1] if prompts else 0 : end])


def _footer(screen: ScreenLayout, limit: int) -> list[str]:
    return list(screen.lines[screen.composer.last + 1 :]) if screen.composer else []


def _frame(screen: ScreenLayout, limit: int) -> list[str]:
    """The composer with its borders, and the lines below it."""
    return list(screen.lines[screen.composer.first :]) if screen.composer else []


def _typed(screen: ScreenLayout, limit: int) -> list[str]:
    return [screen.composer.text] if screen.composer else []


def _marks(screen: ScreenLayout, limit: int) -> list[str]:
    return [screen.composer.mark] if screen.composer else []


def _last(screen: ScreenLayout, limit: int) -> list[str]:
    return list(screen.lines[-1:])


def _end(screen: ScreenLayout, limit: int) -> list[str]:
    """The last `limit` lines with text, of any region."""
    return [line for line in screen.lines if line][-limit:]


def _all(screen: ScreenLayout, limit: int) -> list[str]:
    return list(screen.lines)


_REGIONS = {
    "status": _status,
    "turn": _turn,
    "footer": _footer,
    "frame": _frame,
    "composer": _typed,
    "mark": _marks,
    "last": _last,
    "end": _end,
    "all": _all,
}
REGIONS = frozenset(_REGIONS) | {"dialog"}
