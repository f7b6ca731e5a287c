"""The cells of a pane with their attributes, as tmux has them and as xterm.js shows them.

Both sides are written in the same notation: a row is a list of cells, a cell is its character, its
colours and its attributes. tmux captures each row with a command of its own, so that no pen carries
over from one row to the next, and the SGR parser here shares no code with the product.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from wcwidth import wcwidth

CELL, RUN = "\x01", "\x02"  # separate cells, and the attributes of a run from its cells
BLANK_RUN = "d,d,"
ANY = ("*", "*")  # a cell that is not compared
HISTORY_LINES = 2000  # with the first capture of a viewer, see terminals/tmux/viewer.py

_PIECE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\](?:.*?)\x1b\\|([\x0e\x0f])|(.)", re.DOTALL)
_LINE_DRAWING = dict(
    zip("`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·", strict=True)
)
_ON = {1: "b", 2: "f", 3: "i", 5: "k", 6: "k", 7: "r", 8: "h", 9: "s", 53: "o"}
_OFF = {22: "bf", 23: "i", 24: "u", 25: "k", 27: "r", 28: "h", 29: "s", 55: "o"}

# Reads rows `from` to the end of a buffer of xterm.js. Cells of equal attributes are one run:
# [attributes, separator, cells, ...]. Blank cells at the end of a row are left out.
READ_ROWS = r"""(terminal) => {
  const colour = (isDefault, isRgb, value) => isDefault ? 'd' : isRgb ? `#${value}` : `${value}`
  const flags = (cell) => [
    ['b', cell.isBold()], ['f', cell.isDim()], ['h', cell.isInvisible()], ['i', cell.isItalic()],
    ['k', cell.isBlink()], ['o', cell.isOverline()], ['r', cell.isInverse()],
    ['s', cell.isStrikethrough()],
  ].filter(([, on]) => on).map(([name]) => name).join('')
  const underline = (cell) => {
    if (!cell.isUnderline()) return ''
    const style = cell.getUnderlineStyle()
    if (!cell.hasExtendedAttrs() || cell.isUnderlineColorDefault()) return `u${style}`
    return `u${style}(${colour(false, cell.isUnderlineColorRGB(), cell.getUnderlineColor())})`
  }
  const look = (cell) => [
    colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    flags(cell) + underline(cell),
  ].join(',')
  const row = (line) => {
    const runs = []
    let last = null
    let cell
    for (let x = 0; x < terminal.cols; x++) {
      cell = line.getCell(x, cell)
      const now = cell.getWidth() === 0 ? last : look(cell)
      if (now !== last) runs.push([last = now, []])
      runs.at(-1)[1].push(cell.getWidth() === 0 ? '' : cell.getChars() || ' ')
    }
    const [looks, cells] = runs.at(-1)
    while (looks === 'd,d,' && cells.at(-1) === ' ') cells.pop()
    if (cells.length === 0) runs.pop()
    return runs.map(([looks, cells]) => [looks, ...cells].join('\x01')).join('\x02')
  }
  const rows = (buffer) => Array.from({ length: buffer.length }, (_, y) => row(buffer.getLine(y)))
  const { active, normal } = terminal.buffer
  const primary = rows(normal)
  return {
    cols: terminal.cols, rows: terminal.rows,
    screen: active === normal ? primary.slice(normal.baseY) : rows(active).slice(active.baseY),
    history: primary.slice(0, normal.baseY),
    saved: active === normal ? [] : primary.slice(normal.baseY),
    cursor: [active.cursorX, active.cursorY],
  }
}"""


@dataclass(frozen=True)
class PaneCells:
    """The rows in the notation of `encode`, and the cursor."""

    screen: tuple[str, ...]
    history: tuple[str, ...]
    saved: tuple[str, ...]  # the primary screen while the pane shows the alternate one
    cursor: tuple[int, int]


@dataclass
class Differences:
    """How many cells of how many rows differ, and the first few rows that do."""

    cells: int = 0
    compared: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)

    def include(self, other: "Differences") -> None:
        self.cells += other.cells
        self.compared += other.compared
        self.examples += other.examples

    def add(self, expected: Sequence[str], shown: Sequence[str], width: int) -> None:
        for left, right in zip_longest(expected, shown, fillvalue=None):
            self.compared += width
            different = 0 if left == right else _count(left, right, width)
            if different:
                self.cells += different
                self.examples.append((str(left), str(right)))


@dataclass
class _Look:
    fg: str = "d"
    bg: str = "d"
    underline_colour: str = "d"
    flags: set[str] = field(default_factory=set)
    underline: int = 0

    def apply(self, parameters: str) -> None:
        numbers = [re.split(":", part) for part in parameters.split(";")]
        while numbers:
            number, *rest = [int(each or 0) for each in numbers.pop(0)]
            if number == 0:
                self.fg = self.bg = self.underline_colour = "d"
                self.flags, self.underline = set(), 0
            elif number in {4, 21, 24}:
                self.underline = {21: 2, 24: 0}.get(number, rest[0] if rest else 1)
            elif number == 5 and rest == [3]:
                self.flags.add("o")  # how tmux writes an overline
            elif number in _ON:
                self.flags.add(_ON[number])
            elif number in _OFF:
                self.flags -= set(_OFF[number])
            else:
                self._colour(number, rest or [int(part[0] or 0) for part in numbers[:4]], numbers)

    def _colour(self, number: int, values: list[int], numbers: list[list[str]]) -> None:
        if number in {38, 48, 58}:
            count = 2 if values[0] == 5 else 4
            red_green_blue = (f"{value:02x}" for value in values[1:4])
            colour = str(values[1]) if values[0] == 5 else f"#{int(''.join(red_green_blue), 16)}"
            del numbers[:count]
            self._set(number // 10, colour)
        elif number in {39, 49, 59}:
            self._set(number // 10, "d")
        elif number in {*range(30, 38), *range(40, 48)}:
            self._set(number // 10, str(number % 10))
        elif number in {*range(90, 98), *range(100, 108)}:
            self._set(3 if number < 100 else 4, str(number % 10 + 8))
        else:
            raise AssertionError(f"SGR {number} is not known here")

    def _set(self, kind: int, colour: str) -> None:
        setattr(self, {3: "fg", 4: "bg", 5: "underline_colour"}[kind], colour)

    def __str__(self) -> str:
        line = f"u{self.underline}" if self.underline else ""
        if line and self.underline_colour != "d":
            line += f"({self.underline_colour})"
        return f"{self.fg},{self.bg},{''.join(sorted(self.flags))}{line}"


@lru_cache(maxsize=100_000)
def encode(row: str, width: int) -> str:
    """A row that tmux captured on its own, in the notation of `READ_ROWS`."""
    style, drawing = _Look(), False
    cells: list[tuple[str, str]] = []
    for piece in _PIECE.finditer(row):
        parameters, shift, character = piece.groups()
        if parameters is not None:
            style.apply(parameters)
        elif shift is not None:
            drawing = shift == "\x0e"
        elif character is not None:
            character = _LINE_DRAWING.get(character, character) if drawing else character
            columns = wcwidth(character)
            if columns == 0 and cells:
                _combine(cells, character)
            else:
                cells += [(str(style), character), *([(str(style), "")] if columns == 2 else [])]
    if len(cells) > width:
        # Half a wide character in the last column: no terminal can show it. Its combining marks
        # are drawn on the character before.
        first = width - 1 - (len(cells[width - 1][1]) > 1)
        cells[first:] = [ANY] * (width - first)
    while cells and cells[-1] == (BLANK_RUN, " "):
        cells.pop()
    return RUN.join(_runs(cells))


def read_pane(run: Callable[..., str], pane: str, directory: Path, lines: int) -> PaneCells:
    """The cells of a pane, and of up to `lines` rows of its history, row by row.

    `run` is the command line of tmux. All captures are in one file: forks would take too long.
    """
    form = "#{pane_width} #{pane_height} #{history_size} #{cursor_x} #{cursor_y} #{alternate_on}"
    state = run("display-message", "-p", "-t", pane, form)
    width, height, history, x, y, alternate = map(int, state.split())
    above = min(lines, history)
    captures = [f"capture-pane -epN -t {pane} -S {row} -E {row}" for row in range(-above, height)]
    if alternate:
        captures += [f"capture-pane -aepqN -t {pane} -S {row} -E {row}" for row in range(height)]
    commands = directory / f"rows-{pane[1:]}.tmux"
    commands.write_text("\n".join(captures))
    captured = run("source-file", str(commands)).split("\n")
    captured += [""] * (len(captures) - len(captured))  # `run` strips line breaks at the end
    rows = tuple(encode(row, width) for row in captured)
    screen_end = above + height
    return PaneCells(rows[above:screen_end], rows[:above], rows[screen_end:], (x, y))


def cells_of(row: str) -> list[tuple[str, str]]:
    return [
        (looks, cell)
        for looks, *cells in (run.split(CELL) for run in row.split(RUN) if run)
        for cell in cells
    ]


def _count(expected: str | None, shown: str | None, width: int) -> int:
    """How many cells differ; all of them where a row is missing."""
    if expected is None or shown is None:
        return width
    pairs = zip_longest(cells_of(expected), cells_of(shown), fillvalue=(BLANK_RUN, " "))
    return sum(1 for left, right in pairs if left not in {right, ANY})


def _combine(cells: list[tuple[str, str]], character: str) -> None:
    index = -2 if cells[-1][1] == "" else -1
    looks, before = cells[index]
    cells[index] = (looks, before + character)


def _runs(cells: list[tuple[str, str]]) -> list[str]:
    runs: list[list[str]] = []
    last = None
    for looks, character in cells:
        if looks != last:
            runs.append([looks])
            last = looks
        runs[-1].append(character)
    return [CELL.join(run) for run in runs]
