"""Decides whether a text of the screen is the text that an agent reported. Pure.

Equal means: the same characters in the same order, where terminals show Markdown instead of its
marks and break lines. Containment is not equality, and neither is a missing `_`, `*` or digit that
is no mark. In a prompt nothing is a mark.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.chat.journals.entries import MessageKind
from agents.chat.transcript import Message
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource

# Lines that are only marks: fences, the rule of a table, borders.
_MARK_LINE = re.compile(
    r"^(?!$)(?:[ \t]*(?:```|~~~).*|[ \t:-]*\|[ \t|:-]*|[-*_]{3,}|[\u2500-\u257f \t]+)$",
    re.MULTILINE,
)
_BEGINNING = re.compile(r"^[ \t]*(?:[-+*•●◦‣▪⏺]|#{1,6}|>|[▌│┃])[ \t]+", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]\n]{0,1000})\]\([^()\s]{0,2000}\)")
# Marks that come in pairs around a text of one paragraph; each reads a text once.
_PAIRS = (
    re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]{1,2000})(?<!`)\1(?!`)"),
    re.compile(r"(\*\*|__|~~)(?=\S)([^*_~\n]{1,2000})(?<=\S)\1"),
    re.compile(r"(?<![\w*])(\*)(?=\S)([^*\n]{1,2000})(?<=\S)\*(?![\w*])"),
    re.compile(r"(?<![\w])(_)(?=\S)([^_\n]{1,2000})(?<=\S)_(?!\w)"),
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CELLS = re.compile(r"^[ \t]*[|│┃].*$", re.MULTILINE)
_CELL = re.compile(r"[|│┃]")
_ROLES = {EventKind.PROMPT_SUBMITTED: "user", EventKind.TURN_ENDED: "assistant"}


def equal(shown: str, reported: str, *, markdown: bool) -> bool:
    """Whether the screen shows the reported text. Where `shown` has a line break the other may have
    a blank or nothing, because terminals break lines anywhere; other blanks must be in both."""
    if markdown:
        shown, reported = _unmarked(shown), _unmarked(reported)
    text, position = " ".join(unicodedata.normalize("NFC", reported).split()), 0
    for line in unicodedata.normalize("NFC", shown).split("\n"):
        part = " ".join(line.split())
        if not part:
            continue
        if text.startswith(" ", position):
            position += 1
        if not text.startswith(part, position):
            return False
        position += len(part)
    return position == len(text)


def _unmarked(text: str) -> str:
    text = _MARK_LINE.sub("", text)
    text = _CELLS.sub(lambda row: _CELL.sub(" ", row[0]), text)
    text = _LINK.sub(r"\1", _BEGINNING.sub("", text))
    for pair in _PAIRS:
        text = pair.sub(r"\2", text)
    return _ESCAPE.sub(r"\1", text)


def confirm(messages: Sequence[Message], events: Iterable[AgentEvent]) -> list[Message]:
    """Messages of the screen that a hook reported have its text, which is exact."""
    reported: dict[tuple[str, str], dict[str, None]] = {}
    for event in events:
        if event.source is EventSource.HOOK and event.kind in _ROLES and event.text:
            role = _ROLES[event.kind]
            reported.setdefault((role, _letters(event.text)), {})[event.text] = None
    return [_confirmed(message, reported) for message in messages] if reported else list(messages)


def _confirmed(message: Message, reported: dict[tuple[str, str], dict[str, None]]) -> Message:
    if message.source != "screen" or message.kind is not MessageKind.TEXT:
        return message
    markdown = message.role == "assistant"
    for text in reported.get((message.role, _letters(message.text)), ()):
        if equal(message.text, text, markdown=markdown):
            return replace(message, text=text, source="hook", confirmed=True)
    return message


def _letters(text: str) -> str:
    """To find candidates quickly: what no rendering changes."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", _MARK_LINE.sub("", text))))
