"""The description of a task: fenced code below its line, indented deeper than the line.

Pure. Called by tasklist.py, which decides what a task is. Plain lines below a task are tasks of
their own, whatever their indentation; fenced code never is, so it can hold any text.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Line = tuple[str, str]  # content and line ending
SPACE = " \t"
TAB_SIZE = 4
SHORTEST_FENCE = 3
# The indentation below a line without a bullet; below a bullet it is the bullet's width.
INDENT = "  "


@dataclass(frozen=True, slots=True)
class AttachedCode:
    """`end` is the number of the line after the last attached block. The first block, `first`, is
    the description, with the text `text`."""

    end: int
    first: range | None = None
    text: str = ""


def find_code(lines: Sequence[Line], number: int, blocks: Mapping[int, range]) -> AttachedCode:
    """The code that belongs to the task in line `number`: all blocks that follow it directly or
    after blank lines. `blocks` has the closed blocks of the body by their first lines."""
    depth = _depth(lines[number][0])
    attached = AttachedCode(number + 1)
    while block := _next_block(lines, attached.end, blocks):
        opening = lines[block.start][0]
        if _depth(opening) <= depth or not _opens_without_bullet(opening):
            break
        text = attached.text if attached.first else _text(lines, block)
        attached = AttachedCode(block.stop, attached.first or block, text)
    return attached


def clean(text: str) -> str:
    """The text as it is stored: with plain line breaks, without blank lines at its ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines).rstrip(SPACE)


def replace_text(
    lines: Sequence[Line], number: int, attached: AttachedCode, text: str, *, lead: str
) -> list[Line]:
    """All lines, with `text` as the description of the task in line `number`; an empty text
    removes it. `lead` is what stands before the task's text: indentation and bullet."""
    block = attached.first or range(number + 1, number + 1)
    opening = lines[block.start][0] if attached.first else _new_opening(lead)
    code = _render(opening, text) if text else []
    return [*lines[: block.start], *((content, "") for content in code), *lines[block.stop :]]


def _next_block(lines: Sequence[Line], start: int, blocks: Mapping[int, range]) -> range | None:
    while start < len(lines) and not lines[start][0].strip():
        start += 1
    return blocks.get(start)


def _text(lines: Sequence[Line], block: range) -> str:
    indent = len(_indent(lines[block.start][0]))
    inner = (lines[number][0] for number in block[1:-1])
    return "\n".join(content[min(indent, len(_indent(content))) :] for content in inner)


def _render(opening: str, text: str) -> list[str]:
    """Keeps the opening line and its language. The fence is longer than any fence in the text."""
    indent = _indent(opening)
    fence = opening[len(indent) :]
    mark = fence[0]
    language = fence.lstrip(mark)
    length = max(
        len(fence) - len(language), *(_fence_length(line, mark) + 1 for line in text.split("\n"))
    )
    marks = mark * length
    inner = (indent + line if line else "" for line in text.split("\n"))
    return [indent + marks + language, *inner, indent + marks]


def _fence_length(line: str, mark: str) -> int:
    content = line.strip(SPACE)
    length = len(content) - len(content.lstrip(mark))
    return length if length >= SHORTEST_FENCE else SHORTEST_FENCE - 1


def _new_opening(lead: str) -> str:
    indent = _indent(lead)
    bullet = lead[len(indent) :]
    return indent + (" " * len(bullet) or INDENT) + "`" * SHORTEST_FENCE


def _indent(content: str) -> str:
    return content[: len(content) - len(content.lstrip(SPACE))]


def _depth(content: str) -> int:
    return len(_indent(content).expandtabs(TAB_SIZE))


def _opens_without_bullet(content: str) -> bool:
    return content.lstrip(SPACE).startswith(("```", "~~~"))
