"""Converts Markdown text to a tree of blocks and back: one line is one block, as in a Notion page.

Pure. Marks within a line are in inline.py, the objects of Notion's API in payloads.py. A text comes
back as it was, with these exceptions: CRLF becomes LF, `*` and `+` bullets become `-`, `[X]`
becomes `[x]`, numbered items are numbered from 1, and a nested item is aligned with the text of
its parent. An empty text has no blocks. A paragraph that would be read as another kind of block
is escaped with a backslash: `\\# not a heading`.

Our own code: notion-client does not convert Markdown, and the tree of a Markdown library cannot
reproduce the same text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

DEPTH_LIMIT = 40  # levels below the first; lines indented further are text
LOOSE_SPACES = 3  # extra spaces allowed before the mark of a list item, as in CommonMark


class BlockKind(StrEnum):
    PARAGRAPH = "paragraph"
    HEADING_1 = "heading_1"
    HEADING_2 = "heading_2"
    HEADING_3 = "heading_3"
    BULLET = "bulleted_list_item"
    NUMBER = "numbered_list_item"
    TO_DO = "to_do"
    QUOTE = "quote"
    CODE = "code"
    DIVIDER = "divider"
    KEPT = "kept"  # any other kind: shown as a line that names the block, never written


@dataclass(frozen=True, slots=True)
class Block:
    kind: BlockKind
    text: str = ""  # inline Markdown; for code the code itself, for a kept block its line
    checked: bool = False
    info: str = ""  # the text after the opening fence of code: its language
    id: str = field(default="", compare=False)  # empty for a block that is not in Notion yet
    children: tuple["Block", ...] = ()

    @property
    def nests(self) -> bool:
        return self.kind not in {BlockKind.CODE, BlockKind.DIVIDER, BlockKind.KEPT}


HEADINGS = (BlockKind.HEADING_1, BlockKind.HEADING_2, BlockKind.HEADING_3)
_HEADING = re.compile(r"(#{1,3}) (.*)")
_BULLET = re.compile(r"[-*+] (.*)")
_BOX = re.compile(r"\[([ xX])\] (.*)")
_NUMBER = re.compile(r"(\d{1,9})\. (.*)")
_QUOTE = re.compile(r"> (.*)")
_KEPT = re.compile(r"<!-- notion:\w+ ([0-9a-f]{32})(?: .*)? -->")
_FENCE = re.compile(r"(`{3,})([^`]*)")
_ESCAPED = re.compile(r"(\\+)(.*)")


def blocks(text: str) -> list[Block]:
    lines = text.replace("\r\n", "\n").split("\n") if text else []
    return list(_nested(list(_read_lines(lines))))


def markdown(tree: Sequence[Block]) -> str:
    lines: list[str] = []
    fences: list[tuple[int, int]] = []
    outline = _Outline()
    for level, number, block in _flat(tree):
        indent = outline.indent(level)
        if block.kind is BlockKind.PARAGRAPH and _FENCE.fullmatch(block.text.lstrip("\\")):
            fences.append((len(lines), indent))
        lines += _lines(block, number, outline, level)
        outline.add(level, block, _mark_width(block, number) + indent)
    for index, indent in reversed(fences):
        if _code(lines[index][indent:].lstrip("\\"), indent, lines[index + 1 :]):
            lines[index] = f"{lines[index][:indent]}\\{lines[index][indent:]}"
    return "\n".join(lines)


def kept_line(kind: str, block_id: str, words: str) -> str:
    """The line for a block that we cannot write: `<!-- notion:image 1f2e… a sunset -->`."""
    words = " ".join(words.replace("--", "-").split())
    return f"<!-- notion:{kind} {block_id.replace('-', '')}{' ' if words else ''}{words} -->"


# --- levels -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Outline:
    """The column at which the children of each open block start, from the outermost inwards."""

    columns: list[int] = field(default_factory=list)

    def level(self, spaces: int) -> int:
        return sum(column <= spaces for column in self.columns)

    def indent(self, level: int) -> int:
        return self.columns[level - 1] if level else 0

    def add(self, level: int, block: Block, column: int) -> None:
        if block.kind is BlockKind.PARAGRAPH:  # its own spaces are part of its text
            column += _spaces(block.text)
        self.columns[level:] = [column] if block.nests and level < DEPTH_LIMIT else []


def _spaces(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _flat(tree: Iterable[Block], level: int = 0) -> Iterator[tuple[int, int, Block]]:
    """Each block with its level, and its number in a run of numbered items."""
    number = 0
    for block in tree:
        number = number + 1 if block.kind is BlockKind.NUMBER else 0
        yield level, number, block
        yield from _flat(block.children, level + 1)


def _nested(flat: Sequence[tuple[int, Block]], level: int = 0) -> Iterator[Block]:
    """The reverse of `_flat`."""
    starts = [index for index, (its_level, _) in enumerate(flat) if its_level == level]
    for start, end in pairwise([*starts, len(flat)]):
        inner = tuple(_nested(flat[start + 1 : end], level + 1))
        yield replace(flat[start][1], children=inner)


# --- reading ------------------------------------------------------------------------------------


def _read_lines(lines: Sequence[str]) -> Iterator[tuple[int, Block]]:
    outline, index = _Outline(), 0
    while index < len(lines):
        line = lines[index]
        level = outline.level(_spaces(line))
        indent = outline.indent(level)
        rest = lines[index + 1 :]
        code = _code(line[indent:], indent, rest)
        block = code or _read(line[indent:], outline, level, rest)
        yield level, block
        loose = _spaces(line) - indent if block.kind is not BlockKind.PARAGRAPH else 0
        outline.add(level, block, indent + loose + _source_width(block, line))
        index += 1 + (len(_content(code)) + 1 if code else 0)


def _read(text: str, outline: _Outline, level: int, rest: Sequence[str]) -> Block:
    if block := _marked(text):
        return block
    if kept := _KEPT.fullmatch(text):
        return Block(BlockKind.KEPT, text, id=kept[1])
    escaped = _ESCAPED.fullmatch(text)
    if escaped and _misread(escaped[2], outline, level, rest):
        text = text[1:]
    return Block(BlockKind.PARAGRAPH, text)


def _marked(text: str) -> Block | None:
    """A block whose kind is shown by its first characters."""
    item = text.lstrip(" ") if _spaces(text) <= LOOSE_SPACES else text
    if match := _BULLET.fullmatch(item):
        return _bullet(match[1])
    if match := _NUMBER.fullmatch(item):
        return Block(BlockKind.NUMBER, match[2])
    if match := _HEADING.fullmatch(text):
        return Block(HEADINGS[len(match[1]) - 1], match[2])
    if match := _QUOTE.fullmatch(text):
        return Block(BlockKind.QUOTE, match[1])
    return Block(BlockKind.DIVIDER) if text == "---" else None


def _bullet(text: str) -> Block:
    if box := _BOX.fullmatch(text):
        return Block(BlockKind.TO_DO, box[2], checked=box[1] != " ")
    escaped = _ESCAPED.fullmatch(text)
    if escaped and _BOX.fullmatch(escaped[2]):
        text = text[1:]
    return Block(BlockKind.BULLET, text)


def _misread(text: str, outline: _Outline, level: int, rest: Sequence[str]) -> bool:
    """Whether a paragraph's text would be read as another kind of block, or on another level."""
    indent = outline.indent(level)
    if outline.level(indent + _spaces(text)) != level or _marked(text):
        return True
    return _code(text, indent, rest) is not None


