"""The command language of prompts: what the model server does with each. Pure.

A prompt is a list of steps separated by `;;`. Each tool call ends one reply; the steps after it
follow when its result has arrived, so `RUN a ;; RUN b` causes two dialogs, one after the other.
`RUN a ++ RUN b` makes both calls in one reply.

    SAY text          stream this text; =NAME is a text of quotes.py
    STREAM s text     the same, over this many seconds
    THINK text        stream this as reasoning
    SLEEP seconds     wait, while the agent shows that it works
    RUN command       call the agent's shell tool
    WRITE path text   call the agent's tool that writes a file
    TOOL name {json}  call any tool of the agent by its name
    FAIL times        answer so many requests with an error of the server, then go on

A text without any of these words is answered with "OK.".
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lab.quotes import QUOTES

FINISHED = "OK."
_WORDS = "SAY|STREAM|THINK|SLEEP|RUN|WRITE|TOOL|FAIL"
_BEGINS = re.compile(rf"(?:^|(?<=\n))[ \t]*((?:{_WORDS})[ \t][^\n]*)")
_STEP = re.compile(rf"({_WORDS})\s+(.*)", re.DOTALL)
# Agents add notes to prompts: <current_datetime>…</current_datetime>.
_NOTE = re.compile(r"<([a-zA-Z][\w-]*)(?:\s[^<>]*)?>.*?</\1>", re.DOTALL)
LONGEST_SLEEP = 120.0


@dataclass(frozen=True)
class Say:
    text: str
    seconds: float = 0.0  # from the first word to the last


@dataclass(frozen=True)
class Think:
    text: str


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Call:
    """A tool call. `kind` is run, write or tool; `name` is used by the last."""

    kind: str
    name: str = ""
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fail:
    times: int


Action = Say | Think | Sleep | Call | Fail


def strip_notes(text: str) -> str:
    """What the user typed, without the notes that agents add in tags."""
    return _NOTE.sub("", text).strip()


def has_steps(text: str) -> bool:
    return _BEGINS.search(text) is not None


def actions(prompt: str, calls_made: int) -> list[Action]:
    """The reply to this prompt, after this many of its tool calls have been made."""
    match = _BEGINS.search(prompt)
    if match is None:
        return [Say(FINISHED)]
    replies = _replies([_step(part) for part in _parts(match[1])])
    for reply in replies:
        calls = sum(isinstance(action, Call) for action in reply)
        if calls_made < calls or not calls:
            return reply
        calls_made -= calls
    return [Say(FINISHED)]


def _parts(line: str) -> list[tuple[str, bool]]:
    """Each step, and whether it belongs to the same reply as the call before it."""
    pieces = re.split(r"\s+(;;|\+\+)\s+", line.strip())
    joins = [False] + [mark == "++" for mark in pieces[1::2]]
    return list(zip(pieces[::2], joins, strict=True))


def _step(part: tuple[str, bool]) -> tuple[Action, bool]:
    text, joined = part
    step = _STEP.fullmatch(text.strip())
    if step is None:
        return Say(text), joined
    word, rest = step[1], step[2]
    match word:
        case "SAY":
            return Say(_quoted(rest)), joined
        case "STREAM":
            seconds, _, text = rest.partition(" ")
            return Say(_quoted(text), min(float(seconds), LONGEST_SLEEP)), joined
        case "THINK":
            return Think(_quoted(rest)), joined
        case "SLEEP":
            return Sleep(min(float(rest), LONGEST_SLEEP)), joined
        case "FAIL":
            return Fail(int(rest)), joined
        case "RUN":
            return Call("run", values={"command": rest}), joined
        case "WRITE":
            path, _, content = rest.partition(" ")
            return Call("write", values={"path": path, "content": content}), joined
    name, _, arguments = rest.partition(" ")
    return Call("tool", name, json.loads(arguments or "{}")), joined


def _quoted(text: str) -> str:
    return QUOTES.get(text.removeprefix("="), text) if text.startswith("=") else text


def _replies(steps: Sequence[tuple[Action, bool]]) -> list[list[Action]]:
    replies: list[list[Action]] = [[]]
    for action, joined in steps:
        ended = any(isinstance(previous, Call) for previous in replies[-1])
        if ended and not joined:
            replies.append([])
        replies[-1].append(action)
    return replies
