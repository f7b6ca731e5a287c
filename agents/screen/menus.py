"""Finds the dialog on an agent's screen: its question, its options and its body. Pure.

delivery/answers.py presses the keys. A quoted question further up is not a dialog: below a real one
there are only hints, and no composer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.runtimes.loader import MenuRule
from agents.screen.layout import ScreenLayout, inner, is_barred, is_border, styles

HINT_LINES = 6  # with text, below the options
BODY_LINES = 200  # of a dialog, above its options
QUESTION_LINES = 15  # above the options: a command or a diff may be in between
QUESTION_LENGTH = 500

# Panes may be 1,000 wide and full of blanks: no two adjacent repetitions in a pattern may match the
# same characters, or matching a line takes time quadratic in its length.
_NUMBERED = re.compile(
    r"^\s*(?:(?P<mark>[^\s\d](?:\D?[^\s\d])?)\s*)?(?P<number>\d{1,2})[.)] ?(?P<label>\S.*)$"
)
_KEYS = re.compile(r"[(\[](?P<keys>[^()\[\]]{1,20})[)\]]$")
KEYS_LENGTH = 22  # with their brackets
KEYS_LIMIT = 8  # keys at the end of one label
_KEY = re.compile(r"(?:alt|shift|ctrl)\+\w+|tab|esc|enter|[a-z]", re.I)
_WORDS = re.compile(
    r"^no(?:$|, keep\b)|\btell (?:\S+ ){1,3}what\b|\bsuggest changes\b|\bwith feedback\b", re.I
)
_YES_NO = re.compile(r"[\[(](?P<yes>y(?:es)?)\s*/\s*(?P<no>n(?:o)?)[\])]\s*(?:[:?]\s*)?$", re.I)


@dataclass(frozen=True, slots=True)
class Option:
    number: int  # from 1, as printed or counted
    label: str
    key: str = ""  # the key that chooses it at once; empty: move the pointer and press Enter
    selected: bool = False  # the pointer is on it

    @property
    def takes_words(self) -> bool:
        """Whether the agent expects words afterwards: it refuses, and returns to its composer."""
        return self.key.isdigit() and bool(_WORDS.search(self.label))


@dataclass(frozen=True, slots=True)
class Menu:
    question: str
    options: tuple[Option, ...]
    first: int  # the indices of the first and last line of the options
    last: int
    # Every line of the dialog from title to hints, with the pointer blanked. The next dialog may
    # have the same question and the same options, but it has another body.
    body: tuple[str, ...] = ()
    title: tuple[str, ...] = ()  # the part of the body above the options


@dataclass(slots=True)
class _OptionLine:
    number: int
    label: str
    selected: bool
    line: int
    column: int


def find(screen: ScreenLayout) -> Menu | None:
    """The lowest dialog on the screen, unless it is history."""
    lines = [inner(line) for line in screen.lines]
    rule = screen.rules.menu
    for find_shape in (_inline, _numbered if rule.numbered else _pointed, _yes_no):
        menu = find_shape(lines, screen, rule)
        if menu and not _is_history(menu, screen):
            return _with_body(menu, screen)
    return None


def _with_body(menu: Menu, screen: ScreenLayout) -> Menu:
    top, bottom = _edges(menu, screen.lines)
    lines = list(screen.lines[top : bottom + 1])
    for index in range(menu.first - top, menu.last - top + 1):
        lines[index] = _unpointed(lines[index], screen.rules.menu.pointer)
    return replace(menu, body=tuple(lines), title=tuple(lines[: menu.first - top]))


def _edges(menu: Menu, lines: Sequence[str]) -> tuple[int, int]:
    """The first and the last line of the dialog.

    A dialog begins at a border, at the end of a bar, or below the nearest text at the left edge,
    where transcripts write and dialogs do not; otherwise at the top of the screen.
    """
    barred = is_barred(lines[menu.first])
    top = menu.first
    while top > 0 and menu.first - top < BODY_LINES:
        above = lines[top - 1]
        if barred != is_barred(above) or (not barred and _is_edge(above)):
            break
        top -= 1
    bottom = menu.last
    while bottom + 1 < len(lines) and not is_border(lines[bottom + 1]):
        bottom += 1
    return top, bottom


def _is_edge(line: str) -> bool:
    """A border, or text at the left edge; the side of a box belongs to the dialog.

    Dashes are inside a dialog: Claude Code draws them above and below a diff.
    """
    if line and not line.strip("╌┄┈"):
        return False
    return is_border(line) or (bool(line[:1].strip()) and inner(line) == line)


def _unpointed(line: str, pointer: str) -> str:
    """The line without the pointer, which moves while the dialog stays the same."""
    start = len(line) - len(line.lstrip(" │┃║"))
    marked = line[start : start + 1]
    return line[:start] + " " + line[start + 1 :] if marked and marked in pointer else line


def _is_history(menu: Menu, screen: ScreenLayout) -> bool:
    """Whether a composer is in or below it, or more than hints are below it."""
    composer = screen.composer
    if composer and composer.first <= menu.first and composer.last >= menu.last:
        return screen.rules.menu.hint is None or not _hinted(menu, screen)
    if composer and composer.first > menu.last:
        return True
    below = [line for line in screen.lines[menu.last + 1 :] if line and not is_border(line)]
    return len(below) > HINT_LINES


def _hinted(menu: Menu, screen: ScreenLayout) -> bool:
    hint = screen.rules.menu.hint
    below = screen.lines[menu.last : menu.last + 2 * HINT_LINES]
    return hint is None or any(hint.search(line) for line in below)


# --- the three shapes -------------------------------------------------------------------------


def _numbered(lines: Sequence[str], screen: ScreenLayout, rule: MenuRule) -> Menu | None:
    """Numbers that count up by one, and a pointer at one of them."""
    options: list[_OptionLine] = []
    for index in range(len(lines) - 1, -1, -1):
        match = _NUMBERED.match(lines[index])
        if match is None or (options and int(match["number"]) != options[0].number - 1):
            continue
        mark = match["mark"] or ""
        if mark and not any(sign in rule.pointer for sign in mark):
            continue
        number, column = int(match["number"]), match.start("label")
        options.insert(0, _OptionLine(number, match["label"], bool(mark), index, column))
        if number == 1:
            break
    if len(options) < 2 or options[0].number != 1 or sum(row.selected for row in options) != 1:
        return None
    return _menu(options, lines, screen)


def _pointed(lines: Sequence[str], screen: ScreenLayout, rule: MenuRule) -> Menu | None:
    """A pointer, and adjacent lines whose text begins in the same column."""
    pointer = re.compile(rf"^\s*[{re.escape(rule.pointer)}][●○◉]?\s+(?P<label>\S.*)$")
    for index in range(len(lines) - 1, -1, -1):
        if match := pointer.match(lines[index]):
            column = match.start("label")
            block = _block(lines, index, column)
            if len(block) > 1:
                options = [
                    _OptionLine(number, lines[line][column:].strip(), line == index, line, column)
                    for number, line in enumerate(block, 1)
                ]
                return _menu(options, lines, screen)
            return None
    return None


def _block(lines: Sequence[str], index: int, column: int) -> list[int]:
    other = re.compile(rf"^(?=.{{{column}}}\S)\s*(?:[○●◉]\s*)?\S")

    def belongs(line: str) -> bool:
        return bool(other.match(line)) and not line[:column].strip(" ○●◉")

    first, last = index, index
    while first > 0 and belongs(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and belongs(lines[last + 1]):
        last += 1
    return list(range(first, last + 1))


def _inline(lines: Sequence[str], screen: ScreenLayout, rule: MenuRule) -> Menu | None:
    if rule.inline is None:
        return None
    for index in range(len(lines) - 1, -1, -1):
        if match := rule.inline.search(lines[index]):
            labels = [label for label in match.groups() if label]
            chosen = _styled(screen, index, labels)
            options = tuple(
                Option(number, label, selected=number == chosen)
                for number, label in enumerate(labels, 1)
            )
            menu = Menu(_question(lines, index, screen), options, index, index)
            return menu if _hinted(menu, screen) else None
    return None


def _styled(screen: ScreenLayout, index: int, labels: Sequence[str]) -> int:
    """The number of the option whose background differs from that of its row; 0: not exactly one.

    The pointer is visible only by its colour, so a capture without colours cannot show it.
    """
    cells = styles(screen.raw, index)
    row = screen.lines[index]
    grounds = Counter(style for _, style in cells[len(row) - len(row.lstrip(" ┃│║")) :])
    if not grounds:
        return 0
    [(common, _)] = grounds.most_common(1)
    text, styled, start = "".join(character for character, _ in cells), [], 0
    for number, label in enumerate(labels, 1):
        start = text.find(label, start)
        if start < 0:
            return 0
        if all(style != common for _, style in cells[start : start + len(label)]):
            styled.append(number)
        start += len(label)
    return styled[0] if len(styled) == 1 else 0


def _yes_no(lines: Sequence[str], screen: ScreenLayout, rule: MenuRule) -> Menu | None:
    """A plain question on the last line."""
    last = len(lines) - 1
    while last >= 0 and (not lines[last].strip() or is_border(screen.lines[last])):
        last -= 1
    line = lines[last].strip() if last >= 0 else ""
    match = _YES_NO.search(line)
    if match is None:
        return None
    yes, no = Option(1, "Yes", match["yes"].lower()), Option(2, "No", match["no"].lower())
    question = line[: match.start()].rstrip() or _question(lines, last, screen)
    return Menu(question[:QUESTION_LENGTH], (yes, no), last, last)


# --- the words --------------------------------------------------------------------------------


def _menu(rows: Sequence[_OptionLine], lines: Sequence[str], screen: ScreenLayout) -> Menu | None:
    width = max((len(line) for line in lines), default=0)
    ends = [row.line for row in rows[1:]] + [len(lines)]
    last, options = rows[-1].line, []
    for row, end in zip(rows, ends, strict=True):
        label, line = row.label.strip(), row.line
        while line + 1 < end and _continues(lines[line], lines[line + 1], row.column, width):
            label += "" if len(lines[line]) >= width else " "  # a word longer than the line
            line += 1
            label += lines[line].strip()
        last = max(last, line)
        options.append(_option(row, label, screen.rules.menu))
    menu = Menu(_question(lines, rows[0].line, screen), tuple(options), rows[0].line, last)
    return menu if _hinted(menu, screen) else None


def _continues(line: str, after: str, column: int, width: int) -> bool:
    """Whether the next line continues this one: there was no room for its first word."""
    word = after.split(maxsplit=1)[0] if after.strip() else ""
    indent = len(after) - len(after.lstrip())
    return bool(word) and indent >= min(column, 2) and len(line) + 1 + len(word) > width - 2


def _option(row: _OptionLine, label: str, rule: MenuRule) -> Option:
    """Keys at the end of a label, "(y) (enter)" or "[Alt+1]", are not part of it."""
    keys: list[str] = []
    for _ in range(KEYS_LIMIT):
        match = _KEYS.search(label, max(0, len(label) - KEYS_LENGTH))
        rest = label[: match.start()].rstrip() if match else ""
        named = match["keys"].lower().replace(" or ", "|").split("|") if match else []
        if not rest or not all(_KEY.fullmatch(name) for name in named):
            break
        keys, label = [*named, *keys], rest
    if rule.numbered:
        keys = [str(row.number)]
    key = min((key for key in keys if key != "enter"), key=len, default="")
    return Option(row.number, label, key, row.selected)


def _question(lines: Sequence[str], first: int, screen: ScreenLayout) -> str:
    """The nearest line above that asks, else the nearest with text; not above the dialog's top."""
    above = []
    for index in range(first - 1, max(first - 1 - QUESTION_LINES, -1), -1):
        if is_border(screen.lines[index]):
            break
        above.append(index)
    rule = screen.rules.menu
    asking = next((i for i in above if rule.title and rule.title.search(lines[i])), None)
    if asking is None:
        asking = next((i for i in above if rule.asks.search(lines[i])), None)
    if asking is None:
        asking = next((index for index in above if lines[index].strip()), None)
    if asking is None:
        return ""
    words, width = (
        [lines[asking].strip(" △⚠?") + ("?" if lines[asking].rstrip().endswith("?") else "")],
        max(len(line) for line in lines),
    )
    while asking - 1 in above and _wraps(lines[asking - 1], lines[asking], width):
        asking -= 1
        words.insert(0, lines[asking].strip())
    return " ".join(words)[:QUESTION_LENGTH]


def _wraps(line: str, after: str, width: int) -> bool:
    same = len(line) - len(line.lstrip()) == len(after) - len(after.lstrip())
    if line.lstrip()[:1] in "│┃║╭╰┌└├":  # a box inside the dialog
        return False
    return same and bool(line.strip()) and _continues(line, after, 0, width)
