"""Decides whether a text of the screen is the text that an agent reported. Pure.

Equal means: the same characters in the same order, without white space and without the marks of
Markdown, which terminals render instead of showing them. Containment is not equality.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.chat.transcript import Message
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource

_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-+*•●◦‣▪]|\d+[.)])[ \t]+", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]\n]{0,1000})\]\([^()\s]{0,2000}\)")
_MARKS = str.maketrans("", "", "*_`#~|>\\")
_ROLES = {EventKind.PROMPT_SUBMITTED: "user", EventKind.TURN_ENDED: "assistant"}


def normalised(text: str) -> str:
    plain = _LINK.sub(r"\1", _BULLET.sub("", _FENCE.sub("", unicodedata.normalize("NFC", text))))
    return "".join(plain.translate(_MARKS).split())


def confirm(messages: Sequence[Message], events: Iterable[AgentEvent]) -> list[Message]:
    """Messages of the screen that a hook reported have its text, which is exact."""
    reported: dict[tuple[str, str], str] = {}
    for event in events:
        if event.source is EventSource.HOOK and event.kind in _ROLES and event.text:
            reported[_ROLES[event.kind], normalised(event.text)] = event.text
    return [_confirmed(message, reported) for message in messages] if reported else list(messages)


def _confirmed(message: Message, reported: dict[tuple[str, str], str]) -> Message:
    if message.source != "screen":
        return message
    text = reported.get((message.role, normalised(message.text)))
    return message if text is None else replace(message, text=text, source="hook", confirmed=True)