def _code(opener: str, indent: int, rest: Sequence[str]) -> Block | None:
    """The fenced code that starts with `opener`, if we would write it the same way."""
    fence = _FENCE.fullmatch(opener)
    if fence is None:
        return None
    blank, content = " " * indent, list[str]()
    for line in rest:
        if line == blank + fence[1]:
            break
        if line == blank != "" or not (line == "" or line.startswith(blank)):
            return None
        if line[indent:].startswith(fence[1]):
            return None
        content.append(line[indent:])
    else:
        return None
    block = Block(BlockKind.CODE, "\n".join(content), info=fence[2])
    return block if _content(block) == content and _fence(content) == fence[1] else None


def _content(block: Block) -> list[str]:
    return block.text.split("\n") if block.text else []


def _fence(content: Iterable[str]) -> str:
    longest = max((len(line) - len(line.lstrip("`")) for line in content), default=0)
    return "`" * max(3, longest + 1)


def _source_width(block: Block, line: str) -> int:
    number = _NUMBER.match(line.lstrip(" ")) if block.kind is BlockKind.NUMBER else None
    return len(number[1]) + 2 if number else 2


# --- writing ------------------------------------------------------------------------------------


def _mark_width(block: Block, number: int) -> int:
    return len(f"{number}. ") if block.kind is BlockKind.NUMBER else 2


def _lines(block: Block, number: int, outline: _Outline, level: int) -> list[str]:
    blank = " " * outline.indent(level)
    if block.kind is BlockKind.CODE:
        fence = _fence(_content(block))
        inner = [blank + line if line else "" for line in _content(block)]
        return [f"{blank}{fence}{block.info}", *inner, blank + fence]
    if block.kind is BlockKind.PARAGRAPH and _misread(block.text.lstrip("\\"), outline, level, ()):
        return [f"{blank}\\{block.text}"]
    return [blank + _mark(block, number) + block.text]


def _mark(block: Block, number: int) -> str:
    if block.kind in HEADINGS:
        return "#" * (HEADINGS.index(block.kind) + 1) + " "
    if block.kind is BlockKind.BULLET:
        return "- \\" if _BOX.fullmatch(block.text.lstrip("\\")) else "- "
    marks = {
        BlockKind.TO_DO: f"- [{'x' if block.checked else ' '}] ",
        BlockKind.NUMBER: f"{number}. ",
        BlockKind.QUOTE: "> ",
        BlockKind.DIVIDER: "---",
    }
    return marks.get(block.kind, "")
