"""Splits what an agent showed into prompts, replies and tool calls, by the marks at the left. Pure.

The marks are data, in agents/runtimes/*.toml. A line without a mark belongs to the block above it;
what an agent quotes is indented, so its marks are not at the left edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.runtimes.loader import Rules

OUTPUT_LINES = 6  # rows of a call, up to the first row of its output


class BlockKind(StrEnum):
    PROMPT = "prompt"  # that was typed in the terminal: the recorder did not see its Enter
    REPLY = "reply"
    TOOL = "tool"  # a tool call with its output


@dataclass(frozen=True, slots=True)
class Block:
    kind: BlockKind
    first: int  # line
    end: int


def split(lines: Sequence[str], rules: Rules) -> list[Block]:
    """The blocks in order. Without marks of both prompts and replies, all lines are one reply."""
    if not lines:
        return []
    if rules.chat.tool is None and (rules.chat.echo is None or rules.chat.said is None):
        return [Block(BlockKind.REPLY, 0, len(lines))]
    blocks: list[Block] = []
    kind, first = BlockKind.REPLY, 0
    for number in range(len(lines)):
        found = _kind(lines, number, rules)
        if found is None and kind is BlockKind.PROMPT and not lines[number]:
            found = BlockKind.REPLY  # a prompt ends with its paragraph
        if found is None:
            continue
        if number > first:
            blocks.append(Block(kind, first, number))
        kind, first = found, number
    return [*blocks, Block(kind, first, len(lines))]


def _kind(lines: Sequence[str], number: int, rules: Rules) -> BlockKind | None:
    """What begins in this line, if anything does."""
    line, chat = lines[number], rules.chat
    if chat.tool is not None and chat.tool.match(line):
        return BlockKind.TOOL
    if not number and chat.output is not None and chat.output.match(line):
        return BlockKind.TOOL  # its call has scrolled off; a reply may draw a tree further down
    if chat.said is not None and chat.said.match(line):
        return BlockKind.TOOL if _has_output(lines, number, rules) else BlockKind.REPLY
    if chat.said is not None and chat.echo is not None and chat.echo.match(line):
        return BlockKind.PROMPT
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
