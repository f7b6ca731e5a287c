"""Splits what an agent showed into prompts, replies and tool calls, by the marks at the left. Pure.

The marks are data, in agents/runtimes/*.toml. A line without a mark belongs to the block above it;
what an agent quotes is indented, so its marks are not at the left edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.runtimes.loader import Rules

OUTPUT_LINES = 6  # rows of a call, up to the first row of its output


class ShownKind(StrEnum):
    PROMPT = "prompt"  # that was typed in the terminal: the recorder did not see its Enter
    REPLY = "reply"
    TOOL = "tool"  # a tool call with its output


@dataclass(frozen=True, slots=True)
class ShownBlock:
    kind: ShownKind
    first: int  # line
    end: int


def split(lines: Sequence[str], rules: Rules) -> list[ShownBlock]:
    """The blocks in order. Without marks of both prompts and replies, all lines are one reply."""
    if not lines:
        return []
    if rules.chat.tool is None and (rules.chat.echo is None or rules.chat.said is None):
        return [ShownBlock(ShownKind.REPLY, 0, len(lines))]
    blocks: list[ShownBlock] = []
    kind, first = ShownKind.REPLY, 0
    for number in range(len(lines)):
        beginning = _kind(lines, number, rules)
        if beginning is None and kind is ShownKind.PROMPT and not lines[number]:
            beginning = ShownKind.REPLY  # a prompt ends with its paragraph
        if beginning is None:
            continue
        if number > first:
            blocks.append(ShownBlock(kind, first, number))
        kind, first = beginning, number
    return [*blocks, ShownBlock(kind, first, len(lines))]


def _kind(lines: Sequence[str], number: int, rules: Rules) -> ShownKind | None:
    """What begins in this line, if anything does."""
    line, chat = lines[number], rules.chat
    if chat.tool is not None and chat.tool.match(line):
        return ShownKind.TOOL
    if not number and chat.output is not None and chat.output.match(line):
        return ShownKind.TOOL  # its call has scrolled off; a reply may draw a tree further down
    if chat.said is not None and chat.said.match(line):
        return ShownKind.TOOL if _has_output(lines, number, rules) else ShownKind.REPLY
    if chat.said is not None and chat.echo is not None and chat.echo.match(line):
        return ShownKind.PROMPT
    return None


def _has_output(lines: Sequence[str], number: int, rules: Rules) -> bool:
    """Whether the output of a tool follows, perhaps after more rows of its call."""
    if rules.chat.output is None:
        return False
    for line in lines[number + 1 : number + 1 + OUTPUT_LINES]:
        if not line:
            return False
        if rules.chat.output.match(line):
            return True
    return False
