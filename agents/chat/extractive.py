"""Extractive summary: what was asked, commands, files, exit codes, errors, and what is open.

Pure. It quotes and counts and does not interpret. Used when no language model is configured.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.chat.journals.entries import JournalToolCall, MessageKind, ToolStatus
from agents.chat.transcript import Message

By = Literal["model", "extract"]
BULLETS = 8
QUOTE = 160  # characters per quotation
SHOWN = 5  # commands or files listed
_ERROR = re.compile(
    r"(?i)^(?!.*\b(?:0|no) errors?\b).*(?:\berror\b[:\s]|\bfailed\b|\btraceback\b|\bfatal\b"
    r"|\bpanic\b|\bexception\b|command not found|no such file|permission denied)"
)
_EXIT = re.compile(
    r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)?|returned|rc)[ :=]+(\d{1,3})\b"
)
_FILE = re.compile(r"(?<![\w/.-])(?:~?/|\.{1,2}/)?(?:[\w.-]+/)*[\w-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b")
_MARKS = re.compile(r"`+|\*\*|^#{1,6} ", re.MULTILINE)
_COMMANDS = re.compile(r"(?i)bash|shell|exec|command|run")
_EDITS = re.compile(r"(?i)edit|write|patch|replace|create")
_QUESTION = re.compile(r"\S.*\?\s*(?:\[[^\]]*\]|\([^)]*\))?\s*$")


@dataclass(frozen=True, slots=True)
class Summary:
    bullets: tuple[str, ...]
    by: By
    model: str = ""


def summarize(messages: Sequence[Message], *, state: str = "", question: str = "") -> list[str]:
    """A list of sentences, empty only for an empty conversation: what was asked, what was done, and
    what is open."""
    prompts = [
        message.text
        for message in messages
        if message.role == "user" and message.kind is MessageKind.TEXT
    ]
    replies = [
        message
        for message in messages
        if message.role == "assistant" and message.kind is MessageKind.TEXT
    ]
    lines = [line for message in replies for line in message.text.split("\n")]
    calls = [message.tool for message in messages if message.tool is not None]
    outcomes = [line for call in calls for line in call.outcome.split("\n")]
    bullets = [
        _asked(prompts),
        _commands(calls),
        _changed(calls) or _named([*prompts, *lines]),
        _failed(calls),
        _codes([*lines, *outcomes]),
        _errors([*lines, *outcomes]),
        _last_said(lines),
        _open(messages, lines, state, question),
    ]
    return [bullet for bullet in bullets if bullet][:BULLETS]


def _asked(prompts: Sequence[str]) -> str:
    if not prompts:
        return ""
    quoted = _list([_quote(text) for text in prompts[-SHOWN:]])
    if len(prompts) > SHOWN:
        return f"{len(prompts)} prompts were sent, the last ones: {quoted}."
    return f"You asked: {quoted}."


def _commands(calls: Sequence[JournalToolCall]) -> str:
    commands = [
        call.input
        for call in calls
        if call.input and _COMMANDS.search(call.name) and call.status is not ToolStatus.REFUSED
    ]
    if not commands:
        return ""
    count = "1 command was" if len(commands) == 1 else f"{len(commands)} commands were"
    return f"{count} run: {_list([_plain(command) for command in commands[-SHOWN:]])}."


def _changed(calls: Sequence[JournalToolCall]) -> str:
    paths = dict.fromkeys(
        path
        for call in calls
        if _EDITS.search(call.name) and call.status is not ToolStatus.REFUSED
        for path in _FILE.findall(call.input.split("\n", 1)[0])
    )
    return f"Files changed: {_list(list(paths)[-SHOWN:])}." if paths else ""


def _named(lines: Iterable[str]) -> str:
    names = dict.fromkeys(match for line in lines for match in _FILE.findall(line))
    return f"Files mentioned: {_list(list(names)[-SHOWN:])}." if names else ""


def _failed(calls: Sequence[JournalToolCall]) -> str:
    parts = [
        f"{count} {'was' if count == 1 else 'were'} {status}"
        for status in (ToolStatus.FAILED, ToolStatus.REFUSED)
        if (count := sum(call.status is status for call in calls))
    ]
    done = sum(call.status is ToolStatus.DONE for call in calls)
    if not parts:
        return ""
    verbs = " and ".join(parts).replace("were failed", "failed").replace("was failed", "failed")
    return f"Of {len(calls)} tool calls {done} succeeded, {verbs}."


def _codes(lines: Iterable[str]) -> str:
    codes = [match[1] for line in lines for match in _EXIT.finditer(line)]
    return f"Exit codes: {', '.join(codes[-SHOWN:])}." if codes else ""


def _errors(lines: Iterable[str]) -> str:
    errors = [line.strip() for line in lines if _ERROR.search(line)]
    if not errors:
        return ""
    if len(errors) == 1:
        return f"There was one error: {_plain(errors[0])}"
    return f"There were {len(errors)} errors, the last one: {_plain(errors[-1])}"


def _last_said(lines: Sequence[str]) -> str:
    last = next((line.strip() for line in reversed(lines) if line.strip(" `#*-|")), "")
    return f"The last line of the answer is {_quote(last)}." if last else ""


def _open(messages: Sequence[Message], lines: Sequence[str], state: str, question: str) -> str:
    open_question = question or next(
        (line.strip() for line in reversed(lines[-20:]) if _QUESTION.match(line.strip())), ""
    )
    parts = [f"The agent is {state}."] if state else []
    if open_question:
        parts.append(f"Open question: {_plain(open_question)}")
    elif messages and messages[-1].role == "user" and messages[-1].kind is MessageKind.TEXT:
        parts.append("The last prompt has no answer yet.")
    return " ".join(parts)


def _list(items: Sequence[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def _quote(text: str) -> str:
    return f"“{_plain(text)}”"


def _plain(text: str) -> str:
    """One line, shortened, without the marks of Markdown."""
    flat = " ".join(_MARKS.sub("", text).split())
    return flat if len(flat) <= QUOTE else f"{flat[: QUOTE - 1]}…"
